//! Fsck: recomputes everything in a store from its bytes.
//!
//! ```text
//! database ─▶ schema ─▶ for each tenant: records in order ─▶ tables beside the trail ─▶ lake
//!                       envelope, leaf, columns, lineage      requests, secrets,
//!                       payload, rows, tiles, checkpoints     cosignatures, time stamps
//! ```
//!
//! It reads one snapshot of the catalog, a page of records at a time, and trusts
//! no column: every derived value is recomputed, and every difference is a
//! finding of its own. It repairs nothing. Sweeping removes only objects that no record
//! needs.

use std::collections::BTreeSet;
use std::sync::Arc;

use sqlx::{AnyConnection, Connection as _};

use crate::catalog::{CatalogFailure, RowSource, failed};
use crate::error::Error;
use crate::store::Store;
use finding::FindingSink;
pub use finding::{FsckEvent, FsckFinding, FsckListener, FsckStatus};
use tenant::TenantFsck;

mod cell;
mod finding;
mod heads;
mod keyring;
mod keys;
mod lake;
mod lineage;
mod objects;
mod page;
mod payload;
mod record;
mod schema;
mod side_tables;
mod tenant;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

/// What to check, and whether to tidy up.
#[derive(Clone, Copy, Debug, Default)]
pub struct FsckOptions {
    /// Remove what crashed writers left, and objects of erased records.
    pub sweep: bool,
    /// The vault of the store is the real one: open the sealed keys with it.
    pub secrets: bool,
}

impl Store {
    /// Checks everything and reports each finding; returns the worst status.
    ///
    /// # Errors
    /// Unavailable: the catalog or the lake does not answer. Damage to what they hold is a finding,
    /// not an error.
    pub async fn fsck(
        &self,
        options: FsckOptions,
        tell: FsckListener<'_>,
    ) -> Result<FsckStatus, Error> {
        let label = &self.shared.catalog.label;
        let mut teller = FindingSink::new(tell);
        let checked = self.check(options, &mut teller).await;
        match checked {
            Ok(()) => Ok(teller.worst()),
            // A page that cannot be read is damage as much as one that reads wrong.
            Err(failure) => match failed("check the store", label, failure) {
                error if error.kind == crate::ErrorKind::Damaged => {
                    teller.fail("database", None, error.to_string());
                    Ok(teller.worst())
                }
                error => Err(error),
            },
        }
    }

    async fn check(
        &self,
        options: FsckOptions,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let catalog = &self.shared.catalog;
        // One transaction for everything, so that records appended meanwhile look neither missing
        // nor added.
        let mut connection = catalog.snapshot().await?;
        schema::integrity(catalog.engine, &mut connection, teller).await?;
        schema::check(catalog.engine, &mut connection, teller).await?;
        let tenants = tenants(&mut connection).await?;
        for tenant in &tenants {
            teller.of(tenant);
            // Whether its origin is right is among the things to find out.
            let handle = self.handle(Arc::from(tenant.as_str()), Arc::from(""));
            TenantFsck::new(&handle, &mut connection).run(options, teller).await?;
        }
        teller.of_nobody();
        self.strangers(&tenants, teller).await?;
        if options.sweep {
            let swept = self.shared.lake.sweep().await?;
            teller.note("sweep", None, format!("{swept} leftovers of writers were removed"));
        }
        connection.close().await?;
        Ok(())
    }

    /// What lies in the lake under no tenant of the catalog.
    async fn strangers(
        &self,
        tenants: &BTreeSet<String>,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let (names, foreign) = self.shared.lake.tenants().await?;
        for name in names.iter().filter(|name| !tenants.contains(*name)) {
            // A folder that is left of objects which went holds nothing.
            if self.shared.lake.tenant(name)?.list().next().await?.is_some() {
                teller.note("lake", None, format!("objects of `{name}`, which is no tenant"));
            }
        }
        for thing in foreign {
            teller.note("lake", None, format!("{} that no put makes: {}", thing.what, thing.path));
        }
        Ok(())
    }
}

/// Every tenant that any row names.
async fn tenants(connection: &mut AnyConnection) -> Result<BTreeSet<String>, CatalogFailure> {
    let mut names = BTreeSet::new();
    let evidence = crate::EvidenceTable::ALL.iter().map(|table| table.name());
    // The table `tenants` alone would not show rows under a name that was never made.
    for table in NON_EVIDENCE_TABLES.iter().copied().chain(evidence) {
        let sql = format!("SELECT DISTINCT tenant FROM {table}");
        for row in RowSource::Writer(connection).fetch(&sql, &[]).await? {
            names.extend(cell::text(&row, 0));
        }
    }
    Ok(names)
}

/// The tables that belong to tenants and are no evidence tables.
const NON_EVIDENCE_TABLES: [&str; 9] = [
    "records",
    "payloads",
    "tiles",
    "checkpoints",
    "checkpoint_links",
    "cosignatures",
    "requests",
    "secrets",
    "timestamps",
];
