//! The deletions in the transaction of an erasure.

use sqlx::AnyConnection;

use crate::catalog::{CatalogFailure, DatabaseEngine, EvidenceTable, SqlValue, fetch, run};

/// Deletes the payloads and rows of records that lines of `erasures` name.
///
/// The lines are written before, in the same transaction; without them the triggers refuse. Keys,
/// holds, erasures and tenants stay, whatever the request.
pub(super) async fn erase(
    connection: &mut AnyConnection,
    tenant: &str,
    erased: &[u64],
) -> Result<(), CatalogFailure> {
    for index in erased {
        let bound = [SqlValue::from(tenant), SqlValue::from(*index)];
        for table in erasable() {
            let sql = format!("DELETE FROM {table} WHERE tenant = $1 AND idx = $2");
            fetch(connection, &sql, &bound).await?;
        }
    }
    Ok(())
}

/// Makes the bytes that were erased leave the files as well: the log here, dead rows there.
pub(super) async fn scrub(
    engine: DatabaseEngine,
    connection: &mut AnyConnection,
) -> Result<(), CatalogFailure> {
    match engine {
        DatabaseEngine::Sqlite => run(connection, "PRAGMA wal_checkpoint(TRUNCATE)").await?,
        DatabaseEngine::Postgres => {
            for table in erasable() {
                run(connection, &format!("VACUUM {table}")).await?;
            }
        }
    }
    Ok(())
}

/// The tables that the triggers let an erasure delete from.
fn erasable() -> impl Iterator<Item = &'static str> {
    let tables = EvidenceTable::ALL.iter().filter(|table| table.is_erasable());
    std::iter::once("payloads").chain(tables.map(|table| table.name()))
}
