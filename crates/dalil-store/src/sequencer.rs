//! The single writer: takes the waiting entries, and commits them as one group.
//!
//! An entry is answered after the transaction that holds it is durable, never
//! before. When the connection is lost while a group is being committed, its fate is
//! unknown; the next attempt looks for its records first, under
//! the lock that the lost transaction holds for as long as it lives.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{AnyConnection, Connection as _};
use tokio::sync::mpsc;

use crate::catalog::{CatalogFailure, failed, is_conflict, is_lost, run};
use crate::error::Error;
use crate::store::context::StoreContext;
use message::{AppendJob, AppendResult, ObjectRelease, SequencerMessage};
use tenant_state::TenantStates;

mod erase;
mod group;
mod lookups;
pub(crate) mod message;
mod objects;
mod tenant_state;
#[cfg(test)]
mod tests;

/// The writer's own state.
pub(crate) struct Sequencer {
    shared: Arc<StoreContext>,
    connection: Option<AnyConnection>,
    states: TenantStates,
}

impl Sequencer {
    /// A sequencer over a connection that may write.
    pub(crate) fn new(shared: Arc<StoreContext>, connection: AnyConnection) -> Self {
        Self { shared, connection: Some(connection), states: TenantStates::default() }
    }

    /// Serves until every sender is gone.
    pub(crate) async fn serve(
        mut self,
        mut queue: mpsc::Receiver<SequencerMessage>,
    ) -> Result<(), Error> {
        while let Some(first) = queue.recv().await {
            let PendingBatch { jobs, releases } = gather(first, &mut queue).await;
            if !jobs.is_empty() {
                self.commit(jobs).await;
            }
            // Entries go first: an object that one of them needs is then found to be needed.
            for release in releases {
                self.release(release).await;
            }
        }
        match self.connection.take() {
            Some(connection) => connection.close().await.map_err(|error| self.failed(error)),
            None => Ok(()),
        }
    }

    /// Commits a group and answers it; if one entry spoils it, each goes alone.
    async fn commit(&mut self, jobs: Vec<AppendJob>) {
        match self.attempts(&jobs).await {
            Ok(answers) => answer(jobs, answers),
            Err(CatalogFailure::Sql(error)) if is_conflict(&error) && jobs.len() > 1 => {
                // The transaction was rolled back whole. Alone, only the entry at fault is refused.
                for job in jobs {
                    let alone = [job];
                    let answers = self.attempts(&alone).await;
                    let answers = answers.unwrap_or_else(|failure| vec![Err(self.failed(failure))]);
                    answer(alone.into(), answers);
                }
            }
            Err(failure) => {
                let error = self.failed(failure);
                let answers = jobs.iter().map(|_| Err(error.clone())).collect();
                answer(jobs, answers);
            }
        }
    }

    /// Tries until the database answers, with longer and longer pauses.
    async fn attempts(&mut self, jobs: &[AppendJob]) -> Result<Vec<AppendResult>, CatalogFailure> {
        let mut pauses = COMMIT_RETRY_PAUSES_MS.iter();
        let mut is_retry = false;
        loop {
            match self.attempt(jobs, is_retry).await {
                Err(CatalogFailure::Sql(error)) if is_lost(&error) => {
                    self.connection = None;
                    let Some(pause) = pauses.next() else { return Err(CatalogFailure::Sql(error)) };
                    tokio::time::sleep(Duration::from_millis(*pause)).await;
                    // The commit may have happened all the same: the next attempt looks for it.
                    is_retry = true;
                }
                result => return result,
            }
        }
    }

    /// One transaction.
    async fn attempt(
        &mut self,
        jobs: &[AppendJob],
        is_retry: bool,
    ) -> Result<Vec<AppendResult>, CatalogFailure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.shared.catalog.writer_at_once().await?,
        };
        run(&mut connection, self.shared.catalog.engine.begin()).await?;
        let outcome = match self.group(&mut connection, jobs, is_retry).await {
            Ok(outcome) => outcome,
            Err(failure) => {
                // A connection that cannot even roll back is not used again.
                if run(&mut connection, "ROLLBACK").await.is_ok() {
                    self.connection = Some(connection);
                }
                return Err(failure);
            }
        };
        let committed = run(&mut connection, "COMMIT").await;
        if committed.is_err() || is_retry || outcome.has_erased {
            // Whatever became of it, what readers remember may not be so any more.
            self.shared.turns.bump_all();
        }
        committed?;
        // Before any answer is sent: a caller that knows of a write must not be given what was
        // cached before it.
        self.shared.turns.bump(&outcome.tables);
        if outcome.has_erased {
            // After the commit: neither a WAL checkpoint nor `VACUUM` runs inside a transaction.
            erase::scrub(self.shared.catalog.engine, &mut connection).await?;
        }
        self.connection = Some(connection);
        self.publish(outcome.states);
        Ok(outcome.answers)
    }

    fn failed(&self, failure: impl Into<CatalogFailure>) -> Error {
        match failure.into() {
            CatalogFailure::Sql(error) if is_conflict(&error) => {
                Error::refused("append a record", format!("`{}`", self.shared.catalog.label))
                    .saw("a record id that is new", "one that is in the trail")
            }
            CatalogFailure::Sql(error) if is_lost(&error) => {
                Error::unavailable("append records", format!("`{}`", self.shared.catalog.label))
                    .saw("a database that answers within half a minute", error)
                    .hint("see that the server runs and can be reached")
            }
            failure => failed("append records", &self.shared.catalog.label, failure),
        }
    }
}

/// The messages that were waiting.
struct PendingBatch {
    jobs: Vec<AppendJob>,
    releases: Vec<ObjectRelease>,
}

/// Takes all that is waiting, and gives clients that were just answered a moment to ask again:
/// until none does, or the group is large enough.
async fn gather(
    first: SequencerMessage,
    queue: &mut mpsc::Receiver<SequencerMessage>,
) -> PendingBatch {
    let (mut jobs, mut releases, mut records) = (Vec::new(), Vec::new(), 0);
    let mut next = Some(first);
    loop {
        let before = jobs.len();
        while let Some(message) = next {
            match message {
                SequencerMessage::Append(job) => {
                    records += job.drafts.len();
                    jobs.push(*job);
                }
                SequencerMessage::Release(release) => releases.push(release),
                // Nothing new is taken; what waits is still received and committed.
                SequencerMessage::Close => queue.close(),
            }
            next = if records < MAX_GROUP_RECORDS { queue.try_recv().ok() } else { None };
        }
        if jobs.len() == before || records >= MAX_GROUP_RECORDS {
            return PendingBatch { jobs, releases };
        }
        // One turn of the scheduler, not a time: a lone client is not kept waiting.
        tokio::task::yield_now().await;
        next = queue.try_recv().ok();
    }
}

fn answer(jobs: Vec<AppendJob>, answers: Vec<AppendResult>) {
    for (job, answer) in jobs.into_iter().zip(answers) {
        // A caller that went away needs no answer; the record is kept.
        drop(job.reply.send(answer));
    }
}

/// The most records that a group waits for.
const MAX_GROUP_RECORDS: usize = 512;
/// How long to wait before each new attempt, in milliseconds: half a minute in all.
const COMMIT_RETRY_PAUSES_MS: [u64; 12] =
    [20, 50, 100, 200, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000];
