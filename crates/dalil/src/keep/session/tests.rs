use dalil_core::ledger::request::Request;
use dalil_core::ledger::{self, Ledger};
use dalil_store::Table;
use expect_test::{Expect, expect};

use super::{close, newest, show};
use crate::keep::fixture::{deed, keyed, one, said, size, table, two, why};
use crate::scratch::Scratch;

/// A check of an answer with one claim.
fn checked(answer: &str, previous: Option<&str>) -> (Request, Ledger) {
    let previous = previous.map_or("null".to_owned(), |id| format!("\"{id}\""));
    let json = format!(
        r#"{{"session":{{"id":"ses-1","query":"How many days?"}},"created_at":"2026-03-14T15:00:00Z",
        "previous_ledger_id":{previous},"answer":"{answer}",
        "claims":[{{"claim_id":"c-1","claim_text":"Employees receive 15 days","claim_type":"policy",
        "importance":"critical","start_offset":0,"end_offset":25,"matches":[{{"chunk_id":"b8b859ac",
        "document":{{"id":"doc-1","filename":"policy.md","page_number":12}},"similarity":0.92,
        "support":"full","contradicts":false,"snippet":"All employees receive 15 days."}}]}}]}}"#
    );
    let request = Request::read(json.as_bytes()).unwrap();
    let ledger = ledger::check(&request).unwrap();
    (request, ledger)
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

const ANSWER: &str = "Employees receive 15 days.";

#[tokio::test]
async fn a_ledger_is_closed_with_its_session_claims_and_verdicts() {
    let (_home, acme) = one("ledger").await;
    let (request, ledger) = checked(ANSWER, None);
    let closed = close(&acme, &request, &ledger, None, &keyed(1, "k")).await.unwrap();
    check(&said(&closed), &expect![[r#""#]]);
    for (name, expect) in [
        (Table::Sessions, expect![[r#""#]]),
        (Table::Claims, expect![[r#""#]]),
        (Table::Ledgers, expect![[r#""#]]),
        (Table::EvidenceLedger, expect![[r#""#]]),
        (Table::Artifacts, expect![[r#""#]]),
    ] {
        check(&table(&acme, name).await, &expect);
    }
    let again = close(&acme, &request, &ledger, None, &keyed(2, "k")).await.unwrap();
    assert_eq!((again, size(&acme).await), (closed, 4));
}

#[tokio::test]
async fn a_new_check_names_the_ledger_before_it() {
    let (_home, acme) = one("checks").await;
    let (request, first) = checked(ANSWER, None);
    close(&acme, &request, &first, None, &deed(1)).await.unwrap();
    check(&why(close(&acme, &request, &first, None, &deed(2)).await), &expect![[r#""#]]);
    let before = newest(&acme, "ses-1").await.unwrap();
    let (request, second) = checked(ANSWER, before.as_deref());
    close(&acme, &request, &second, None, &deed(2)).await.unwrap();
    check(&said(&show(&acme, "ses-1").await.unwrap()), &expect![[r#""#]]);
    assert_eq!(table(&acme, Table::Claims).await.lines().count(), 1);
    let before = newest(&acme, "ses-1").await.unwrap();
    let (request, other) = checked("Another answer.", before.as_deref());
    check(&why(close(&acme, &request, &other, None, &deed(3)).await), &expect![[r#""#]]);
    assert_eq!(size(&acme).await, 5);
}

#[tokio::test]
async fn documents_come_into_the_same_entry() {
    let (_home, acme) = one("entry").await;
    let scratch = Scratch::with("keep-entry", &[("policy.md", b"All employees receive 15 days.")]);
    let (request, ledger) = checked(ANSWER, None);
    let corpus = scratch.corpus("policy.md");
    let closed = close(&acme, &request, &ledger, Some(&corpus), &keyed(1, "k")).await.unwrap();
    check(&said(&closed), &expect![[r#""#]]);
    let again = close(&acme, &request, &ledger, Some(&corpus), &keyed(2, "k")).await.unwrap();
    assert_eq!((again.ack, size(&acme).await), (closed.ack, 5));
}

#[tokio::test]
async fn a_session_of_another_tenant_is_not_there() {
    let (_home, acme, zenith) = two("sessions").await;
    let (request, ledger) = checked(ANSWER, None);
    close(&acme, &request, &ledger, None, &deed(1)).await.unwrap();
    assert_eq!(newest(&zenith, "ses-1").await.unwrap(), None);
    check(&why(show(&zenith, "ses-1").await), &expect![[r#""#]]);
    close(&zenith, &request, &ledger, None, &deed(1)).await.unwrap();
    assert_eq!((size(&acme).await, size(&zenith).await), (4, 4));
}
