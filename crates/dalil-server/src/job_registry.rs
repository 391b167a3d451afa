//! The jobs of this server and their progress.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dalil_proof::digest::hex;
use dalil_service::check::CheckStep;
use dalil_store::{LeaseProgress, Tenant};
use serde::Serialize;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

/// The jobs that wait or run here.
pub(crate) struct JobRegistry {
    /// The name of this process among those that share a store.
    pub(crate) holder: String,
    running: Mutex<HashMap<String, watch::Receiver<JobProgress>>>,
    /// Jobs that failed here for no fault of theirs, and when to try again.
    resting: Mutex<HashMap<String, Instant>>,
    count: watch::Sender<usize>,
    /// Notified when a turn is free.
    pub(crate) free: Notify,
}

/// The progress of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct JobProgress {
    /// The stage: `waiting`, `reading` or `judging`.
    pub(crate) stage: String,
    pub(crate) done: u64,
    pub(crate) all: u64,
}

impl JobRegistry {
    /// No job yet, under a name that no other process has.
    pub(crate) fn new() -> Result<Self, std::io::Error> {
        let mut name = [0; 16];
        getrandom::fill(&mut name).map_err(std::io::Error::other)?;
        Ok(Self {
            holder: hex(&name),
            running: Mutex::default(),
            resting: Mutex::default(),
            count: watch::Sender::default(),
            free: Notify::new(),
        })
    }

    /// The progress of a job that waits or runs here.
    pub(crate) fn hear(&self, job_id: &str) -> Option<watch::Receiver<JobProgress>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).get(job_id).cloned()
    }

    /// Waits until no job runs.
    pub(crate) async fn ended(&self) {
        let mut count = self.count.subscribe();
        // The sender is this one: it is not gone.
        drop(count.wait_for(|count| *count == 0).await);
    }

    /// Waits until a job that waits or runs here has ended; returns at once for one that does not.
    pub(crate) async fn ended_here(&self, job_id: &str) {
        let mut count = self.count.subscribe();
        // The sender is this one: it is not gone.
        drop(count.wait_for(|_| self.hear(job_id).is_none()).await);
    }

    pub(crate) fn begin(&self, job_id: &str) -> Option<watch::Sender<JobProgress>> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // The request that accepted it and `tend` may both find it; one of them runs it.
        if running.contains_key(job_id) {
            return None;
        }
        let (said, heard) = watch::channel(JobProgress::waiting());
        running.insert(job_id.to_owned(), heard);
        self.count.send_modify(|count| *count += 1);
        Some(said)
    }

    pub(crate) fn end(&self, job_id: &str) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(job_id);
        self.count.send_modify(|count| *count -= 1);
        // `tend` looks at once for other open jobs, and not after its pause.
        self.free.notify_one();
    }

    pub(crate) fn rest(&self, job_id: &str) {
        let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        resting.insert(job_id.to_owned(), Instant::now() + FAILED_JOB_BACKOFF);
    }

    /// Whether a job may be begun here.
    pub(crate) fn may_begin(&self, job_id: &str) -> bool {
        let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        resting.retain(|_, until| *until > Instant::now());
        !resting.contains_key(job_id) && self.hear(job_id).is_none()
    }
}

impl JobProgress {
    pub(crate) fn waiting() -> Self {
        Self { stage: "waiting".to_owned(), done: 0, all: 0 }
    }

    fn is_waiting(&self) -> bool {
        self.stage == "waiting"
    }

    pub(crate) fn of(step: CheckStep) -> Self {
        let (stage, done, all) = match step {
            CheckStep::Reading(done, all) => ("reading", done, all),
            CheckStep::Judging(done, all) => ("judging", done, all),
        };
        Self { stage: stage.to_owned(), done: done as u64, all: all as u64 }
    }

    pub(crate) fn far(&self) -> LeaseProgress {
        let Self { stage, done, all } = self.clone();
        LeaseProgress { stage, done, all }
    }
}

/// The progress of a job that has not ended, on whichever server it is.
pub(crate) async fn progress(
    heard: Option<&watch::Receiver<JobProgress>>,
    tenant: &Tenant,
    job_id: &str,
) -> JobProgress {
    let here = heard.map(|heard| heard.borrow().clone());
    // One that waits here may run on another server already.
    if let Some(here) = here.filter(|here| !here.is_waiting()) {
        return here;
    }
    let elsewhere = tenant.leased(job_id).await.ok().flatten();
    elsewhere.map_or_else(JobProgress::waiting, |LeaseProgress { stage, done, all }| JobProgress {
        stage,
        done,
        all,
    })
}

/// How long work that failed here is left alone.
const FAILED_JOB_BACKOFF: Duration = Duration::from_secs(30);
