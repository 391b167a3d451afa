use dalil::check::CheckOutcome;
use dalil_evidence::access::{Member, MemberRole};
use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_store::Tenant;
use expect_test::{Expect, expect};
use serde_json::json;

use super::{list, record};
use crate::fixture::{Home, deed, one, person, said, size, why};
use crate::{RequestContext, member, session};

const REQUEST: &[u8] = br#"{"session":{"id":"ses-1"},"created_at":"2026-03-14T15:00:00Z",
    "answer":"Carry-over is 5 days.","claims":[{"claim_id":"c-1","claim_text":"Carry-over is 5 days",
    "claim_type":"numeric","importance":"critical","matches":[]}]}"#;

/// A session with one claim that is not found, and its ledger, in a tenant with people.
async fn checked(name: &str) -> (Home, Tenant, String) {
    let (home, acme) = one(name).await;
    for (name, role) in
        [("amal", MemberRole::Admin), ("noura", MemberRole::Approver), ("sami", MemberRole::Viewer)]
    {
        let titles = std::collections::BTreeSet::new();
        let new = Member { name: name.to_owned(), role, titles };
        member::add(&acme, &new, &person(0, "amal")).await.unwrap();
    }
    let request = LedgerRequest::read(REQUEST).unwrap();
    let ledger = ledger::check(&request).unwrap();
    let outcome = CheckOutcome { request, ledger, replies: Vec::new() };
    let closed = session::close(&acme, &outcome, None, &deed(1)).await.unwrap();
    (home, acme, closed.ledger_id)
}

fn order(ledger: &str, action: &str, more: &serde_json::Value) -> Vec<u8> {
    let mut order = json!({"ledger_id": ledger, "claim_id": "c-1", "action": action});
    for (name, value) in more.as_object().unwrap() {
        order[name] = value.clone();
    }
    order.to_string().into_bytes()
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

#[tokio::test]
async fn what_people_say_about_a_claim_is_recorded_and_counts() {
    let (_home, acme, ledger) = checked("claim-review").await;
    check(
        &said(&list(&acme, "ses-1").await.unwrap()),
        &expect![[r#"
            {"readiness":{"claims":1,"state":"needs_person"},"reviews":[]}
        "#]],
    );
    let ask = order(&ledger, "assigned", &json!({"assigned_to": "noura"}));
    let once = RequestContext { key: Some("k".to_owned()), ..person(2, "amal") };
    let recorded = record(&acme, "ses-1", &ask, &once).await.unwrap();
    let again = record(&acme, "ses-1", &ask, &once).await.unwrap();
    assert_eq!(again, recorded, "a retry gives the first answer");
    check(
        &said(&recorded),
        &expect![[r#"
            {"id":"rec_…","index":7,"leaf":"sha256:…","review":{"action":"assigned","assigned_to":"noura","at":"2026-03-14T14:53:22.000Z","claim_id":"c-1","ledger_id":"57efa429-aff2-8c32-9055-f0384288eab1","reviewer":"amal"}}
        "#]],
    );
    let settled = order(&ledger, "resolved", &json!({"reason": "The annex of 2026 says 5 days."}));
    record(&acme, "ses-1", &settled, &person(3, "noura")).await.unwrap();
    check(
        &said(&list(&acme, "ses-1").await.unwrap()),
        &expect![[r#"
            {"readiness":{"state":"ready"},"reviews":[{"action":"assigned","assigned_to":"noura","at":"2026-03-14T14:53:22.000Z","claim_id":"c-1","ledger_id":"57efa429-aff2-8c32-9055-f0384288eab1","reviewer":"amal"},{"action":"resolved","at":"2026-03-14T14:53:23.000Z","claim_id":"c-1","ledger_id":"57efa429-aff2-8c32-9055-f0384288eab1","reason":"The annex of 2026 says 5 days.","reviewer":"noura"}]}
        "#]],
    );
}

#[tokio::test]
async fn only_people_who_may_review_speak_of_the_newest_ledger() {
    let (_home, acme, ledger) = checked("claim-refused").await;
    let agreed = order(&ledger, "agreed", &json!({}));
    let before = size(&acme).await;
    check(
        &why(record(&acme, "ses-1", &agreed, &person(2, "sami")).await),
        &expect![[r#"
            `actor`: expected the role approver or above, found `sami`, who is viewer
        "#]],
    );
    check(
        &why(record(&acme, "ses-1", &agreed, &deed(2)).await),
        &expect![[r#"
            `actor`: expected a person, found `agent-7`
            hint: an agent records what it did; people review it
        "#]],
    );
    assert_eq!(size(&acme).await, before + 2, "a refusal is a record");
    for (order, expect) in [
        (
            order("another", "agreed", &json!({})),
            expect![[r#"
                `ledger_id`: expected the newest ledger of the session, `57efa429-aff2-8c32-9055-f0384288eab1`, found `another`
                hint: the answer was checked again: look at the newest ledger first
            "#]],
        ),
        (
            order(&ledger, "agreed", &json!({"claim_id": "c-9"})),
            expect![[r#"
                `claim_id`: expected a claim of the newest ledger of the session, found `c-9`
            "#]],
        ),
        (
            order(&ledger, "assigned", &json!({"assigned_to": "sami"})),
            expect![[r#"
                `assigned_to`: expected the role approver or above, found `sami`, who is viewer
            "#]],
        ),
    ] {
        check(&why(record(&acme, "ses-1", &order, &person(3, "noura")).await), &expect);
    }
    check(
        &why(record(&acme, "ses-9", &agreed, &person(3, "noura")).await),
        &expect![[r#"
            `session`: expected a session of this tenant, found `ses-9`
        "#]],
    );
    assert_eq!(size(&acme).await, before + 2, "nothing was said");
}
