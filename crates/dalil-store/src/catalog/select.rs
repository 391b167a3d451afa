//! Typed reads of evidence tables, one tenant's at a time.

use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{ColumnType, EvidenceTable, SqlValue};
use crate::error::Error;

/// Rows of one table, in the order in which they were recorded or against it.
#[derive(Clone, Debug, PartialEq)]
pub struct TableQuery {
    /// The table.
    pub table: EvidenceTable,
    /// Columns that must have these values.
    pub equal: Vec<(&'static str, SqlValue)>,
    /// Only rows of records from this one on; from this one back when the newest come first.
    pub from: u64,
    /// At most so many rows.
    pub limit: u32,
    /// Whether the newest come first.
    pub newest: bool,
}

impl TableQuery {
    /// Every row of a table in which `column` is `value`.
    pub fn equal(table: EvidenceTable, column: &'static str, value: impl Into<SqlValue>) -> Self {
        Self { equal: vec![(column, value.into())], ..Self::all(table) }
    }

    /// Every row of a table.
    pub fn all(table: EvidenceTable) -> Self {
        Self { table, equal: Vec::new(), from: 0, limit: u32::MAX, newest: false }
    }

    /// The statement and what it binds; the tenant is always first.
    pub(crate) fn statement(&self, tenant: &str) -> Result<(String, Vec<SqlValue>), Error> {
        let Self { table, equal, from, limit, newest } = self;
        let (side, order) = if *newest { ("<=", "idx DESC, ord DESC") } else { (">=", "idx, ord") };
        let columns = table.columns().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let name = table.name();
        let mut sql =
            format!("SELECT idx, ord, {columns} FROM {name} WHERE tenant = $1 AND idx {side} $2");
        let mut bound =
            vec![SqlValue::from(tenant), SqlValue::Int(i64::try_from(*from).unwrap_or(i64::MAX))];
        for (column, value) in equal {
            let known = table.columns().iter().any(|(known, _)| known == column);
            // The name becomes part of the statement, so it must be a known one. In SQL nothing
            // equals null: such a query would find nothing and say nothing.
            if !known || *value == SqlValue::Null {
                return Err(Error::refused("read a table", format!("`{name}`"))
                    .saw("one of its columns and a value", format!("`{column}`")));
            }
            bound.push(value.clone());
            sql.push_str(&format!(" AND {column} = ${}", bound.len()));
        }
        bound.push(SqlValue::Int(i64::from(*limit)));
        sql.push_str(&format!(" ORDER BY {order} LIMIT ${}", bound.len()));
        Ok((sql, bound))
    }

    /// The values of a row that the statement gave: `idx`, `ord`, then the columns.
    pub(crate) fn values(&self, row: &AnyRow) -> Result<Vec<SqlValue>, sqlx::Error> {
        let own = [("idx", ColumnType::Int), ("ord", ColumnType::Int)];
        let columns = own.iter().chain(self.table.columns());
        columns.enumerate().map(|(n, (_, column))| value(row, n, *column)).collect()
    }
}

fn value(row: &AnyRow, n: usize, column: ColumnType) -> Result<SqlValue, sqlx::Error> {
    Ok(match column {
        ColumnType::Text => row.try_get::<Option<String>, _>(n)?.into(),
        ColumnType::Int => row.try_get::<Option<i64>, _>(n)?.into(),
        ColumnType::Real => row.try_get::<Option<f64>, _>(n)?.into(),
        ColumnType::Blob => {
            row.try_get::<Option<Vec<u8>>, _>(n)?.map_or(SqlValue::Null, SqlValue::Blob)
        }
    })
}
