//! Claims: the founder's cases are in `tests/founders`; here are Arabic and the edges.

use super::{Cited, Draft, Importance, Kind, cited, is_claim_like, merge};

#[track_caller]
fn kind(text: &str, expected: Kind) {
    assert_eq!(Kind::of(text), expected, "{text}");
}

#[test]
fn arabic_statements_are_classified() {
    kind("يستحق الموظف خمسة عشر يومًا", Kind::Policy);
    kind("يَجِبُ تقديم الطلب", Kind::Policy);
    kind("مدة الإجازة ١٥ يومًا", Kind::Numeric);
    kind("يُقصد بالإجازة السنوية كل غياب مدفوع", Kind::Definition);
    kind("توسعت الشركة في أعمالها", Kind::Fact);
}

#[test]
fn numbers_inside_names_are_not_numbers() {
    kind("The A380 flies", Kind::Fact);
    kind("The B2B market grew", Kind::Fact);
    kind("It takes 5days", Kind::Numeric);
    kind("It cost US$5x", Kind::Numeric);
    kind("\"LTV\" is a ratio", Kind::Definition);
}

#[test]
fn arabic_questions_are_no_claims() {
    assert!(!is_claim_like("What is ؟"));
    assert!(is_claim_like("The fee is due"));
}

#[test]
fn statements_keep_their_citations() {
    let text = "Intro. It takes 3.5 days [cite:aaaaaaaa] [cite:bbbbbbbb]! [cite:cccccccc] نعم، كذلك [cite:DDDDDDDD]";
    let found: Vec<(&str, Vec<String>)> = cited(text)
        .into_iter()
        .map(|Cited { text, anchors, .. }| {
            (text, anchors.iter().map(ToString::to_string).collect())
        })
        .collect();
    let expected = [
        ("It takes 3.5 days", vec!["aaaaaaaa".to_owned(), "bbbbbbbb".to_owned()]),
        ("نعم، كذلك", vec!["dddddddd".to_owned()]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn claims_fifty_characters_apart_stay_two() {
    let draft = |start: usize| Draft {
        text: "t".to_owned(),
        start,
        end: start + 1,
        kind: Kind::Fact,
        importance: Importance::Minor,
        anchors: Vec::new(),
    };
    assert_eq!(merge([draft(0), draft(50)]).len(), 1);
    assert_eq!(merge([draft(0), draft(51)]).len(), 2);
}
