//! Commands over a store: what they store, refuse and find again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::run::{self, Output, dalil_in, put};

/// A folder with a store of two tenants.
#[track_caller]
fn store(name: &str) -> PathBuf {
    let folder = run::folder(&format!("keep/{name}"));
    for tenant in ["acme", "zenith"] {
        let origin = format!("dalil.example/{tenant}");
        let made = keep(&folder, &["tenant", "create", tenant, "--origin", &origin], b"");
        assert_eq!(made.exit, 0, "{}", made.stderr);
    }
    folder
}

/// Runs a command for `acme`, at a fixed time.
#[track_caller]
fn acme(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    keep(folder, &[args, &["--tenant", "acme"]].concat(), input)
}

#[track_caller]
fn zenith(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    keep(folder, &[args, &["--tenant", "zenith"]].concat(), input)
}

#[track_caller]
fn keep(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let more = ["--at", "2026-03-15T09:30:00Z", "--actor", "agent:a-1"];
    dalil_in(folder, &[("DALIL_STORE", "file:data")], &[args, &more].concat(), input)
}

#[track_caller]
fn reply(output: &Output) -> Value {
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {:?} {:?}", output.stdout, output.stderr);
    })
}

/// The rules that a refusal names.
#[track_caller]
fn refused(output: &Output) -> (i32, Vec<String>) {
    let reply = reply(output);
    let faults = reply["refused"].as_array().cloned().unwrap_or_default();
    let rule = |fault: &Value| fault["rule"].as_str().unwrap_or_default().to_owned();
    (output.exit, faults.iter().map(rule).collect())
}

fn package() -> Vec<u8> {
    json!({
        "obligations": [
            {"obligation_id": "ob-1", "doc_id": "d", "source_clause": "The Vendor shall deliver.",
             "extraction_model": "m", "confidence": 0.9},
            {"obligation_id": "ob-2", "doc_id": "none", "source_clause": "c", "extraction_model": "m"}],
        "documents": {"d": {"filename": "agreement.pdf"}},
        "verifications": {"ob-1": {"verification_model": "v", "verified": true}},
    })
    .to_string()
    .into_bytes()
}

fn change(obligation: &str) -> Value {
    json!({"obligation_id": obligation, "old_status": "ACTIVE", "new_status": "TERMINATED", "reason": "r"})
}

#[test]
fn a_tenant_that_is_there_is_left_as_it_is() {
    let folder = store("there");
    let create = ["tenant", "create", "acme", "--origin", "dalil.example/other", "--json"];
    assert_eq!(keep(&folder, &create, b"").exit, 1);
    let shown = reply(&keep(&folder, &[&create[..], &["--if-missing"]].concat(), b""));
    assert_eq!(shown["origin"], "dalil.example/acme", "{shown}");
    let third = ["tenant", "create", "third", "--origin", "dalil.example/third", "--if-missing"];
    assert_eq!(keep(&folder, &third, b"").exit, 0);
}

#[test]
fn obligations_are_appended_and_their_history_told() {
    let folder = store("record");
    let appended = acme(&folder, &["record", "append", "-"], &package());
    // The obligations without evidence are reported on standard error.
    let told = "evidence_missing_document: `ob-2`\n1 recorded, 1 skipped: evidence_missing_document 1, \
                evidence_missing_verification 0\n";
    assert_eq!(appended.stderr, told);
    let packaged = dalil_in(&folder, &[], &["record", "package", "-"], &package());
    assert_eq!((packaged.exit, packaged.stderr.as_str()), (0, told));
    let appended = reply(&appended);
    assert_eq!(
        (&appended["records"][0]["index"], &appended["skipped"][0]["index"]),
        (&json!(2), &json!(3))
    );
    let changed = acme(&folder, &["record", "append", "-"], change("ob-1").to_string().as_bytes());
    assert_eq!(reply(&changed)["index"], 4);
    let told = reply(&acme(&folder, &["record", "history", "ob-1"], b""));
    assert_eq!(
        (&told["status"], told["records"].as_array().map(Vec::len)),
        (&json!("TERMINATED"), Some(2))
    );
    let before = ["record", "history", "ob-1", "--as-of", "2026-03-15T09:29:59Z"];
    assert_eq!(reply(&acme(&folder, &before, b""))["records"], json!([]));
    let asked = json!({"expected_obligation_ids": ["ob-1", "ob-2", "ob-3"]}).to_string();
    let missing = acme(&folder, &["record", "missing", "-"], asked.as_bytes());
    let mut told = reply(&missing);
    // Keys are drawn, so the root is another each time.
    let root = told.as_object_mut().unwrap().remove("root").unwrap();
    assert!(root.as_str().unwrap().parse::<dalil_proof::digest::Digest>().is_ok(), "{root}");
    let expected = json!({"expected": 3, "size": 5, "missing": [
        {"obligation_id": "ob-2", "reason": "skipped: missing document none"},
        {"obligation_id": "ob-3", "reason": "never recorded"}]});
    assert_eq!((missing.exit, told), (1, expected));
    assert_eq!(zenith(&folder, &["record", "missing", "-"], asked.as_bytes()).exit, 1);
    assert_eq!(reply(&zenith(&folder, &["record", "history", "ob-1"], b""))["records"], json!([]));
    assert_eq!(refused(&acme(&folder, &["record", "append", "-"], b"{}")).0, 1);
}

#[test]
fn lines_are_answered_one_by_one() {
    let folder = store("lines");
    let line =
        |n: u64| json!({"kind": "status", "key": format!("k-{n}"), "request": change("ob-1")});
    let mut lines: Vec<String> = (1..=40).map(|n| line(n).to_string()).collect();
    lines.push(String::new());
    lines.push(json!({"kind": "package", "request": {}}).to_string());
    let output = acme(&folder, &["record", "append", "-", "--lines"], lines.join("\n").as_bytes());
    assert_eq!(output.exit, 1, "{}", output.stderr);
    let mut answers: Vec<Value> =
        output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["line"].as_u64());
    for (n, answer) in (1_u64..).zip(&answers).take(40) {
        let expected = (json!(n), json!(format!("k-{n}")), json!(n + 1));
        let found = (answer["line"].clone(), answer["key"].clone(), answer["index"].clone());
        assert_eq!(found, expected);
    }
    assert_eq!((answers.len(), &answers[40]["line"]), (41, &json!(42)));
    assert_eq!(answers[40]["refused"].as_array().map(Vec::len), Some(3));
    // A second import of the same lines changes nothing.
    let again = acme(&folder, &["record", "append", "-", "--lines"], lines.join("\n").as_bytes());
    assert_eq!(again.stdout.lines().count(), 41);
    let told = reply(&acme(&folder, &["record", "history", "ob-1"], b""));
    assert_eq!(told["records"].as_array().map(Vec::len), Some(40));
}

#[test]
fn bundles_are_saved_and_found_by_run_and_by_artifact() {
    let folder = store("bundle");
    put(&folder.join("lake/docs/bio.md"), b"A short biography.");
    put(&folder.join("docs/policy.md"), b"All employees receive 15 days.");
    let request = json!({"evidence_refs": {"lake_text": ["docs/bio.md"]}, "created_utc": "2026-03-15T09:00:00Z"});
    let args = [
        "bundle",
        "-",
        "--lake",
        "lake",
        "--against",
        "docs",
        "--no-index",
        "--save",
        "--run",
        "run-1",
        "--model",
        "m-1",
    ];
    let output = acme(&folder, &args, request.to_string().as_bytes());
    let whole = reply(&output);
    let (bundle, saved) = (&whole["bundle"], &whole["saved"]);
    assert_eq!(
        (output.exit, &saved["bundle_id"], &saved["is_new"]),
        (0, &bundle["bundle_id"], &json!(true))
    );
    let shown = reply(&acme(&folder, &["run", "show", "run-1"], b""));
    assert_eq!(
        (&shown["model"], &shown["bundles"][0]["bundle_id"]),
        (&json!("m-1"), &bundle["bundle_id"])
    );
    let digest = saved["documents"][0]["sha256"].as_str().unwrap();
    for artifact in ["docs/bio.md", digest] {
        let uses = reply(&acme(&folder, &["run", "uses", artifact], b""));
        assert_eq!(uses["runs"][0]["run_id"], "run-1", "{artifact}");
        assert_eq!(reply(&zenith(&folder, &["run", "uses", artifact], b""))["runs"], json!([]));
    }
    let whole = acme(&folder, &["run", "artifact", digest], b"");
    assert_eq!((whole.exit, whole.stdout.as_str()), (0, "All employees receive 15 days."));
    let other = zenith(&folder, &["run", "artifact", digest], b"");
    assert_eq!(refused(&other), (1, vec!["not_found".to_owned()]));
    let listed = reply(&acme(&folder, &["run", "list"], b""));
    assert_eq!((&listed[0]["run_id"], &listed[0]["status"]), (&json!("run-1"), &json!("started")));
    put(&folder.join("bundle.json"), output.stdout.as_bytes());
    put(&folder.join("answer.md"), b"All employees receive 15 days.");
    let args = ["check", "answer.md", "--bundle", "bundle.json", "--no-index", "--json"];
    let ledger = reply(&dalil_in(&folder, &[], &args, b""));
    assert_eq!(ledger["entries"][0]["verdict"], "supported");
    let bundle_id = bundle["bundle_id"].as_str().unwrap();
    let args = ["run", "record", "run-2", "--model", "m-2", "--bundle", bundle_id];
    assert_eq!(acme(&folder, &args, b"").exit, 0);
    assert_eq!(refused(&zenith(&folder, &args, b"")), (1, vec!["not_found".to_owned()]));
    assert_eq!(
        refused(&zenith(&folder, &["run", "show", "run-1"], b"")),
        (1, vec!["not_found".to_owned()])
    );
}

#[test]
fn a_check_is_saved_with_its_documents_and_names_the_one_before() {
    let folder = store("check");
    put(
        &folder.join("docs/policy.md"),
        b"# Leave\n\nAll permanent employees receive 15 days of annual leave.\n",
    );
    put(&folder.join("answer.md"), b"Permanent employees receive 15 days of annual leave.");
    let args = ["check", "answer.md", "--against", "docs", "--no-index", "--save", "--json"];
    let first = reply(&acme(&folder, &args, b""));
    let second = reply(&acme(&folder, &args, b""));
    let (one, two) = (&first["saved"], &second["saved"]);
    assert_eq!(
        (&one["documents"][0]["is_new"], &two["documents"][0]["is_new"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(two["supersedes"], one["ledger_id"]);
    let session = one["session_id"].as_str().unwrap();
    let asked = ["--session", "ses-mode", "--mode", "research"];
    let moded = acme(&folder, &[&args[..], &asked[..]].concat(), b"");
    let shown = reply(&acme(&folder, &["session", "show", "ses-mode"], b""));
    assert_eq!((moded.exit, &shown["mode"]), (0, &json!("research")));
    let shown = reply(&acme(&folder, &["session", "show", session], b""));
    assert_eq!(
        (shown["ledgers"].as_array().map(Vec::len), &shown["ledger"]["id"]),
        (Some(2), &two["ledger_id"])
    );
    let none = zenith(&folder, &["session", "show", session], b"");
    assert_eq!(refused(&none), (1, vec!["not_found".to_owned()]));
    let listed = reply(&acme(&folder, &["document", "list"], b""));
    assert_eq!(
        (&listed[0]["filename"], listed.as_array().map(Vec::len)),
        (&json!("policy.md"), Some(1))
    );
    assert_eq!(reply(&zenith(&folder, &["document", "list"], b"")), json!([]));
}

#[test]
fn documents_are_added_listed_and_printed() {
    let folder = store("document");
    put(&folder.join("docs/a.md"), "نص عربي\n".as_bytes());
    let added = reply(&acme(&folder, &["document", "add", "docs"], b""));
    let id = added[0]["document_id"].as_str().unwrap();
    let text = acme(&folder, &["document", "text", id], b"");
    assert_eq!((text.exit, text.stdout.as_str()), (0, "نص عربي\n"));
    assert_eq!(
        refused(&acme(&folder, &["document", "text", id, "--page", "1"], b"")).1,
        ["not_found"]
    );
    assert_eq!(refused(&zenith(&folder, &["document", "text", id], b"")).1, ["not_found"]);
    assert_eq!(acme(&folder, &["document", "add", "none"], b"").exit, 2);
}

/// The example's request, for a tenant of ours, with times that have passed.
fn pack() -> Value {
    let text = std::fs::read(run::root().join("examples/decision/pack.json")).unwrap();
    let mut pack: Value = serde_json::from_slice(&text).unwrap();
    pack["decision"]["tenant_id"] = json!("acme");
    pack
}

#[test]
fn a_pack_is_sealed_reviewed_and_verified_by_a_stranger() {
    let folder = store("pack");
    let request = pack().to_string();
    let late = ["--at", "2026-03-16T00:00:00Z"];
    let by = |actor: &str, args: &[&str], input: &[u8]| {
        let more = [args, &["--tenant", "acme", "--actor", actor], &late].concat();
        dalil_in(&folder, &[("DALIL_STORE", "file:data")], &more, input)
    };
    let sealed = |args: &[&str], input: &[u8]| by("agent:a-1", args, input);
    for (name, title) in [("finance_director", "finance"), ("head", "department_head")] {
        let add = ["member", "add", name, "--role", "approver", "--title", title];
        assert_eq!(sealed(&add, b"").exit, 0);
    }
    assert_eq!(refused(&sealed(&["pack", "seal", "-"], request.as_bytes())).1, ["not_recorded"]);
    let decision = pack()["decision"].to_string();
    assert_eq!(sealed(&["decision", "record", "-"], decision.as_bytes()).exit, 0);
    let first = sealed(&["pack", "seal", "-"], request.as_bytes());
    assert_eq!(first.exit, 0, "{}", first.stderr);
    let id = pack()["pack_id"].as_str().unwrap().to_owned();
    // Each approver acknowledges the concerns about the decision of the example.
    let seen = json!([
        {"rule": "failed_call", "path": "tool_calls[1]"},
        {"rule": "contradicted_call", "path": "tool_calls[2]"},
        {"rule": "stale_source", "path": "sources[3]"}]);
    let review = json!({"pack_id": id, "reviewer_id": "finance_director",
        "new_pack_id": "pack_00000000000000b2", "acknowledged": seen});
    assert_eq!(
        refused(&sealed(&["pack", "review", "-"], review.to_string().as_bytes())).1,
        ["role"]
    );
    let waiting =
        by("person:finance_director", &["pack", "review", "-"], review.to_string().as_bytes());
    assert_eq!(
        (waiting.exit, &reply(&waiting)["missing"]),
        (0, &json!(["a department head"])),
        "{}",
        waiting.stderr
    );
    let head = json!({"pack_id": id, "reviewer_id": "head",
        "new_pack_id": "pack_00000000000000b2", "acknowledged": seen});
    let second = by("person:head", &["pack", "review", "-"], head.to_string().as_bytes());
    assert_eq!(second.exit, 0, "{}", second.stderr);
    let text = by(
        "person:head",
        &["pack", "diff", &id, "pack_00000000000000b2", "--format", "table", "--lang", "ar"],
        b"",
    );
    assert!(text.stdout.contains("~ الحالة: بانتظار المراجعة → تمت مراجعتها\n"), "{}", text.stdout);
    let trust = acme(&folder, &["keys", "trust"], b"");
    put(&folder.join("trust.json"), trust.stdout.as_bytes());
    let shown = sealed(&["pack", "show", &id, "--sealed"], b"");
    for file in [&first, &second, &shown] {
        let args = ["verify", "-", "--trust", "trust.json", "--at", "2026-03-17T00:00:00Z"];
        let verified = dalil_in(&folder, &[], &args, file.stdout.as_bytes());
        assert_eq!((verified.exit, &reply(&verified)["verdict"]), (0, &json!("pass")));
    }
    let versions = reply(&acme(&folder, &["pack", "versions", &id], b""));
    assert_eq!(versions[0]["superseded_by"], "pack_00000000000000b2");
    let show = reply(&acme(&folder, &["pack", "show", "pack_00000000000000b2"], b""));
    assert_eq!((&show["status"], &show["pack"]["supersedes"]), (&json!("resolved"), &json!(id)));
    assert_eq!(refused(&sealed(&["pack", "seal", "-"], request.as_bytes())).1, ["taken"]);
    assert_eq!(
        refused(&sealed(&["pack", "review", "-"], review.to_string().as_bytes())).1,
        ["superseded"]
    );
    assert_eq!(
        refused(&zenith(&folder, &["pack", "seal", "-"], request.as_bytes())).1,
        ["other_tenant"]
    );
    assert_eq!(refused(&zenith(&folder, &["pack", "show", &id], b"")).1, ["not_found"]);
    assert_eq!(refused(&zenith(&folder, &["pack", "versions", &id], b"")).1, ["not_found"]);
}

#[test]
fn decisions_and_calls_are_recorded_once() {
    let folder = store("decision");
    let decision = pack()["decision"].to_string();
    let decided = acme(&folder, &["decision", "record", "-"], decision.as_bytes());
    assert_eq!((decided.exit, &reply(&decided)["requirement"]), (0, &json!("mandatory")));
    assert_eq!(
        refused(&acme(&folder, &["decision", "record", "-"], decision.as_bytes())).1,
        ["taken"]
    );
    assert_eq!(
        refused(&zenith(&folder, &["decision", "record", "-"], decision.as_bytes())).1,
        ["other_tenant"]
    );
    let id = pack()["decision"]["decision_id"].as_str().unwrap().to_owned();
    let intended = json!({"phase": "intended", "tool_call_id": "c-1", "tool_name": "t", "decision_id": id,
        "intended_action": "look"});
    let called =
        acme(&folder, &["tool", "record", "-", "--key", "k"], intended.to_string().as_bytes());
    assert_eq!((called.exit, &reply(&called)["phase"]), (0, &json!("intended")));
    let again =
        acme(&folder, &["tool", "record", "-", "--key", "k"], intended.to_string().as_bytes());
    assert_eq!(again.stdout, called.stdout);
    let reported = json!({"phase": "reported", "tool_call_id": "c-1", "actual_action": "look", "outcome": "failed"});
    assert_eq!(
        refused(&zenith(&folder, &["tool", "record", "-"], reported.to_string().as_bytes())).1,
        ["never_intended"]
    );
    assert_eq!(acme(&folder, &["tool", "record", "-"], reported.to_string().as_bytes()).exit, 0);
    let calls = reply(&acme(&folder, &["tool", "list", &id], b""));
    assert_eq!((&calls[0]["outcome"], calls.as_array().map(Vec::len)), (&json!("failed"), Some(1)));
    assert_eq!(reply(&zenith(&folder, &["tool", "list", &id], b"")), json!([]));
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_the_way() {
    let folder = run::folder("keep/none");
    let output = acme(&folder, &["record", "append", "-"], &package());
    assert_ne!(output.exit, 0);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_stranger_verifies_which_obligations_have_evidence() {
    let folder = store("completeness");
    acme(&folder, &["record", "append", "-"], &package());
    let asked = json!({"expected_obligation_ids": ["ob-1", "ob-2", "ob-3"]}).to_string();
    put(&folder.join("expected.json"), asked.as_bytes());
    let signed = acme(&folder, &["record", "missing", "expected.json", "--sign"], b"");
    assert_eq!(signed.exit, 1, "{}", signed.stderr);
    put(&folder.join("statement.json"), signed.stdout.as_bytes());
    let ada = ["--tenant", "acme", "--actor", "person:ada", "--at", "2026-03-15T09:30:00Z"];
    let export =
        ["trail", "export", "--out", "trail.jsonl", "--approver", "dpo", "--reason", "audit"];
    let store = [("DALIL_STORE", "file:data")];
    let exported = dalil_in(&folder, &store, &[&export[..], &ada].concat(), b"");
    assert_eq!(exported.exit, 0, "{} {}", exported.stdout, exported.stderr);
    let keys = acme(&folder, &["keys", "trust"], b"");
    put(&folder.join("trust.json"), keys.stdout.as_bytes());
    let verify = |more: &[&str]| {
        let usual =
            ["verify", "statement.json", "--trust", "trust.json", "--at", "2026-03-15T09:31:00Z"];
        let output = dalil_in(&folder, &[], &[&usual[..], more].concat(), b"");
        let report = reply(&output);
        let found = report["findings"].as_array().unwrap().iter();
        let found = found.map(|one| format!("{}: {}", one["part"], one["verdict"]));
        (output.exit, found.collect::<Vec<_>>().join(", ").replace('"', ""))
    };
    let before = "format: pass, signature: pass, statement key: pass, checkpoint: pass, \
                  checkpoint signature: pass, key status: pass";
    assert_eq!(
        verify(&[]),
        (2, format!("{before}, expected: incomplete, completeness: incomplete"))
    );
    assert_eq!(
        verify(&["--expected", "expected.json", "--trail", "trail.jsonl"]),
        (0, format!("{before}, expected: pass, trail: pass, completeness: pass"))
    );
    put(&folder.join("other.json"), br#"{"expected_obligation_ids":["ob-1"]}"#);
    assert_eq!(
        verify(&["--expected", "other.json", "--trail", "trail.jsonl"]),
        (1, format!("{before}, expected: fail, trail: pass, completeness: pass"))
    );
}
