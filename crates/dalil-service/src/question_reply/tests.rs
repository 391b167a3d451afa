use dalil::check::CheckOutcome;
use dalil_evidence::access::{Member, MemberRole};
use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_store::{Tenant, TimeSource};
use expect_test::{Expect, expect};
use serde_json::json;

use super::{list, record, sent_to};
use crate::fixture::{Home, context_at, one, person, said, size, why};
use crate::{RequestContext, member, session};

const REQUEST: &[u8] = br#"{"session":{"id":"ses-1"},"created_at":"2026-03-14T15:00:00Z",
    "answer":"Carry-over is 5 days.","claims":[{"claim_id":"c-1","claim_text":"Carry-over is 5 days",
    "claim_type":"numeric","importance":"critical","matches":[]}]}"#;
const QUESTION: &str = "Which document gives this figure: \"Carry-over is 5 days\"?";

/// A session whose ledger asks one question, in a tenant with people.
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
    let closed = session::close(&acme, &outcome, None, &context_at(1)).await.unwrap();
    (home, acme, closed.ledger_id)
}

fn order(ledger: &str, action: &str, more: &serde_json::Value) -> Vec<u8> {
    let mut order = json!({"ledger_id": ledger, "question": QUESTION, "action": action});
    for (name, value) in more.as_object().unwrap() {
        order[name] = value.clone();
    }
    order.to_string().into_bytes()
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

#[tokio::test]
async fn a_question_is_sent_on_and_answered_and_counted() {
    let (_home, acme, ledger) = checked("question-reply").await;
    let counts = async || said(&list(&acme, "ses-1").await.unwrap().counts);
    check(
        &counts().await,
        &expect![[r#"
        {"answered":0,"open":1,"sent_on":0}
    "#]],
    );
    let ask = order(&ledger, "sent_on", &json!({"sent_to": "noura"}));
    let once = RequestContext { key: Some("k".to_owned()), ..person(2, "amal") };
    let recorded = record(&acme, "ses-1", &ask, &once).await.unwrap();
    let again = record(&acme, "ses-1", &ask, &once).await.unwrap();
    assert_eq!(again, recorded, "a retry gives the first answer");
    check(
        &counts().await,
        &expect![[r#"
        {"answered":0,"open":0,"sent_on":1}
    "#]],
    );
    let waiting = sent_to(&acme, "noura").await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(sent_to(&acme, "amal").await.unwrap(), []);
    let answer = order(&ledger, "answered", &json!({"words": "The annex of 2026, page 3."}));
    record(&acme, "ses-1", &answer, &person(3, "noura")).await.unwrap();
    assert_eq!(sent_to(&acme, "noura").await.unwrap(), [], "it was answered");
    check(
        &said(&list(&acme, "ses-1").await.unwrap()),
        &expect![[r#"
        {"counts":{"answered":1,"open":0,"sent_on":0},"questions":[{"question":"Which document gives this figure: \"Carry-over is 5 days\"?","replies":[{"action":"sent_on","at":"2026-03-14T14:53:22.000Z","ledger_id":"57efa429-aff2-8c32-9055-f0384288eab1","question":"Which document gives this figure: \"Carry-over is 5 days\"?","replied_by":"amal","sent_to":"noura"},{"action":"answered","at":"2026-03-14T14:53:23.000Z","ledger_id":"57efa429-aff2-8c32-9055-f0384288eab1","question":"Which document gives this figure: \"Carry-over is 5 days\"?","replied_by":"noura","words":"The annex of 2026, page 3."}],"state":"answered"}]}
    "#]],
    );
}

#[tokio::test]
async fn the_key_of_one_person_does_not_answer_another_and_no_reply_is_before_the_last() {
    let (_home, acme, ledger) = checked("question-key").await;
    let answer = order(&ledger, "answered", &json!({"words": "The annex of 2026, page 3."}));
    let by =
        |second, who: &str| RequestContext { key: Some("k".to_owned()), ..person(second, who) };
    let first = record(&acme, "ses-1", &answer, &by(5, "amal")).await.unwrap();
    check(
        &why(record(&acme, "ses-1", &answer, &by(5, "noura")).await),
        &expect![[r#"
        cannot append a record: idempotency key `k`: expected the request that the key stands for, found another one
        hint: a new request needs a new key
    "#]],
    );
    // A clock that is three seconds behind.
    let behind = RequestContext { time_source: TimeSource::Clock, ..person(2, "noura") };
    let late = record(&acme, "ses-1", &answer, &behind).await.unwrap();
    assert_eq!((late.reply.replied_by.as_str(), late.reply.at), ("noura", first.reply.at));
    assert_eq!(list(&acme, "ses-1").await.unwrap().questions[0].replies.len(), 2);
}

#[tokio::test]
async fn only_people_who_may_review_reply_to_the_newest_ledger() {
    let (_home, acme, ledger) = checked("question-refused").await;
    let answer = order(&ledger, "answered", &json!({"words": "The annex."}));
    let before = size(&acme).await;
    check(
        &why(record(&acme, "ses-1", &answer, &person(2, "sami")).await),
        &expect![[r#"
        `actor`: expected the role approver or above, found `sami`, who is viewer
    "#]],
    );
    check(
        &why(record(&acme, "ses-1", &answer, &context_at(2)).await),
        &expect![[r#"
        `actor`: expected a person, found `agent-7`
        hint: an agent records what it did; people review it
    "#]],
    );
    assert_eq!(size(&acme).await, before + 2, "a refusal is a record");
    for (order, expect) in [
        (
            order("another", "answered", &json!({"words": "The annex."})),
            expect![[r#"
                `ledger_id`: expected the newest ledger of the session, `57efa429-aff2-8c32-9055-f0384288eab1`, found `another`
                hint: the answer was checked again: look at the newest ledger first
            "#]],
        ),
        (
            order(&ledger, "answered", &json!({"words": "5", "question": "How many?"})),
            expect![[r#"
                `question`: expected a follow-up question of the newest ledger of the session, found `How many?`
            "#]],
        ),
        (
            order(&ledger, "sent_on", &json!({"sent_to": "sami"})),
            expect![[r#"
                `sent_to`: expected the role approver or above, found `sami`, who is viewer
            "#]],
        ),
    ] {
        check(&why(record(&acme, "ses-1", &order, &person(3, "noura")).await), &expect);
    }
    check(
        &why(list(&acme, "ses-9").await),
        &expect![[r#"
        `session`: expected a session of this tenant, found `ses-9`
    "#]],
    );
    assert_eq!(size(&acme).await, before + 2, "nothing was said");
}
