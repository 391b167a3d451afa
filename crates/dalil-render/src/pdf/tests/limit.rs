//! A verifier renders unsigned parts of a file again, so they have limits.

use dalil_phrasebook::Language;
use dalil_proof::canon;
use serde_json::{Value, json};

use super::fixture;
use crate::pdf::{self, PackPrintout, PrintoutAnswer};

fn history() -> Value {
    serde_json::from_slice(fixture::short().history_bytes()).unwrap()
}

fn read(history: &Value) -> Result<PackPrintout, String> {
    let history = canon::bytes(history).unwrap();
    let read = PackPrintout::read(fixture::short().sealed(), &history);
    read.map_err(|refused| refused.to_string())
}

fn approval(length: usize, reason: usize) -> Value {
    let name = "ن".repeat(length);
    json!({"approver": name, "at": "2026-03-15T09:45:00.000Z", "outcome": "approved",
        "reason": "ر".repeat(reason), "role": name})
}

#[test]
fn a_history_at_its_limits_is_read() {
    let mut history = history();
    let mut other = history["versions"][1].clone();
    other["pack_id"] = json!("pack_d330000000000009");
    other["version"] = json!(9);
    other["reviewer_id"] = json!("م".repeat(256));
    history["approvals"] = json!(vec![approval(1, 1); 999]);
    history["approvals"].as_array_mut().unwrap().push(approval(256, 2_000));
    let versions = history["versions"].as_array_mut().unwrap();
    versions.resize(1_000, other);
    read(&history).unwrap();
}

#[test]
fn more_than_the_limits_is_refused() {
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut history = history();
        change(&mut history);
        read(&history).unwrap_err()
    };
    let reviewed = history()["versions"][1].clone();
    assert_eq!(
        refused(&|history| history["approvals"] = json!(vec![approval(1, 1); 1_001])),
        "`approvals`: expected at most 1000 items, found 1001"
    );
    assert_eq!(
        refused(&|history| history["versions"] = json!(vec![reviewed.clone(); 1_001])),
        "`versions`: expected at most 1000 items, found 1001"
    );
    assert_eq!(
        refused(&|history| history["approvals"] = json!([approval(257, 2_001)])),
        "`approvals[0].approver`: expected at most 256 characters, found 257\n\
         `approvals[0].reason`: expected at most 2000 characters, found 2001\n\
         `approvals[0].role`: expected at most 256 characters, found 257"
    );
    assert_eq!(
        refused(&|history| history["versions"][1]["reviewer_id"] = json!("م".repeat(257))),
        "`versions[1].reviewer_id`: expected at most 256 characters, found 257"
    );
}

#[test]
fn a_history_that_is_too_large_is_refused_before_it_is_read() {
    // Not even JSON.
    let refused = |bytes: usize| {
        let history = vec![b'['; bytes];
        PackPrintout::read(fixture::short().sealed(), &history).unwrap_err().to_string()
    };
    assert_eq!(
        refused((1 << 20) + 1),
        "`$`: expected a history of at most 1048576 bytes, found 1048577 bytes"
    );
    assert_ne!(refused(1 << 20), refused((1 << 20) + 1));
    let parsed = pdf::PrintoutHistory::parse(&vec![b'['; (1 << 20) + 1]).unwrap_err().to_string();
    assert_eq!(parsed, refused((1 << 20) + 1));
}

#[test]
fn the_largest_history_is_pressed() {
    let mut history = history();
    history["approvals"] = json!(vec![approval(20, 425); 1_000]);
    let bytes = canon::bytes(&history).unwrap().len();
    assert!(((1 << 20) - 100_000..=1 << 20).contains(&bytes), "{bytes}");
    let pages = pdf::pack(&read(&history).unwrap(), Language::Arabic).unwrap();
    assert!(pages.starts_with(b"%PDF-1.7"));
}

#[test]
fn more_claims_than_one_pdf_has_are_refused_before_anything_is_typeset() {
    let many = pdf::MAX_PDF_CLAIMS + 1;
    let expected = "expected at most 2000 claims in one PDF, found 2001";
    let ledger =
        pdf::ledger(&fixture::big_ledger(many), &PrintoutAnswer::default(), Language::English);
    assert_eq!(ledger.unwrap_err().to_string(), expected);
    let pack = pdf::pack(&fixture::long(many), Language::English);
    assert_eq!(pack.unwrap_err().to_string(), expected);
}
