use super::concerns;
use crate::pack::assemble;
use crate::pack::tests::{REQUEST, edited};

fn listed(edits: &[(&str, &str)]) -> Vec<String> {
    let draft = assemble(edited(REQUEST, edits).as_bytes()).unwrap();
    concerns(&draft).iter().map(|one| format!("{} {}", one.rule(), one.path())).collect()
}

#[test]
fn a_pack_that_nothing_speaks_against_has_no_concern() {
    let second = (r#""amount": 120"#, r#""amount": 100"#);
    let third = ("no meeting was booked: the calendar did not answer", "book a meeting");
    let outcome = (r#""outcome": "failed""#, r#""outcome": "succeeded""#);
    assert_eq!(listed(&[second, third, outcome]), [""; 0]);
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
