//! How often each table of a store was written to by this process.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::catalog::EvidenceTable;

/// The turns of all tables of a store.
#[derive(Default)]
pub(crate) struct TableCounts([AtomicU64; EvidenceTable::ALL.len()]);

impl TableCounts {
    /// Counts a committed group, before the commit is acknowledged.
    pub(crate) fn bump(&self, tables: &BTreeSet<EvidenceTable>) {
        for (turn, table) in self.0.iter().zip(EvidenceTable::ALL) {
            turn.fetch_add(u64::from(tables.contains(table)), Ordering::SeqCst);
        }
    }

    /// Counts a group that may have written to any table.
    pub(crate) fn bump_all(&self) {
        for turn in &self.0 {
            turn.fetch_add(1, Ordering::SeqCst);
        }
    }

    pub(super) fn count(&self, table: EvidenceTable) -> u64 {
        let found = self.0.iter().zip(EvidenceTable::ALL).find(|(_, one)| **one == table);
        found.map_or(0, |(turn, _)| turn.load(Ordering::SeqCst))
    }
}
