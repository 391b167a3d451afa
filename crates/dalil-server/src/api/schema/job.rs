//! Jobs: long work.

use serde::Serialize;
use utoipa::ToSchema;

use super::document::AddedDocumentBody;
use super::scalar::{DigestText, TimeText};
use crate::api::document::FaultBody;

/// A part of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = JobPage)]
pub(crate) struct JobPageBody {
    /// The items.
    items: Vec<JobBody>,
    /// Where the next part begins; absent on the last.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A job.
#[derive(Serialize, ToSchema)]
#[schema(as = Job)]
pub(crate) struct JobBody {
    /// Its name.
    job_id: String,
    /// Its work.
    work: JobKindBody,
    /// Its subject: for a check, the session.
    subject: String,
    /// Its state.
    state: JobStateBody,
    /// When it was accepted.
    accepted_at: TimeText,
    /// When it ended.
    #[schema(nullable = false)]
    ended_at: Option<TimeText>,
    /// Its result.
    #[schema(nullable = false)]
    result: Option<JobResultBody>,
    /// The record that accepted it.
    index: u64,
}

/// The work of a job.
#[derive(Serialize, ToSchema)]
#[schema(as = JobKind, rename_all = "lowercase")]
pub(crate) enum JobKindBody {
    /// Checks the answer of a session.
    Check,
}

/// The state of a job.
#[derive(Serialize, ToSchema)]
#[schema(as = JobState, rename_all = "lowercase")]
pub(crate) enum JobStateBody {
    /// It will be done.
    Accepted,
    /// It was done.
    Done,
    /// It could not be done.
    Failed,
}

/// A job that goes on, and how far it is.
#[derive(Serialize, ToSchema)]
#[schema(as = JobResponse)]
pub(crate) struct JobResponseBody {
    /// Its name.
    job_id: String,
    /// Its work.
    work: JobKindBody,
    /// Its subject: for a check, the session.
    subject: String,
    /// Its state.
    state: JobStateBody,
    /// When it was accepted.
    accepted_at: TimeText,
    /// When it ended.
    #[schema(nullable = false)]
    ended_at: Option<TimeText>,
    /// Its result.
    #[schema(nullable = false)]
    result: Option<JobResultBody>,
    /// The record that accepted it.
    index: u64,
    #[schema(nullable = false)]
    progress: Option<JobProgressBody>,
}

/// An event of a job: its name and its data, as the stream of events has them.
#[derive(Serialize, ToSchema)]
#[schema(as = JobEvent)]
pub(crate) struct JobEventBody {
    /// Which event it is.
    event: JobEventName,
    /// JSON on one line: a `JobProgress` for `progress`, the `Job` for `end`.
    #[schema(content_media_type = "application/json")]
    data: String,
}

/// Which event of a job it is.
#[derive(Serialize, ToSchema)]
#[schema(as = JobEventName, rename_all = "lowercase")]
pub(crate) enum JobEventName {
    /// The job is further than before.
    Progress,
    /// The job ended; nothing follows.
    End,
}

/// How far a job is.
#[derive(Serialize, ToSchema)]
#[schema(as = JobProgress)]
pub(crate) struct JobProgressBody {
    /// The current stage.
    stage: JobStageName,
    /// The number of finished steps.
    done: u64,
    /// The number of all steps.
    all: u64,
}

/// The stages of a job.
#[derive(Serialize, ToSchema)]
#[schema(as = JobStageName)]
pub(crate) enum JobStageName {
    /// It waits for its turn.
    #[schema(rename = "waiting")]
    Waiting,
    /// It opens documents.
    #[schema(rename = "reading")]
    Reading,
    /// It judges claims.
    #[schema(rename = "judging")]
    Judging,
}

/// The result of a job.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = JobResult)]
pub(crate) enum JobResultBody {
    /// The ledger that a check closed.
    Done(Box<ClosedLedgerBody>),
    /// Why it could not be done.
    Failed(JobFailureBody),
}

/// Why a job failed, for the record of its end.
#[derive(Serialize, ToSchema)]
#[schema(as = JobFailure)]
pub(crate) struct JobFailureBody {
    /// The faults of the request.
    refused: Vec<FaultBody>,
}

/// A ledger that was closed.
#[derive(Serialize, ToSchema)]
#[schema(as = ClosedLedger)]
pub(crate) struct ClosedLedgerBody {
    /// The session.
    session_id: String,
    /// The ledger.
    ledger_id: String,
    /// The digest of its canonical bytes.
    sha256: DigestText,
    /// The ledger before it.
    #[schema(nullable = false)]
    supersedes: Option<String>,
    /// The documents that were consulted.
    #[schema(nullable = false)]
    documents: Option<Vec<AddedDocumentBody>>,
    /// Its place in the trail, from 0.
    index: u64,
    /// Its name.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
}
