use dalil_proof::json::Json;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{DatasetOutcome, DatasetRow};
use crate::ledger;
use crate::ledger::export::LedgerExport;
use crate::ledger::request::LedgerRequest;

const ANSWER: &str = "Leave is 15 days.";

fn ledger() -> Value {
    let request = br#"{"session":{"id":"ses_1"},"created_at":"2026-01-03T14:30:00Z",
        "claims":[{"claim_id":"c-1","claim_text":"Leave is 15 days","claim_type":"numeric",
        "importance":"critical","start_offset":0,"end_offset":16}]}"#;
    let request = LedgerRequest::read(request).unwrap();
    serde_json::to_value(ledger::check(&request).unwrap()).unwrap()
}

fn export() -> Value {
    let text = ledger().to_string();
    let ledger = ledger::Ledger::parse(text.as_bytes()).unwrap();
    serde_json::to_value(LedgerExport::of(&ledger)).unwrap()
}

/// Reads rows, and compares the content of each, or every fault.
#[track_caller]
fn check(value: &Value, expected: &Expect) {
    let text = value.to_string();
    let json = Json::parse(text.as_bytes()).unwrap();
    let shown = match DatasetRow::parse_all(&json, "march.json") {
        Ok(rows) => rows.iter().map(shown).collect::<String>(),
        Err(refused) => format!("{refused}\n"),
    };
    expected.assert_eq(&shown);
}

fn shown(row: &DatasetRow) -> String {
    let DatasetRow { name, question, answer, outcome } = row;
    let outcome = match outcome {
        DatasetOutcome::Checked(ledger) => format!("ledger {}", ledger.id),
        DatasetOutcome::Unchecked(why) => format!("none: {why}"),
    };
    format!("{name} | {question:?} | {answer:?} | {outcome}\n")
}

#[test]
fn ledgers_and_rows_are_read_in_every_form() {
    check(
        &ledger(),
        &expect![[r#"
        march.json | None | None | ledger d8dd972d-26d5-8048-b29a-f7d0e665ba8a
    "#]],
    );
    let mut beside = ledger();
    beside["gate"] = json!({"verdict": "pass", "findings": []});
    beside["saved"] = json!({"index": 3});
    check(
        &beside,
        &expect![[r#"
        march.json | None | None | ledger d8dd972d-26d5-8048-b29a-f7d0e665ba8a
    "#]],
    );
    let mut named = ledger();
    named["answer"] = json!("leave.md");
    check(
        &json!({"ledgers": [named, ledger()], "overview": {}}),
        &expect![[r#"
        leave.md | None | None | ledger d8dd972d-26d5-8048-b29a-f7d0e665ba8a
        march.json | None | None | ledger d8dd972d-26d5-8048-b29a-f7d0e665ba8a
    "#]],
    );
    check(
        &json!({"id": "a", "question": "Days?", "answer": ANSWER, "ledger": ledger(), "team": "HR"}),
        &expect![[r#"
            a | Some("Days?") | Some("Leave is 15 days.") | ledger d8dd972d-26d5-8048-b29a-f7d0e665ba8a
        "#]],
    );
    check(
        &json!({"id": 7, "ledger": ledger().to_string(), "error": null}),
        &expect![[r#"
        7 | None | None | ledger d8dd972d-26d5-8048-b29a-f7d0e665ba8a
    "#]],
    );
    check(
        &json!({"id": "b", "ledger": null, "error": "no documents"}),
        &expect![[r#"
        b | None | None | none: no documents
    "#]],
    );
}

#[test]
fn what_cannot_be_reported_is_refused_with_every_fault() {
    check(
        &json!({"id": "a"}),
        &expect![[r#"
        `$`: expected a ledger in `ledger`, or why there is none in `error`, found neither
    "#]],
    );
    check(
        &json!({"id": "a", "ledger": ledger(), "error": "none"}),
        &expect![[r#"
        `$`: expected a ledger in `ledger`, or why there is none in `error`, found both
    "#]],
    );
    check(
        &json!({"id": 1.5, "question": 3, "answer": [], "ledger": 7, "error": " "}),
        &expect![[r#"
            `id`: expected a string, found `1.5`
            `question`: expected a string, found `3`
            `answer`: expected a string, found an array
            `ledger`: expected an object, found `7`
            `error`: expected some text, found ` `
        "#]],
    );
    check(
        &json!({"ledger": "{"}),
        &expect![[r#"
        `id`: expected a value, found nothing
        `ledger`: expected one JSON value, found the end of the text at line 1 column 1
        hint: check it with a JSON linter
    "#]],
    );
    check(
        &json!([ledger()]),
        &expect![[r#"
        `$`: expected an object, found an array
    "#]],
    );
    check(
        &export(),
        &expect![[r#"
        `$`: what other programs take of a ledger, which leaves out what its id is made of; `--format ledger` gives the whole of it
    "#]],
    );
}

#[test]
fn a_ledger_that_states_otherwise_what_follows_is_refused_with_its_path() {
    let mut changed = ledger();
    changed["summary"]["total_claims"] = json!(3);
    check(
        &changed,
        &expect![[r#"
        `$`: expected sums and ids that follow from its claims, found others
    "#]],
    );
    changed["entries"][0]["verdict"] = json!("true");
    check(
        &json!({"ledgers": [ledger(), changed.clone()]}),
        &expect![[r#"
        `ledgers[1].entries[0].verdict`: expected one of `supported`, `weak`, `contradicted`, `not_found`, found `true`
    "#]],
    );
    check(
        &json!({"id": "a", "ledger": changed.to_string()}),
        &expect![[r#"
        `ledger.entries[0].verdict`: expected one of `supported`, `weak`, `contradicted`, `not_found`, found `true`
    "#]],
    );
    check(
        &json!({"ledgers": [], "more": 1}),
        &expect![[r#"
        `more`: expected only ledgers, overview, found a field it does not know
        hint: remove the field or correct its name
    "#]],
    );
    // The claims end after the answer does.
    check(
        &json!({"id": "a", "answer": "Leave.", "ledger": ledger()}),
        &expect![[r#"
        `answer`: expected the answer of the claims, with 16 characters or more, found 6
    "#]],
    );
}
