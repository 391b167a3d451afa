//! The number of writes to each table, for the validation of caches.

use super::tenant::Tenant;
use crate::catalog::{EvidenceTable, SqlValue, typed_row};
use crate::error::Error;

/// The version of a table, as far as this process knows. Read it before the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableVersion {
    /// No other process writes: while the count is the same, what was read after it is current.
    Sole(u64),
    /// Other processes write too: this one has written nothing to the table since.
    Shared(u64),
    /// The newest row of the table and the newest erasure in the catalog: while they are the same,
    /// what was read after them is current.
    Seen(Option<u64>, Option<u64>),
}

impl Tenant {
    /// The version of a table. It changes before a write to it is acknowledged.
    pub fn table_version(&self, table: EvidenceTable) -> TableVersion {
        let count = self.shared.turns.count(table);
        if self.shared.catalog.is_ours {
            TableVersion::Sole(count)
        } else {
            TableVersion::Shared(count)
        }
    }

    /// The version of a table of the tenant, also when other processes write: then the catalog is
    /// asked.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn current_table_version(&self, table: EvidenceTable) -> Result<TableVersion, Error> {
        if let TableVersion::Sole(count) = self.table_version(table) {
            return Ok(TableVersion::Sole(count));
        }
        // A row more raises the first number. An erasure deletes rows, which may lower it or not,
        // and always raises the second.
        let newest = |table: EvidenceTable| {
            format!("(SELECT MAX(idx) FROM {} WHERE tenant = $1)", table.name())
        };
        let sql = format!("SELECT {}, {}", newest(table), newest(EvidenceTable::Erasures));
        let found: Result<Vec<NewestRowsLine>, _> =
            self.readers().fetch_as(&sql, &[SqlValue::from(&*self.name)]).await;
        let found = found.map_err(|failure| self.failed("read a table", failure))?;
        // Such a statement returns one row, whatever is in the tables.
        let seen = found.first().map(|line| TableVersion::Seen(line.newest, line.newest_erasure));
        seen.ok_or_else(|| self.failed("read a table", sqlx::Error::RowNotFound))
    }
}

typed_row! {
    /// The newest records with rows of a table, and with an erasure.
    struct NewestRowsLine of "erasures" { newest: Option<u64>, newest_erasure: Option<u64> }
}
