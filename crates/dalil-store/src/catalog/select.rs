//! Typed reads of evidence tables, one tenant's at a time.

use std::marker::PhantomData;

use sqlx::any::AnyRow;

use super::row::{CellFault, EvidenceTableRow, IndexedRow, read_cell};
use super::table::EvidenceTable;
use super::value::SqlValue;

/// Rows of one table, in the order in which they were recorded or against it.
#[derive(Clone, Debug, PartialEq)]
pub struct TableQuery<R> {
    equal: Vec<(&'static str, SqlValue<'static>)>,
    from: u64,
    limit: u32,
    newest: bool,
    row: PhantomData<fn() -> R>,
}

impl<R> TableQuery<R> {
    /// Every row of the table.
    pub(super) const fn all() -> Self {
        Self { equal: Vec::new(), from: 0, limit: u32::MAX, newest: false, row: PhantomData }
    }

    /// Only rows in which a column has a value.
    pub(super) fn equal(mut self, column: &'static str, value: SqlValue<'static>) -> Self {
        self.equal.push((column, value));
        self
    }

    /// Only rows of records from this one on; from this one back when the newest come first.
    #[must_use]
    pub fn starting_at(self, index: u64) -> Self {
        Self { from: index, ..self }
    }

    /// At most so many rows.
    #[must_use]
    pub fn at_most(self, limit: u32) -> Self {
        Self { limit, ..self }
    }

    /// The newest rows first.
    #[must_use]
    pub fn newest_first(self) -> Self {
        Self { newest: true, ..self }
    }

    /// Whether no row can be meant: a column of text holds no U+0000.
    pub(crate) fn is_void(&self) -> bool {
        let is_void =
            |value: &SqlValue<'_>| matches!(value, SqlValue::Text(text) if text.contains('\0'));
        self.equal.iter().any(|(_, value)| is_void(value))
    }
}

impl<R: EvidenceTableRow> TableQuery<R> {
    /// The statement and what it binds; the tenant is always first.
    pub(crate) fn statement<'s>(&'s self, tenant: &'s str) -> (String, Vec<SqlValue<'s>>) {
        let Self { equal, from, limit, newest, row: _ } = self;
        let (side, order) = if *newest { ("<=", "idx DESC, ord DESC") } else { (">=", "idx, ord") };
        let mut sql = format!("{} AND idx {side} $2", select_from(R::EVIDENCE));
        let mut bound = vec![SqlValue::from(tenant), SqlValue::from(*from)];
        for (column, value) in equal {
            bound.push(value.clone());
            sql.push_str(&format!(" AND {column} = ${}", bound.len()));
        }
        bound.push(SqlValue::Int(i64::from(*limit)));
        sql.push_str(&format!(" ORDER BY {order} LIMIT ${}", bound.len()));
        (sql, bound)
    }

    /// A row that the statement gave.
    pub(crate) fn read(row: &AnyRow) -> Result<IndexedRow<R>, CellFault> {
        let (index, _) = place(R::EVIDENCE, row)?;
        let row = R::read(row, LEADING_COLUMNS).map_err(|fault| fault.of_record(index))?;
        Ok(IndexedRow { index, row })
    }
}

/// Selects the rows of a tenant, which is bound first: `idx`, `ord`, then the columns.
pub(crate) fn select_from(table: EvidenceTable) -> String {
    let columns = table.columns().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    format!("SELECT idx, ord, {columns} FROM {} WHERE tenant = $1", table.name())
}

/// The record that a selected row belongs to, and which of its rows it is.
pub(crate) fn place(table: EvidenceTable, row: &AnyRow) -> Result<(u64, u64), CellFault> {
    let mut next = 0;
    let index = read_cell(row, &mut next, (table.name(), "idx"))?;
    let ord = read_cell(row, &mut next, (table.name(), "ord"));
    Ok((index, ord.map_err(|fault| fault.of_record(index))?))
}

/// `idx` and `ord` stand before the columns.
pub(crate) const LEADING_COLUMNS: usize = 2;
