//! Many rows in few statements.

use std::fmt::Write as _;

use sqlx::any::AnyArguments;
use sqlx::{AnyConnection, Arguments as _, AssertSqlSafe};

use super::{ColumnDef, DatabaseEngine, SqlValue, bind, bind_text};

/// Inserts rows: 256, 64, 16, 4 or one at a time, so that few statements are ever prepared.
pub(crate) async fn insert(
    engine: DatabaseEngine,
    connection: &mut AnyConnection,
    table: &str,
    columns: &[ColumnDef],
    rows: Vec<Vec<SqlValue>>,
) -> Result<(), sqlx::Error> {
    let mut rows = rows.into_iter();
    while rows.len() > 0 {
        // The widest table has 16 columns: 4,096 values at most, where SQLite takes 32,766 and
        // PostgreSQL 65,535.
        let size = STATEMENT_BATCH_SIZES.into_iter().find(|size| *size <= rows.len()).unwrap_or(1);
        let mut bound = AnyArguments::default();
        bound.reserve(size * columns.len(), 0);
        for row in rows.by_ref().take(size) {
            for (value, (_, column)) in row.into_iter().zip(columns) {
                match value {
                    SqlValue::Text(text) => bind_text(&mut bound, text)?,
                    value => bind(&mut bound, &value, *column)?,
                }
            }
        }
        let sql = statement(engine, table, columns, size);
        sqlx::query_with(AssertSqlSafe(sql), bound).execute(&mut *connection).await?;
    }
    Ok(())
}

fn statement(engine: DatabaseEngine, table: &str, columns: &[ColumnDef], rows: usize) -> String {
    let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
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
