//! Replies to the follow-up questions of a session's newest ledger.

use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::question_reply::{
    QuestionCounts, QuestionReply, QuestionReplyOrder, QuestionThread,
};
use dalil_evidence::name::is_spelling;
use dalil_phrasebook::{Phrase, precondition};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_store::Tenant;
use serde::Serialize;

use crate::ledger_remark::{self, LedgerRemark};
use crate::operation::{OperationFailure, RecordAck, RequestContext};
use crate::session;

#[cfg(test)]
mod tests;

/// A reply that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedQuestionReply {
    /// The reply.
    pub reply: QuestionReply,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// The follow-up questions of a session's newest ledger, with their replies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionList {
    /// The number of questions in each state.
    pub counts: QuestionCounts,
    /// The questions, in the order of the ledger.
    pub questions: Vec<QuestionThread>,
}

/// Records a reply to a question: `{"ledger_id","question","action","sent_to"?,
/// "words"?}`.
///
/// # Errors
/// Every fault in the request; an agent; a person without the role; a ledger that is not the newest
/// one of the session, or a question that it does not ask; an addressee who may not reply.
pub async fn record(
    tenant: &Tenant,
    session_id: &str,
    request: &[u8],
    context: &RequestContext,
) -> Result<RecordedQuestionReply, OperationFailure> {
    let (reply, ack) = ledger_remark::record(tenant, session_id, request, context).await?;
    Ok(RecordedQuestionReply { reply, ack })
}

impl LedgerRemark for QuestionReply {
    type Order = QuestionReplyOrder;

    const KIND: RecordKind = RecordKind::QuestionReplied;
    const VERB: &'static str = "question reply";
    const FIELD: &'static str = "reply";
    const ASKED_PATH: &'static str = "sent_to";

    fn order(request: &[u8]) -> Result<QuestionReplyOrder, Refused> {
        QuestionReplyOrder::parse(request)
    }

    fn ledger_id(order: &QuestionReplyOrder) -> &str {
        &order.ledger_id
    }

    fn check(ledger: &Ledger, order: &QuestionReplyOrder) -> Result<(), Fault> {
        if ledger.content.follow_up_questions.contains(&order.question) {
            return Ok(());
        }
        let expected = precondition::a_question_of_the_newest_ledger();
        Err(Fault::new("not_found", "question", expected, quoted(&order.question)))
    }

    fn asked_by_order(order: &QuestionReplyOrder) -> Option<&str> {
        order.sent_to.as_deref()
    }

    fn made(order: QuestionReplyOrder, replied_by: String, at: Time) -> Self {
        let QuestionReplyOrder { ledger_id, question, action, sent_to, words } = order;
        Self { ledger_id, question, action, replied_by, at, sent_to, words }
    }

    fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        Self::parse(bytes)
    }

    fn asked(&self) -> Option<&str> {
        self.sent_to.as_deref()
    }

    fn at(&self) -> Time {
        self.at
    }

    fn not_erased() -> Phrase {
        precondition::a_reply_that_was_not_erased()
    }
}

/// The follow-up questions of a session's newest ledger, and their states.
///
/// # Errors
/// There is no such session, or none that was checked, or a record of it is damaged.
pub async fn list(tenant: &Tenant, session_id: &str) -> Result<QuestionList, OperationFailure> {
    let (_, ledger, _) = session::closed(tenant, session_id).await?;
    let questions = threads(&ledger, &said(tenant, session_id).await?);
    Ok(QuestionList { counts: QuestionCounts::of(&questions), questions })
}

/// The replies to the questions of a session, in order of time.
///
/// # Errors
/// A record of it is damaged.
pub async fn said(
    tenant: &Tenant,
    session_id: &str,
) -> Result<Vec<QuestionReply>, OperationFailure> {
    ledger_remark::said(tenant, session_id).await
}

/// A question that was forwarded to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionAssignment {
    /// The session.
    pub session_id: String,
    /// Who asked, when, and what.
    pub reply: QuestionReply,
}

/// The questions that were forwarded to a person and are unanswered since, the newest
/// first. Only those among the newest replies are found.
///
/// # Errors
/// The store cannot be read, or a record is damaged.
pub async fn sent_to(
    tenant: &Tenant,
    name: &str,
) -> Result<Vec<QuestionAssignment>, OperationFailure> {
    let sessions = ledger_remark::sessions_asking::<QuestionReply>(tenant, name).await?;
    let mut waiting = Vec::new();
    for session_id in sessions {
        let threads = match list(tenant, &session_id).await {
            Ok(list) => list.questions,
            // Erased since: there is nothing left to answer.
            Err(OperationFailure::Refused(_)) => continue,
            Err(failure) => return Err(failure),
        };
        for thread in threads {
            let is_own = thread.sent_to().is_some_and(|own| is_spelling(own, name));
            if let Some(reply) = thread.replies.into_iter().next_back().filter(|_| is_own) {
                waiting.push(QuestionAssignment { session_id: session_id.clone(), reply });
            }
        }
    }
    waiting.sort_by_key(|one| std::cmp::Reverse(one.reply.at));
    Ok(waiting)
}

/// The questions of a ledger with their replies.
fn threads(ledger: &Ledger, replies: &[QuestionReply]) -> Vec<QuestionThread> {
    let questions = &ledger.content.follow_up_questions;
    QuestionThread::all(questions, &ledger.id.to_string(), replies)
}
