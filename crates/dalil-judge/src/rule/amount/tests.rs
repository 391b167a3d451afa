use super::findings;
use crate::rule::RuleOutcome;
use crate::rule::text::{AnalyzedText, RoleAlignment};

fn check(claim: &str, evidence: &str, expected: &[RuleOutcome]) {
    let (claim, evidence) = (AnalyzedText::of(claim), AnalyzedText::of(evidence));
    let found = findings(&claim, &evidence, &RoleAlignment::of(&claim, &evidence));
    let found: Vec<RuleOutcome> = found.into_iter().map(|finding| finding.outcome).collect();
    assert_eq!(found, expected);
}

#[test]
fn bounds_decide_what_a_number_says_about_another() {
    use RuleOutcome::{Agrees, Conflicts, Narrower, Wider};
    for (claim, evidence, expected) in [
        ("Notice is 14 days", "Notice is 14 days", Agrees),
        ("Notice is 13 days", "Notice is 14 days", Conflicts),
        ("Notice is 14 days", "Notice is up to 14 days", Narrower),
        ("Notice must be 14 days", "Notice must be at least 14 days", Agrees),
        ("Notice is at least 10 days", "Notice is 14 days", Agrees),
        ("Notice is at least 10 days", "Notice is at least 14 days", Conflicts),
        ("Notice is at most 14 days", "Notice is at least 14 days", Conflicts),
        ("Notice is more than 14 days", "Notice is 14 days", Conflicts),
        ("Notice is about 14 days", "Notice is 14 days", Agrees),
        ("Notice is 14 days", "Notice is about 14 days", Narrower),
        ("Notice is 30 days", "Notice is one month", Wider),
        ("Notice is 5 days", "Notice is 5 working days", Wider),
        ("Notice is 5 calendar days", "Notice is 5 working days", Conflicts),
        ("Notice is one week", "Notice is 5 working days", Wider),
        ("Notice is 5 working days", "Notice is one week", Wider),
        ("Notice is 7 days", "Notice is 5 to 10 days", Narrower),
        ("الإشعار أسبوعان", "الإشعار ١٤ يوماً", Agrees),
        ("الإشعار خلال ١٠ أيام", "الإشعار خلال ١٤ يوماً", Conflicts),
    ] {
        check(claim, evidence, &[expected]);
    }
}

#[test]
fn a_value_of_another_language_can_agree_but_not_conflict() {
    check("الإشعار ١٤ يوماً", "Notice is 14 days", &[RuleOutcome::Agrees]);
    check("الإشعار ٢٠ يوماً", "Notice is 14 days", &[]);
}

#[test]
fn dates_follow_from_their_bounds() {
    check("The band formed after 1993", "The band formed in 1994", &[RuleOutcome::Agrees]);
    check("The band formed before 1993", "The band formed in 1994", &[RuleOutcome::Conflicts]);
}
