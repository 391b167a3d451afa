//! The examples: every request gives a good reply, and every excerpt is in the document it names.

use std::fs;

use dalil_evidence::anchor::citations;
use dalil_proof::digest::Digest;
use serde_json::Value;

use crate::run::{self, dalil, root};

#[test]
fn every_request_is_answered() {
    let answered = [
        ("bundle", "bundle.json --lake examples/corpus", 0),
        ("ledger", "ledger.json", 0),
        ("ledger", "ledger-agreement.json --gate", 1),
        ("ledger", "ledger-contradicted.json --gate", 1),
        ("ledger", "ledger-refusal.json --gate", 2),
        ("policy", "policy.json", 0),
        ("record package", "record-package.json", 0),
        ("record resolve", "record-resolve.json", 0),
        ("record status", "record-status.json", 0),
        ("record validate", "record-validate.json", 0),
        ("record validate", "record-validate-gaps.json", 1),
        ("sources", "sources.json", 0),
    ];
    let files = fs::read_dir(root().join("examples/requests")).unwrap();
    for file in files.map(|file| file.unwrap().file_name().into_string().unwrap()) {
        let (command, rest, exit) = answered
            .iter()
            .find(|(_, rest, _)| rest.split(' ').next() == Some(file.as_str()))
            .unwrap_or_else(|| panic!("no command answers {file}"));
        let line = format!("{command} examples/requests/{rest} --json");
        let output = dalil(&line.split(' ').collect::<Vec<_>>(), b"");
        assert_eq!(output.exit, *exit, "dalil {line}: {}", output.stderr);
        let reply: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(reply.get("refused"), None, "dalil {line}");
    }
}

#[test]
fn every_excerpt_of_the_decision_is_in_the_document_it_names() {
    let request = json("examples/decision/pack.json");
    assert_eq!(request["decision"], json("examples/decision/decision.json"));
    for source in request["decision"]["evidence"].as_array().unwrap() {
        let path = text(&source["uri"]).replace("lake:", "examples/corpus/");
        let document = fs::read_to_string(root().join(&path)).unwrap();
        assert_eq!(Digest::of(document.as_bytes()).to_string(), text(&source["content_hash"]));
        assert!(document.contains(text(&source["excerpt"])), "{path}");
    }
}

#[test]
fn every_citation_of_an_answer_names_a_sentence_of_the_corpus() {
    let corpus: Vec<String> = fs::read_dir(root().join("examples/corpus"))
        .unwrap()
        .filter_map(|file| fs::read_to_string(file.unwrap().path()).ok())
        .collect();
    let lines = corpus.iter().flat_map(|document| document.lines());
    let known: Vec<Digest> =
        lines.flat_map(sentences).map(dalil_evidence::anchor::text_digest).collect();
    let mut cited = 0;
    for file in fs::read_dir(root().join("examples/answers")).unwrap() {
        let path = file.unwrap().path();
        for citation in citations(&fs::read_to_string(&path).unwrap()) {
            cited += 1;
            citation
                .anchor
                .resolve(&known)
                .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    }
    assert!(cited >= 8, "only {cited} citations");
}

/// A line and every sentence in it, with its stop.
fn sentences(line: &str) -> Vec<&str> {
    line.split_inclusive(['.', '؟']).chain([line]).map(str::trim).collect()
}

fn json(path: &str) -> Value {
    serde_json::from_slice(&fs::read(root().join(path)).unwrap()).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The verdicts and pages of an answer in `examples/answers` against all of `examples/corpus`.
fn judged(answer: &str) -> String {
    let answer = format!("examples/answers/{answer}");
    let args = ["check", &answer, "--against", "examples/corpus", "--no-index", "--json"];
    let output = run::dalil_in(&root(), &[], &args, b"");
    let ledger: Value = serde_json::from_str(&output.stdout).unwrap();
    let entries = ledger["entries"].as_array().unwrap();
    let line = |entry: &Value| {
        let source = &entry["evidence"]["source"];
        let page = source["page_number"].as_u64().map_or("-".to_owned(), |page| page.to_string());
        let name = source["filename"].as_str().unwrap_or("-");
        format!("{} {name} {page}\n", entry["verdict"].as_str().unwrap())
    };
    entries.iter().map(line).collect()
}

#[test]
fn the_leave_answer_is_judged_as_the_contract_does_in_both_languages() {
    for language in ["en", "ar"] {
        let policy = format!("hr-leave-policy.{language}.md");
        assert_eq!(
            judged(&format!("leave.{language}.md")),
            format!(
                "supported {policy} 12\nsupported {policy} 13\nweak {policy} 15\nnot_found - -\n"
            )
        );
        assert_eq!(
            judged(&format!("leave-wrong.{language}.md")),
            format!(
                "contradicted {policy} 12\ncontradicted {policy} 13\ncontradicted {policy} 15\n"
            )
        );
    }
}
