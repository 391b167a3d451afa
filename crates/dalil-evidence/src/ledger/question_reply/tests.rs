use expect_test::{Expect, expect};

use super::*;

fn refuses(order: &str, expect: &Expect) {
    let refused = QuestionReplyOrder::parse(order.as_bytes()).unwrap_err();
    expect.assert_eq(&format!("{refused}\n"));
}

#[test]
fn an_answer_has_words_and_a_question_is_sent_to_somebody() {
    let order = br#"{"ledger_id":"l","question":"Which?","action":"sent_on","sent_to":"noura"}"#;
    let expected = QuestionReplyOrder {
        ledger_id: "l".to_owned(),
        question: "Which?".to_owned(),
        action: QuestionReplyAction::SentOn,
        sent_to: Some("noura".to_owned()),
        words: None,
    };
    assert_eq!(QuestionReplyOrder::parse(order), Ok(expected));
    refuses(
        r#"{"ledger_id":"l","question":"Which?","action":"answered","sent_to":"noura"}"#,
        &expect![[r#"
            `sent_to`: expected nobody, unless the action is `sent_on`, found `noura`
        "#]],
    );
    refuses(
        r#"{"ledger_id":"l","question":"Which?","action":"answered"}"#,
        &expect![[r#"
            `words`: expected words that others can follow, found none
        "#]],
    );
    refuses(
        r#"{"ledger_id":"l","question":"Which?","action":"sent_on"}"#,
        &expect![[r#"
            `sent_to`: expected who is asked to answer, found nobody
        "#]],
    );
    refuses(
        r#"{"ledger_id":"l","question":"Which?","action":"shouted","more":1}"#,
        &expect![[r#"
            `action`: expected one of `answered`, `sent_on`, found `shouted`
            `more`: expected only ledger_id, question, action, sent_to, words, found a field it does not know
            hint: remove the field or correct its name
        "#]],
    );
}

fn reply(ledger: &str, question: &str, action: QuestionReplyAction) -> QuestionReply {
    let is_sent = action == QuestionReplyAction::SentOn;
    QuestionReply {
        ledger_id: ledger.to_owned(),
        question: question.to_owned(),
        action,
        replied_by: "amal".to_owned(),
        at: "2026-03-15T09:30:00Z".parse().unwrap(),
        sent_to: is_sent.then(|| "noura".to_owned()),
        words: (!is_sent).then(|| "The annex.".to_owned()),
    }
}

#[test]
fn the_last_reply_to_a_question_of_the_same_ledger_counts() {
    use QuestionReplyAction::{Answered, SentOn};
    let questions = ["Which?", "When?", "Who?"].map(str::to_owned);
    let replies = [
        reply("l", "Which?", SentOn),
        reply("l", "When?", Answered),
        reply("l", "Which?", Answered),
        reply("l", "When?", SentOn),
        reply("earlier", "Who?", Answered),
    ];
    let threads = QuestionThread::all(&questions, "l", &replies);
    let stand = |one: &QuestionThread| (one.state, one.replies.len(), one.sent_to().is_some());
    assert_eq!(
        threads.iter().map(stand).collect::<Vec<_>>(),
        [
            (QuestionState::Answered, 2, false),
            (QuestionState::SentOn, 2, true),
            (QuestionState::Open, 0, false)
        ]
    );
    let counts = QuestionCounts::of(&threads);
    assert_eq!(counts, QuestionCounts { open: 1, sent_on: 1, answered: 1 });
    assert_eq!(counts.phrase().english(), "1 of 3 answered");
}

#[test]
fn what_a_record_commits_to_is_read_back() {
    let reply = reply("l", "Which?", QuestionReplyAction::Answered);
    let bytes = dalil_proof::canon::bytes(&reply).unwrap();
    assert_eq!(QuestionReply::parse(&bytes), Ok(reply));
}
