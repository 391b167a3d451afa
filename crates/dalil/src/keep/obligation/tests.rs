use dalil_store::Table;
use expect_test::{Expect, expect};

use super::{expected, history, missing, package, status};
use crate::keep::fixture::{at, deed, keyed, one, said, size, table, two, why};

const PACKAGE: &[u8] = br#"{
  "obligations": [
    {"obligation_id": "ob-1", "doc_id": "doc-a", "source_clause": "The Vendor shall deliver within 30 days.",
     "extraction_model": "extractor-1", "source_page": 3, "section_reference": "1.1", "confidence": 0.95},
    {"obligation_id": "ob-2", "doc_id": "doc-z", "source_clause": "The Vendor shall report.",
     "extraction_model": "extractor-1"},
    {"obligation_id": "ob-3", "doc_id": "doc-a", "source_clause": "The Vendor shall insure.",
     "extraction_model": "extractor-1"}],
  "documents": {"doc-a": {"filename": "agreement.pdf"}},
  "verifications": {
    "ob-1": {"verification_model": "verifier-1", "verified": true, "confidence": 0.92},
    "ob-3": {"verification_model": "verifier-1"}},
  "amendment_chains": {"ob-1": [{"doc_id": "am-1", "clause": "2", "status": "MODIFIED"}]}}"#;
const STATUS: &[u8] =
    br#"{"obligation_id": "ob-1", "old_status": "ACTIVE", "new_status": "TERMINATED",
  "reason": "expired", "changed_by_doc_id": null}"#;

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

#[tokio::test]
async fn a_package_records_every_obligation_with_or_without_evidence() {
    let (_home, acme) = one("package").await;
    let packaged = package(&acme, PACKAGE, &deed(1)).await.unwrap();
    check(&said(&packaged), &expect![[r#""#]]);
    check(&table(&acme, Table::Obligations).await, &expect![[r#""#]]);
}

#[tokio::test]
async fn a_history_tells_everything_and_how_it_stood() {
    let (_home, acme) = one("history").await;
    package(&acme, PACKAGE, &deed(1)).await.unwrap();
    let changed = status(&acme, STATUS, &deed(5)).await.unwrap();
    check(&said(&changed), &expect![[r#""#]]);
    check(&said(&history(&acme, "ob-1", None).await.unwrap()), &expect![[r#""#]]);
    check(&said(&history(&acme, "ob-1", Some(at(4))).await.unwrap()), &expect![[r#""#]]);
    check(&said(&history(&acme, "ob-2", None).await.unwrap()), &expect![[r#""#]]);
    check(&said(&history(&acme, "ob-1", Some(at(0))).await.unwrap()), &expect![[r#""#]]);
    check(&said(&history(&acme, "no\u{0}ne", None).await.unwrap()), &expect![[r#""#]]);
}

#[tokio::test]
async fn a_second_try_gives_the_first_answer_and_a_key_serves_one_request() {
    let (_home, acme) = one("retry").await;
    let first = package(&acme, PACKAGE, &keyed(1, "k-1")).await.unwrap();
    let again = package(&acme, PACKAGE, &keyed(9, "k-1")).await.unwrap();
    assert_eq!((first, size(&acme).await), (again, 5));
    let other = status(&acme, STATUS, &keyed(9, "k-1")).await;
    check(&why(other), &expect![[r#""#]]);
    assert_eq!(size(&acme).await, 5);
}

#[tokio::test]
async fn obligations_without_evidence_are_named_with_the_reason() {
    let (_home, acme, zenith) = two("missing").await;
    package(&acme, PACKAGE, &deed(1)).await.unwrap();
    let only = STATUS.to_vec();
    let only = String::from_utf8(only).unwrap().replace("ob-1", "ob-9");
    status(&acme, only.as_bytes(), &deed(2)).await.unwrap();
    let asked = br#"{"expected_obligation_ids": ["ob-9", "ob-1", "ob-2", "ob-7", "ob-2", "ob-3"]}"#;
    let asked = expected(asked).unwrap();
    check(&said(&missing(&acme, &asked).await.unwrap()), &expect![[r#""#]]);
    check(&said(&missing(&zenith, &asked).await.unwrap()), &expect![[r#""#]]);
    check(&said(&missing(&acme, &[]).await.unwrap()), &expect![[r#""#]]);
    check(
        &why(expected(br#"{"expected": [], "expected_obligation_ids": [7, ""]}"#)),
        &expect![[r#""#]],
    );
}

#[tokio::test]
async fn one_tenant_sees_nothing_of_another() {
    let (_home, acme, zenith) = two("tenants").await;
    package(&acme, PACKAGE, &keyed(1, "k-1")).await.unwrap();
    check(&said(&history(&zenith, "ob-1", None).await.unwrap()), &expect![[r#""#]]);
    // The same names and the same key are other obligations and another request.
    let changed = status(&zenith, STATUS, &keyed(2, "k-1")).await.unwrap();
    check(&said(&changed), &expect![[r#""#]]);
    assert_eq!((size(&acme).await, size(&zenith).await), (5, 3));
    let own = history(&acme, "ob-1", None).await.unwrap();
    assert_eq!((own.records.len(), own.status), (1, None));
}

#[tokio::test]
async fn what_breaks_a_rule_leaves_no_record() {
    let (_home, acme) = one("refusals").await;
    let bad = br#"{"obligations": [{"obligation_id": "", "doc_id": "d"}], "documents": {}, "verifications": 3}"#;
    check(&why(package(&acme, bad, &deed(1)).await), &expect![[r#""#]]);
    check(
        &why(status(&acme, br#"{"obligation_id": "ob-1", "status": "x"}"#, &deed(1)).await),
        &expect![[r#""#]],
    );
    let nul = String::from_utf8(STATUS.to_vec()).unwrap().replace("expired", r"ex\u0000pired");
    check(&why(status(&acme, nul.as_bytes(), &deed(1)).await), &expect![[r#""#]]);
    status(&acme, STATUS, &deed(5)).await.unwrap();
    check(&why(status(&acme, STATUS, &deed(4)).await), &expect![[r#""#]]);
    check(&why(status(&acme, STATUS, &keyed(6, " ")).await), &expect![[r#""#]]);
    assert_eq!(size(&acme).await, 3);
}

#[tokio::test]
async fn a_package_of_nothing_is_nothing() {
    let (_home, acme) = one("nothing").await;
    let empty = br#"{"obligations": [], "documents": {}, "verifications": {}}"#;
    let packaged = package(&acme, empty, &deed(1)).await.unwrap();
    check(&said(&packaged), &expect![[r#""#]]);
    assert_eq!(size(&acme).await, 2);
}
