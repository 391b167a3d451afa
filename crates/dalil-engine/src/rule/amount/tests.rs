use super::findings;
use crate::rule::Outcome;
use crate::rule::text::{Roles, Text};

fn check(claim: &str, evidence: &str, expected: &[Outcome]) {
    let (claim, evidence) = (Text::of(claim), Text::of(evidence));
    let found = findings(&claim, &evidence, &Roles::of(&claim, &evidence));
    let found: Vec<Outcome> = found.into_iter().map(|finding| finding.outcome).collect();
    assert_eq!(found, expected);
}

#[test]
fn bounds_decide_what_a_number_says_about_another() {
    use Outcome::{Agrees, Conflicts, Narrower, Wider};
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
        ("Notice is 7 days", "Notice is 5 to 10 days", Narrower),
        ("الإشعار أسبوعان", "الإشعار ١٤ يوماً", Agrees),
        ("الإشعار خلال ١٠ أيام", "الإشعار خلال ١٤ يوماً", Conflicts),
    ] {
        check(claim, evidence, &[expected]);
    }
}

#[test]
fn a_value_of_another_language_can_agree_but_not_conflict() {
    check("الإشعار ١٤ يوماً", "Notice is 14 days", &[Outcome::Agrees]);
    check("الإشعار ٢٠ يوماً", "Notice is 14 days", &[]);
}

#[test]
fn dates_follow_from_their_bounds() {
    check("The band formed after 1993", "The band formed in 1994", &[Outcome::Agrees]);
    check("The band formed before 1993", "The band formed in 1994", &[Outcome::Conflicts]);
}
