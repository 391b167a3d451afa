use dalil_service::export::ExportFormat;

use super::filing_name;

#[test]
fn a_file_is_named_by_what_it_is_about_and_its_day() {
    let name = |title: &str| {
        let day = "2026-11-15T09:30:00Z".parse().expect("a time");
        filing_name("ledger", title, day, ExportFormat::Json)
    };
    assert_eq!(
        name("What are the main terms of “BPS-C/31”?"),
        "ledger-what-are-the-main-terms-of-bps-c-31-2026-11-15.json"
    );
    assert_eq!(name("كم مدة الإجازة؟"), "ledger-كم-مدة-الإجازة-2026-11-15.json");
    assert_eq!(name("../../etc/passwd\r\n"), "ledger-etc-passwd-2026-11-15.json");
    assert_eq!(name(""), "ledger-2026-11-15.json");
    assert_eq!(name(&"word ".repeat(40)).chars().count(), "ledger".len() + 10 * 5 + 16);
}
