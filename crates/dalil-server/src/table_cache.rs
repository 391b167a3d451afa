//! Caches the content of tables for as long as it is known to be current.
//!
//! Permissions are checked with every request and change seldom. Where this server is the only
//! writer of the store, an entry is valid until the table is written to. With several writers,
//! keys and members are cached for [`MAX_STALENESS`] at most: for that long a key that another
//! server revoked may still work here. Evidence is cached while the catalog reports no addition.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dalil_store::{EvidenceTable, TableVersion, Tenant};
use tokio::time::Instant;

use crate::problem::ApiProblem;

#[cfg(test)]
mod tests;

/// A cache of one table, by tenant and name.
pub(crate) struct TableCache<V> {
    table: EvidenceTable,
    /// Whether the catalog is asked when other servers write.
    is_exact: bool,
    /// How much is remembered before all is forgotten.
    most: usize,
    /// How much something counts.
    weigh: fn(&V) -> usize,
    kept: Mutex<TableCacheMap<V>>,
}

/// The entries, with their total weight.
struct TableCacheMap<V> {
    by_name: HashMap<TableCacheKey, TableCacheEntry<V>>,
    weight: usize,
}

/// A tenant, and a name of its own.
type TableCacheKey = (String, String);

struct TableCacheEntry<V> {
    turn: TableVersion,
    at: Instant,
    value: V,
}

impl<V: Clone> TableCache<V> {
    /// A cache whose entries may be stale for [`MAX_STALENESS`] after a write by another server.
    pub(crate) fn of(table: EvidenceTable) -> Self {
        Self {
            table,
            is_exact: false,
            most: MAX_CACHE_ENTRIES,
            weigh: |_| 1,
            kept: Mutex::default(),
        }
    }

    /// A cache whose entries are never stale.
    pub(crate) fn exact(table: EvidenceTable, most: usize, weigh: fn(&V) -> usize) -> Self {
        Self { table, is_exact: true, most, weigh, kept: Mutex::default() }
    }

    /// The last value under a name, current or not.
    pub(crate) fn last(&self, tenant: &Tenant, name: &str) -> Option<V> {
        let name = (tenant.name().to_owned(), name.to_owned());
        self.lock().by_name.get(&name).map(|kept| kept.value.clone())
    }

    /// The value under a name, read again unless it is known to be current. Missing values are
    /// not cached.
    pub(crate) async fn get(
        &self,
        tenant: &Tenant,
        name: &str,
        read: impl Future<Output = Result<Option<V>, ApiProblem>> + Send,
    ) -> Result<Option<V>, ApiProblem> {
        // Before anything is read, so that a write in between is not missed.
        let at = Instant::now();
        let turn = if self.is_exact {
            tenant.current_table_version(self.table).await?
        } else {
            tenant.table_version(self.table)
        };
        let name = (tenant.name().to_owned(), name.to_owned());
        if let Some(value) = self.standing(&name, turn, at) {
            return Ok(Some(value));
        }
        let value = read.await?;
        self.keep(name, value.clone().map(|value| TableCacheEntry { turn, at, value }));
        Ok(value)
    }

    fn standing(&self, name: &TableCacheKey, turn: TableVersion, at: Instant) -> Option<V> {
        let all = self.lock();
        let kept = all.by_name.get(name).filter(|kept| kept.stands(turn, at));
        kept.map(|kept| kept.value.clone())
    }

    /// Caches a value in place of the old one, unless it is a large part of the whole.
    fn keep(&self, name: TableCacheKey, new: Option<TableCacheEntry<V>>) {
        let weigh = |kept: &TableCacheEntry<V>| (self.weigh)(&kept.value);
        let mut all = self.lock();
        let old = all.by_name.remove(&name);
        all.weight -= old.as_ref().map_or(0, weigh);
        let Some(new) = new else { return };
        let weight = weigh(&new);
        // One large entry would push all others out.
        if weight > self.most / MAX_ENTRY_SHARE_DIVISOR {
            return;
        }
        // All at once instead of the oldest: it is rare, and needs no order to be kept.
        if all.weight + weight > self.most {
            *all = TableCacheMap::default();
        }
        all.weight += weight;
        all.by_name.insert(name, new);
    }

    fn lock(&self) -> MutexGuard<'_, TableCacheMap<V>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Default for TableCacheMap<V> {
    fn default() -> Self {
        Self { by_name: HashMap::new(), weight: 0 }
    }
}

impl<V> TableCacheEntry<V> {
    fn stands(&self, turn: TableVersion, now: Instant) -> bool {
        let is_new = match turn {
            TableVersion::Sole(_) | TableVersion::Seen(..) => true,
            TableVersion::Shared(_) => now.duration_since(self.at) < MAX_STALENESS,
        };
        self.turn == turn && is_new
    }
}

impl<V> std::fmt::Debug for TableCache<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fresh({})", self.table.name())
    }
}

/// The time for which a key or a member may be stale after a write by another server.
const MAX_STALENESS: Duration = Duration::from_secs(1);
/// How many keys, or tenants with their members, are remembered.
const MAX_CACHE_ENTRIES: usize = 10_000;
/// An entry above this part of the whole is not cached.
const MAX_ENTRY_SHARE_DIVISOR: usize = 16;
