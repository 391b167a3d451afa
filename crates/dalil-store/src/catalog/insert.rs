//! Many rows in few statements.

use sqlx::AnyConnection;
use sqlx::AssertSqlSafe;
use sqlx::any::AnyArguments;

use super::{Column, Engine, Value, bind};

/// Inserts rows: 256, 64, 16, 4 or one at a time, so that few statements are ever prepared.
pub(crate) async fn insert(
    engine: Engine,
    connection: &mut AnyConnection,
    table: &str,
    columns: &[Column],
    rows: &[Vec<Value>],
) -> Result<(), sqlx::Error> {
    let mut rest = rows;
    while !rest.is_empty() {
        let size = SIZES.iter().copied().find(|size| *size <= rest.len()).unwrap_or(1);
        let (now, later) = rest.split_at(size);
        let mut bound = AnyArguments::default();
        for row in now {
            for (value, (_, column)) in row.iter().zip(columns) {
                bind(&mut bound, value, *column)?;
            }
        }
        let sql = statement(engine, table, columns, size);
        sqlx::query_with(AssertSqlSafe(sql), bound).execute(&mut *connection).await?;
        rest = later;
    }
    Ok(())
}

fn statement(engine: Engine, table: &str, columns: &[Column], rows: usize) -> String {
    let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let place = |n: usize| match engine {
        // SQLite looks a numbered place up among all of them, for each value.
        Engine::Sqlite => "?".to_owned(),
        Engine::Postgres => format!("${n}"),
    };
    let row = |row: usize| {
        let places = (1..=columns.len()).map(|n| place(row * columns.len() + n));
        format!("({})", places.collect::<Vec<_>>().join(", "))
    };
    let rows = (0..rows).map(row).collect::<Vec<_>>().join(", ");
    format!("INSERT INTO {table} ({names}) VALUES {rows}")
}

/// How many rows, or names, one statement takes.
pub(crate) const SIZES: [usize; 5] = [256, 64, 16, 4, 1];
