//! The updates while an answer is written, and the ledger at its end.

use std::path::PathBuf;

use dalil_evidence::ledger::request::LedgerOptions;
use dalil_proof::canon;
use expect_test::{Expect, expect};

use super::{ClaimUpdate, GrowingAnswer};
use crate::check::{self, CheckContext};
use crate::corpus::Corpus;
use crate::judges::{JudgeMode, JudgeModels, Judges};
use crate::scratch::TestCorpusFolder;

const POLICY: &[u8] = b"# Leave policy\n\nPermanent employees receive 15 days of paid leave.\n\n\
    Requests are submitted 2 weeks in advance.\n";

fn setup() -> CheckContext {
    CheckContext {
        session: None,
        question: Some("How many days of leave?".to_owned()),
        at: "2026-01-03T14:30:00Z".parse().unwrap(),
        previous: None,
        options: LedgerOptions::usual(),
    }
}

fn judges() -> Judges {
    Judges { models: JudgeModels::open(None).unwrap(), mode: JudgeMode::Fast }
}

fn corpus(name: &str) -> (TestCorpusFolder, Corpus) {
    let scratch = TestCorpusFolder::with(name, &[("policy.md", POLICY)]);
    let corpus = scratch.corpus("");
    (scratch, corpus)
}

/// Pieces of `length` characters.
fn pieces(text: &str, length: usize) -> Vec<String> {
    let all: Vec<char> = text.chars().collect();
    all.chunks(length).map(|piece| piece.iter().collect()).collect()
}

/// Checks the updates for an answer that comes a word at a time, with the word after each comes.
#[track_caller]
fn told(name: &str, answer: &str, expected: &Expect) {
    let (_scratch, corpus) = corpus(name);
    let (judges, setup) = (judges(), setup());
    let panel = judges.panel(2).unwrap();
    let mut growing = GrowingAnswer::new();
    let mut lines = String::new();
    for piece in answer.split_inclusive([' ', '\n']) {
        if !growing.push(piece) {
            continue;
        }
        for update in growing.look(&corpus, &panel, &setup).unwrap() {
            let text = match update {
                ClaimUpdate::Judged(one) => {
                    format!("{} {:?} {}", one.claim_id, one.verdict, one.claim_text)
                }
                ClaimUpdate::Withdrawn { claim_id } => format!("{claim_id} withdrawn"),
            };
            lines.push_str(&format!("{:?}: {text}\n", piece.trim()));
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn a_claim_is_told_when_the_next_sentence_begins() {
    told(
        "growing-told",
        "Permanent employees receive 15 days of paid leave. Requests are submitted 3 weeks in \
         advance. Parking is free.",
        &expect![[r#"
            "Requests": clm_001 Supported Permanent employees receive 15 days of paid leave
            "Parking": clm_002 Contradicted Requests are submitted 3 weeks in advance
        "#]],
    );
}

#[test]
fn what_later_text_makes_something_else_of_is_told_again_or_withdrawn() {
    told(
        "growing-again",
        "Permanent employees receive 15 days of leave. It is paid.\n===\n\n\
         Requests are submitted 2 weeks in advance. Grades | Days of leave. Paid\n---|---\n\
         Permanent | 15 days\n\nParking is free. It ends.",
        &expect![[r#"
            "It": clm_001 Supported Permanent employees receive 15 days of leave
            "===": clm_002 Supported It is paid
            "Requests": clm_001 withdrawn
            "Requests": clm_002 withdrawn
            "Grades": clm_001 Supported Requests are submitted 2 weeks in advance
            "Paid": clm_002 Supported Grades | Days of leave
            "Parking": clm_001 Supported Permanent | 15 days
            "Parking": clm_002 withdrawn
            "It": clm_002 NotFound Parking is free
        "#]],
    );
}

const ANSWERS: [&str; 6] = [
    "Permanent employees receive 15 days of paid leave. Requests are submitted 3 weeks in advance.",
    "# Leave\n\n**Days.** Employees receive:\n\n- 15 days of leave\n- 2 weeks of notice [1]\n\n\
     | Who | Days |\n|---|---|\n| Permanent employees | 15 |\n| Guests | 4 |\n\n[1] Leave policy\n",
    "يحصل الموظفون الدائمون على 15 يوماً من الإجازة. تُقدَّم الطلبات قبل أسبوعين! هل يكفي ذلك؟ نعم.",
    "Hello! I hope this helps.",
    "Leave is 15.5 days, e.g. for J. Smith. It is paid… or is it? \"Yes,\" the policy says",
    " \n\n",
];

#[test]
fn the_ledger_at_the_end_is_that_of_the_whole_answer() {
    let (_scratch, corpus) = corpus("growing-end");
    let (judges, setup) = (judges(), setup());
    let panel = judges.panel(2).unwrap();
    for answer in ANSWERS {
        let whole = check::check(answer, &corpus, &panel, &setup, &|_, _| ()).unwrap();
        for length in [1, 7, 1000] {
            let mut growing = GrowingAnswer::new();
            for piece in pieces(answer, length) {
                if growing.push(&piece) {
                    growing.look(&corpus, &panel, &setup).unwrap();
                }
            }
            let end = growing.finish(&corpus, &panel, &setup).unwrap();
            assert_eq!(
                canon::bytes(&end.ledger).unwrap(),
                canon::bytes(&whole.ledger).unwrap(),
                "{answer} in pieces of {length}"
            );
            assert_eq!(end.request, whole.request);
        }
    }
}

#[test]
fn every_claim_is_judged_once_unless_its_words_change() {
    let (_scratch, corpus) = corpus("growing-once");
    let (judges, setup) = (judges(), setup());
    let panel = judges.panel(2).unwrap();
    let answer = "Leave is 15 days. Requests are submitted 2 weeks in advance. Parking is free. ";
    let mut growing = GrowingAnswer::new();
    for piece in pieces(&answer.repeat(4), 5) {
        if growing.push(&piece) {
            growing.look(&corpus, &panel, &setup).unwrap();
        }
    }
    let text = growing.text().to_owned();
    let asked = std::cell::RefCell::new(Vec::new());
    let step = |done: usize, all: usize| asked.borrow_mut().push((done, all));
    let mut known = growing.into_judged();
    let before = known.opinions.len();
    let told = check::check_known(&text, &corpus, (&panel, Some(&mut known)), &setup, &step);
    let all = told.unwrap().ledger.content.entries.len();
    // The last sentence was open until the end, and had been judged in the same words before.
    assert_eq!((all, known.opinions.len() - before), (12, 0));
    assert_eq!(asked.into_inner(), []);

    // Another corpus: nothing of it is used.
    let other = TestCorpusFolder::with("growing-other", &[("policy.md", b"Leave is 20 days.\n")]);
    let other = other.corpus("");
    let told = check::check_known(&text, &other, (&panel, Some(&mut known)), &setup, &|_, _| ());
    let plain = check::check(&text, &other, &panel, &setup, &|_, _| ()).unwrap();
    assert_eq!(told.unwrap().request, plain.request);
}

#[test]
fn an_external_judge_is_asked_at_the_end_alone() {
    let (scratch, corpus) = corpus("growing-external");
    let replies: PathBuf = scratch.path("replies");
    // No server listens there: a question would fail.
    let external = crate::external::ExternalJudge::new("http://127.0.0.1:1", "m", None, replies);
    let mode = JudgeMode::External(Box::new(external));
    let judges = Judges { models: JudgeModels::open(None).unwrap(), mode };
    let panel = judges.panel(1).unwrap();
    let mut growing = GrowingAnswer::new();
    assert!(growing.push("Leave is 15 days. Parking is free. "));
    assert_eq!(growing.look(&corpus, &panel, &setup()).unwrap(), []);
}

#[test]
fn a_long_answer_is_looked_at_in_growing_steps() {
    let sentence = "Leave is 15 days. ";
    let mut growing = GrowingAnswer::new();
    let mut looks = 0;
    let mut longest = 0;
    for _ in 0..4000 {
        for piece in pieces(sentence, 3) {
            if growing.push(&piece) {
                (looks, longest) = (looks + 1, longest.max(growing.whole - growing.looked));
                growing.looked = growing.whole;
            }
        }
    }
    // Each look reads everything: 4,000 of them would read the answer two thousand times.
    assert!((100..400).contains(&looks), "{looks}");
    assert!(longest <= growing.text().len() / 16, "{longest}");
}
