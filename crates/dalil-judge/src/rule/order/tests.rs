use crate::rule::{RuleOutcome, compare};

fn turned(claim: &str, evidence: &str) -> bool {
    compare(claim, evidence).iter().any(|one| one.outcome == RuleOutcome::Conflicts)
}

#[test]
fn the_two_sides_of_a_comparison_are_told_apart() {
    for (claim, evidence) in [
        ("Samir is older than Khalid.", "Khalid is older than Samir."),
        (
            "The lease was signed by Nadia on behalf of Layla.",
            "The lease was signed by Layla on behalf of Nadia.",
        ),
        ("سمير أكبر من خالد.", "خالد أكبر من سمير."),
        ("وقعت نادية العقد نيابة عن ليلى.", "وقعت ليلى العقد نيابة عن نادية."),
    ] {
        assert!(turned(claim, evidence), "{claim}");
        assert!(!turned(evidence, evidence), "{evidence}");
    }
}

#[test]
fn the_same_said_the_other_way_round_is_no_conflict() {
    for (claim, evidence) in [
        ("Samir is younger than Khalid.", "Khalid is older than Samir."),
        ("Samir and Khalid signed the lease.", "Khalid and Samir signed the lease."),
        ("سمير أصغر من خالد.", "خالد أكبر من سمير."),
    ] {
        assert!(!turned(claim, evidence), "{claim}");
    }
}
