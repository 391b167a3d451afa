//! `dalil report`: ledgers in, one page out.

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::run::{self, Output, dalil, dalil_in, put};

fn ledger(session: &str) -> Value {
    let request = json!({
        "session": {"id": session}, "created_at": "2026-01-03T14:30:00Z",
        "claims": [{"claim_id": "c-1", "claim_text": "Leave is 15 days", "claim_type": "numeric",
            "importance": "critical", "start_offset": 0, "end_offset": 16}],
    });
    let output = dalil(&["ledger", "-"], request.to_string().as_bytes());
    serde_json::from_str(&output.stdout).unwrap()
}

fn row(name: &str) -> String {
    let row = json!({"id": name, "answer": "Leave is 15 days.", "ledger": ledger(name)});
    format!("{row}\n")
}

fn folder(name: &str) -> PathBuf {
    run::folder(&format!("report/{name}"))
}

fn report(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    dalil_in(folder, &[], &[&["report"], args].concat(), input)
}

/// The names of the answers, in the order of the page.
fn answers(page: &str) -> Vec<&str> {
    let after = page.split("<summary><bdi class=\"name\">").skip(1);
    after.map(|rest| rest.split_once('<').unwrap().0).collect()
}

/// Compares a refusal whole.
#[track_caller]
fn check_refused(output: &Output, expected: &Expect) {
    assert_eq!((output.exit, output.stdout.is_empty()), (1, false), "{}", output.stderr);
    expected.assert_eq(&output.stderr);
}

#[test]
fn ledgers_lines_and_folders_give_one_page() {
    let folder = folder("forms");
    let indented = serde_json::to_string_pretty(&ledger("whole")).unwrap();
    put(&folder.join("in/whole.json"), indented.as_bytes());
    put(&folder.join("in/part/b.jsonl"), (row("b-1") + "\n" + &row("b-2")).as_bytes());
    put(&folder.join("in/part/a.json"), row("a").as_bytes());
    // Files that are no part of a data set are not read.
    put(&folder.join("in/_job.json"), b"{}");
    put(&folder.join("in/.hidden.json"), b"{}");
    put(&folder.join("in/readme.md"), b"#");
    let output = report(&folder, &["in", "--title", "March"], b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    assert!(output.stdout.starts_with("<!doctype html>\n"));
    assert!(output.stdout.contains("<title>March</title>"));
    assert_eq!(answers(&output.stdout), ["a", "b-1", "b-2", "in/whole.json"]);
    let again = report(&folder, &["in", "--title", "March"], b"");
    assert_eq!(again.stdout, output.stdout);
    let several = report(&folder, &["-"], (row("one") + &row("two")).as_bytes());
    assert_eq!(answers(&several.stdout), ["one", "two"]);
}

#[test]
fn an_answer_without_a_ledger_is_shown_and_the_exit_code_says_so() {
    let rows = row("one") + "{\"id\":\"two\",\"error\":\"no documents\"}\n";
    let output = dalil(&["report", "-"], rows.as_bytes());
    assert_eq!((output.exit, output.stderr.as_str()), (2, ""));
    assert!(output.stdout.contains("Answers that could not be checked"));
    assert!(output.stdout.contains("no documents"));
}

#[test]
fn what_is_no_ledger_is_refused_with_its_place() {
    let folder = folder("refused");
    let mut changed = ledger("one");
    changed["summary"]["total_claims"] = json!(7);
    let rows = format!(
        "{}{{\"id\":\"two\",\"ledger\":{changed}}}\n{{\"id\":\"three\"}}\nnot JSON\n",
        row("one")
    );
    put(&folder.join("rows.jsonl"), rows.as_bytes());
    put(&folder.join("empty.jsonl"), b"");
    put(&folder.join("broken.json"), b"{\n\"id\": ");
    check_refused(
        &report(&folder, &["rows.jsonl", "empty.jsonl", "broken.json"], b""),
        &expect![[r#"
            error: `rows.jsonl:2: ledger`: expected sums and ids that follow from its claims, found others
            error: `rows.jsonl:3: $`: expected a ledger in `ledger`, or why there is none in `error`, found neither
            error: `rows.jsonl:4: $`: expected one JSON value, found something that JSON does not allow at line 1 column 2
            hint: check it with a JSON linter
            error: `empty.jsonl`: expected ledgers, or rows with ledgers, found nothing
            error: `broken.json: $`: expected one JSON value, found the end of the text at line 2 column 6
            hint: check it with a JSON linter
        "#]],
    );
    put(&folder.join("parts/part-000000.parquet"), b"PAR1");
    check_refused(
        &report(&folder, &["parts"], b""),
        &expect![[r#"
        error: `parts`: expected ledgers, or rows with ledgers, found none
        hint: of Parquet files, `python -m dalil.parquet IN --out OUT --report FILE` makes the report
    "#]],
    );
    let missing = report(&folder, &["nowhere.json"], b"");
    assert_eq!(missing.exit, 2);
}
