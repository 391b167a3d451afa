//! Extraction: whole answers as chat models write them, edges by hand, laws by chance.

use std::fmt::Write as _;

use dalil_evidence::char_offset::CharOffsetIndex;
use expect_test::expect_file;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::plain::folded;
use super::{ClaimExtraction, ClaimTone, ContextSpan, claims, verb};

/// Everything extracted from an answer, as lines.
fn shown(answer: &str, question: Option<&str>) -> String {
    let ClaimExtraction { claims, skipped } = claims(answer, question);
    let mut lines = Vec::new();
    for claim in &claims {
        let mut line = format!("{:?} {:?}", claim.kind, claim.importance).to_lowercase();
        if claim.tone == ClaimTone::Hedged {
            line.push_str(" hedged");
        }
        let _ = write!(line, " │ {}", claim.text(answer).replace('\n', "⏎"));
        for anchor in &claim.anchors {
            let _ = write!(line, " ⟨{anchor}⟩");
        }
        for ContextSpan { start, end, role } in &claim.leads {
            let words = answer.get(*start..*end).unwrap().replace('\n', "⏎");
            let _ = write!(line, "\n    {} │ {words}", format!("{role:?}").to_lowercase());
        }
        let said = claim.statement(answer);
        if said != claim.text(answer) {
            let _ = write!(line, "\n    = {said}");
        }
        lines.push((claim.start, line));
    }
    for one in &skipped {
        let words = answer.get(one.start..one.end).unwrap().replace('\n', "⏎");
        lines.push((one.start, format!("- {} │ {words}", format!("{:?}", one.why).to_lowercase())));
    }
    lines.sort_by_key(|(start, _)| *start);
    lines.iter().map(|(_, line)| format!("{line}\n")).collect()
}

/// Cases are divided by `== name`; a line `? …` below it is the question.
fn cases(text: &str) -> Vec<(&str, Option<&str>, &str)> {
    let mut cases = Vec::new();
    for case in text.split("\n== ").map(|case| case.trim_start_matches("== ")) {
        let (name, rest) = case.split_once('\n').unwrap();
        match rest.strip_prefix("? ").and_then(|rest| rest.split_once('\n')) {
            Some((question, answer)) => cases.push((name, Some(question), answer)),
            None => cases.push((name, None, rest)),
        }
    }
    cases
}

#[test]
fn answers_give_their_claims() {
    let mut all = String::new();
    for (name, question, answer) in cases(include_str!("tests/answers.txt")) {
        let _ = writeln!(all, "== {name}\n{}", shown(answer, question));
    }
    expect_file!["./tests/claims.txt"].assert_eq(&all);
}

/// Each claim of an answer with its context and the documents that are named.
fn read_with(answer: &str) -> String {
    let found = claims(answer, None);
    let mut lines = String::new();
    for (claim, named) in found.claims.iter().zip(found.named_documents(answer)) {
        let _ = writeln!(lines, "{}", claim.statement(answer));
        if let Some(context) = claim.context(answer) {
            let _ = writeln!(lines, "    < {context}");
        }
        if !named.is_empty() {
            let _ = writeln!(lines, "    @ {}", named.join(" / "));
        }
    }
    lines
}

#[test]
fn claims_have_their_context_and_the_documents_named() {
    let mut all = String::new();
    for (name, _, answer) in cases(include_str!("tests/leaning.txt")) {
        let _ = writeln!(all, "== {name}\n{}", read_with(answer));
    }
    expect_file!["./tests/contexts.txt"].assert_eq(&all);
}

#[test]
fn a_context_is_bounded() {
    let (title, words) = ("Rent ".repeat(60), "out ".repeat(80));
    let answer = format!("# {title}\n\nCranes are rented {words}. They are red.");
    let found = claims(&answer, None);
    let context = found.claims.last().and_then(|claim| claim.context(&answer)).unwrap_or_default();
    let count = context.split_whitespace().count();
    assert!((30..=60).contains(&count), "{count}");
}

/// The claims of an answer as a ledger's request gives them.
#[track_caller]
fn requested(answer: &str, request: &str) {
    let request: Value = serde_json::from_str(request).unwrap();
    let found = claims(answer, request["session"]["query"].as_str()).claims;
    let positions = CharOffsetIndex::of(answer);
    let found: Vec<Value> = found
        .iter()
        .map(|claim| {
            let (start, end) = (positions.at(claim.start), positions.at(claim.end));
            json!([claim.text(answer), claim.kind, claim.importance, start, end])
        })
        .collect();
    let fields = ["claim_text", "claim_type", "importance", "start_offset", "end_offset"];
    let expected: Vec<Value> = request["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| fields.iter().map(|field| claim[field].clone()).collect())
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn examples_give_the_claims_of_their_requests() {
    requested(
        include_str!("../../../../examples/answers/leave.en.md"),
        include_str!("../../../../examples/requests/ledger.json"),
    );
    requested(
        include_str!("../../../../examples/answers/leave-wrong.en.md"),
        include_str!("../../../../examples/requests/ledger-contradicted.json"),
    );
    requested(
        include_str!("../../../../examples/answers/agreement.en.md"),
        include_str!("../../../../examples/requests/ledger-agreement.json"),
    );
    requested(
        include_str!("../../../../examples/answers/refusal.en.md"),
        include_str!("../../../../examples/requests/ledger-refusal.json"),
    );
}

#[test]
fn verbs_are_listed_in_order_and_folded() {
    assert!(verb::VERBS_EN.is_sorted());
    for word in verb::VERBS_EN.iter().chain(super::skip::phrases()) {
        assert_eq!(&folded(word), word);
    }
}

#[test]
fn nothing_gives_nothing() {
    for answer in ["", " \n ", "---", "[cite:aaaaaaaa]", "[1]"] {
        assert_eq!(claims(answer, Some("")), ClaimExtraction { claims: vec![], skipped: vec![] });
    }
}

#[test]
fn long_and_hostile_answers_take_time_in_proportion() {
    let pieces = [
        "The fee is 5% and the deposit is 10% [cite:aaaaaaaa]. ",
        "- a:\n",
        "> ",
        "| a ",
        "**",
        "](",
        "[1] ",
        "# a\n",
        "- ",
        "a ",
        "`a` ",
        "يجب ويجوز ",
        "x: y\n",
        "a; ",
        "1. b\n",
        "|a|b|\n|-|-|\n",
        "[",
        "<a>",
        "*a_ ",
        "\\",
        "\"a\" is ",
    ];
    for piece in pieces {
        let answer = piece.repeat(30_000 / piece.len());
        let found = claims(&answer, Some("What is the fee?"));
        covers(&answer, &found);
    }
}

/// Claims and skipped words are apart and in order; the rest has no words of its own.
#[track_caller]
fn covers(answer: &str, found: &ClaimExtraction) {
    let mut spans: Vec<(usize, usize)> =
        found.claims.iter().map(|one| (one.start, one.end)).collect();
    spans.extend(found.skipped.iter().map(|one| (one.start, one.end)));
    spans.sort_unstable();
    let mut at = 0;
    let mut left = String::new();
    for (start, end) in spans {
        assert!(at <= start && start < end, "{at} {start}..{end} in {answer:?}");
        left.push_str(answer.get(at..start).unwrap());
        left.push('\n');
        at = end;
    }
    left.push_str(answer.get(at..).unwrap());
    let bare = left.split_whitespace().filter(|word| {
        let short = word.chars().filter(|ch| ch.is_alphanumeric()).count() <= 5;
        let noted = word.contains("cite:") || word.contains(']');
        !short && !noted
    });
    assert_eq!(bare.collect::<Vec<_>>(), Vec::<&str>::new(), "{answer:?}");
}

proptest! {
    /// Every part of any answer is accounted for.
    #[test]
    fn everything_is_a_claim_or_skipped(
        parts in prop::collection::vec(
            "[A-Za-z ]{0,12}|[ء-ي ]{0,12}|[0-9.,:;!?؟()*_`#>|~\"\\-]{1,3}|\n|\n\n|\n- |\n1\\. |\n> |\n\\| a \\| b \\|\n|-\\|-\n|\\[cite:[0-9a-f]{8}\\]|\\[[0-9]\\]|\\[a\\]\\(b\\)| and the fee is 5%| يجب أن |<b>|\u{301}|\n```\n",
            0..40,
        )
    ) {
        let answer = parts.concat();
        let found = claims(&answer, Some("What is the fee?"));
        covers(&answer, &found);
        for claim in &found.claims {
            prop_assert_eq!(claim.text(&answer).trim(), claim.text(&answer));
            prop_assert!(claim.leads.iter().all(|lead| answer.get(lead.start..lead.end).is_some()));
            prop_assert!(!claim.statement(&answer).is_empty());
        }
    }
}
