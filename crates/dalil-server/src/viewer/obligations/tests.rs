use dalil_service::index::ObligationSummary;

use super::newest_of_each;

#[test]
fn the_newest_record_of_an_obligation_tells() {
    let item = |id: &str, event: &str, file: Option<&str>| ObligationSummary {
        obligation_id: id.to_owned(),
        event: event.to_owned(),
        doc_filename: file.map(str::to_owned),
        verification_result: None,
        recorded_at: None,
        index: 0,
    };
    let newest_first = vec![
        item("rent", "status_changed", None),
        item("audit", "recorded", Some("audit-2.pdf")),
        item("rent", "recorded", Some("lease.pdf")),
        item("rent", "recorded", Some("draft.pdf")),
        item("audit", "recorded", Some("audit-1.pdf")),
    ];
    let told: Vec<String> = newest_of_each(newest_first)
        .iter()
        .map(|one| format!("{} {} {:?}", one.obligation_id, one.event, one.doc_filename))
        .collect();
    let expected =
        ["audit recorded Some(\"audit-2.pdf\")", "rent status_changed Some(\"lease.pdf\")"];
    assert_eq!(told, expected);
}
