use expect_test::{Expect, expect};

use super::{AnswerReadiness, ClaimReview, ClaimReviewOrder};
use crate::ledger;
use crate::ledger::request::LedgerRequest;

/// An answer with a claim that is supported and one that is not found.
const REQUEST: &str = r#"{"session":{"id":"ses-1"},"created_at":"2026-03-14T15:00:00Z","claims":[
    {"claim_id":"c-1","claim_text":"Employees receive 15 days","claim_type":"policy","importance":"critical",
     "matches":[{"chunk_id":"b8b859ac","document":{"id":"doc-1","filename":"policy.md"},"similarity":0.92,
     "support":"full","contradicts":false,"snippet":"All employees receive 15 days."}]},
    {"claim_id":"c-2","claim_text":"Carry-over is 5 days","claim_type":"numeric","importance":"critical","matches":[]}]}"#;

fn review(ledger_id: &str, claim_id: &str, action: &str) -> ClaimReview {
    let more = match action {
        "assigned" => r#""assigned_to":"noura","#,
        "agreed" => "",
        _ => r#""reason":"seen in the annex","#,
    };
    let json = format!(
        r#"{{"action":"{action}",{more}"at":"2026-03-15T09:30:00Z","claim_id":"{claim_id}",
        "ledger_id":"{ledger_id}","reviewer":"amal"}}"#
    );
    ClaimReview::parse(json.as_bytes()).unwrap()
}

#[test]
fn an_answer_stands_as_its_verdicts_and_the_last_words_of_people_say() {
    let request = LedgerRequest::read(REQUEST.as_bytes()).unwrap();
    let ledger = ledger::check(&request).unwrap();
    let own = ledger.id.to_string();
    let cases: [(&[(&str, &str)], AnswerReadiness); 11] = [
        (&[], AnswerReadiness::NeedsPerson(1)),
        (&[("c-2", "commented")], AnswerReadiness::NeedsPerson(1)),
        (&[("c-2", "agreed")], AnswerReadiness::NeedsCorrection(1)),
        (&[("c-2", "resolved")], AnswerReadiness::Ready),
        (&[("c-2", "resolved"), ("c-1", "disagreed")], AnswerReadiness::NeedsPerson(1)),
        (&[("c-1", "disagreed")], AnswerReadiness::NeedsPerson(2)),
        (&[("c-1", "disagreed"), ("c-1", "agreed")], AnswerReadiness::NeedsPerson(1)),
        (&[("c-2", "resolved"), ("c-1", "assigned")], AnswerReadiness::NeedsPerson(1)),
        (&[("c-2", "resolved"), ("c-1", "assigned"), ("c-1", "agreed")], AnswerReadiness::Ready),
        (&[("c-2", "resolved"), ("c-2", "assigned")], AnswerReadiness::NeedsPerson(1)),
        (&[("c-2", "agreed"), ("c-2", "assigned")], AnswerReadiness::NeedsPerson(1)),
    ];
    for (said, expected) in cases {
        let reviews: Vec<_> =
            said.iter().map(|(claim, action)| review(&own, claim, action)).collect();
        let found = AnswerReadiness::of(&ledger.content, &own, &reviews);
        assert_eq!(found, expected, "{said:?}");
    }
    let elsewhere = [review("another ledger", "c-2", "resolved")];
    let found = AnswerReadiness::of(&ledger.content, &own, &elsewhere);
    assert_eq!(found, AnswerReadiness::NeedsPerson(1), "what was said of another check");
}

fn check(order: &str, expect: &Expect) {
    let found = match ClaimReviewOrder::parse(order.as_bytes()) {
        Ok(order) => format!("{order:?}\n"),
        Err(refused) => format!("{refused}\n"),
    };
    expect.assert_eq(&found);
}

#[test]
fn an_order_has_what_its_action_needs_and_nothing_else() {
    check(
        r#"{"ledger_id":"l","claim_id":"c","action":"agreed"}"#,
        &expect![[r#"
            ClaimReviewOrder { ledger_id: "l", claim_id: "c", action: Agreed, assigned_to: None, reason: None }
        "#]],
    );
    check(
        r#"{"ledger_id":"l","claim_id":"c","action":"disagreed"}"#,
        &expect![[r#"
            `reason`: expected words that others can follow, found none
        "#]],
    );
    check(
        r#"{"ledger_id":"l","claim_id":"c","action":"assigned"}"#,
        &expect![[r#"
            `assigned_to`: expected who is asked to look, found nobody
        "#]],
    );
    check(
        r#"{"ledger_id":"l","claim_id":"c","action":"agreed","assigned_to":"noura"}"#,
        &expect![[r#"
            `assigned_to`: expected nobody, unless the action is `assigned`, found `noura`
        "#]],
    );
    check(
        r#"{"claim_id":"c","action":"liked","reason":" ","x":1}"#,
        &expect![[r#"
            `ledger_id`: expected a value, found nothing
            `action`: expected one of `agreed`, `disagreed`, `resolved`, `commented`, `assigned`, found `liked`
            `reason`: expected some text, found ` `
            `x`: expected only ledger_id, claim_id, action, assigned_to, reason, found a field it does not know
            hint: remove the field or correct its name
        "#]],
    );
}
