use super::*;

#[test]
fn classes_are_ordered_from_the_mildest() {
    assert!(Approval::ALL.is_sorted());
    assert!(Reversibility::ALL.is_sorted());
    assert!(Sensitivity::ALL.is_sorted());
}

#[test]
fn a_decision_is_high_stakes_from_a2_or_at_r3_or_at_s3() {
    for approval in Approval::ALL {
        for reversibility in Reversibility::ALL {
            for sensitivity in Sensitivity::ALL {
                let expected = matches!(approval, Approval::A2 | Approval::A3)
                    || matches!(reversibility, Reversibility::R3)
                    || matches!(sensitivity, Sensitivity::S3);
                let classes = Classes::new(approval, reversibility, sensitivity);
                assert_eq!(classes.high_stakes(), expected, "{classes:?}");
            }
        }
    }
}

#[test]
fn every_action_that_is_never_automatic_and_known_is_irreversible() {
    for action in NEVER_AUTOMATIC {
        let known = ACTIONS.iter().any(|(name, _)| *name == action);
        let classes = Classes::of_action(action);
        assert_eq!(classes.reversibility == Reversibility::R3, known, "{action}");
        assert!(classes.high_stakes(), "{action}");
    }
}
