//! Many rows in few statements.

use sqlx::AnyConnection;
use sqlx::AssertSqlSafe;
use sqlx::any::AnyArguments;

use super::{Column, Value, bind};

/// Inserts rows: 64, 16, 4 or one at a time, so that few statements are ever prepared.
pub(crate) async fn insert(
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
        let sql = statement(table, columns, size);
        sqlx::query_with(AssertSqlSafe(sql), bound).execute(&mut *connection).await?;
        rest = later;
    }
    Ok(())
}

fn statement(table: &str, columns: &[Column], rows: usize) -> String {
    let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let mut sql = format!("INSERT INTO {table} ({names}) VALUES ");
    for row in 0..rows {
        let places = (1..=columns.len()).map(|n| format!("${}", row * columns.len() + n));
        let places = places.collect::<Vec<_>>().join(", ");
        sql.push_str(if row == 0 { "(" } else { ", (" });
        sql.push_str(&places);
        sql.push(')');
    }
    sql
}

const SIZES: [usize; 4] = [64, 16, 4, 1];
