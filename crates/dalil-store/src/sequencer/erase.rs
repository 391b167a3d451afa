//! Erasing: what an erasure's own transaction takes away.

use sqlx::AnyConnection;

use crate::catalog::{Failed, Table, Value, fetch};

/// Deletes the payloads and rows of records that lines of `erasures` name.
///
/// The lines are written before, in the same transaction; without them the
/// triggers refuse. Keys, holds, erasures and tenants stay, whoever asks.
pub(super) async fn erase(
    connection: &mut AnyConnection,
    tenant: &str,
    erased: &[Value],
) -> Result<(), Failed> {
    for index in erased {
        let bound = [Value::from(tenant), index.clone()];
        fetch(connection, "DELETE FROM payloads WHERE tenant = $1 AND idx = $2", &bound).await?;
        for table in Table::ALL.iter().filter(|table| table.is_erasable()) {
            let sql = format!("DELETE FROM {} WHERE tenant = $1 AND idx = $2", table.name());
            fetch(connection, &sql, &bound).await?;
        }
    }
    Ok(())
}
