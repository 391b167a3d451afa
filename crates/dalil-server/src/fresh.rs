//! What was read of a table, for as long as it is known to be so.
//!
//! Who may do what is asked with every request and changes seldom. Where this server alone writes
//! to the store, what was read stands until the table is written to. Where other servers write
//! too, it stands for [`HELD`] at most: that long may a key that another server revoked still open
//! something here.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dalil::store::{Table, Tenant, Turn};
use tokio::time::Instant;

use crate::problem::Problem;

#[cfg(test)]
mod tests;

/// What was read of one table, by tenant and name.
pub(crate) struct Fresh<V> {
    table: Table,
    /// How long something stands that another server may have changed.
    held: Duration,
    /// How many are remembered before all are forgotten.
    most: usize,
    /// Whether something is to be remembered.
    is_worth: fn(&V) -> bool,
    kept: Mutex<HashMap<Name, Kept<V>>>,
}

/// A tenant, and a name of its own.
type Name = (String, String);

struct Kept<V> {
    turn: Turn,
    at: Instant,
    value: V,
}

impl<V: Clone> Fresh<V> {
    /// What may stand for [`HELD`] although another server has changed it.
    pub(crate) fn of(table: Table) -> Self {
        Self { table, held: HELD, most: MOST, is_worth: |_| true, kept: Mutex::default() }
    }

    /// What is never given when it may have changed.
    pub(crate) fn exact(table: Table, most: usize, is_worth: fn(&V) -> bool) -> Self {
        Self { table, held: Duration::ZERO, most, is_worth, kept: Mutex::default() }
    }

    /// What was read last under a name, whether it still stands or not.
    pub(crate) fn last(&self, tenant: &Tenant, name: &str) -> Option<V> {
        let name = (tenant.name().to_owned(), name.to_owned());
        self.lock().get(&name).map(|kept| kept.value.clone())
    }

    /// What stands under a name, read when it is not known to be as it was. What is not there is
    /// not remembered.
    pub(crate) async fn get(
        &self,
        tenant: &Tenant,
        name: &str,
        read: impl Future<Output = Result<Option<V>, Problem>> + Send,
    ) -> Result<Option<V>, Problem> {
        // Before anything is read, so that a write in between is not missed.
        let (turn, at) = (tenant.turn(self.table), Instant::now());
        let name = (tenant.name().to_owned(), name.to_owned());
        if let Some(value) = self.standing(&name, turn, at) {
            return Ok(Some(value));
        }
        let value = read.await?;
        let mut kept = self.lock();
        if kept.len() >= self.most && !kept.contains_key(&name) {
            kept.clear();
        }
        match value.as_ref().filter(|value| (self.is_worth)(value)) {
            Some(value) => kept.insert(name, Kept { turn, at, value: value.clone() }),
            None => kept.remove(&name),
        };
        Ok(value)
    }

    fn standing(&self, name: &Name, turn: Turn, at: Instant) -> Option<V> {
        let kept = self.lock();
        let kept = kept.get(name).filter(|kept| kept.stands(turn, at, self.held));
        kept.map(|kept| kept.value.clone())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Name, Kept<V>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Kept<V> {
    fn stands(&self, turn: Turn, now: Instant, held: Duration) -> bool {
        let is_new = matches!(turn, Turn::Sole(_)) || now.duration_since(self.at) < held;
        self.turn == turn && is_new
    }
}

impl<V> std::fmt::Debug for Fresh<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fresh({})", self.table.name())
    }
}

/// How long a key or a member stands that another server may have changed.
const HELD: Duration = Duration::from_secs(1);
/// How many keys, or tenants with their members, are remembered.
const MOST: usize = 10_000;
