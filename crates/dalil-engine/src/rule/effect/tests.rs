use super::{Effect, effect, overlap};
use crate::rule::{Finding, Kind, Outcome};

fn finding(kind: Kind, outcome: Outcome) -> Finding {
    Finding {
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
    let agrees = finding(Kind::Duration, Outcome::Agrees);
    let conflicts = finding(Kind::Modality, Outcome::Conflicts);
    let missing = finding(Kind::Money, Outcome::Missing);
    let name = finding(Kind::Name, Outcome::Missing);
    let wider = finding(Kind::Condition, Outcome::Wider);
    let all = |findings: &[&Finding]| findings.iter().map(|one| (*one).clone()).collect::<Vec<_>>();
    assert_eq!(effect(&all(&[&agrees, &wider, &conflicts])), Effect::Contradicts(&conflicts));
    let unsure = Finding { is_tight: false, ..conflicts };
    assert_eq!(effect(&all(&[&agrees, &wider, &unsure])), Effect::Doubts(&unsure));
    let framed = finding(Kind::Frame, Outcome::Missing);
    assert_eq!(effect(&all(&[&agrees, &unsure, &framed])), Effect::Withholds(&framed));
    assert_eq!(effect(&all(&[&wider, &missing])), Effect::Withholds(&missing));
    assert_eq!(effect(&all(&[&agrees, &missing])), Effect::Weakens(&missing));
    assert_eq!(effect(&all(&[&name])), Effect::Weakens(&name));
    assert_eq!(effect(&all(&[&agrees, &wider])), Effect::Weakens(&wider));
    assert_eq!(effect(&all(&[&agrees])), Effect::Confirms(&agrees));
    assert_eq!(effect(&[]), Effect::Silent);
}

#[test]
fn overlap_is_the_share_of_the_terms() {
    assert_eq!(overlap("Annual leave is paid", "Paid annual leave"), 10_000);
    assert_eq!(overlap("Annual leave is paid", "Annual accounts"), 3_333);
    assert_eq!(overlap("", "Annual accounts"), 0);
    assert_eq!(overlap("it is", ""), 0);
}
