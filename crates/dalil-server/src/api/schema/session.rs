//! Sessions: a question and its answer.

use serde::Serialize;
use utoipa::ToSchema;

use super::ledger::LedgerBody;
use super::scalar::{DigestText, LanguageCode, TimeText};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionPage)]
pub(crate) struct SessionPageBody {
    /// The items.
    items: Vec<SessionSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A question, and the answer to check.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewSession)]
pub(crate) struct NewSessionBody {
    /// The answer.
    #[schema(min_length = 1)]
    answer: String,
    /// The question.
    #[schema(min_length = 1)]
    query: Option<String>,
    /// How the question was asked.
    #[schema(min_length = 1)]
    mode: Option<String>,
    /// The id of the session; made from the digest of the answer when absent.
    #[schema(min_length = 1)]
    session_id: Option<String>,
}

/// The evidence to check an answer against.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CheckOrder)]
pub(crate) struct CheckOrderBody {
    /// The documents, by their ids; all of them when absent.
    documents: Option<Vec<String>>,
    /// The language of the texts for people in the ledger.
    language: Option<LanguageCode>,
}

/// A session, as a list shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionSummary)]
pub(crate) struct SessionSummaryBody {
    /// The session.
    session_id: String,
    /// The question.
    #[schema(required = true)]
    query: Option<String>,
    /// How the question was asked.
    #[schema(required = true)]
    mode: Option<String>,
    /// The digest of the answer.
    #[schema(required = true)]
    answer_sha256: Option<DigestText>,
    /// When it was opened.
    created_at: TimeText,
    /// The index of its record.
    index: u64,
}

/// An opened session.
#[derive(Serialize, ToSchema)]
#[schema(as = OpenedSession)]
pub(crate) struct OpenedSessionBody {
    /// The session.
    session_id: String,
    /// Whether it is new.
    is_new: bool,
    /// The index of its record.
    index: u64,
}

/// A session and its ledgers.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionDetails)]
pub(crate) struct SessionDetailsBody {
    /// The session.
    session_id: String,
    /// The question.
    #[schema(required = true)]
    query: Option<String>,
    /// How the question was asked, where that is known.
    #[schema(nullable = false)]
    mode: Option<String>,
    /// The digest of the answer.
    #[schema(required = true)]
    answer_sha256: Option<DigestText>,
    /// Its ledgers, the oldest first.
    ledgers: Vec<LedgerListEntryBody>,
    /// The newest ledger, whole.
    #[schema(required = true)]
    ledger: Option<LedgerBody>,
}

/// A ledger, as a list shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = LedgerListEntry)]
pub(crate) struct LedgerListEntryBody {
    /// The ledger.
    ledger_id: String,
    /// The digest of its canonical bytes.
    sha256: DigestText,
    /// The previous ledger.
    #[schema(nullable = false)]
    supersedes: Option<String>,
    /// The share of claims with evidence; nothing when there are no claims.
    #[schema(required = true)]
    coverage: Option<f64>,
    /// The share of claims without.
    unsupported_rate: f64,
    /// When it was closed.
    created_at: TimeText,
    /// The index of its record.
    index: u64,
}

/// A ledger, and the session that it is about.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionLedger)]
pub(crate) struct SessionLedgerBody {
    /// The ledger.
    ledger: LedgerBody,
    /// The session.
    session: AskedSessionBody,
}

/// A session, as its ledger is shown with it.
#[derive(Serialize, ToSchema)]
#[schema(as = AskedSession)]
pub(crate) struct AskedSessionBody {
    /// Its id.
    id: String,
    /// The question.
    #[schema(required = true)]
    query: Option<String>,
    /// How the question was asked.
    #[schema(required = true)]
    mode: Option<String>,
}
