use super::{RuleEffect, effect, overlap};
use crate::rule::{RuleFinding, RuleKind, RuleOutcome};

fn finding(kind: RuleKind, outcome: RuleOutcome) -> RuleFinding {
    RuleFinding {
        kind,
        outcome,
        claim: 0..0,
        evidence: None,
        said: String::new(),
        found: None,
        is_tight: true,
    }
}

#[test]
fn a_conflict_weighs_more_than_a_gap_and_a_gap_more_than_agreement() {
    let agrees = finding(RuleKind::Duration, RuleOutcome::Agrees);
    let conflicts = finding(RuleKind::Modality, RuleOutcome::Conflicts);
    let missing = finding(RuleKind::Money, RuleOutcome::Missing);
    let name = finding(RuleKind::Name, RuleOutcome::Missing);
    let wider = finding(RuleKind::Condition, RuleOutcome::Wider);
    let all =
        |findings: &[&RuleFinding]| findings.iter().map(|one| (*one).clone()).collect::<Vec<_>>();
    assert_eq!(effect(&all(&[&agrees, &wider, &conflicts])), RuleEffect::Contradicts(&conflicts));
    let unsure = RuleFinding { is_tight: false, ..conflicts };
    assert_eq!(effect(&all(&[&agrees, &wider, &unsure])), RuleEffect::Doubts(&unsure));
    let framed = finding(RuleKind::Frame, RuleOutcome::Missing);
    assert_eq!(effect(&all(&[&agrees, &unsure, &framed])), RuleEffect::Withholds(&framed));
    assert_eq!(effect(&all(&[&wider, &missing])), RuleEffect::Withholds(&missing));
    assert_eq!(effect(&all(&[&agrees, &missing])), RuleEffect::Weakens(&missing));
    assert_eq!(effect(&all(&[&name])), RuleEffect::Weakens(&name));
    assert_eq!(effect(&all(&[&agrees, &wider])), RuleEffect::Weakens(&wider));
    assert_eq!(effect(&all(&[&agrees])), RuleEffect::Confirms(&agrees));
    assert_eq!(effect(&[]), RuleEffect::Silent);
}

#[test]
fn overlap_is_the_share_of_the_terms() {
    assert_eq!(overlap("Annual leave is paid", "Paid annual leave"), 10_000);
    assert_eq!(overlap("Annual leave is paid", "Annual accounts"), 3_333);
    assert_eq!(overlap("", "Annual accounts"), 0);
    assert_eq!(overlap("it is", ""), 0);
}
