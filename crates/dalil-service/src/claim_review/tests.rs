use dalil::check::CheckOutcome;
use dalil_evidence::access::{Member, MemberRole};
use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_store::{Tenant, TimeSource};
use expect_test::{Expect, expect};
use serde_json::json;

use super::{assigned_to, list, record};
use crate::fixture::{Home, context_at, person, said, size, two, why};
use crate::{RequestContext, member, session};

const REQUEST: &[u8] = br#"{"session":{"id":"ses-1"},"created_at":"2026-03-14T15:00:00Z",
    "answer":"Carry-over is 5 days.","claims":[{"claim_id":"c-1","claim_text":"Carry-over is 5 days",
    "claim_type":"numeric","importance":"critical","matches":[]}]}"#;

/// A session with one claim that is not found, and its ledger, in a tenant with people; and another
/// tenant.
async fn checked(name: &str) -> (Home, [Tenant; 2], String) {
    let (home, acme, other) = two(name).await;
    for (name, role) in
        [("amal", MemberRole::Admin), ("noura", MemberRole::Approver), ("sami", MemberRole::Viewer)]
    {
        let titles = std::collections::BTreeSet::new();
        let new = Member { name: name.to_owned(), role, titles };
        member::add(&acme, &new, &person(0, "amal")).await.unwrap();
    }
    let ledger = closed(&acme, REQUEST, 1).await;
    (home, [acme, other], ledger)
}

/// The ledger of a request, closed at a second.
async fn closed(tenant: &Tenant, request: &[u8], second: i64) -> String {
    let mut request = LedgerRequest::read(request).unwrap();
    request.previous_ledger_id = session::newest(tenant, "ses-1").await.unwrap();
    let ledger = ledger::check(&request).unwrap();
    let outcome = CheckOutcome { request, ledger, replies: Vec::new() };
    session::close(tenant, &outcome, None, &context_at(second)).await.unwrap().ledger_id
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
    let (_home, [acme, _], ledger) = checked("claim-review").await;
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
    let (_home, [acme, _], ledger) = checked("claim-refused").await;
    let agreed = order(&ledger, "agreed", &json!({}));
    let before = size(&acme).await;
    check(
        &why(record(&acme, "ses-1", &agreed, &person(2, "sami")).await),
        &expect![[r#"
            `actor`: expected the role approver or above, found `sami`, who is viewer
        "#]],
    );
    check(
        &why(record(&acme, "ses-1", &agreed, &context_at(2)).await),
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
    let other = order(&ledger, "disagreed", &json!({"reason": "It says 6."}));
    let once = RequestContext { key: Some("k".to_owned()), ..person(4, "noura") };
    record(&acme, "ses-1", &agreed, &once).await.unwrap();
    check(
        &why(record(&acme, "ses-1", &other, &once).await),
        &expect![[r#"
        cannot append a record: idempotency key `k`: expected the request that the key stands for, found another one
        hint: a new request needs a new key
    "#]],
    );
    let hers = RequestContext { key: Some("k".to_owned()), ..person(5, "amal") };
    check(
        &why(record(&acme, "ses-1", &agreed, &hers).await),
        &expect![[r#"
        cannot append a record: idempotency key `k`: expected the request that the key stands for, found another one
        hint: a new request needs a new key
    "#]],
    );
    assert_eq!(size(&acme).await, before + 3, "a key stands for one review of one person");
}

#[tokio::test]
async fn who_is_asked_to_look_finds_the_claim_until_somebody_decides_or_it_is_checked_again() {
    let (_home, [acme, other], ledger) = checked("claim-assigned").await;
    let asked = async |tenant: &Tenant, name: &str| said(&assigned_to(tenant, name).await.unwrap());
    assert_eq!(asked(&acme, "noura").await, "[]", "nobody has asked");
    let ask = order(&ledger, "assigned", &json!({"assigned_to": "noura"}));
    record(&acme, "ses-1", &ask, &person(2, "amal")).await.unwrap();
    let comment = order(&ledger, "commented", &json!({"reason": "The annex?"}));
    record(&acme, "ses-1", &comment, &person(3, "noura")).await.unwrap();
    check(
        &asked(&acme, "noura").await,
        &expect![[r#"
        [{"claim_text":"Carry-over is 5 days","review":{"action":"assigned","assigned_to":"noura","at":"2026-03-14T14:53:22.000Z","claim_id":"c-1","ledger_id":"57efa429-aff2-8c32-9055-f0384288eab1","reviewer":"amal"},"session_id":"ses-1"}]
    "#]],
    );
    assert_eq!(asked(&acme, "amal").await, "[]", "it is for noura");
    assert_eq!(asked(&other, "noura").await, "[]", "another tenant has a noura of its own");
    let agreed = order(&ledger, "agreed", &json!({}));
    record(&acme, "ses-1", &agreed, &person(4, "amal")).await.unwrap();
    assert_eq!(asked(&acme, "noura").await, "[]", "amal decided");
    record(&acme, "ses-1", &ask, &person(5, "amal")).await.unwrap();
    let readiness = list(&acme, "ses-1").await.unwrap().readiness;
    assert_eq!(said(&readiness), r#"{"claims":1,"state":"needs_person"}"#, "asked to look again");
    let again = String::from_utf8_lossy(REQUEST).replace("15:00:00", "16:00:00");
    closed(&acme, again.as_bytes(), 6).await;
    assert_eq!(asked(&acme, "noura").await, "[]", "the ledger is another");
    check(
        &why(list(&other, "ses-1").await),
        &expect![[r#"
        `session`: expected a session of this tenant, found `ses-1`
    "#]],
    );
}

#[tokio::test]
async fn words_are_not_before_those_that_they_answer() {
    let (_home, [acme, _], ledger) = checked("claim-clocks").await;
    // Of two servers the second is two minutes behind the first.
    for (second, action) in [(200, "disagreed"), (80, "commented")] {
        let order = order(&ledger, action, &json!({"reason": "Look at the annex."}));
        let context = RequestContext { time_source: TimeSource::Clock, ..person(second, "noura") };
        record(&acme, "ses-1", &order, &context).await.unwrap();
    }
    let times: Vec<String> =
        list(&acme, "ses-1").await.unwrap().reviews.iter().map(|one| one.at.to_string()).collect();
    expect![[r#"
        2026-03-14T14:56:40.000Z
        2026-03-14T14:56:40.000Z"#]]
    .assert_eq(&times.join("\n"));
}
