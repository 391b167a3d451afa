//! Replies to follow-up questions.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, TimeText};

/// A person's action on a question.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = QuestionReplyAction)]
pub(crate) enum QuestionReplyActionName {
    /// Answers it.
    Answered,
    /// Another person is asked to answer it.
    SentOn,
}

/// A reply to a question.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QuestionReplyOrder)]
pub(crate) struct QuestionReplyOrderBody {
    /// The newest ledger of the session.
    #[schema(min_length = 1, max_length = 200)]
    ledger_id: String,
    /// A follow-up question of it, word for word.
    #[schema(min_length = 1)]
    question: String,
    /// The action.
    action: QuestionReplyActionName,
    /// The person asked to answer; for `sent_on` only.
    #[schema(min_length = 1, max_length = 200)]
    sent_to: Option<String>,
    /// The answer, required for `answered`, or a message to the person asked.
    #[schema(min_length = 1, max_length = 2000)]
    words: Option<String>,
}

/// One person's reply to one question.
#[derive(Serialize, ToSchema)]
#[schema(as = QuestionReply)]
pub(crate) struct QuestionReplyBody {
    /// The ledger that asks it.
    ledger_id: String,
    /// The question.
    question: String,
    /// The action.
    action: QuestionReplyActionName,
    /// Who.
    replied_by: String,
    /// When.
    at: TimeText,
    /// The person asked to answer.
    #[schema(nullable = false)]
    sent_to: Option<String>,
    /// The answer, or a message to the person asked.
    #[schema(nullable = false)]
    words: Option<String>,
}

/// A recorded reply.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedQuestionReply)]
pub(crate) struct RecordedQuestionReplyBody {
    /// The reply.
    reply: QuestionReplyBody,
    /// The index of its record in the trail, from 0.
    index: u64,
    /// The id of its record.
    id: String,
    /// The leaf hash of its record.
    leaf: DigestText,
}

/// The state of a question: by the last reply to it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = QuestionState)]
pub(crate) enum QuestionStateName {
    /// No reply yet.
    Open,
    /// Another person is asked to answer it.
    SentOn,
    /// It was answered.
    Answered,
}

/// A question of a ledger, and the replies to it.
#[derive(Serialize, ToSchema)]
#[schema(as = QuestionThread)]
pub(crate) struct QuestionThreadBody {
    /// The question.
    question: String,
    /// Its state.
    state: QuestionStateName,
    /// The replies, in order of time.
    replies: Vec<QuestionReplyBody>,
}

/// The number of questions of a ledger in each state.
#[derive(Serialize, ToSchema)]
#[schema(as = QuestionCounts)]
pub(crate) struct QuestionCountsBody {
    /// Without a reply.
    open: u64,
    /// Forwarded to another person.
    sent_on: u64,
    /// These were answered.
    answered: u64,
}

/// The follow-up questions of a session's newest ledger.
#[derive(Serialize, ToSchema)]
#[schema(as = QuestionList)]
pub(crate) struct QuestionListBody {
    /// The number of questions in each state.
    counts: QuestionCountsBody,
    /// The questions, in the order of the ledger.
    questions: Vec<QuestionThreadBody>,
}
