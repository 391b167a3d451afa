use std::fs;
use std::path::Path;

use dalil_core::ledger::request::{Document as Origin, Match};
use dalil_core::ledger::verdict::{self, Verdict};
use expect_test::expect;
use serde::Deserialize;

use super::{Corpus, Judge, Opinion, Question, Source};
use crate::index::{Index, Segment};
use crate::model::Model;
use crate::read;
use crate::split;

/// The opinions about a claim in one text.
fn opinions(judge: &Judge<'_>, evidence: &str, claim: &str) -> Vec<Opinion> {
    let document = read::read(evidence.as_bytes(), "evidence.txt").unwrap();
    let chunks = split::chunks(&document);
    let words: Vec<&str> =
        chunks.iter().map(|chunk| &document.text[chunk.start..chunk.end]).collect();
    let index = Index::of(vec![Segment::of(document.digest, &words)]);
    let sources = [Source { document: &document, chunks: &chunks }];
    let question =
        Question { statement: claim.to_owned(), search: claim.to_owned(), cited: Vec::new() };
    let corpus = Corpus { sources: &sources, index: &index };
    judge.judge(&corpus, &[question]).remove(0)
}

/// The verdict that a ledger gives to opinions.
fn verdict(opinions: &[Opinion]) -> Verdict {
    let matches: Vec<Match> = opinions
        .iter()
        .filter(|one| one.tells())
        .map(|one| Match {
            chunk_id: one.place.chunk.to_string(),
            document: Origin {
                id: one.place.source.to_string(),
                filename: "evidence.txt".to_owned(),
                page_number: None,
                heading_path: None,
                date: None,
                truncated: None,
            },
            similarity: one.similarity(),
            support: one.judgement.level,
            contradicts: one.judgement.contradicts,
            snippet: String::new(),
            snippet_offsets: None,
            components: None,
        })
        .collect();
    verdict::assign(&matches).verdict
}

#[derive(Deserialize)]
struct Case {
    name: String,
    evidence: String,
    claim: String,
    verdict: String,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/rules");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts =
        files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let texts: Vec<String> = texts.map(|path| fs::read_to_string(path).unwrap()).collect();
    texts
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_rule_suite_is_judged_right_but_for_the_cases_named_here() {
    let model = Model::shipped().unwrap();
    let judge = Judge::new(&model, 2).unwrap();
    let cases = cases();
    let mut wrong = String::new();
    for case in &cases {
        let found = verdict(&opinions(&judge, &case.evidence, &case.claim));
        let word = serde_json::to_string(&found).unwrap();
        if word.trim_matches('"') != case.verdict {
            wrong.push_str(&format!(
                "{}: {} found {}\n",
                case.name,
                case.verdict,
                word.trim_matches('"')
            ));
        }
    }
    let right = cases.len() - wrong.lines().count();
    assert!(right * 100 >= cases.len() * 95, "{right} of {}:\n{wrong}", cases.len());
    expect![[""]].assert_eq(&wrong);
}
