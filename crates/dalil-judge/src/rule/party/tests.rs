use crate::rule::{RuleKind, RuleOutcome, compare};

/// The parties that conflict.
fn check(claim: &str, evidence: &str, expected: Option<(&str, &str)>) {
    let findings = compare(claim, evidence);
    let conflict = findings
        .iter()
        .find(|one| one.kind == RuleKind::Party && one.outcome == RuleOutcome::Conflicts)
        .and_then(|one| {
            Some((claim.get(one.claim.clone())?, evidence.get(one.evidence.clone()?)?))
        });
    assert_eq!(conflict, expected, "{claim}");
}

#[test]
fn a_duty_of_the_other_party_conflicts() {
    check(
        "The Tenant shall insure the building.",
        "The Landlord shall insure the building.",
        Some(("Tenant", "Landlord")),
    );
    check(
        "يلتزم الطرف الأول بتأمين المبنى.",
        "يلتزم الطرف الثاني بتأمين المبنى.",
        Some(("الطرف الأول", "الطرف الثاني")),
    );
}

#[test]
fn parties_that_both_act_or_do_something_else_do_not() {
    check(
        "The Tenant shall insure the furniture.",
        "The Landlord shall insure the building and the Tenant shall insure the furniture.",
        None,
    );
    check("The Tenant shall paint the hall.", "The Landlord shall insure the building.", None);
    check("Notice to the Tenant must be written.", "The Landlord must give notice.", None);
}
