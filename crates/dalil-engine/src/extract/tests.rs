//! Extraction: whole answers as chat models write them, edges by hand, laws by chance.

use std::fmt::Write as _;

use expect_test::expect_file;

use super::{Extracted, Lead, Tone, characters, claims};

/// Everything extracted from an answer, as lines.
fn shown(answer: &str, question: Option<&str>) -> String {
    let Extracted { claims, skipped } = claims(answer, question);
    let mut lines = Vec::new();
    for claim in &claims {
        let mut line = format!("{:?} {:?}", claim.kind, claim.importance).to_lowercase();
        if claim.tone == Tone::Hedged {
            line.push_str(" hedged");
        }
        let _ = write!(line, " │ {}", claim.text(answer).replace('\n', "⏎"));
        for anchor in &claim.anchors {
            let _ = write!(line, " ⟨{anchor}⟩");
        }
        for Lead { start, end, role } in &claim.leads {
            let words = answer[*start..*end].replace('\n', "⏎");
            let _ = write!(line, "\n    {} │ {words}", format!("{role:?}").to_lowercase());
        }
        let said = claim.statement(answer);
        if said != claim.text(answer) {
            let _ = write!(line, "\n    = {said}");
        }
        lines.push((claim.start, line));
    }
    for one in &skipped {
        let words = answer[one.start..one.end].replace('\n', "⏎");
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
    for (name, question, answer) in cases(include_str!("tests/answers.md.txt")) {
        let _ = writeln!(all, "== {name}\n{}", shown(answer, question));
    }
    expect_file!["./tests/claims.txt"].assert_eq(&all);
}

#[test]
fn offsets_are_counted_in_characters_too() {
    let answer = "الحد الأقصى ٥ أيام. The fee is 5 €. Notice is 3 days.";
    let found = claims(answer, None).claims;
    let all: Vec<char> = answer.chars().collect();
    for (claim, range) in found.iter().zip(characters(answer, &found)) {
        assert_eq!(all[range].iter().collect::<String>(), claim.text(answer));
    }
    assert_eq!(found.len(), 3);
}
