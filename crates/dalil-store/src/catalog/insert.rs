//! Many rows in few statements.

use std::fmt::Write as _;

use sqlx::any::AnyArguments;
use sqlx::{AnyConnection, Arguments as _, AssertSqlSafe};

use super::bind::RowBinder;
use super::engine::DatabaseEngine;
use super::row::TypedRow;
use super::table::{EvidenceRow, EvidenceTable};

/// A row of an evidence table that is to be inserted.
pub(crate) struct NewEvidenceRow {
    /// The index of its record.
    pub(crate) index: u64,
    /// Which of the record's rows it is.
    pub(crate) ord: u64,
    pub(crate) row: EvidenceRow,
}

/// Inserts rows of a tenant into a table that is not an evidence table.
pub(crate) async fn insert<R: TypedRow>(
    engine: DatabaseEngine,
    connection: &mut AnyConnection,
    tenant: &str,
    rows: Vec<R>,
) -> Result<(), sqlx::Error> {
    let columns = [&["tenant"], R::COLUMNS].concat();
    insert_with((engine, connection), (R::TABLE, &columns), rows, |binder, row| {
        binder.push(tenant.to_owned())?;
        row.bind(binder)
    })
    .await
}

/// Inserts rows of a tenant into an evidence table; all of them are of that table.
pub(crate) async fn insert_evidence(
    engine: DatabaseEngine,
    connection: &mut AnyConnection,
    (tenant, table): (&str, EvidenceTable),
    rows: Vec<NewEvidenceRow>,
) -> Result<(), sqlx::Error> {
    let own = table.columns().iter().map(|(name, _)| *name);
    let columns = ["tenant", "idx", "ord"].into_iter().chain(own).collect::<Vec<_>>();
    insert_with((engine, connection), (table.name(), &columns), rows, |binder, new| {
        binder.push(tenant.to_owned())?;
        binder.push(new.index)?;
        binder.push(new.ord)?;
        new.row.bind(binder)
    })
    .await
}

/// Inserts rows: 256, 64, 16, 4 or one at a time, so that few statements are ever prepared.
async fn insert_with<R>(
    (engine, connection): (DatabaseEngine, &mut AnyConnection),
    (table, columns): (&str, &[&str]),
    rows: Vec<R>,
    bind: impl Fn(&mut RowBinder, R) -> Result<(), sqlx::Error>,
) -> Result<(), sqlx::Error> {
    let mut rows = rows.into_iter();
    while rows.len() > 0 {
        // The widest table has 16 columns: 4,096 values at most, where SQLite takes 32,766 and
        // PostgreSQL 65,535.
        let size = STATEMENT_BATCH_SIZES.into_iter().find(|size| *size <= rows.len()).unwrap_or(1);
        let mut bound = AnyArguments::default();
        bound.reserve(size * columns.len(), 0);
        let mut binder = RowBinder(bound);
        rows.by_ref().take(size).try_for_each(|row| bind(&mut binder, row))?;
        let sql = statement(engine, table, columns, size);
        sqlx::query_with(AssertSqlSafe(sql), binder.0).execute(&mut *connection).await?;
    }
    Ok(())
}

fn statement(engine: DatabaseEngine, table: &str, columns: &[&str], rows: usize) -> String {
    let names = columns.join(", ");
    let mut sql = format!("INSERT INTO {table} ({names}) VALUES ");
    for n in 0..rows * columns.len() {
        let is_first = n % columns.len() == 0;
        sql.push_str(match (n, is_first) {
            (0, _) => "(",
            (_, true) => "), (",
            (_, false) => ", ",
        });
        match engine {
            // SQLite looks a numbered place up among all of them, for each value.
            DatabaseEngine::Sqlite => sql.push('?'),
            // Writing to a string cannot fail.
            DatabaseEngine::Postgres => drop(write!(sql, "${}", n + 1)),
        }
    }
    sql.push(')');
    sql
}

/// How many rows, or names, one statement takes.
pub(crate) const STATEMENT_BATCH_SIZES: [usize; 5] = [256, 64, 16, 4, 1];
