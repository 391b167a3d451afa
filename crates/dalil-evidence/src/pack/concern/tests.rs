use super::concerns;
use crate::pack::assemble;
use crate::pack::tests::{REQUEST, edited};

fn listed(edits: &[(&str, &str)]) -> Vec<String> {
    let draft = assemble(edited(REQUEST, edits).as_bytes()).unwrap();
    concerns(&draft).iter().map(|one| format!("{} {}", one.rule(), one.path())).collect()
}

#[test]
fn a_pack_that_nothing_speaks_against_has_no_concern() {
    assert_eq!(listed(&WITHOUT_CONCERN), [""; 0]);
}

#[test]
fn each_contradicted_claim_of_a_ledger_is_a_concern() {
    let ledger = r#""ledger": {"entries": [{"verdict": "contradicted"}, {"verdict": "weak"},
        {"verdict": "not_found"}, {}, {"verdict": "contradicted"}], "summary": {}}, "pack_id""#;
    let [first, second, third] = WITHOUT_CONCERN;
    assert_eq!(
        listed(&[first, second, third, (r#""pack_id""#, ledger)]),
        ["contradicted_claim ledger.entries[0]", "contradicted_claim ledger.entries[4]"]
    );
}

#[test]
fn calls_that_failed_or_did_something_else_and_every_stale_source_are_concerns() {
    let failed = (r#""outcome": "succeeded""#, r#""outcome": "blocked""#);
    // All three sources are older than an hour, of which a finding names only the top three.
    let window = (r#""data_freshness_window_hours": 48"#, r#""data_freshness_window_hours": 1"#);
    assert_eq!(
        listed(&[failed, window]),
        [
            "failed_call tool_calls[0]",
            "contradicted_call tool_calls[1]",
            "contradicted_call tool_calls[2]",
            "stale_source sources[0]",
            "stale_source sources[1]",
            "stale_source sources[2]",
        ]
    );
}

/// The calls of the request with the intended results.
const WITHOUT_CONCERN: [(&str, &str); 3] = [
    (r#""amount": 120"#, r#""amount": 100"#),
    ("no meeting was booked: the calendar did not answer", "book a meeting"),
    (r#""outcome": "failed""#, r#""outcome": "succeeded""#),
];
