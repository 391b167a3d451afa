use dalil_proof::json::Json;

use super::{claims, doubtful};

fn listed(ledger: &str) -> (usize, Vec<String>) {
    let ledger = Json::parse(ledger.as_bytes()).unwrap();
    let doubtful = doubtful(Some(&ledger));
    let listed = doubtful.iter().map(|claim| format!("{} {}", claim.claim_text, claim.verdict));
    (claims(Some(&ledger)).count(), listed.collect())
}

#[test]
fn the_claims_that_a_reviewer_must_look_at_are_listed_the_contradicted_ones_first() {
    let claims = [
        ("a", "weak"),
        ("b", "supported"),
        ("c", "contradicted"),
        ("d", "not_found"),
        ("e", "contradicted"),
    ];
    let claim = |(text, verdict)| format!(r#"{{"claim_text": "{text}", "verdict": "{verdict}"}}"#);
    let entries = claims.map(claim).join(",");
    let (count, listed) = listed(&format!(r#"{{"entries": [{entries}]}}"#));
    assert_eq!(count, 5);
    assert_eq!(listed, ["c contradicted", "e contradicted", "d not_found", "a weak"]);
}

/// A page must not state of such a ledger that every claim is supported.
#[test]
fn a_ledger_without_claims_has_none() {
    assert_eq!(listed(r#"{"entries": []}"#), (0, Vec::new()));
    assert_eq!(claims(None).count(), 0);
}
