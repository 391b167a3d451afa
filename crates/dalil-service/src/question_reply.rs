//! Replies to the follow-up questions of a session's newest ledger.

use dalil_evidence::access::AccessAction;
use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::question_reply::{
    QuestionCounts, QuestionReply, QuestionReplyOrder, QuestionThread,
};
use dalil_evidence::name::is_spelling;
use dalil_phrasebook::{hint, precondition};
use dalil_proof::canon;
use dalil_proof::fault::{Fault, quoted};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::record::RecordKind;
use dalil_store::Tenant;
use serde::Serialize;

use crate::claim_review::{MAX_LOOKED_AT, may_be_asked, reviewer};
use crate::member::{MEMBER_CONFLICT_KINDS, permitted_under_key, replay};
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held_bytes,
    none, one, retry_on_conflict_of_subject,
};
use crate::session;

#[cfg(test)]
mod tests;

/// A reply that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedQuestionReply {
    /// What was said.
    pub reply: QuestionReply,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// The follow-up questions of a session's newest ledger, and what people said about them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionList {
    /// How many stand how.
    pub counts: QuestionCounts,
    /// The questions, in the order of the ledger.
    pub questions: Vec<QuestionThread>,
}

/// Records what somebody says about a question: `{"ledger_id","question","action","sent_to"?,
/// "words"?}`.
///
/// # Errors
/// Every fault in the request; an agent; a person without the role; a ledger that is not the newest
/// one of the session, or a question that it does not ask; somebody who may not reply.
pub async fn record(
    tenant: &Tenant,
    session_id: &str,
    request: &[u8],
    deed: &RequestContext,
) -> Result<RecordedQuestionReply, OperationFailure> {
    let order = QuestionReplyOrder::parse(request)?;
    let named = [session_id.as_bytes(), b"\n", request].concat();
    let key = deed.idempotency_key_of_actor("question reply", &named)?;
    let ack = retry_on_conflict_of_subject(tenant, session_id, async |look| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        let (members, _) = replay(tenant).await?;
        let allowed = reviewer(&members, &deed.actor);
        let about = (AccessAction::Review, session_id);
        let replied_by = permitted_under_key(tenant, allowed, about, (deed, key.as_ref())).await?;
        may_be_asked(&members, order.sent_to.as_deref(), "sent_to")?;
        asked(&session::closed(tenant, session_id).await?.1, &order)?;
        // Words that answer others are not before them, even by a clock that is behind.
        let said_last = said(tenant, session_id).await?.iter().map(|one| one.at).max();
        let deed = deed.not_before(said_last.unwrap_or(deed.at));
        let QuestionReplyOrder { ledger_id, question, action, sent_to, words } = order.clone();
        let at = deed.at;
        let reply = QuestionReply { ledger_id, question, action, replied_by, at, sent_to, words };
        let fields = vec![bytes(REPLY_FIELD, canon::bytes(&reply)?)];
        let draft = deed.draft(RecordKind::QuestionReplied, session_id, fields, Vec::new());
        let look = look.and_kinds(MEMBER_CONFLICT_KINDS);
        one(append_if_unchanged(tenant, vec![draft], key.clone(), look).await?)
    })
    .await?;
    // From the record, so that a retry gives what was said first.
    let stored = tenant.record(ack.index).await?;
    let field = stored.as_ref().and_then(|stored| held_bytes(stored, REPLY_FIELD));
    let erased = || {
        let index = ack.index.to_string();
        none(precondition::a_reply_that_was_not_erased(), "index", &index)
    };
    Ok(RecordedQuestionReply { reply: QuestionReply::parse(field.ok_or_else(erased)?)?, ack })
}

/// The follow-up questions of a session's newest ledger, and how they stand.
///
/// # Errors
/// There is no such session, or none that was checked, or a record of it is not what it was.
pub async fn list(tenant: &Tenant, session_id: &str) -> Result<QuestionList, OperationFailure> {
    let (_, ledger, _) = session::closed(tenant, session_id).await?;
    let questions = threads(&ledger, &said(tenant, session_id).await?);
    Ok(QuestionList { counts: QuestionCounts::of(&questions), questions })
}

/// What was said about the questions of a session, in order of time.
///
/// # Errors
/// A record of it is not what it was.
pub async fn said(
    tenant: &Tenant,
    session_id: &str,
) -> Result<Vec<QuestionReply>, OperationFailure> {
    let mut replies = Vec::new();
    for stored in tenant.history(session_id).await? {
        // What was erased counts no more.
        if stored.record.envelope().kind == RecordKind::QuestionReplied
            && let Some(field) = held_bytes(&stored, REPLY_FIELD)
        {
            replies.push(QuestionReply::parse(field)?);
        }
    }
    Ok(replies)
}

/// A question that somebody is asked to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionAssignment {
    /// The session.
    pub session_id: String,
    /// Who asked, when, and what.
    pub reply: QuestionReply,
}

/// The questions that somebody is asked to answer and that nobody has answered since, the newest
/// first. Those among the newest replies are found.
///
/// # Errors
/// The store cannot be read, or a record is not what it was.
pub async fn sent_to(
    tenant: &Tenant,
    name: &str,
) -> Result<Vec<QuestionAssignment>, OperationFailure> {
    let newest = (MAX_LOOKED_AT, true);
    let kinds = &[RecordKind::QuestionReplied];
    let mut sessions: Vec<String> = Vec::new();
    for index in tenant.indices_of_kinds(kinds, MAX_INTEGER, newest).await? {
        let Some(stored) = tenant.record(index).await? else { continue };
        let Some(field) = held_bytes(&stored, REPLY_FIELD) else { continue };
        let reply = QuestionReply::parse(field)?;
        let is_own = reply.sent_to.as_deref().is_some_and(|own| is_spelling(own, name));
        let session = &stored.record.envelope().subject;
        if is_own && !sessions.contains(session) {
            sessions.push(session.clone());
        }
    }
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

/// Refuses words about another ledger than the newest, which the person has not seen.
fn asked(ledger: &Ledger, order: &QuestionReplyOrder) -> Result<(), Fault> {
    let newest = ledger.id.to_string();
    if order.ledger_id != newest {
        let expected = precondition::the_newest_ledger_of_the_session(quoted(&newest));
        let fault = Fault::new("superseded", "ledger_id", expected, quoted(&order.ledger_id));
        return Err(fault.hint(hint::look_at_the_newest_ledger()));
    }
    if ledger.content.follow_up_questions.contains(&order.question) {
        return Ok(());
    }
    let expected = precondition::a_question_of_the_newest_ledger();
    Err(Fault::new("not_found", "question", expected, quoted(&order.question)))
}

/// The name of what these records commit to.
const REPLY_FIELD: &str = "reply";
