use dalil_proof::digest::Digest;
use dalil_service::trail::{RecordSummary, WitnessedHead};

use super::{TimelineEdges, TrailEntry, subject_kind, timeline};

fn record(index: u64, at: &str) -> RecordSummary {
    RecordSummary {
        index,
        id: format!("rec_{index}"),
        kind: "document.added".to_owned(),
        at: format!("{at}T09:00:00.000Z"),
        actor: "person:amal".to_owned(),
        subject: "doc_1".to_owned(),
        sequence: 0,
        leaf: Digest::of(b""),
        payload: Vec::new(),
    }
}

fn told(edges: Option<&TimelineEdges>) -> Vec<String> {
    let records = vec![
        record(7, "2026-03-10"),
        record(6, "2026-03-10"),
        record(5, "2026-03-09"),
        record(4, "2026-02-27"),
    ];
    let head = WitnessedHead {
        size: 6,
        witness: "notary".to_owned(),
        index: 7,
        at: "2026-03-10T09:00:00.000Z".to_owned(),
    };
    let days = timeline(records, &[head], edges);
    let line = |entry: &TrailEntry| match entry {
        TrailEntry::Record(one) => one.index.to_string(),
        TrailEntry::Head(head) => format!("{} over {}", head.witness, head.size),
    };
    days.iter()
        .map(|day| {
            let entries: Vec<String> = day.entries.iter().map(line).collect();
            let gaps = (day.gap_after, day.gap_before);
            format!("{} {} {entries:?} {gaps:?}", day.date, day.records())
        })
        .collect()
}

#[test]
fn days_without_records_and_witnessed_heads_are_marked() {
    let edges = TimelineEdges {
        today: "2026-03-12T08:00:00.000Z".to_owned(),
        before: Some("2026-02-25T23:59:59.000Z".to_owned()),
        is_newest: true,
    };
    assert_eq!(
        told(Some(&edges)),
        [
            r#"2026-03-10 2 ["7", "6"] (Some(1), None)"#,
            r#"2026-03-09 1 ["notary over 6", "5"] (None, None)"#,
            r#"2026-02-27 1 ["4"] (Some(9), Some(1))"#,
        ]
    );
}

/// The times of records that were left out are not known.
#[test]
fn a_filter_makes_no_gaps() {
    assert_eq!(
        told(None),
        [
            r#"2026-03-10 2 ["7", "6"] (None, None)"#,
            r#"2026-03-09 1 ["notary over 6", "5"] (None, None)"#,
            r#"2026-02-27 1 ["4"] (None, None)"#,
        ]
    );
}

#[test]
fn a_record_about_what_another_kind_names_leads_to_it() {
    let kinds = [
        ("export.made", "pack_1"),
        ("export.made", "ses_1"),
        ("approval.asked", "my own name"),
        ("pack.sealed", "doc_1"),
    ];
    let nouns = kinds.map(|(kind, subject)| subject_kind(kind, subject));
    assert_eq!(nouns, ["pack", "session", "approval", "pack"]);
}
