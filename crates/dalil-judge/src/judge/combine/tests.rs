use dalil_evidence::ledger::verdict::SupportLevel;

use super::{
    FastCalibration, LogOdds, PlattScaling, RuleSignals, ValueMatch, WHOLE_DOCUMENT_SHIFT,
    WindowScope,
};
use crate::model::EntailmentLogits;
use crate::rule::{RuleEffect, compare, effect};

/// Whole documents are read at the model's own odds.
const CALIBRATION: FastCalibration = FastCalibration {
    support: PlattScaling { slope: 1.0, bias: -WHOLE_DOCUMENT_SHIFT },
    contradiction: PlattScaling { slope: 1.0, bias: 0.0 },
};

/// What comes of a model that says `support`, `neutral` and `contradiction`, and of rules about
/// a claim and a sentence that share `overlap` of their terms.
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
    let judgement =
        LogOdds::of(EntailmentLogits(shares.map(f32::ln)), &CALIBRATION, WindowScope::Whole)
            .ruled(ruling)
            .judgement();
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
    silent([0.9, 0.05, 0.05], (SupportLevel::Full, false, 90, 5));
    silent([0.3, 0.6, 0.1], (SupportLevel::Partial, false, 30, 10));
    silent([0.1, 0.8, 0.1], (SupportLevel::None, false, 10, 10));
    silent([0.1, 0.1, 0.8], (SupportLevel::None, true, 10, 80));
}

#[test]
fn a_conflict_of_values_beats_the_model_where_the_words_are_the_same() {
    let (claim, sentence) = ("Leave is 20 days a year", "Leave is 15 days a year");
    check([0.95, 0.04, 0.01], claim, sentence, 0.8, (SupportLevel::None, true, 22, 70));
    check([0.6, 0.3, 0.1], claim, sentence, 0.8, (SupportLevel::None, true, 13, 81));
    check([0.95, 0.04, 0.01], claim, sentence, 0.2, (SupportLevel::Partial, false, 92, 1));
}

#[test]
fn a_condition_that_the_claim_leaves_out_weakens_it() {
    let claim = "Unused leave can be carried over";
    let sentence = "Unused leave may be carried over at the discretion of the department head.";
    check([0.97, 0.02, 0.01], claim, sentence, 0.8, (SupportLevel::Partial, false, 70, 1));
    check([0.1, 0.2, 0.7], claim, sentence, 0.8, (SupportLevel::Partial, false, 37, 40));
}

#[test]
fn agreeing_values_confirm_a_sentence_about_the_same() {
    let (claim, sentence) = ("Leave is two weeks", "Leave is 14 days");
    check([0.1, 0.2, 0.7], claim, sentence, 0.8, (SupportLevel::Full, false, 87, 40));
    check([0.1, 0.2, 0.7], claim, sentence, 0.3, (SupportLevel::None, true, 10, 70));
}

#[test]
fn a_window_of_a_document_is_trusted_more_than_its_odds() {
    let logits = EntailmentLogits([0.3_f32, 0.6, 0.1].map(f32::ln));
    let ruling = RuleSignals {
        effect: RuleEffect::Silent,
        values: ValueMatch::Other,
        overlap: 0.0,
        topic: 1.0,
        is_one_language: true,
    };
    let percent =
        |part| LogOdds::of(logits, &CALIBRATION, part).ruled(ruling).judgement().support.percent();
    assert_eq!(percent(WindowScope::Whole), 30);
    assert!(percent(WindowScope::Whole) < percent(WindowScope::Sentence));
    assert!(percent(WindowScope::Sentence) < percent(WindowScope::Window));
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
    let judged = |shares: [f32; 3]| {
        let judgement =
            LogOdds::of(EntailmentLogits(shares.map(f32::ln)), &CALIBRATION, WindowScope::Whole)
                .ruled(ruling)
                .judgement();
        (judgement.level, judgement.contradicts, judgement.support.percent())
    };
    assert_eq!(judged([0.95, 0.04, 0.01]), (SupportLevel::Partial, false, 95));
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
        let logits = EntailmentLogits([0.05_f32, 0.05, 0.9].map(f32::ln));
        LogOdds::of(logits, &CALIBRATION, WindowScope::Whole).ruled(ruling).judgement().contradicts
    };
    assert!(judged(0.5));
    assert!(!judged(0.2));
}
