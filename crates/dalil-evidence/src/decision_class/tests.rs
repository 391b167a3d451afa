use super::*;

#[test]
fn classes_are_ordered_from_the_mildest() {
    assert!(ApprovalClass::ALL.is_sorted());
    assert!(ReversibilityClass::ALL.is_sorted());
    assert!(SensitivityClass::ALL.is_sorted());
}

#[test]
fn a_decision_is_high_stakes_from_a2_or_at_r3_or_at_s3() {
    for approval in ApprovalClass::ALL {
        for reversibility in ReversibilityClass::ALL {
            for sensitivity in SensitivityClass::ALL {
                let expected = matches!(approval, ApprovalClass::A2 | ApprovalClass::A3)
                    || matches!(reversibility, ReversibilityClass::R3)
                    || matches!(sensitivity, SensitivityClass::S3);
                let classes = DecisionClasses::new(approval, reversibility, sensitivity);
                assert_eq!(classes.high_stakes(), expected, "{classes:?}");
            }
        }
    }
}

#[test]
fn every_action_that_is_never_automatic_and_known_is_irreversible() {
    for action in NEVER_AUTOMATIC_ACTIONS {
        let known = ACTION_CLASSES.iter().any(|(name, _)| *name == action);
        let classes = DecisionClasses::of_action(action);
        assert_eq!(classes.reversibility == ReversibilityClass::R3, known, "{action}");
        assert!(classes.high_stakes(), "{action}");
    }
}
