//! Long work: accepted by a record, done later, and ended by another.
//!
//! One server at a time does it: whoever has the lease. What was accepted, has not
//! ended and is held by nobody is taken up, by this server or by another: the work
//! is named by its job, so that doing it twice leaves one result.

use dalil_core::canon;
use dalil_core::digest::hex;
use dalil_core::fault::Fault;
use dalil_core::json::Json;
use dalil_core::record::Kind;
use dalil_store::{Error, Select, Table, Tenant};
use serde::Serialize;

use super::line::{Line, equal, lines, row};
use super::{Deed, Failure, answered, append, bytes, held_bytes, none, one};

#[cfg(test)]
mod tests;

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Checks the answer of a session.
    Check,
}

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
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
    /// What it does.
    pub work: Work,
    /// What it is about: for a check, the session.
    pub subject: String,
    /// How it stands.
    pub state: State,
    /// When it was accepted.
    pub accepted_at: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// What came of it.
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
    work: Work,
    subject: &str,
    request: &[u8],
    deed: &Deed,
) -> Result<Job, Failure> {
    let key = deed.named(work.as_str(), &[subject.as_bytes(), b"\n", request].concat())?;
    let first = match answered(tenant, key.as_ref()).await? {
        Some(acks) => one(acks)?,
        None => {
            let id = format!("job_{}", hex(&random()?));
            let rows = vec![event(&id, (work, subject), State::Accepted, None, deed)];
            let fields = vec![bytes(REQUEST, request.to_vec())];
            let draft = deed.draft(Kind::JobAccepted, &id, fields, rows);
            one(append(tenant, vec![draft], key).await?)?
        }
    };
    // Another server may have accepted the same request in between, under another name.
    let stored = tenant.record(first.index).await?;
    let id = stored.map(|stored| stored.record.envelope().subject.clone());
    show(tenant, &id.unwrap_or_default()).await
}

/// Says how a job ended. A job ends once: what is said later is not recorded.
///
/// # Errors
/// No such job, or a store that does not take it.
pub async fn end(
    tenant: &Tenant,
    job: &Job,
    state: State,
    result: &impl Serialize,
    deed: &Deed,
) -> Result<(), Failure> {
    let said = canon::bytes(result)?;
    let text = String::from_utf8_lossy(&said).into_owned();
    let about = (job.work, job.subject.as_str());
    let rows = vec![event(&job.job_id, about, state, Some(text), deed)];
    let deed = Deed { key: Some(format!("{} ended", job.job_id)), ..deed.clone() };
    let key = deed.named("job end", job.job_id.as_bytes())?;
    let draft = deed.draft(Kind::JobEnded, &job.job_id, vec![bytes("result", said)], rows);
    one(append(tenant, vec![draft], key).await?)?;
    Ok(())
}

/// A job as the store has it.
///
/// # Errors
/// There is no such job.
pub async fn show(tenant: &Tenant, job_id: &str) -> Result<Job, Failure> {
    let found = equal(tenant, Table::Jobs, "job_id", job_id).await?;
    told(&found).ok_or_else(|| none("a job of this tenant", "job_id", job_id))
}

/// What a job was asked to do.
///
/// # Errors
/// There is no such job, or what it was asked was erased.
pub async fn request(tenant: &Tenant, job: &Job) -> Result<Vec<u8>, Failure> {
    let stored = tenant.record(job.index).await?;
    let request = stored.as_ref().and_then(|stored| held_bytes(stored, REQUEST));
    request.map(<[u8]>::to_vec).ok_or_else(|| none("a job that can be done", "job_id", &job.job_id))
}

/// Every job, in the order in which they were accepted.
///
/// # Errors
/// The store cannot be read.
pub async fn list(tenant: &Tenant) -> Result<Vec<Job>, Failure> {
    let found = lines(tenant, &Select::all(Table::Jobs)).await?;
    let mut by_job: Vec<(String, Vec<Line>)> = Vec::new();
    for line in found {
        let id = line.owned("job_id");
        match by_job.iter_mut().find(|(known, _)| *known == id) {
            Some((_, lines)) => lines.push(line),
            None => by_job.push((id, vec![line])),
        }
    }
    Ok(by_job.iter().filter_map(|(_, lines)| told(lines)).collect())
}

/// The jobs of a tenant that have not ended, as far as its records were looked at.
#[derive(Debug, Default)]
pub struct Open {
    next: u64,
    jobs: Vec<Job>,
}

impl Open {
    /// Looks at what was recorded since, and gives the jobs in the order in which they were
    /// accepted.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn look(&mut self, tenant: &Tenant) -> Result<&[Job], Failure> {
        let newer = Select { from: self.next, ..Select::all(Table::Jobs) };
        for line in lines(tenant, &newer).await? {
            self.next = line.index() + 1;
            let id = line.owned("job_id");
            self.jobs.retain(|job| job.job_id != id);
            self.jobs.extend(told(&[line]).filter(|job| job.state == State::Accepted));
        }
        Ok(&self.jobs)
    }
}

impl Work {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Check => "check",
        }
    }
}

impl State {
    const WORDS: [(&'static str, Self); 3] =
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
    (work, subject): (Work, &str),
    state: State,
    result: Option<String>,
    deed: &Deed,
) -> dalil_store::Row {
    let values = [
        id.into(),
        work.as_str().into(),
        subject.into(),
        state.as_str().into(),
        result.into(),
        deed.at.to_string().into(),
    ];
    row(Table::Jobs, values)
}

/// A job as its rows tell it.
fn told(lines: &[Line]) -> Option<Job> {
    let first = lines.first()?;
    let end = lines.iter().find(|line| line.text("state") != Some(State::Accepted.as_str()));
    let word = end.map_or(State::Accepted.as_str(), |line| line.text("state").unwrap_or_default());
    let state = State::WORDS.iter().find(|(known, _)| *known == word)?.1;
    let result = end.and_then(|line| line.text("result"));
    let result = result.and_then(|text| Json::parse(text.as_bytes()).ok().map(Json::into_owned));
    Some(Job {
        job_id: first.owned("job_id"),
        work: Work::Check,
        subject: first.owned("subject"),
        state,
        accepted_at: first.owned("at"),
        ended_at: end.map(|line| line.owned("at")),
        result,
        index: first.index(),
    })
}

/// Why a job failed, for the record of its end.
#[derive(Clone, Debug, Serialize)]
pub struct Broken {
    /// What was wrong.
    pub refused: Vec<Fault>,
}

fn random() -> Result<[u8; 8], Failure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::unavailable("draw a name", "the operating system").saw("random bytes", error)
    })?;
    Ok(bytes)
}

/// The name of what an accepted job commits to.
const REQUEST: &str = "job";
