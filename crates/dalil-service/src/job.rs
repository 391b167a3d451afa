//! Long work: accepted by a record, done later, and ended by another.
//!
//! One server at a time does it: the holder of the lease. Accepted work that has not
//! ended and has no lease is taken up, by this server or by another. Its records are
//! named by the job, so that doing it twice leaves one result.

use dalil_phrasebook::precondition;
use dalil_proof::canon;
use dalil_proof::digest::hex;
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;
use dalil_proof::record::RecordKind;
use dalil_store::catalog::JobRow;
use dalil_store::{Error, IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::operation::{
    OperationFailure, RequestContext, answered, append, bytes, held_bytes, none, one,
};

#[cfg(test)]
mod tests;

/// The work of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    /// Checks the answer of a session.
    Check,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It will be done.
    Accepted,
    /// It was done.
    Done,
    /// It could not be done.
    Failed,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Job {
    /// Its name.
    pub job_id: String,
    /// Its work.
    pub work: JobKind,
    /// Its subject: for a check, the session.
    pub subject: String,
    /// Its state.
    pub state: JobState,
    /// When it was accepted.
    pub accepted_at: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Its result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Json<'static>>,
    /// The record that accepted it.
    pub index: u64,
}

/// Accepts work: from here on it will be done.
///
/// # Errors
/// A store that does not take it.
pub async fn accept(
    tenant: &Tenant,
    work: JobKind,
    subject: &str,
    request: &[u8],
    context: &RequestContext,
) -> Result<Job, OperationFailure> {
    let key =
        context.idempotency_key(work.as_str(), &[subject.as_bytes(), b"\n", request].concat())?;
    let first = match answered(tenant, key.as_ref()).await? {
        Some(acks) => one(acks)?,
        None => {
            let draft = accepted(work, subject, request.to_vec(), context)?;
            one(append(tenant, vec![draft], key).await?)?
        }
    };
    // Another server may have accepted the same request in between, under another name.
    of_record(tenant, first.index).await
}

/// The record that accepts work.
pub(super) fn accepted(
    work: JobKind,
    subject: &str,
    request: Vec<u8>,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let id = format!("job_{}", hex(&random()?));
    let rows = vec![event(&id, (work, subject), JobState::Accepted, None, context)];
    let fields = vec![bytes(JOB_REQUEST_FIELD, request)];
    Ok(context.draft(RecordKind::JobAccepted, &id, fields, rows))
}

/// The job that a record accepted.
pub(super) async fn of_record(tenant: &Tenant, index: u64) -> Result<Job, OperationFailure> {
    let stored = tenant.record(index).await?;
    let lost = || {
        Error::damaged("accept a job", format!("record {index}"))
            .saw("the record that was appended", "none")
    };
    show(tenant, &stored.ok_or_else(lost)?.record.envelope().subject).await
}

/// Records the end of a job. A job ends once: a later end is not recorded.
///
/// # Errors
/// No such job, or a store that does not accept it.
pub async fn end(
    tenant: &Tenant,
    job: &Job,
    state: JobState,
    result: &impl Serialize,
    context: &RequestContext,
) -> Result<(), OperationFailure> {
    let said = canon::bytes(result)?;
    let text = String::from_utf8_lossy(&said).into_owned();
    let about = (job.work, job.subject.as_str());
    let rows = vec![event(&job.job_id, about, state, Some(text), context)];
    // The job gives the key: of two servers that finish it, the second gets the first one's answer.
    let context = RequestContext { key: Some(format!("{} ended", job.job_id)), ..context.clone() };
    let key = context.idempotency_key("job end", job.job_id.as_bytes())?;
    let draft = context.draft(RecordKind::JobEnded, &job.job_id, vec![bytes("result", said)], rows);
    one(append(tenant, vec![draft], key).await?)?;
    Ok(())
}

/// A job as the store has it.
///
/// # Errors
/// There is no such job.
pub async fn show(tenant: &Tenant, job_id: &str) -> Result<Job, OperationFailure> {
    let found = tenant.select(&JobRow::query().job_id(job_id)).await?;
    told(&found).ok_or_else(|| none(precondition::a_job_of_this_tenant(), "job_id", job_id))
}

/// The request of a job.
///
/// # Errors
/// There is no such job, or its request was erased.
pub async fn request(tenant: &Tenant, job: &Job) -> Result<Vec<u8>, OperationFailure> {
    let stored = tenant.record(job.index).await?;
    let request = stored.as_ref().and_then(|stored| held_bytes(stored, JOB_REQUEST_FIELD));
    request
        .map(<[u8]>::to_vec)
        .ok_or_else(|| none(precondition::a_job_that_can_be_done(), "job_id", &job.job_id))
}

/// Every job, in the order in which they were accepted.
///
/// # Errors
/// The store cannot be read.
pub async fn list(tenant: &Tenant) -> Result<Vec<Job>, OperationFailure> {
    let mut by_job: Vec<(String, Vec<IndexedRow<JobRow>>)> = Vec::new();
    for found in tenant.select(&JobRow::query()).await? {
        match by_job.iter_mut().find(|(known, _)| *known == found.row.job_id) {
            Some((_, lines)) => lines.push(found),
            None => by_job.push((found.row.job_id.clone(), vec![found])),
        }
    }
    Ok(by_job.iter().filter_map(|(_, lines)| told(lines)).collect())
}

/// The jobs of a tenant that have not ended, as far as its records were looked at.
#[derive(Debug, Default)]
pub struct OpenJobs {
    next: u64,
    jobs: Vec<Job>,
}

impl OpenJobs {
    /// Reads the records since the last call, and returns the jobs in the order in which they were
    /// accepted.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn look(&mut self, tenant: &Tenant) -> Result<&[Job], OperationFailure> {
        // Only rows that are new since the last look: servers poll this every few seconds.
        for found in tenant.select(&JobRow::query().starting_at(self.next)).await? {
            self.next = found.index + 1;
            self.jobs.retain(|job| job.job_id != found.row.job_id);
            self.jobs.extend(told(&[found]).filter(|job| job.state == JobState::Accepted));
        }
        Ok(&self.jobs)
    }
}

impl JobKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Check => "check",
        }
    }
}

impl JobState {
    const WIRE_NAMES: [(&'static str, Self); 3] =
        [("accepted", Self::Accepted), ("done", Self::Done), ("failed", Self::Failed)];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

fn event(
    id: &str,
    (work, subject): (JobKind, &str),
    state: JobState,
    result: Option<String>,
    context: &RequestContext,
) -> dalil_store::EvidenceRow {
    let row = JobRow {
        job_id: id.to_owned(),
        work: work.as_str().to_owned(),
        subject: subject.to_owned(),
        state: state.as_str().to_owned(),
        result,
        at: context.at,
    };
    row.into()
}

/// A job as its rows tell it.
fn told(lines: &[IndexedRow<JobRow>]) -> Option<Job> {
    let IndexedRow { index, row: first } = lines.first()?;
    let end =
        lines.iter().map(|line| &line.row).find(|row| row.state != JobState::Accepted.as_str());
    let word = end.map_or(JobState::Accepted.as_str(), |row| row.state.as_str());
    let state = JobState::WIRE_NAMES.iter().find(|(known, _)| *known == word)?.1;
    let result = end.and_then(|row| row.result.as_deref());
    let result = result.and_then(|text| Json::parse(text.as_bytes()).ok().map(Json::into_owned));
    Some(Job {
        job_id: first.job_id.clone(),
        work: JobKind::Check,
        subject: first.subject.clone(),
        state,
        accepted_at: first.at.to_string(),
        ended_at: end.map(|row| row.at.to_string()),
        result,
        index: *index,
    })
}

/// Why a job failed, for the record of its end.
#[derive(Clone, Debug, Serialize)]
pub struct JobFailure {
    /// The faults of the request.
    pub refused: Vec<Fault>,
}

fn random() -> Result<[u8; 8], OperationFailure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::unavailable("draw a name", "the operating system").saw("random bytes", error)
    })?;
    Ok(bytes)
}

/// The field of an accepted job's record that has its request.
const JOB_REQUEST_FIELD: &str = "job";
