//! `dalil check`: answers and documents in, ledgers out.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::run::{self, Output, dalil_in, put};

const RIGHT: &str = "All permanent employees receive 15 days of paid annual leave.";
const WRONG: &str = "All permanent employees receive 20 days of paid annual leave.";
const TIME: [&str; 2] = ["--at", "2026-01-03T14:30:00Z"];

/// A folder with a policy and answers that the rules decide.
fn folder(name: &str) -> PathBuf {
    let folder = run::folder(&format!("check/{name}"));
    let policy = format!("# Leave policy\n\n## 3.1 Entitlement\n\n{RIGHT}\n");
    put(&folder.join("docs/policy.md"), policy.as_bytes());
    put(&folder.join("docs/سياسة.md"), "# الإجازات\n\nمدة الإجازة السنوية 15 يوماً.\n".as_bytes());
    put(&folder.join("right.md"), RIGHT.as_bytes());
    put(&folder.join("wrong.md"), WRONG.as_bytes());
    put(&folder.join("both.md"), format!("{RIGHT}\n\n- مدة الإجازة السنوية 20 يوماً.\n").as_bytes());
    folder
}

#[track_caller]
fn check(folder: &Path, answers: &[&str], more: &[&str]) -> Output {
    let args = [&["check"], answers, &["--against", "docs"], &TIME, more].concat();
    dalil_in(folder, &[], &args, b"")
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn the_document_that_amends_another_prevails() {
    let folder = run::folder("check/amends");
    let clause =
        |days: u32| format!("The Contractor shall deliver the spare parts within {days} days.");
    let title = "Maintenance Agreement 31";
    put(&folder.join("docs/a.md"), format!("# {title}\n\n{}\n", clause(30)).as_bytes());
    put(
        &folder.join("docs/b.md"),
        format!("# Amendment 1 to {title}\n\n{}\n", clause(45)).as_bytes(),
    );
    put(&folder.join("new.md"), clause(45).as_bytes());
    put(&folder.join("old.md"), clause(30).as_bytes());
    let fast = ["--json", "--judge", "fast"];
    assert_eq!(verdicts(&json(&check(&folder, &["new.md"], &fast))), ["supported"]);
    let old = json(&check(&folder, &["old.md"], &fast));
    assert_eq!(verdicts(&old), ["contradicted"]);
    assert!(!old["risk_flags"].to_string().contains("conflicting_sources"), "{old}");
}

fn verdicts(ledger: &Value) -> Vec<&str> {
    let entries = ledger["entries"].as_array().unwrap().iter();
    entries.map(|entry| entry["verdict"].as_str().unwrap()).collect()
}

/// Every file below a folder, by its path.
fn files(folder: &Path) -> Vec<String> {
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .flat_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                files(&path).iter().map(|inside| format!("{name}/{inside}")).collect()
            } else {
                vec![name]
            }
        })
        .collect();
    files.sort();
    files
}

#[test]
fn the_address_of_a_judge_is_not_repeated_with_its_password() {
    let folder = folder("judge-address");
    for url in [
        "https://key:s3cret@judge.example",
        "ftp://key:s3cret@judge.example",
        "https://judge.example?key=s3cret",
    ] {
        let args = ["check", "right.md", "--against", "docs", "--judge", url, "--judge-model", "m"];
        let output = dalil_in(&folder, &[], &args, b"");
        assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{url}");
        expect![[r#"
            error: expected `fast`, `deep`, `auto` or an `http` or `https` address without user, query and fragment, found another address
            hint: give the key of the endpoint in `DALIL_JUDGE_KEY`
        "#]]
        .assert_eq(&output.stderr);
    }
}

#[test]
fn what_cannot_be_checked_says_why() {
    let folder = folder("errors");
    put(&folder.join("latin.md"), b"caf\xe9");
    fs::create_dir(folder.join("empty")).unwrap();
    let refused = |args: &[&str], expected: &Expect| {
        let output = dalil_in(&folder, &[], &[&["check"], args].concat(), b"");
        assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{args:?}");
        expected.assert_eq(&output.stderr);
    };
    refused(
        &["none.md", "--against", "docs"],
        &expect![[r#"
        error: expected a readable file, found `none.md`: No such file or directory (os error 2)
        hint: give the path of a file, or `-` for standard input
    "#]],
    );
    refused(
        &["latin.md", "--against", "docs"],
        &expect![[r#"
        error: expected an answer in UTF-8, found other bytes in `latin.md`
        hint: save the answer as UTF-8 text
    "#]],
    );
    refused(
        &["right.md", "--against", "empty"],
        &expect![[r#"
        error: expected documents, found none under `empty`
        hint: give files or folders to `--against`
    "#]],
    );
    refused(
        &["right.md", "--against", "docs", "none"],
        &expect![[r#"
        error: expected a file or folder, found `none`: No such file or directory (os error 2)
        hint: give files or folders to `--against`
    "#]],
    );
    refused(
        &["right.md"],
        &expect![[r#"
        error: the following required arguments were not provided:
          --against <PATH>...

        Usage: dalil check --against <PATH>... <ANSWERS>...

        For more information, try '--help'.
    "#]],
    );
    refused(
        &["right.md", "--against", "docs", "--judge", "http://127.0.0.1:9"],
        &expect![[r#"
            error: expected the name of the model at the judge's address, found none
            hint: name it: `--judge-model NAME`
        "#]],
    );
    refused(
        &["right.md", "--against", "docs", "--lang", "fr"],
        &expect![[r#"
        error: invalid value 'fr' for '--lang <LANG>': expected `en` or `ar`

        For more information, try '--help'.
    "#]],
    );
    refused(
        &["right.md", "--against", "docs", "--expand", "7"],
        &expect![[r#"
        error: expected the number of a claim from 1 to 1, found `7`
        hint: `--expand all` shows every claim
    "#]],
    );
}

#[test]
fn an_answer_without_claims_is_said_to_have_none() {
    let folder = folder("claimless");
    put(&folder.join("empty.md"), b"");
    put(
        &folder.join("refusal.md"),
        b"I am sorry, but I cannot answer that. Which site do you mean?\n",
    );
    for name in ["empty.md", "refusal.md"] {
        let output = check(&folder, &[name], &["--format", "ledger", "--gate"]);
        let summary = &json(&output)["summary"];
        assert_eq!((output.exit, &summary["state"]), (2, &json!("no_checkable_claim")), "{name}");
    }
    let ledger = json(&check(&folder, &["refusal.md"], &["--format", "ledger"]));
    expect![[
        r#"[{"end":36,"reason":"refusal","start":0},{"end":60,"reason":"question","start":38}]"#
    ]]
    .assert_eq(&ledger["not_claims"].to_string());
    let table = check(&folder, &["empty.md"], &[]).stdout;
    assert!(table.contains("No checkable claim"), "{table}");
}

#[test]
fn claims_that_the_rules_decide_in_both_languages() {
    let folder = folder("rules");
    let ledger = json(&check(&folder, &["both.md"], &["--format", "ledger"]));
    assert_eq!(verdicts(&ledger), ["supported", "contradicted"]);
    let entries = ledger["entries"].as_array().unwrap();
    let texts: Vec<&Value> = entries.iter().map(|entry| &entry["claim_text"]).collect();
    assert_eq!(texts, [RIGHT.trim_end_matches('.'), "مدة الإجازة السنوية 20 يوماً"]);
    let arabic = check(&folder, &["both.md"], &["--lang", "ar", "--expand", "2"]).stdout;
    assert!(arabic.contains("سياسة.md") && arabic.contains("مناقَض"), "{arabic}");
}

#[test]
fn the_gate_decides_the_exit_code() {
    let folder = folder("gate");
    let pass = check(&folder, &["right.md"], &["--gate", "--json"]);
    assert_eq!(
        (pass.exit, &json(&pass)["gate"]["verdict"]),
        (0, &json!("pass")),
        "{}",
        pass.stderr
    );
    let fail = check(&folder, &["wrong.md"], &["--gate", "--json"]);
    assert_eq!(
        (fail.exit, &json(&fail)["gate"]["verdict"]),
        (1, &json!("fail")),
        "{}",
        fail.stdout
    );
    assert!(fail.stderr.contains("gate: "), "{}", fail.stderr);
    assert_eq!(check(&folder, &["right.md", "wrong.md"], &["--gate"]).exit, 1);
    assert_eq!(check(&folder, &["wrong.md"], &[]).exit, 0);
    assert_eq!(json(&check(&folder, &["wrong.md"], &["--json"])).get("gate"), None);
}

#[test]
fn several_answers_have_a_ledger_each_and_figures_over_all() {
    let folder = folder("several");
    let reply = json(&check(&folder, &["right.md", "wrong.md"], &["--format", "json"]));
    let ledgers = reply["ledgers"].as_array().unwrap();
    let named: Vec<&Value> = ledgers.iter().map(|ledger| &ledger["answer"]).collect();
    assert_eq!(named, ["right.md", "wrong.md"]);
    assert_eq!(verdicts(&ledgers[1]), ["contradicted"]);
    let keys: Vec<&String> = reply["overview"].as_object().unwrap().keys().collect();
    expect![[r#"["answers", "total", "unsupported"]"#]].assert_eq(&format!("{keys:?}"));
    let whole = json(&check(&folder, &["right.md", "wrong.md"], &["--format", "ledger"]));
    assert!(whole["ledgers"][0]["id"].is_string());
    let table = check(&folder, &["right.md", "wrong.md"], &[]).stdout;
    let (first, second) = (table.find("\nright.md\n"), table.find("\nwrong.md\n"));
    assert!(first.is_some() && first < second, "{table}");
    // One answer has no overview and no name above it.
    let one = check(&folder, &["right.md"], &[]).stdout;
    assert!(!one.contains("right.md"), "{one}");
    assert_eq!(json(&check(&folder, &["right.md"], &["--json"])).get("overview"), None);
}

#[test]
fn every_format_is_what_it_says() {
    let folder = folder("formats");
    let said = |format: &str| check(&folder, &["right.md", "wrong.md"], &["--format", format]);
    let sarif = json(&said("sarif"));
    let schema = fs::read(run::root().join("suite/press/sarif-2.1.0.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let wrong: Vec<String> = schema.iter_errors(&sarif).map(|error| error.to_string()).collect();
    assert_eq!(wrong, [""; 0], "{sarif}");
    assert_eq!((&sarif["version"], sarif["runs"].as_array().unwrap().len()), (&json!("2.1.0"), 1));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let places: Vec<&Value> = results
        .iter()
        .map(|one| &one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        .collect();
    assert!(places.contains(&&json!("wrong.md")), "{places:?}");
    // From where the program ran, and not from the folder of the documents.
    let source = &results[0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"];
    assert!(folder.join(source["uri"].as_str().unwrap()).is_file(), "{source}");
    let junit = said("junit").stdout;
    assert!(
        junit.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"),
        "{junit}"
    );
    assert!(junit.trim_end().ends_with("</testsuites>"), "{junit}");
    assert_eq!((junit.matches("<testcase").count(), junit.matches("<failure").count()), (2, 1));
    let markdown = said("markdown").stdout;
    assert_eq!(markdown.matches("## Evidence Ledger\n").count(), 2, "{markdown}");
    assert!(markdown.contains(WRONG.trim_end_matches('.')), "{markdown}");
    let ledger = json(&check(&folder, &["right.md"], &["--format", "ledger"]));
    let keys: Vec<&String> = ledger.as_object().unwrap().keys().collect();
    expect![[r#"["citations", "created_at", "documents", "entries", "follow_up_questions", "id", "judge", "not_claims", "risk_flags", "session_id", "summary", "updated_at"]"#]].assert_eq(&format!("{keys:?}"));
    let export = json(&check(&folder, &["right.md"], &["--format", "json"]));
    let keys: Vec<&String> = export.as_object().unwrap().keys().collect();
    expect![[r#"["documents", "entries", "generated_at", "judge", "ledger_id", "not_claims", "risk_flags", "session_id", "summary"]"#]].assert_eq(&format!("{keys:?}"));
    // `--json` asks every command for the same.
    assert_eq!(json(&check(&folder, &["right.md"], &["--json"])), export);
}

#[test]
fn an_index_is_kept_and_used_again_and_changes_no_byte() {
    let folder = folder("index");
    let before = files(&folder);
    let plain = check(&folder, &["both.md"], &["--format", "ledger", "--no-index"]).stdout;
    assert_eq!(files(&folder), before);
    assert_eq!(check(&folder, &["both.md"], &["--format", "ledger"]).stdout, plain);
    let index = folder.join(".dalil/index");
    let kept = files(&index);
    assert_eq!(kept.len(), 2);
    let written = |name: &String| fs::metadata(index.join(name)).unwrap().modified().unwrap();
    let times: Vec<_> = kept.iter().map(written).collect();
    assert_eq!(check(&folder, &["both.md"], &["--format", "ledger"]).stdout, plain);
    assert_eq!(kept.iter().map(written).collect::<Vec<_>>(), times);
    put(&folder.join("docs/policy.md"), WRONG.as_bytes());
    fs::remove_file(folder.join("docs/سياسة.md")).unwrap();
    let changed = json(&check(&folder, &["wrong.md"], &["--json"]));
    assert_eq!((verdicts(&changed), files(&index).len()), (vec!["supported"], 3));
}

#[test]
fn ledgers_are_the_same_on_any_number_of_threads_and_in_any_locale() {
    let folder = folder("same");
    let args = ["check", "both.md", "--against", "docs", "--no-index", "--format", "ledger"];
    let said = |environment: &[(&str, &str)], threads: &str| {
        let args = [&args, TIME.as_slice(), &["--threads", threads]].concat();
        let output = dalil_in(&folder, environment, &args, b"");
        assert_eq!(output.exit, 0, "{}", output.stderr);
        output.stdout
    };
    let expected = said(&[], "1");
    for threads in ["2", "8", "0"] {
        assert_eq!(said(&[], threads), expected, "{threads} threads");
    }
    for locale in ["C", "ar_SA.UTF-8", "tr_TR.UTF-8"] {
        let environment = [("LC_ALL", locale), ("LANG", locale), ("TZ", "Asia/Riyadh")];
        assert_eq!(said(&environment, "2"), expected, "{locale}");
    }
}

#[test]
fn an_answer_can_come_from_standard_input() {
    let folder = folder("stdin");
    let args = [&["check", "-", "--against", "docs", "--json"], TIME.as_slice()].concat();
    let output = dalil_in(&folder, &[], &args, WRONG.as_bytes());
    assert_eq!((output.exit, verdicts(&json(&output))), (0, vec!["contradicted"]));
    let named = check(&folder, &["wrong.md"], &["--json"]);
    assert_eq!(output.stdout, named.stdout);
}

#[test]
fn documents_that_cannot_be_read_are_in_the_ledger() {
    let folder = folder("unread");
    put(&folder.join("docs/scan.png"), b"\x89PNG\r\n\x1a\n");
    put(&folder.join("docs/cut.docx"), b"PK\x03\x04");
    put(&folder.join("docs/latin.txt"), b"caf\xe9");
    let output = check(&folder, &["right.md"], &["--format", "ledger"]);
    assert_eq!(output.exit, 0);
    let ledger = json(&output);
    let documents = ledger["documents"].as_array().unwrap().iter();
    let told: Vec<String> = documents
        .map(|one| format!("{} {} {}", one["filename"], one["chunks"], one["problems"]))
        .collect();
    expect![[r#"
        "latin.txt" 1 ["expected UTF-8, found other bytes; read as windows-1252"]
        "policy.md" 3 null
        "سياسة.md" 2 null
        "cut.docx" 0 ["expected a document, found an archive of other files"]
        "scan.png" 0 ["expected a document, found a picture"]"#]]
    .assert_eq(&told.join("\n"));
    expect![[r#"
        not read: `cut.docx`: expected a document, found an archive of other files
        not read: `scan.png`: expected a document, found a picture
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn files_of_one_name_in_two_corpora_are_told_apart() {
    let folder = folder("two");
    put(&folder.join("old/policy.md"), WRONG.as_bytes());
    let args =
        [&["check", "right.md", "--against", "docs", "old", "--format", "ledger"], TIME.as_slice()];
    let ledger = json(&dalil_in(&folder, &[], &args.concat(), b""));
    let documents = ledger["documents"].as_array().unwrap().iter();
    let names: Vec<&str> = documents.map(|one| one["filename"].as_str().unwrap()).collect();
    assert_eq!(names, ["docs/policy.md", "سياسة.md", "old/policy.md"]);
}

#[test]
fn the_options_of_a_store_are_for_saving() {
    let folder = folder("unsaved");
    for option in ["--store", "--lake", "--tenant", "--identity", "--passphrase-file", "--key"] {
        let output = check(&folder, &["right.md"], &[option, "x"]);
        let expected = "error: the following required arguments were not provided:\n  --save\n\n";
        assert_eq!(
            (output.exit, output.stderr.starts_with(expected)),
            (2, true),
            "{}",
            output.stderr
        );
    }
}

/// Answers one call with a ruling, and returns the request.
fn judge(ruling: &Value) -> (String, thread::JoinHandle<String>, Vec<u8>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let message = json!({"role": "assistant", "content": ruling.to_string()});
    let reply = json!({"choices": [{"index": 0, "message": message}]}).to_string().into_bytes();
    let sent = reply.clone();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut call = Vec::new();
        let mut part = [0; 4096];
        // The body is one object, and the last bytes of it are known.
        while !call.ends_with(b"}]}") {
            let taken = stream.read(&mut part).unwrap();
            call.extend_from_slice(&part[..taken]);
        }
        let head = format!(
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            reply.len()
        );
        stream.write_all(&[head.as_bytes(), &reply].concat()).unwrap();
        String::from_utf8(call).unwrap()
    });
    (url, server, sent)
}

#[test]
fn another_judge_is_asked_and_its_reply_is_kept() {
    let folder = folder("external");
    let (url, server, reply) = judge(
        &json!({"verdict": "contradicted", "passage": 1, "quote": "15 days of paid annual leave"}),
    );
    let args = ["check", "wrong.md", "--against", "docs/policy.md", "--format", "ledger"];
    let args = [&args, ["--judge", &url, "--judge-model", "m-1"].as_slice(), &TIME].concat();
    let output = dalil_in(&folder, &[("DALIL_JUDGE_KEY", "very-secret")], &args, b"");
    let call = server.join().unwrap().to_lowercase();
    assert!(call.starts_with("post /v1/chat/completions http/1.1\r\n"), "{call}");
    assert!(call.contains("\r\nauthorization: bearer very-secret\r\n"), "{call}");
    let ledger = json(&output);
    assert_eq!((output.exit, verdicts(&ledger)), (0, vec!["contradicted"]));
    let digest = dalil_proof::digest::Digest::of(&reply);
    assert_eq!(ledger["judge"]["model"], "m-1");
    assert_eq!(ledger["judge"]["replies"], json!([digest.to_string()]));
    let kept = folder.join(format!(".dalil/replies/{}.json", digest.hex()));
    assert_eq!(fs::read(kept).unwrap(), reply);
    assert!(!output.stdout.contains("very-secret"));
}

#[test]
fn the_replies_of_another_judge_are_kept_in_the_store() {
    let folder = folder("external-saved");
    let made = ["tenant", "create", "acme", "--origin", "dalil.example/acme"];
    assert_eq!(dalil_in(&folder, &[], &made, b"").exit, 0);
    let (url, server, reply) = judge(
        &json!({"verdict": "contradicted", "passage": 1, "quote": "15 days of paid annual leave"}),
    );
    let args = ["check", "wrong.md", "--against", "docs/policy.md", "--save"];
    let args = [&args, ["--judge", &url, "--judge-model", "m-1"].as_slice()].concat();
    let output = dalil_in(&folder, &[], &args, b"");
    server.join().unwrap();
    assert_eq!(output.exit, 0, "{}", output.stderr);
    let hex = dalil_proof::digest::Digest::of(&reply).hex();
    let lake = folder.join("dalil-data/lake/acme/sha256");
    let (first, rest) = hex.split_at(2);
    let object = lake.join(first).join(rest.split_at(2).0).join(&hex);
    assert_eq!(fs::read(&object).unwrap(), reply);
    // A record needs it: without it the store is not sound.
    assert_eq!(dalil_in(&folder, &[], &["fsck"], b"").exit, 0);
    fs::remove_file(object).unwrap();
    let checked = dalil_in(&folder, &[], &["fsck"], b"");
    let findings = json(&checked)["findings"].as_array().unwrap().clone();
    let failed = findings.iter().filter(|one| one["verdict"] == "fail");
    let failed: Vec<&Value> = failed.map(|one| &one["message"]).collect();
    assert_eq!(
        (checked.exit, failed),
        (1, vec![&json!(format!("object sha256:{hex} is MISSING"))])
    );
}

#[test]
fn a_judge_is_not_asked_about_an_answer_without_claims() {
    let folder = folder("judge");
    put(&folder.join("refusal.md"), b"I cannot answer that.\n");
    // Nothing listens on port 9.
    let more = ["--judge", "http://127.0.0.1:9/v1", "--judge-model", "m"];
    let output = check(&folder, &["refusal.md"], &more);
    assert_eq!(output.exit, 0, "{}", output.stderr);
}

#[test]
fn an_answer_that_comes_bit_by_bit_is_told_on_the_way_and_printed_as_a_whole() {
    let folder = folder("stream");
    let text = format!("{WRONG} Parking is free.");
    put(&folder.join("two.md"), text.as_bytes());
    let more = ["--judge", "fast", "--format", "ledger", "--no-index"];
    let whole = check(&folder, &["two.md"], &more);
    let args = [&["check", "-", "--stream", "--against", "docs"], &TIME[..], &more].concat();
    let told = dalil_in(&folder, &[], &args, text.as_bytes());
    assert_eq!((told.stdout, told.exit), (whole.stdout, whole.exit));
    expect![[r#"
        clm_001 Contradicted: `All permanent employees receive 20 days of paid annual leave`
        clm_002 Not Found: `Parking is free`
    "#]]
    .assert_eq(&told.stderr);
    // Half of a character, a file, and more than one answer.
    let broken = dalil_in(&folder, &[], &args, b"Leave is paid. \xd8");
    assert_eq!(broken.exit, 2, "{}", broken.stderr);
    let named = check(&folder, &["two.md"], &["--stream"]);
    assert!(named.stderr.contains("expected `-` as the only answer"), "{}", named.stderr);
}
