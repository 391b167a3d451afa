//! Sentences: a labelled set, edges by hand, laws by chance.

use dalil_phrasebook::Language;
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{language, sentences};

/// Where sentences end inside a passage. In the labelled set `‖` marks these places.
fn labelled(passage: &str) -> (String, Vec<String>) {
    let parts: Vec<String> = passage.split('‖').map(|part| part.trim().to_owned()).collect();
    (passage.replace('‖', ""), parts)
}

/// Ends as the number of characters before them that are not white space.
fn ends(parts: &[String]) -> Vec<usize> {
    let mut at = 0;
    let mut ends = Vec::new();
    for part in parts {
        at += part.chars().filter(|ch| !ch.is_whitespace()).count();
        ends.push(at);
    }
    ends.pop();
    ends
}

/// Scores in thousandths, with every passage that is not cut as labelled.
#[test]
fn labelled_sentences_are_found() {
    let text = include_str!("tests/labelled.txt");
    let (mut right, mut found, mut wanted, mut count) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for case in text.split("== ").skip(1) {
        let (name, passage) = case.split_once('\n').unwrap();
        let (passage, parts) = labelled(passage);
        let cut: Vec<String> = sentences(&passage)
            .into_iter()
            .map(|range| passage.get(range).unwrap().to_owned())
            .collect();
        let (expected, actual) = (ends(&parts), ends(&cut));
        right += actual.iter().filter(|end| expected.contains(end)).count();
        (found, wanted, count) =
            (found + actual.len(), wanted + expected.len(), count + parts.len());
        if expected != actual {
            failures.push(format!("{name}: {}", cut.join(" ‖ ")));
        }
    }
    let f1 = 2000 * right / (found + wanted);
    let report = format!("{count} sentences, F1 {f1}/1000\n{}", failures.join("\n"));
    expect![[r#"
        248 sentences, F1 992/1000
        company name before a noun: The supplier is Gulf Marine Co. Invoices are due in 30 days.
        arabic article reference: وفقاً للمادة ٤. ‖ من العقد تسقط الغرامة."#]]
    .assert_eq(&report);
    assert!(f1 >= 950);
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let found: Vec<&str> =
        sentences(text).into_iter().map(|range| text.get(range).unwrap()).collect();
    expected.assert_eq(&found.join(" ‖\n"));
}

#[test]
fn nothing_has_no_sentences() {
    check("", &expect![""]);
    check(" \n\t\r\n ", &expect![""]);
    check("...", &expect!["..."]);
}

#[test]
fn a_number_in_brackets_at_the_head_of_a_line_goes_on_with_the_sentence() {
    check(
        "يقدم الإشعار قبل أربعة عشر\n(١٤) يوماً من النهاية. يدفع الباقي خلال\n(٣٠) يوماً.",
        &expect![[r#"
            يقدم الإشعار قبل أربعة عشر
            (١٤) يوماً من النهاية. ‖
            يدفع الباقي خلال
            (٣٠) يوماً."#]],
    );
    check(
        "The fee is one hundred and twenty-five\n(125) Riyals. Notice is given fourteen\n(14) days before the end.",
        &expect![[r#"
            The fee is one hundred and twenty-five
            (125) Riyals. ‖
            Notice is given fourteen
            (14) days before the end."#]],
    );
    check(
        "The goods are\n(1) First thing\n(2) Second thing\n(3) Three days:\n(4) Days of rest",
        &expect![[r#"
            The goods are ‖
            (1) First thing ‖
            (2) Second thing ‖
            (3) Three days: ‖
            (4) Days of rest"#]],
    );
    check(
        "أولا\n(١) البضائع\n(٢) يوم العمل",
        &expect![[r#"
        أولا ‖
        (١) البضائع ‖
        (٢) يوم العمل"#]],
    );
}

#[test]
fn the_contracts_sentences_are_found_verbatim() {
    let all: serde_json::Value =
        serde_json::from_str(include_str!("../../../../suite/contracts.json")).unwrap();
    let case = all["ledgers"].as_array().unwrap().iter().find(|case| case["name"] == "segment");
    let expected: Vec<&str> = case.unwrap()["observed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one[0].as_str().unwrap())
        .collect();
    let text = "Dr. Smith is here. Fee is $5. Is it? Yes eg. this.";
    let found: Vec<&str> =
        sentences(text).into_iter().map(|range| text.get(range).unwrap()).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_language_is_that_of_most_letters() {
    assert_eq!(language("The policy (سياسة)"), Language::English);
    assert_eq!(language("سياسة الإجازات HR"), Language::Arabic);
    assert_eq!(language("15 %"), Language::English);
}

#[test]
fn long_and_hostile_texts_take_time_in_proportion() {
    let pieces = [
        "(", "A. ", "a.", "Dr. ", "[cite:", "[1] ", ". (", "1. ", "\n- ", "…", "ب.", "((a). ", "A",
    ];
    for piece in pieces {
        let text = piece.repeat(400_000 / piece.len());
        let covered: usize = sentences(&text).into_iter().map(|range| range.len()).sum();
        assert!(covered <= text.len());
    }
}

proptest! {
    /// Sentences are in order, trimmed, and hold everything that is not white space.
    #[test]
    fn sentences_cover_the_text(text in "([A-Za-z0-9أبوي ٣.!?؟()\\[\\]\"*|#\\-\n\r\t…•é\u{301}]|cite:|Dr\\. |\n\n){0,80}") {
        let mut at = 0;
        for range in sentences(&text) {
            prop_assert!(text.get(at..range.start).unwrap().trim().is_empty());
            prop_assert_eq!(text.get(range.clone()).unwrap().trim(), text.get(range.clone()).unwrap());
            prop_assert!(!range.is_empty());
            at = range.end;
        }
        prop_assert!(text.get(at..).unwrap().trim().is_empty());
    }
}
