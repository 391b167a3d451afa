//! Jobs: long work.

use serde::Serialize;
use utoipa::ToSchema;

use super::document::AddedDocumentBody;
use super::scalar::{DigestText, TimeText};
use crate::api::document::FaultBody;

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = JobPage)]
pub(crate) struct JobPageBody {
    /// The items.
    items: Vec<JobBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A job.
#[derive(Serialize, ToSchema)]
#[schema(as = Job)]
pub(crate) struct JobBody {
    /// Its id.
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

/// A job, and its progress while it runs.
#[derive(Serialize, ToSchema)]
#[schema(as = JobResponse)]
pub(crate) struct JobResponseBody {
    /// Its id.
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

/// An event of a job: its name and its data, as in the event stream.
#[derive(Serialize, ToSchema)]
#[schema(as = JobEvent)]
pub(crate) struct JobEventBody {
    /// The kind of event.
    event: JobEventName,
    /// JSON on one line: a `JobProgress` for `progress`, the `Job` for `end`.
    #[schema(content_media_type = "application/json")]
    data: String,
}

/// The kind of event of a job.
#[derive(Serialize, ToSchema)]
#[schema(as = JobEventName, rename_all = "lowercase")]
pub(crate) enum JobEventName {
    /// The job made progress.
    Progress,
    /// The job ended; nothing follows.
    End,
}

/// The progress of a job.
#[derive(Serialize, ToSchema)]
#[schema(as = JobProgress)]
pub(crate) struct JobProgressBody {
    /// The current stage.
    stage: JobStageName,
    /// The number of finished steps.
    done: u64,
    /// The total number of steps.
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
    /// The previous ledger.
    #[schema(nullable = false)]
    supersedes: Option<String>,
    /// The documents that were consulted.
    #[schema(nullable = false)]
    documents: Option<Vec<AddedDocumentBody>>,
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
}
