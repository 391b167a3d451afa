use super::RuleReliability;
use crate::rule::{RuleOutcome, compare};

/// Whether the conflict between two texts decides.
fn check(claim: &str, evidence: &str, decides: bool) {
    let findings = compare(claim, evidence);
    let conflict = findings.iter().find(|one| one.outcome == RuleOutcome::Conflicts).expect(claim);
    assert_eq!(
        conflict.reliability() == RuleReliability::Decides,
        decides,
        "{claim}: {conflict:?}"
    );
}

#[test]
fn a_value_decides_where_it_is_the_one_value_of_the_same_statement() {
    check("The lodge has 40 beds.", "The lodge has 30 beds.", true);
    check("The toll is 4 dinars per axle.", "The toll is 6 dinars per axle.", true);
    // Another value of the sentence may be meant, or another case.
    check(
        "The lodge charges 20 dinars.",
        "The lodge charges 30 dinars, if a child stays 5 dinars.",
        false,
    );
    check("Together the lodges charge 50 dinars.", "The lodges charge 30 dinars.", false);
}

#[test]
fn a_small_word_decides_where_nothing_else_differs() {
    check("The lodge is open in winter.", "The lodge is not open in winter.", true);
    let claim = "The lodge is open in winter.";
    let evidence = "The lodge is not open in winter to walkers who come without a warden or a dog.";
    let findings = compare(claim, evidence);
    assert!(
        findings.iter().all(|one| one.reliability() == RuleReliability::Advises),
        "{findings:?}"
    );
}
