//! An answer with the evidence to check it against, in one request.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{FreeObjectBody, LanguageCode};

/// An answer, and one of `chunks`, `bundle_id` and `documents`.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CheckSubmission)]
pub(crate) struct CheckSubmissionBody {
    /// The answer.
    #[schema(min_length = 1)]
    answer: String,
    /// The question.
    #[schema(min_length = 1)]
    question: Option<String>,
    /// The chunks that were retrieved for the answer.
    #[schema(min_items = 1, max_items = 1000)]
    chunks: Option<Vec<RetrievedChunkBody>>,
    /// A stored bundle: the answer is checked against its items.
    #[schema(min_length = 1)]
    bundle_id: Option<String>,
    /// Documents that were added, by their ids.
    #[schema(min_items = 1)]
    documents: Option<Vec<String>>,
    /// How the question was asked.
    #[schema(min_length = 1)]
    mode: Option<String>,
    /// The id of the session; made from the digest of the answer when absent.
    #[schema(min_length = 1)]
    session_id: Option<String>,
    /// The language of the texts for people in the ledger.
    language: Option<LanguageCode>,
}

/// An event of a streamed check: its name and its data, as in the event stream.
#[derive(Serialize, ToSchema)]
#[schema(as = AnswerEvent)]
pub(crate) struct AnswerEventBody {
    /// The kind of event.
    event: AnswerEventName,
    /// JSON on one line: for `claim` an entry of a `Ledger` without its `id`, for `withdrawn` its
    /// `claim_id`, for `job` the `Job`, for `ledger` a `SessionLedger`, for `problem` a `Problem`.
    #[schema(content_media_type = "application/json")]
    data: String,
}

/// The kind of event of a streamed check.
#[derive(Serialize, ToSchema)]
#[schema(as = AnswerEventName, rename_all = "lowercase")]
pub(crate) enum AnswerEventName {
    /// A claim was judged; it replaces an earlier one with the same `claim_id`.
    Claim,
    /// A claim was withdrawn.
    Withdrawn,
    /// The answer is complete and stored; it is checked even if the caller disconnects.
    Job,
    /// The ledger of the whole answer; nothing follows.
    Ledger,
    /// It could not be checked; nothing follows.
    Problem,
}

/// A chunk that an application retrieved.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RetrievedChunk)]
pub(crate) struct RetrievedChunkBody {
    /// The application's id for it; unique in a request.
    #[schema(min_length = 1)]
    id: String,
    /// Its text.
    #[schema(min_length = 1, max_length = 100_000)]
    text: String,
    /// The title of its document.
    #[schema(min_length = 1)]
    title: Option<String>,
    /// Where its document is.
    #[schema(min_length = 1)]
    uri: Option<String>,
    /// The page it is on.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    page: Option<u32>,
    /// Other metadata of the application; the ledger repeats it with every passage.
    metadata: Option<FreeObjectBody>,
}
