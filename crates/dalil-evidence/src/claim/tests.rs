//! Claims: the contract's cases are in `tests/contracts`; here are Arabic and the edges.

use super::{CitedStatement, ClaimDraft, ClaimImportance, ClaimKind, cited, is_claim_like, merge};

#[track_caller]
fn kind(text: &str, expected: ClaimKind) {
    assert_eq!(ClaimKind::of(text), expected, "{text}");
}

#[test]
fn arabic_statements_are_classified() {
    kind("يستحق الموظف خمسة عشر يومًا", ClaimKind::Policy);
    kind("يَجِبُ تقديم الطلب", ClaimKind::Policy);
    kind("مدة الإجازة ١٥ يومًا", ClaimKind::Numeric);
    kind("يُقصد بالإجازة السنوية كل غياب مدفوع", ClaimKind::Definition);
    kind("توسعت الشركة في أعمالها", ClaimKind::Fact);
}

#[test]
fn numbers_inside_names_are_not_numbers() {
    kind("The A380 flies", ClaimKind::Fact);
    kind("The B2B market grew", ClaimKind::Fact);
    kind("It takes 5days", ClaimKind::Numeric);
    kind("It cost US$5x", ClaimKind::Numeric);
    kind("\"LTV\" is a ratio", ClaimKind::Definition);
}

/// The contract's own table calls these policies.
#[test]
fn rules_that_name_a_number_stay_rules() {
    kind("Employees are entitled to 15 days of annual leave", ClaimKind::Policy);
    kind("Leave requests must be submitted 2 weeks in advance", ClaimKind::Policy);
    kind("Unused leave can be carried forward to next year", ClaimKind::Policy);
    kind("Maximum carryover is 5 days", ClaimKind::Numeric);
    kind("يستحق الموظفون ١٥ يوماً من الإجازة السنوية", ClaimKind::Policy);
    kind("ويمكن ترحيل الإجازة غير المستخدمة إلى السنة التالية", ClaimKind::Policy);
    kind("والحد الأقصى للترحيل ٥ أيام", ClaimKind::Numeric);
    kind("Either party may terminate", ClaimKind::Policy);
    kind("The lease began in May", ClaimKind::Fact);
    kind("A candid review of canals", ClaimKind::Fact);
    kind("A permit means a document that must be shown", ClaimKind::Definition);
}

#[test]
fn a_term_and_its_kind_are_a_definition() {
    kind("A site visit is any trip to a customer", ClaimKind::Definition);
    kind("An advance is a sum paid before the work", ClaimKind::Definition);
    kind("Seniority is the period that somebody has worked", ClaimKind::Definition);
    kind("العمل المؤقت هو كل عمل تحدده مدة", ClaimKind::Definition);
    kind("المقصود بالموقع مكان العمل", ClaimKind::Definition);
    kind("The gate is a steel door", ClaimKind::Fact);
    kind("It is a period of rest", ClaimKind::Fact);
    kind("Sales are a concern", ClaimKind::Fact);
    kind("المدير هو المسؤول", ClaimKind::Fact);
}

#[test]
fn numbers_in_words_count_units_and_shares() {
    kind("The Client deducts ten percent of the price", ClaimKind::Numeric);
    kind("The deposit is two months' rent", ClaimKind::Numeric);
    kind("صيانة الرافعات كل ثلاثة أشهر", ClaimKind::Numeric);
    kind("مدة الإشعار شهرين", ClaimKind::Numeric);
    kind("Two parties signed", ClaimKind::Fact);
    kind("No one day is the same", ClaimKind::Fact);
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
        .map(|CitedStatement { text, anchors, .. }| {
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
fn citations_after_the_end_of_a_sentence_are_of_no_statement() {
    let found = cited(
        "It is 5 days [cite:aaaaaaaa]. [cite:bbbbbbbb][cite:cccccccc] It is so [cite:dddddddd]",
    );
    let found: Vec<(&str, usize)> = found.iter().map(|one| (one.text, one.anchors.len())).collect();
    assert_eq!(found, [("It is 5 days", 1), ("It is so", 1)]);
}

#[test]
fn claims_fifty_characters_apart_stay_two() {
    let draft = |start: usize| ClaimDraft {
        text: "t".to_owned(),
        start,
        end: start + 1,
        kind: ClaimKind::Fact,
        importance: ClaimImportance::Minor,
        anchors: Vec::new(),
    };
    assert_eq!(merge([draft(0), draft(50)]).len(), 1);
    assert_eq!(merge([draft(0), draft(51)]).len(), 2);
}
