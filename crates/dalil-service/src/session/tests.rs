use dalil::check::CheckOutcome;
use dalil_evidence::ledger;
use dalil_evidence::ledger::request::{AnswerSession, LedgerRequest};
use dalil_store::EvidenceTable;
use expect_test::{Expect, expect};

use super::{LedgerSources, close, close_as, closed_as, newest, open, show};
use crate::fixture::{context_at, keyed, one, said, size, table, two, why};
use crate::scratch::TestCorpusFolder;

/// A check of an answer with one claim.
fn checked(answer: &str, previous: Option<&str>) -> CheckOutcome {
    checked_as(answer, previous, "")
}

/// The same, with a longer text of the claim.
fn checked_as(answer: &str, previous: Option<&str>, claim: &str) -> CheckOutcome {
    let previous = previous.map_or("null".to_owned(), |id| format!("\"{id}\""));
    let json = format!(
        r#"{{"session":{{"id":"ses-1","query":"How many days?"}},"created_at":"2026-03-14T15:00:00Z",
        "previous_ledger_id":{previous},"answer":"{answer}",
        "claims":[{{{claim}"claim_id":"c-1","claim_text":"Employees receive 15 days","claim_type":"policy",
        "importance":"critical","start_offset":0,"end_offset":25,"matches":[{{"chunk_id":"b8b859ac",
        "document":{{"id":"doc-1","filename":"policy.md","page_number":12}},"similarity":0.92,
        "support":"full","contradicts":false,"snippet":"All employees receive 15 days."}}]}}]}}"#
    );
    let request = LedgerRequest::read(json.as_bytes()).unwrap();
    let ledger = ledger::check(&request).unwrap();
    CheckOutcome { request, ledger, replies: vec![b"{}".to_vec(); 2] }
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

const ANSWER: &str = "Employees receive 15 days.";

#[tokio::test]
async fn a_ledger_is_closed_with_its_session_claims_and_verdicts() {
    let (_home, acme) = one("ledger").await;
    let ledger = checked(ANSWER, None);
    let closed = close(&acme, &ledger, None, &keyed(1, "k")).await.unwrap();
    check(
        &said(&closed),
        &expect![[r#"
            {"id":"rec_…","index":3,"leaf":"sha256:…","ledger_id":"c34af4a7-f88b-812c-aab8-8577f4cc54fc","session_id":"ses-1","sha256":"sha256:20c93e31f0dd4848cbb453bf3ec1eda365d3f03af17bea55f2cb6efe6b672133"}
        "#]],
    );
    for (name, expect) in [
        (
            EvidenceTable::Sessions,
            expect![[r#"
            [2,0,"ses-1","How many days?",null,"sha256:8de4f6d8f4f863b083003de7fcf23b753a34415cba8b6358bec9f1eb9ed49e4e","2026-03-14T14:53:21.000Z"]

        "#]],
        ),
        (
            EvidenceTable::Claims,
            expect![[r#"
            [3,0,"c-1","ses-1","Employees receive 15 days","policy","critical",1,0,25,"2026-03-14T15:00:00.000Z"]

        "#]],
        ),
        (
            EvidenceTable::Ledgers,
            expect![[r#"
                [3,1,"c34af4a7-f88b-812c-aab8-8577f4cc54fc","ses-1","sha256:20c93e31f0dd4848cbb453bf3ec1eda365d3f03af17bea55f2cb6efe6b672133",null,1,0,null,"2026-03-14T15:00:00.000Z"]

            "#]],
        ),
        (
            EvidenceTable::EvidenceLedger,
            expect![[r#"
                [3,2,"d95301a0-d071-89a3-ab07-46d747ac2f69","ses-1","c34af4a7-f88b-812c-aab8-8577f4cc54fc","c-1","supported",0.92,"[\"b8b859ac\"]","All employees receive 15 days.","Directly supported by: \"All employees receive 15 days.\"","2026-03-14T15:00:00.000Z"]

            "#]],
        ),
        (
            EvidenceTable::Artifacts,
            expect![[r#"
                [2,1,"sha256:8de4f6d8f4f863b083003de7fcf23b753a34415cba8b6358bec9f1eb9ed49e4e",26,"text/markdown","answer"]
                [3,3,"sha256:20c93e31f0dd4848cbb453bf3ec1eda365d3f03af17bea55f2cb6efe6b672133",1133,"application/json","ledger"]
                [3,4,"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",2,"application/json","reply"]

            "#]],
        ),
    ] {
        check(&table(&acme, name).await, &expect);
    }
    let again = close(&acme, &ledger, None, &keyed(2, "k")).await.unwrap();
    assert_eq!((again, size(&acme).await), (closed, 4));
}

#[tokio::test]
async fn a_new_check_names_the_ledger_before_it() {
    let (_home, acme) = one("checks").await;
    let first = checked(ANSWER, None);
    close(&acme, &first, None, &context_at(1)).await.unwrap();
    check(
        &why(close(&acme, &first, None, &context_at(2)).await),
        &expect![[r#"
            `previous_ledger_id`: expected the newest ledger of the session, `c34af4a7-f88b-812c-aab8-8577f4cc54fc`, found none
            hint: check again; a new check names the ledger before it
        "#]],
    );
    let before = newest(&acme, "ses-1").await.unwrap();
    let second = checked(ANSWER, before.as_deref());
    close(&acme, &second, None, &context_at(2)).await.unwrap();
    check(
        &said(&show(&acme, "ses-1").await.unwrap()),
        &expect![[r#"
            {"answer_sha256":"sha256:8de4f6d8f4f863b083003de7fcf23b753a34415cba8b6358bec9f1eb9ed49e4e","ledger":{"citations":[],"created_at":"2026-03-14T15:00:00.000Z","entries":[{"claim_id":"c-1","claim_importance":"critical","claim_text":"Employees receive 15 days","claim_type":"policy","confidence_band":"high","confidence_score":0.92,"end_offset":25,"evidence_chunk_ids":["b8b859ac"],"evidence_passages":[{"chunk_id":"b8b859ac","document":{"filename":"policy.md","id":"doc-1","page_number":12},"similarity":0.92,"snippet":"All employees receive 15 days.","stance":"supports"}],"evidence_snippet":"All employees receive 15 days.","id":"16c0b3d9-c2ae-869b-ba6a-3941461b7fae","notes":"Directly supported by: \"All employees receive 15 days.\"","source_document":{"filename":"policy.md","id":"doc-1","page_number":12},"start_offset":0,"verdict":"supported"}],"follow_up_questions":[],"id":"87b8e8d3-02b3-8e79-b319-68f62b350df7","previous_ledger_id":"c34af4a7-f88b-812c-aab8-8577f4cc54fc","risk_flags":[],"session_id":"ses-1","summary":{"by_importance":{"critical":1,"material":0,"minor":0},"by_verdict":{"contradicted":0,"not_found":0,"supported":1,"weak":0},"coverage_any_evidence":1,"evidence_coverage":1,"state":"checked","total_claims":1,"unsupported_rate":0},"updated_at":"2026-03-14T15:00:00.000Z"},"ledgers":[{"coverage":1,"created_at":"2026-03-14T15:00:00.000Z","index":3,"ledger_id":"c34af4a7-f88b-812c-aab8-8577f4cc54fc","sha256":"sha256:20c93e31f0dd4848cbb453bf3ec1eda365d3f03af17bea55f2cb6efe6b672133","unsupported_rate":0},{"coverage":1,"created_at":"2026-03-14T15:00:00.000Z","index":4,"ledger_id":"87b8e8d3-02b3-8e79-b319-68f62b350df7","sha256":"sha256:6a95735082acb08a49f3973c9bbea9faf29f4279e85e06f87cd152d16e328fc8","supersedes":"c34af4a7-f88b-812c-aab8-8577f4cc54fc","unsupported_rate":0}],"query":"How many days?","session_id":"ses-1"}
        "#]],
    );
    assert_eq!(table(&acme, EvidenceTable::Claims).await.lines().count(), 1);
    let before = newest(&acme, "ses-1").await.unwrap();
    let other = checked("Employees receive 15 days, or more.", before.as_deref());
    check(
        &why(close(&acme, &other, None, &context_at(3)).await),
        &expect![[r#"
        `session`: expected the answer of session `ses-1`, found another
        hint: another answer is another session
    "#]],
    );
    assert_eq!(size(&acme).await, 5);
}

#[tokio::test]
async fn documents_come_into_the_same_entry() {
    let (_home, acme) = one("entry").await;
    let scratch =
        TestCorpusFolder::with("keep-entry", &[("policy.md", b"All employees receive 15 days.")]);
    let ledger = checked(ANSWER, None);
    let corpus = scratch.corpus("policy.md");
    let closed = close(&acme, &ledger, Some(&corpus), &keyed(1, "k")).await.unwrap();
    check(
        &said(&closed),
        &expect![[r#"
            {"documents":[{"chunks":1,"document_id":"doc_cfe7659475fc50d2","filename":"policy.md","index":2,"is_new":true,"sha256":"sha256:cfe7659475fc50d2e55bb392997f255abe1dd68dfa073c90aa7f556bec988506"}],"id":"rec_…","index":4,"leaf":"sha256:…","ledger_id":"c34af4a7-f88b-812c-aab8-8577f4cc54fc","session_id":"ses-1","sha256":"sha256:20c93e31f0dd4848cbb453bf3ec1eda365d3f03af17bea55f2cb6efe6b672133"}
        "#]],
    );
    let again = close(&acme, &ledger, Some(&corpus), &keyed(2, "k")).await.unwrap();
    assert_eq!((again.ack, size(&acme).await), (closed.ack, 5));
}

#[tokio::test]
async fn a_session_of_another_tenant_is_not_there() {
    let (_home, acme, zenith) = two("sessions").await;
    let ledger = checked(ANSWER, None);
    close(&acme, &ledger, None, &context_at(1)).await.unwrap();
    assert_eq!(newest(&zenith, "ses-1").await.unwrap(), None);
    check(
        &why(show(&zenith, "ses-1").await),
        &expect![[r#"
        `session`: expected a session of this tenant, found `ses-1`
    "#]],
    );
    close(&zenith, &ledger, None, &context_at(1)).await.unwrap();
    assert_eq!((size(&acme).await, size(&zenith).await), (4, 4));
}

#[tokio::test]
async fn a_session_keeps_its_question() {
    let (_home, acme) = one("session-question").await;
    let asked = |query: Option<&str>| AnswerSession {
        id: "ses-q".to_owned(),
        query: query.map(str::to_owned),
        mode: None,
    };
    let first = open(&acme, &asked(Some("How many days?")), ANSWER, &context_at(1)).await.unwrap();
    // The same again, and without a word about the question.
    for query in [Some("How many days?"), None] {
        let again = open(&acme, &asked(query), ANSWER, &context_at(2)).await.unwrap();
        assert_eq!((again.is_new, again.index), (false, first.index));
    }
    check(
        &why(open(&acme, &asked(Some("How many weeks?")), ANSWER, &context_at(3)).await),
        &expect![[r#"
        `session`: expected the question of session `ses-q`, found another
        hint: another question is another session: give it a name of its own
    "#]],
    );
}

#[tokio::test]
async fn a_check_that_is_done_twice_leaves_the_first_ledger() {
    let (_home, acme) = one("ledger-twice").await;
    let key = || keyed(1, "job-1 check").idempotency_key("check", b"ses-1").unwrap();
    assert_eq!(closed_as(&acme, key().as_ref()).await.unwrap(), None);
    let first = checked(ANSWER, None);
    let none = LedgerSources::Files(None);
    let closed = close_as(&acme, &first, &none, (&context_at(1), key())).await.unwrap().unwrap();
    assert_eq!(closed.ledger_id, first.ledger.id.to_string());
    let before = size(&acme).await;
    // A server that takes the job up later sees the first ledger, and makes another.
    let second = checked(ANSWER, Some(&closed.ledger_id));
    assert_ne!(second.ledger.id, first.ledger.id);
    let closed = Some(closed);
    assert_eq!(close_as(&acme, &second, &none, (&context_at(2), key())).await.unwrap(), closed);
    assert_eq!(closed_as(&acme, key().as_ref()).await.unwrap(), closed);
    assert_eq!(size(&acme).await, before);
}

#[tokio::test]
async fn whether_a_claim_should_cite_is_kept_as_the_request_says() {
    for (said, kept) in [("", "1"), (r#""requires_citation":false,"#, "0")] {
        let (_home, acme) = one(&format!("cites-{kept}")).await;
        let outcome = checked_as(ANSWER, None, said);
        close(&acme, &outcome, None, &context_at(1)).await.unwrap();
        let rows = table(&acme, EvidenceTable::Claims).await;
        assert!(rows.contains(&format!(r#""critical",{kept},0,25"#)), "{rows}");
        // Ledgers of a store are read again, and stated again.
        let bytes = dalil_proof::canon::bytes(&outcome.ledger).unwrap();
        assert_eq!(ledger::Ledger::parse(&bytes).unwrap(), outcome.ledger);
    }
}
