use dalil_proof::digest::Digest;
use dalil_proof::record::RecordKind;
use dalil_store::{AppendEntry, EvidenceTable};
use expect_test::{Expect, expect};

use super::{completeness, expected, history, missing, package, status};
use crate::artifact::artifact;
use crate::document;
use crate::fixture::{at, context_at, keyed, one, said, size, table, trust, two, why};
use crate::scratch::TestCorpusFolder;

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
    let packaged = package(&acme, PACKAGE, &context_at(1)).await.unwrap();
    check(
        &said(&packaged),
        &expect![[r#"
        {"findings":[{"message":"neither the verifier nor the extractor gave a confidence; 0 stands in","obligation_id":"ob-3","rule":"missing_confidence"}],"records":[{"id":"rec_…","index":2,"leaf":"sha256:…","obligation_id":"ob-1"},{"id":"rec_…","index":3,"leaf":"sha256:…","obligation_id":"ob-3"}],"skipped":[{"id":"rec_…","index":4,"leaf":"sha256:…","obligation_id":"ob-2","reason":"missing document doc-z"}]}
    "#]],
    );
    check(
        &table(&acme, EvidenceTable::Obligations).await,
        &expect![[r#"
        [2,0,"ob-1","recorded","doc-a","agreement.pdf",3,"1.1","The Vendor shall deliver within 30 days.","extractor-1","verifier-1","CONFIRMED",0.92,"[{\"clause\":\"2\",\"doc_id\":\"am-1\",\"status\":\"MODIFIED\"}]","2026-03-14T14:53:21.000Z"]
        [3,0,"ob-3","recorded","doc-a","agreement.pdf",null,null,"The Vendor shall insure.","extractor-1","verifier-1","UNVERIFIED",0,null,"2026-03-14T14:53:21.000Z"]
        [4,0,"ob-2","skipped",null,null,null,null,null,null,null,null,null,null,"2026-03-14T14:53:21.000Z"]

    "#]],
    );
}

#[tokio::test]
async fn what_packaging_found_is_kept_with_the_record() {
    let (_home, acme) = one("package-findings").await;
    package(&acme, PACKAGE, &context_at(1)).await.unwrap();
    let history = history(&acme, "ob-3", None).await.unwrap();
    check(
        &said(&history.records[0].findings),
        &expect![[r#"
            [{"message":"neither the verifier nor the extractor gave a confidence; 0 stands in","rule":"missing_confidence"}]
        "#]],
    );
    let sound = super::history(&acme, "ob-1", None).await.unwrap();
    assert_eq!(sound.records[0].findings, None);
}

#[tokio::test]
async fn what_was_said_beside_the_evidence_is_kept_with_the_record() {
    let (_home, acme) = one("package-terms").await;
    let request = String::from_utf8(PACKAGE.to_vec()).unwrap();
    let request = request
        .replace(
            r#""source_page": 3"#,
            r#""source_page": 3, "responsible_party": "Vendor", "deadline": "30 days""#,
        )
        .replace(r#""verified": true"#, r#""verified": true, "reason": "word for word""#)
        .replace(r#""agreement.pdf""#, r#""agreement.pdf", "effective_date": "2026-01-01""#);
    package(&acme, request.as_bytes(), &context_at(1)).await.unwrap();
    let terms = async |id: &str| said(&history(&acme, id, None).await.unwrap().records[0].terms);
    check(
        &(terms("ob-1").await + "\n" + &terms("ob-3").await),
        &expect![[r#"
            {"deadline":"30 days","effective_date":"2026-01-01","obligation_id":"ob-1","responsible_party":"Vendor","verification_reason":"word for word"}
            {"effective_date":"2026-01-01","obligation_id":"ob-3"}
        "#]],
    );
}

#[tokio::test]
async fn a_clause_that_is_not_in_the_stored_contract_is_a_finding() {
    let (_home, acme) = one("package-clause").await;
    let contract = b"The Vendor shall deliver  within\n30 days. The Vendor shall report.";
    let digest = acme.lake().unwrap().put(contract.to_vec()).await.unwrap();
    let rows = vec![artifact(&digest, contract.len(), "text/plain", "document")];
    let draft = context_at(1).draft(RecordKind::DocumentAdded, "contract", Vec::new(), rows);
    acme.append(AppendEntry { drafts: vec![draft], key: None }).await.unwrap();
    let request = |days: u32, hash: &str| {
        format!(
            r#"{{"obligations": [{{"obligation_id": "ob-1", "doc_id": "doc-a", "confidence": 0.9,
              "source_clause": "The Vendor shall deliver within {days} days.", "extraction_model": "m"}}],
              "documents": {{"doc-a": {{"filename": "a.txt", "content_hash": "{hash}"}}}},
              "verifications": {{"ob-1": {{"verification_model": "v", "verified": true}}}}}}"#
        )
    };
    let rules = async |days: u32, hash: &str| {
        let packaged =
            package(&acme, request(days, hash).as_bytes(), &context_at(2)).await.unwrap();
        packaged.findings.iter().map(|one| one.rule).collect::<Vec<_>>()
    };
    let hash = digest.to_string();
    assert_eq!(rules(30, &hash).await, Vec::<&str>::new());
    assert_eq!(rules(999, &hash).await, ["clause_not_in_document"]);
    // For a document that the store does not have, nothing can be checked.
    assert_eq!(rules(999, &Digest::of(b"other").to_string()).await, Vec::<&str>::new());
    // Text that no reader of the contract sees is not in it.
    for unseen in
        ["<!-- The clause -->", "<div hidden>\n\nThe clause\n\n</div>", "[a]: # (The clause)"]
    {
        let unseen = unseen.replace("The clause", "The Vendor shall deliver\nwithin 999 days.");
        let contract = format!("The Vendor shall deliver within 30 days.\n\n{unseen}\n");
        let files = [("docs/contract.md", contract.as_bytes())];
        let scratch = TestCorpusFolder::with("clause-unseen", &files);
        document::add(&acme, &scratch.corpus("docs"), &context_at(2)).await.unwrap();
        let hash = Digest::of(contract.as_bytes()).to_string();
        assert_eq!(rules(30, &hash).await, Vec::<&str>::new(), "{unseen}");
        assert_eq!(rules(999, &hash).await, ["clause_not_in_document"], "{unseen}");
    }
    // Nor what another format hides, of which the stored text has no mark.
    let contract = "The Vendor shall deliver within 30 days.\n\n\u{202E}The Vendor shall deliver within 999 days.\n";
    let files = [("docs/contract.txt", contract.as_bytes())];
    let scratch = TestCorpusFolder::with("clause-hidden", &files);
    document::add(&acme, &scratch.corpus("docs"), &context_at(2)).await.unwrap();
    let hash = Digest::of(contract.as_bytes()).to_string();
    assert_eq!(rules(30, &hash).await, Vec::<&str>::new());
    assert_eq!(rules(999, &hash).await, ["clause_not_in_document"]);
    let kept = history(&acme, "ob-1", None).await.unwrap();
    check(
        &said(&kept.records[1].findings),
        &expect![[r#"
            [{"message":"the clause is not in the text of the document that the store has","rule":"clause_not_in_document"}]
        "#]],
    );
}

#[tokio::test]
async fn the_records_of_a_store_are_validated_and_resolved() {
    let (_home, acme, other) = two("stored-validate").await;
    package(&acme, PACKAGE, &context_at(1)).await.unwrap();
    status(&acme, STATUS, &context_at(2)).await.unwrap();
    let asked = br#"{"expected_obligation_ids": ["ob-1", "ob-2", "ob-3", "ob-2"]}"#;
    check(
        &said(&super::validate(&acme, asked).await.unwrap()),
        &expect![[r#"
            {"gaps":[],"missing_evidence":["ob-2"],"records":3,"valid":false}
        "#]],
    );
    check(
        &said(&super::validate(&acme, b"{}").await.unwrap()),
        &expect![[r#"
            {"gaps":[],"missing_evidence":[],"records":3,"valid":true}
        "#]],
    );
    // The records of another tenant are not there.
    let none = super::validate(&other, asked).await.unwrap();
    assert_eq!((none.records, none.missing_evidence.len()), (0, 3));
    let chain = r#"[{"action": "REPLACE", "amendment_source_clause": "c", "doc_id": "d", "amendment_number": 1}]"#;
    let request = String::from_utf8(PACKAGE.to_vec()).unwrap();
    let replaced =
        request.replace(r#"[{"doc_id": "am-1", "clause": "2", "status": "MODIFIED"}]"#, chain);
    package(&acme, replaced.as_bytes(), &context_at(3)).await.unwrap();
    let stands = async |request: &[u8]| {
        let resolved = super::resolve(&acme, request).await.unwrap();
        let all: serde_json::Value = serde_json::from_str(&said(&resolved)).unwrap();
        let one = |one: &serde_json::Value| format!("{} {}", one["obligation_id"], one["status"]);
        all["resolved"].as_array().unwrap().iter().map(one).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(stands(b"{}").await, r#""ob-1" "SUPERSEDED"; "ob-3" "UNRESOLVED""#);
    assert_eq!(
        stands(br#"{"obligation_ids": ["ob-2", "ob-1"]}"#).await,
        r#""ob-2" "UNRESOLVED"; "ob-1" "SUPERSEDED""#
    );
    assert_eq!(
        why(super::resolve(&acme, br#"{"chains": {}}"#).await),
        "`chains`: expected only obligation_ids, found a field it does not know\nhint: remove the field or correct its name"
    );
}

#[tokio::test]
async fn what_was_skipped_is_told_by_its_reason() {
    let (_home, acme) = one("package-skips").await;
    // The verification of another obligation: that of `ob-3` is missing.
    let request =
        String::from_utf8(PACKAGE.to_vec()).unwrap().replace(r#""ob-3": {"#, r#""ob-9": {"#);
    let packaged = package(&acme, request.as_bytes(), &context_at(1)).await.unwrap();
    let events = packaged
        .skipped
        .iter()
        .map(|one| format!("{} {}: {}", one.obligation_id, one.reason, one.reason.event()));
    assert_eq!(
        events.collect::<Vec<_>>(),
        [
            "ob-2 missing document doc-z: evidence_missing_document",
            "ob-3 missing verification: evidence_missing_verification"
        ]
    );
    assert_eq!(
        packaged.tally(),
        "1 recorded, 2 skipped: evidence_missing_document 1, evidence_missing_verification 1"
    );
}

#[tokio::test]
async fn a_history_tells_everything_and_how_it_stood() {
    let (_home, acme) = one("history").await;
    package(&acme, PACKAGE, &context_at(1)).await.unwrap();
    let changed = status(&acme, STATUS, &context_at(5)).await.unwrap();
    check(
        &said(&changed),
        &expect![[r#"
        {"id":"rec_…","index":5,"leaf":"sha256:…","obligation_id":"ob-1"}
    "#]],
    );
    check(
        &said(&history(&acme, "ob-1", None).await.unwrap()),
        &expect![[r#"
        {"evidence":{"amendment_history":[{"clause":"2","doc_id":"am-1","status":"MODIFIED"}],"confidence":0.92,"doc_filename":"agreement.pdf","doc_id":"doc-a","extraction_model":"extractor-1","obligation_id":"ob-1","page_number":3,"section_reference":"1.1","source_clause":"The Vendor shall deliver within 30 days.","verification_model":"verifier-1","verification_result":"CONFIRMED"},"obligation_id":"ob-1","records":[{"actor":{"id":"agent-7","kind":"agent"},"at":"2026-03-14T14:53:21.000Z","content":{"present":{"amendment_history":[{"clause":"2","doc_id":"am-1","status":"MODIFIED"}],"confidence":0.92,"doc_filename":"agreement.pdf","doc_id":"doc-a","extraction_model":"extractor-1","obligation_id":"ob-1","page_number":3,"section_reference":"1.1","source_clause":"The Vendor shall deliver within 30 days.","verification_model":"verifier-1","verification_result":"CONFIRMED"}},"event":"recorded","id":"rec_…","index":2,"leaf":"sha256:…"},{"actor":{"id":"agent-7","kind":"agent"},"at":"2026-03-14T14:53:25.000Z","content":{"present":{"amendment_history":[{"changed_by_doc_id":null,"new_status":"TERMINATED","old_status":"ACTIVE","reason":"expired"}],"confidence":1,"doc_filename":"status_change","doc_id":"SYSTEM","extraction_model":"SYSTEM","obligation_id":"ob-1","page_number":null,"section_reference":null,"source_clause":"Status changed from ACTIVE to TERMINATED: expired","verification_model":"SYSTEM","verification_result":"UNVERIFIED"}},"event":"status_changed","id":"rec_…","index":5,"leaf":"sha256:…"}],"status":"TERMINATED"}
    "#]],
    );
    check(
        &said(&history(&acme, "ob-1", Some(at(4))).await.unwrap()),
        &expect![[r#"
        {"as_of":"2026-03-14T14:53:24.000Z","evidence":{"amendment_history":[{"clause":"2","doc_id":"am-1","status":"MODIFIED"}],"confidence":0.92,"doc_filename":"agreement.pdf","doc_id":"doc-a","extraction_model":"extractor-1","obligation_id":"ob-1","page_number":3,"section_reference":"1.1","source_clause":"The Vendor shall deliver within 30 days.","verification_model":"verifier-1","verification_result":"CONFIRMED"},"obligation_id":"ob-1","records":[{"actor":{"id":"agent-7","kind":"agent"},"at":"2026-03-14T14:53:21.000Z","content":{"present":{"amendment_history":[{"clause":"2","doc_id":"am-1","status":"MODIFIED"}],"confidence":0.92,"doc_filename":"agreement.pdf","doc_id":"doc-a","extraction_model":"extractor-1","obligation_id":"ob-1","page_number":3,"section_reference":"1.1","source_clause":"The Vendor shall deliver within 30 days.","verification_model":"verifier-1","verification_result":"CONFIRMED"}},"event":"recorded","id":"rec_…","index":2,"leaf":"sha256:…"}],"status":null}
    "#]],
    );
    check(
        &said(&history(&acme, "ob-2", None).await.unwrap()),
        &expect![[r#"
        {"evidence":null,"obligation_id":"ob-2","records":[{"actor":{"id":"agent-7","kind":"agent"},"at":"2026-03-14T14:53:21.000Z","content":{"present":{"obligation_id":"ob-2","reason":"missing document doc-z"}},"event":"skipped","id":"rec_…","index":4,"leaf":"sha256:…"}],"status":null}
    "#]],
    );
    check(
        &said(&history(&acme, "ob-1", Some(at(0))).await.unwrap()),
        &expect![[r#"
        {"as_of":"2026-03-14T14:53:20.000Z","evidence":null,"obligation_id":"ob-1","records":[],"status":null}
    "#]],
    );
    check(
        &said(&history(&acme, "no\u{0}ne", None).await.unwrap()),
        &expect![[r#"
        {"evidence":null,"obligation_id":"no\u0000ne","records":[],"status":null}
    "#]],
    );
}

#[tokio::test]
async fn a_second_try_gives_the_first_answer_and_a_key_serves_one_request() {
    let (_home, acme) = one("retry").await;
    let first = package(&acme, PACKAGE, &keyed(1, "k-1")).await.unwrap();
    let again = package(&acme, PACKAGE, &keyed(9, "k-1")).await.unwrap();
    assert_eq!((first, size(&acme).await), (again, 5));
    let other = status(&acme, STATUS, &keyed(9, "k-1")).await;
    check(
        &why(other),
        &expect![[r#"
        cannot append a record: idempotency key `k-1`: expected the request that the key stands for, found another one
        hint: a new request needs a new key
    "#]],
    );
    assert_eq!(size(&acme).await, 5);
}

#[tokio::test]
async fn obligations_without_evidence_are_named_with_the_reason() {
    let (_home, acme, zenith) = two("missing").await;
    package(&acme, PACKAGE, &context_at(1)).await.unwrap();
    let only = STATUS.to_vec();
    let only = String::from_utf8(only).unwrap().replace("ob-1", "ob-9");
    status(&acme, only.as_bytes(), &context_at(2)).await.unwrap();
    let asked = br#"{"expected_obligation_ids": ["ob-9", "ob-1", "ob-2", "ob-7", "ob-2", "ob-3"]}"#;
    let asked = expected(asked).unwrap();
    check(
        &said(&missing(&acme, &asked).await.unwrap()),
        &expect![[r#"
            {"expected":5,"missing":[{"obligation_id":"ob-9","reason":"only its status was recorded"},{"obligation_id":"ob-2","reason":"skipped: missing document doc-z"},{"obligation_id":"ob-7","reason":"never recorded"}],"root":"sha256:…","size":6}
        "#]],
    );
    check(
        &said(&missing(&zenith, &asked).await.unwrap()),
        &expect![[r#"
            {"expected":5,"missing":[{"obligation_id":"ob-9","reason":"never recorded"},{"obligation_id":"ob-1","reason":"never recorded"},{"obligation_id":"ob-2","reason":"never recorded"},{"obligation_id":"ob-7","reason":"never recorded"},{"obligation_id":"ob-3","reason":"never recorded"}],"root":"sha256:…","size":2}
        "#]],
    );
    check(
        &said(&missing(&acme, &[]).await.unwrap()),
        &expect![[r#"
            {"expected":0,"missing":[],"root":"sha256:…","size":6}
        "#]],
    );
    check(
        &why(expected(br#"{"expected": [], "expected_obligation_ids": [7, ""]}"#)),
        &expect![[r#"
            `expected_obligation_ids[0]`: expected a string, found `7`
            `expected_obligation_ids[1]`: expected some text, found ``
            `expected`: expected only expected_obligation_ids, found a field it does not know
            hint: remove the field or correct its name
        "#]],
    );
}

#[tokio::test]
async fn one_tenant_sees_nothing_of_another() {
    let (_home, acme, zenith) = two("tenants").await;
    package(&acme, PACKAGE, &keyed(1, "k-1")).await.unwrap();
    check(
        &said(&history(&zenith, "ob-1", None).await.unwrap()),
        &expect![[r#"
        {"evidence":null,"obligation_id":"ob-1","records":[],"status":null}
    "#]],
    );
    // The same names and the same key are other obligations and another request.
    let changed = status(&zenith, STATUS, &keyed(2, "k-1")).await.unwrap();
    check(
        &said(&changed),
        &expect![[r#"
        {"id":"rec_…","index":2,"leaf":"sha256:…","obligation_id":"ob-1"}
    "#]],
    );
    assert_eq!((size(&acme).await, size(&zenith).await), (5, 3));
    let own = history(&acme, "ob-1", None).await.unwrap();
    assert_eq!((own.records.len(), own.status), (1, None));
}

#[tokio::test]
async fn what_breaks_a_rule_leaves_no_record() {
    let (_home, acme) = one("refusals").await;
    let bad = br#"{"obligations": [{"obligation_id": "", "doc_id": "d"}], "documents": {}, "verifications": 3}"#;
    check(
        &why(package(&acme, bad, &context_at(1)).await),
        &expect![[r#"
        `obligations[0].obligation_id`: expected 1 to 200 characters without controls or outer spaces, found ``
        `obligations[0].source_clause`: expected a value, found nothing
        `obligations[0].extraction_model`: expected a value, found nothing
        `verifications`: expected an object, found `3`
    "#]],
    );
    check(
        &why(status(&acme, br#"{"obligation_id": "ob-1", "status": "x"}"#, &context_at(1)).await),
        &expect![[r#"
            `old_status`: expected a value, found nothing
            `new_status`: expected a value, found nothing
            `reason`: expected a value, found nothing
            `status`: expected only obligation_id, old_status, new_status, reason, changed_by_doc_id, found a field it does not know
            hint: remove the field or correct its name
        "#]],
    );
    let nul = String::from_utf8(STATUS.to_vec()).unwrap().replace("expired", r"ex\u0000pired");
    check(
        &why(status(&acme, nul.as_bytes(), &context_at(1)).await),
        &expect![[r#"
        cannot append a record: `obligations.source_clause`: expected text without U+0000, found text with it
    "#]],
    );
    status(&acme, STATUS, &context_at(5)).await.unwrap();
    check(
        &why(status(&acme, STATUS, &context_at(4)).await),
        &expect![[r#"
        cannot append a record: subject `ob-1`: expected a time not before 2026-03-14T14:53:25.000Z, found 2026-03-14T14:53:24.000Z
        hint: records of one subject are in the order of time
    "#]],
    );
    check(
        &why(status(&acme, STATUS, &keyed(6, " ")).await),
        &expect![[r#"
        cannot append a record: idempotency key: expected 1 to 200 characters without controls or outer spaces, found another text
    "#]],
    );
    assert_eq!(size(&acme).await, 3);
}

#[tokio::test]
async fn a_package_of_nothing_is_nothing() {
    let (_home, acme) = one("nothing").await;
    let empty = br#"{"obligations": [], "documents": {}, "verifications": {}}"#;
    let packaged = package(&acme, empty, &context_at(1)).await.unwrap();
    check(
        &said(&packaged),
        &expect![[r#"
        {"findings":[],"records":[],"skipped":[]}
    "#]],
    );
    assert_eq!(size(&acme).await, 2);
}

#[tokio::test]
async fn a_change_that_contradicts_the_status_on_record_is_a_finding() {
    let (_home, acme) = one("status-mismatch").await;
    package(&acme, PACKAGE, &context_at(1)).await.unwrap();
    let change = |old: &str, new: &str| {
        let text = String::from_utf8(STATUS.to_vec()).unwrap();
        text.replace("TERMINATED", new).replace("ACTIVE", old)
    };
    let superseded = change("ACTIVE", "SUPERSEDED");
    let first = status(&acme, superseded.as_bytes(), &context_at(2)).await.unwrap();
    assert_eq!(first.findings, []);
    let wrong = status(&acme, STATUS, &keyed(3, "k-1")).await.unwrap();
    check(
        &said(&wrong),
        &expect![[r#"
        {"findings":[{"message":"the status on record was `SUPERSEDED`, and the change is from `ACTIVE`","rule":"status_mismatch"}],"id":"rec_…","index":6,"leaf":"sha256:…","obligation_id":"ob-1"}
    "#]],
    );
    // A second try gives the same answer, though the status on record is another now.
    let next = change("TERMINATED", "ACTIVE_AGAIN");
    assert_eq!(status(&acme, next.as_bytes(), &context_at(4)).await.unwrap().findings, []);
    assert_eq!(status(&acme, STATUS, &keyed(5, "k-1")).await.unwrap(), wrong);
    let history = history(&acme, "ob-1", None).await.unwrap();
    let found: Vec<usize> = history.records.iter().map(|one| one.status_findings.len()).collect();
    assert_eq!(found, [0, 0, 1, 0]);
}

#[tokio::test]
async fn a_signed_statement_names_what_is_there_under_the_checkpoint() {
    let (_home, acme) = one("completeness").await;
    package(&acme, PACKAGE, &context_at(1)).await.unwrap();
    let asked = ["ob-9", "ob-3", "ob-1", "ob-2", "ob-1"].map(str::to_owned);
    let (statement, envelope) = completeness(&acme, &asked, &context_at(2)).await.unwrap();
    let head = acme.head().await.unwrap();
    assert_eq!(statement.head(), head);
    let told = said(&statement);
    let told = told.split_once("\"expected\":").unwrap().1.split_once(",\"root\"").unwrap().0;
    check(
        told,
        &expect![[r#"
            {"count":4,"sha256":"sha256:d7ec2738afd26f06b5e9b15571b9901c855951d3366bb7ac2e5fd10ba009f172"},"found":[{"index":2,"obligation_id":"ob-1"},{"index":3,"obligation_id":"ob-3"}],"made_at":"2026-03-14T14:53:22.000Z","missing":[{"obligation_id":"ob-2","why":"skipped"},{"obligation_id":"ob-9","why":"never_recorded"}]
        "#]],
    );
    let trust = trust(&acme).await;
    let bytes = dalil_proof::canon::bytes(&envelope).unwrap();
    let report = dalil_evidence::verify::file(&bytes, &trust, at(9));
    let parts: Vec<_> = report.findings.iter().map(|one| (one.part, one.verdict)).collect();
    check(
        &format!("{parts:?}"),
        &expect![[r#"
        [("format", Pass), ("signature", Pass), ("statement key", Pass), ("checkpoint", Pass), ("checkpoint signature", Pass), ("key status", Pass), ("expected", Incomplete), ("completeness", Incomplete)]
    "#]],
    );
}
