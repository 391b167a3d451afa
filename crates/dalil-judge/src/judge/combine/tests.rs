use dalil_evidence::ledger::verdict::SupportLevel;

use super::{LogOdds, RuleSignals, ValueMatch};
use crate::rule::{RuleEffect, compare, effect};

/// Checks the judgement from the model's three `shares` (full support, support in part,
/// contradiction) and from the rules about a claim and a sentence that share `overlap` of their
/// terms.
fn check(
    shares: [f32; 3],
    claim: &str,
    sentence: &str,
    overlap: f64,
    expected: (SupportLevel, bool, u16, u16),
) {
    let findings = compare(claim, sentence);
    let ruling = RuleSignals {
        effect: effect(&findings),
        values: ValueMatch::of(&findings),
        overlap,
        topic: 1.0,
        is_one_language: true,
    };
    let [supported, partly, contradicted] = shares;
    let judgement =
        LogOdds::of(supported, contradicted).ruled(ruling).judgement(supported + partly);
    let found = (
        judgement.level,
        judgement.contradicts,
        judgement.support.percent(),
        judgement.contradiction.percent(),
    );
    assert_eq!(found, expected, "{claim} | {sentence} | {findings:?}");
}

#[test]
fn without_rules_the_model_decides() {
    let silent =
        |shares, expected| check(shares, "The sky is blue", "The sky is blue", 0.0, expected);
    silent([0.9, 0.05, 0.05], (SupportLevel::Full, false, 87, 5));
    silent([0.3, 0.6, 0.1], (SupportLevel::Partial, false, 85, 10));
    silent([0.1, 0.8, 0.1], (SupportLevel::Partial, false, 85, 10));
    silent([0.1, 0.2, 0.1], (SupportLevel::None, false, 10, 10));
    silent([0.1, 0.1, 0.8], (SupportLevel::None, true, 10, 80));
}

#[test]
fn a_conflict_of_values_beats_the_model_where_the_words_are_the_same() {
    let (claim, sentence) = ("Leave is 20 days a year", "Leave is 15 days a year");
    check([0.95, 0.04, 0.01], claim, sentence, 0.8, (SupportLevel::None, true, 22, 70));
    check([0.6, 0.3, 0.1], claim, sentence, 0.8, (SupportLevel::None, true, 13, 81));
    check([0.95, 0.04, 0.01], claim, sentence, 0.2, (SupportLevel::Partial, false, 85, 1));
}

#[test]
fn a_condition_that_the_claim_leaves_out_weakens_it() {
    let claim = "Unused leave can be carried over";
    let sentence = "Unused leave may be carried over at the discretion of the department head.";
    check([0.97, 0.02, 0.01], claim, sentence, 0.8, (SupportLevel::Partial, false, 85, 1));
    check([0.1, 0.2, 0.7], claim, sentence, 0.8, (SupportLevel::Partial, false, 50, 40));
    // A model that is sure of a contradiction prevails.
    check([0.05, 0.05, 0.9], claim, sentence, 0.8, (SupportLevel::None, true, 32, 88));
}

#[test]
fn a_model_that_is_sure_of_support_does_not_give_way_to_a_conflict_in_words() {
    let (claim, sentence) = ("The board approved the plan", "The board did not approve the plan");
    check([0.95, 0.04, 0.01], claim, sentence, 0.8, (SupportLevel::Full, false, 88, 1));
    check([0.85, 0.1, 0.05], claim, sentence, 0.8, (SupportLevel::None, true, 17, 78));
}

#[test]
fn words_that_agree_confirm_only_what_the_model_half_believes() {
    let (claim, sentence) = ("Staff must report gifts", "Staff must report any gifts");
    check([0.3, 0.1, 0.2], claim, sentence, 0.8, (SupportLevel::Full, false, 87, 20));
    check([0.2, 0.1, 0.2], claim, sentence, 0.8, (SupportLevel::None, false, 20, 20));
    // Nor a claim that it is sure the evidence denies, even if a value agrees.
    let (claim, sentence) = ("Leave is 20 days", "Leave is 20 days");
    check([0.05, 0.05, 0.7], claim, sentence, 0.9, (SupportLevel::Full, false, 87, 40));
    check([0.05, 0.05, 0.9], claim, sentence, 0.9, (SupportLevel::None, true, 5, 88));
}

#[test]
fn agreeing_values_confirm_a_sentence_about_the_same() {
    let (claim, sentence) = ("Leave is two weeks", "Leave is 14 days");
    check([0.1, 0.2, 0.7], claim, sentence, 0.8, (SupportLevel::Full, false, 87, 40));
    check([0.1, 0.2, 0.7], claim, sentence, 0.3, (SupportLevel::None, true, 10, 70));
}

#[test]
fn another_language_supports_in_part_and_contradicts_only_when_the_model_is_sure() {
    let ruling = RuleSignals {
        effect: RuleEffect::Silent,
        values: ValueMatch::Other,
        overlap: 0.9,
        topic: 1.0,
        is_one_language: false,
    };
    let judged = |[supported, partly, contradicted]: [f32; 3]| {
        let judgement =
            LogOdds::of(supported, contradicted).ruled(ruling).judgement(supported + partly);
        (judgement.level, judgement.contradicts, judgement.support.percent())
    };
    assert_eq!(judged([0.95, 0.04, 0.01]), (SupportLevel::Partial, false, 85));
    assert_eq!(judged([0.1, 0.3, 0.6]), (SupportLevel::None, false, 10));
    assert_eq!(judged([0.1, 0.05, 0.85]), (SupportLevel::None, true, 10));
}

#[test]
fn a_sentence_about_something_else_denies_nothing() {
    let judged = |topic| {
        let ruling = RuleSignals {
            effect: RuleEffect::Silent,
            values: ValueMatch::Other,
            overlap: 0.0,
            topic,
            is_one_language: true,
        };
        LogOdds::of(0.05, 0.9).ruled(ruling).judgement(0.1).contradicts
    };
    assert!(judged(0.1));
    assert!(!judged(0.05));
}
