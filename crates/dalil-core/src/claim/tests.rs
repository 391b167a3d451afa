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

/// The founding document's own table calls these policies.
#[test]
fn rules_that_name_a_number_stay_rules() {
    kind("Employees are entitled to 15 days of annual leave", Kind::Policy);
    kind("Leave requests must be submitted 2 weeks in advance", Kind::Policy);
    kind("Unused leave can be carried forward to next year", Kind::Policy);
    kind("Maximum carryover is 5 days", Kind::Numeric);
    kind("يستحق الموظفون ١٥ يوماً من الإجازة السنوية", Kind::Policy);
    kind("ويمكن ترحيل الإجازة غير المستخدمة إلى السنة التالية", Kind::Policy);
    kind("والحد الأقصى للترحيل ٥ أيام", Kind::Numeric);
    kind("Either party may terminate", Kind::Policy);
    kind("The lease began in May", Kind::Fact);
    kind("A candid review of canals", Kind::Fact);
    kind("A permit means a document that must be shown", Kind::Definition);
}

#[test]
fn a_term_and_its_kind_are_a_definition() {
    kind("A site visit is any trip to a customer", Kind::Definition);
    kind("An advance is a sum paid before the work", Kind::Definition);
    kind("Seniority is the period that somebody has worked", Kind::Definition);
    kind("العمل المؤقت هو كل عمل تحدده مدة", Kind::Definition);
    kind("المقصود بالموقع مكان العمل", Kind::Definition);
    kind("The gate is a steel door", Kind::Fact);
    kind("It is a period of rest", Kind::Fact);
    kind("Sales are a concern", Kind::Fact);
    kind("المدير هو المسؤول", Kind::Fact);
}

#[test]
fn numbers_in_words_count_units_and_shares() {
    kind("The Client deducts ten percent of the price", Kind::Numeric);
    kind("The deposit is two months' rent", Kind::Numeric);
    kind("صيانة الرافعات كل ثلاثة أشهر", Kind::Numeric);
    kind("مدة الإشعار شهرين", Kind::Numeric);
    kind("Two parties signed", Kind::Fact);
    kind("No one day is the same", Kind::Fact);
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
