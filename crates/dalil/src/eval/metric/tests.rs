use super::{EvalMetrics, JudgedPair, PairLabel};

fn judged(label: PairLabel, support: f64, contradiction: f64) -> JudgedPair {
    JudgedPair {
        line: 1,
        label,
        support,
        contradiction,
        is_supported: support > 0.5,
        is_contradicted: contradiction > 0.5,
    }
}

#[test]
fn figures_of_a_small_set_are_those_of_paper_and_pencil() {
    let set = [
        judged(PairLabel::Supported, 0.95, 0.0),
        judged(PairLabel::Supported, 0.85, 0.0),
        judged(PairLabel::Supported, 0.35, 0.6),
        judged(PairLabel::Contradicted, 0.05, 0.9),
        judged(PairLabel::Contradicted, 0.65, 0.2),
        judged(PairLabel::Neutral, 0.15, 0.1),
    ];
    let found = EvalMetrics::of(&set);
    let expected = EvalMetrics {
        pairs: 6,
        // 2 of 3 supported, 2 of 3 others.
        balanced_accuracy: 100.0 * 2.0 / 3.0,
        // 2 hits, 1 miss, 1 alarm.
        f1: 100.0 * 4.0 / 6.0,
        // Of 9 couples only (0.35, 0.65) is in the wrong order.
        auc: Some(100.0 * 8.0 / 9.0),
        // 1 of 2 contradicted, 3 of 4 others.
        contradiction_balanced_accuracy: Some(62.5),
        contradiction_f1: Some(50.0),
        // |0.95-1| + |0.85-1| + |0.35-1| + 0.05 + 0.65 + 0.15, over 6.
        calibration_error: 1.7 / 6.0,
    };
    let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
    assert_eq!(found.pairs, expected.pairs);
    assert!(near(found.balanced_accuracy, expected.balanced_accuracy), "{found:?}");
    assert!(near(found.f1, expected.f1), "{found:?}");
    assert!(near(found.auc.unwrap(), expected.auc.unwrap()), "{found:?}");
    assert_eq!(found.contradiction_balanced_accuracy, expected.contradiction_balanced_accuracy);
    assert_eq!(found.contradiction_f1, expected.contradiction_f1);
    assert!(near(found.calibration_error, expected.calibration_error), "{found:?}");
}

#[test]
fn a_two_way_set_says_nothing_about_contradiction() {
    let figures = EvalMetrics::of(&[
        judged(PairLabel::Supported, 0.9, 0.0),
        judged(PairLabel::Unsupported, 0.9, 0.9),
    ]);
    assert_eq!(figures.contradiction_balanced_accuracy, None);
    assert_eq!(figures.contradiction_f1, None);
    assert_eq!(figures.auc, Some(50.0), "equals count half");
}

#[test]
fn an_empty_set_has_figures() {
    let figures = EvalMetrics::of(&[]);
    assert_eq!(figures.auc, None);
    assert!((figures.balanced_accuracy - 50.0).abs() < 1e-9);
    assert!(figures.calibration_error.abs() < 1e-9);
}
