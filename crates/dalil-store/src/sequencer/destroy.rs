//! Destroying what an erasure names: the payload, its salts, and the rows.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::{Destroy, Sequencer};
use crate::catalog::{Engine, Failed, Table, Value, failed, fetch, run};
use crate::error::Error;
use crate::trail::tip::int;

impl Sequencer {
    /// Destroys, and answers.
    pub(super) async fn destroy(&mut self, destroy: Destroy) {
        let Destroy { tenant, index, reply } = destroy;
        let done = self.destroyed(&tenant, index).await;
        let label = &self.shared.catalog.label;
        // A caller that went away needs no answer; what is gone is gone.
        drop(reply.send(done.map_err(|failure| failed("erase a record", label, failure))));
    }

    async fn destroyed(&mut self, tenant: &str, index: u64) -> Result<(), Failed> {
        let engine = self.shared.catalog.engine;
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.shared.catalog.writer().await?,
        };
        run(&mut connection, engine.begin()).await?;
        if let Err(failure) = delete(&mut connection, tenant, index).await {
            if run(&mut connection, "ROLLBACK").await.is_ok() {
                self.connection = Some(connection);
            }
            return Err(failure);
        }
        run(&mut connection, "COMMIT").await?;
        // The bytes leave the files as well: the log here, dead rows there.
        match engine {
            Engine::Sqlite => run(&mut connection, "PRAGMA wal_checkpoint(TRUNCATE)").await?,
            Engine::Postgres => {
                for table in erasable() {
                    run(&mut connection, &format!("VACUUM {table}")).await?;
                }
            }
        }
        self.connection = Some(connection);
        Ok(())
    }
}

async fn delete(connection: &mut AnyConnection, tenant: &str, index: u64) -> Result<(), Failed> {
    let bound = [Value::from(tenant), int(index)];
    let sql = "SELECT idx FROM erasures WHERE tenant = $1 AND erased = $2";
    if fetch(connection, sql, &bound).await?.is_empty() {
        return Err(Error::refused("erase a record", format!("record {index}"))
            .saw("a record of its erasure", "none")
            .hint("append the `payload.erased` record first")
            .into());
    }
    for table in erasable() {
        let sql = format!("DELETE FROM {table} WHERE tenant = $1 AND idx = $2");
        let idx = i64::try_from(index).unwrap_or(i64::MAX);
        let query = sqlx::query(AssertSqlSafe(sql)).bind(tenant).bind(idx);
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// The tables that the triggers let an erasure delete from.
fn erasable() -> impl Iterator<Item = &'static str> {
    let kept = |table: &&Table| {
        !matches!(table, Table::Tenants | Table::Keys | Table::Holds | Table::Erasures)
    };
    std::iter::once("payloads").chain(Table::ALL.iter().filter(kept).map(|table| table.name()))
}
