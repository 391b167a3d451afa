//! Leases: which of several processes does some work, and its progress.
//!
//! A lease is taken or kept by one statement, and ends by the clock of the database, so that
//! the clocks of servers need not agree. A holder that is killed keeps nothing. Leases are no
//! evidence: work that is done twice must leave one result by itself.
//!
//! A folder belongs to one process, which has every lease and need not write it down.

use std::time::Duration;

use sqlx::AnyConnection;

use super::tenant::Tenant;
use crate::catalog::{DatabaseEngine, MAX_CONNECTION_TRIES, SqlValue, fetch, is_lost, typed_row};
use crate::error::Error;

#[cfg(test)]
mod tests;

/// The progress of leased work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseProgress {
    /// The current stage.
    pub stage: String,
    /// The number of parts that are done.
    pub done: u64,
    /// The number of parts in all.
    pub all: u64,
}

impl Tenant {
    /// Takes or renews a lease on work for `ttl`, and records its progress; `false` when another
    /// process has it.
    ///
    /// # Errors
    /// The database does not answer: the holder is unknown.
    pub async fn lease(
        &self,
        work: &str,
        holder: &str,
        far: &LeaseProgress,
        ttl: Duration,
    ) -> Result<bool, Error> {
        if self.shared.catalog.engine == DatabaseEngine::Sqlite {
            return Ok(true);
        }
        let LeaseProgress { stage, done, all } = far;
        let bound = [
            SqlValue::from(work),
            holder.into(),
            stage.as_str().into(),
            SqlValue::from(*done),
            SqlValue::from(*all),
            SqlValue::Int(i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX)),
        ];
        let taken = self.write(TAKE_LEASE_SQL, &bound).await?;
        Ok(taken > 0)
    }

    /// Lets go of work that this holder has.
    ///
    /// # Errors
    /// The database does not answer: the lease ends by itself.
    pub async fn let_go(&self, work: &str, holder: &str) -> Result<(), Error> {
        if self.shared.catalog.engine == DatabaseEngine::Sqlite {
            return Ok(());
        }
        self.write(RELEASE_LEASE_SQL, &[work.into(), holder.into()]).await.map(drop)
    }

    /// The progress of work that some process holds; `None` when no process does, or only this one
    /// can.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn leased(&self, work: &str) -> Result<Option<LeaseProgress>, Error> {
        if self.shared.catalog.engine == DatabaseEngine::Sqlite {
            return Ok(None);
        }
        let bound = [SqlValue::from(&*self.name), work.into()];
        let found: Result<Vec<LeaseLine>, _> =
            self.readers().fetch_as(LEASE_PROGRESS_SQL, &bound).await;
        let found = found.map_err(|failure| self.failed("look at a lease", failure))?;
        let progress = |LeaseLine { stage, done, total }| LeaseProgress { stage, done, all: total };
        Ok(found.into_iter().next().map(progress))
    }

    /// Runs one statement about a lease; gives how many rows it touched. Each can be run again.
    async fn write(&self, sql: &str, bound: &[SqlValue<'_>]) -> Result<usize, Error> {
        let bound: Vec<SqlValue<'_>> =
            std::iter::once(SqlValue::from(&*self.name)).chain(bound.iter().cloned()).collect();
        let mut own = self.shared.leases.lock().await;
        let mut tries = 1;
        loop {
            let done = async {
                let connection: &mut AnyConnection = match &mut *own {
                    Some(connection) => connection,
                    none => none.insert(self.shared.catalog.writer().await?),
                };
                fetch(connection, sql, &bound).await
            };
            match done.await {
                Ok(rows) => return Ok(rows.len()),
                Err(error) => {
                    // Any error, lost or not: a connection in an unknown state is not used again.
                    *own = None;
                    if !is_lost(&error) || tries == MAX_CONNECTION_TRIES {
                        return Err(self.failed("write a lease", error));
                    }
                    tries += 1;
                }
            }
        }
    }
}

typed_row! {
    /// The progress of work.
    struct LeaseLine of "leases" { stage: String, done: u64, total: u64 }
}

const TAKE_LEASE_SQL: &str = "INSERT INTO leases (tenant, work, holder, ends, stage, done, total) \
     VALUES ($1, $2, $3, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $7, $4, $5, $6) \
     ON CONFLICT (tenant, work) DO UPDATE SET holder = excluded.holder, ends = excluded.ends, \
     stage = excluded.stage, done = excluded.done, total = excluded.total \
     WHERE leases.holder = excluded.holder \
     OR leases.ends < (extract(epoch FROM clock_timestamp()) * 1000)::bigint RETURNING work";
const RELEASE_LEASE_SQL: &str =
    "DELETE FROM leases WHERE tenant = $1 AND work = $2 AND holder = $3 RETURNING work";
const LEASE_PROGRESS_SQL: &str = "SELECT stage, done, total FROM leases WHERE tenant = $1 AND work = $2 \
     AND ends >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
