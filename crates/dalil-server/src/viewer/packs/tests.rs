use serde_json::json;

use super::PackLedgerView;

#[test]
fn the_claims_that_a_reviewer_must_look_at_are_listed_the_contradicted_ones_first() {
    let claim = |text: &str, verdict: &str| json!({"claim_text": text, "verdict": verdict});
    let entries = [
        claim("a", "weak"),
        claim("b", "supported"),
        claim("c", "contradicted"),
        claim("d", "not_found"),
        claim("e", "contradicted"),
    ];
    let ledger: PackLedgerView = serde_json::from_value(json!({"entries": entries})).unwrap();
    let listed = ledger.doubtful();
    let listed: Vec<String> =
        listed.iter().map(|claim| format!("{} {}", claim.claim_text, claim.verdict)).collect();
    assert_eq!(listed, ["c contradicted", "e contradicted", "d not_found", "a weak"]);
}
