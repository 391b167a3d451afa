//! Rows: how one is read, and how it is inserted.

use sqlx::any::AnyRow;

use super::bind::RowBinder;
use super::column::{CellRefusal, ColumnValue};

/// A row with a typed field for each column, in the order of the columns.
pub trait TypedRow: Sized {
    /// The table.
    const TABLE: &'static str;
    /// The columns that it has of it.
    const COLUMNS: &'static [&'static str];

    /// Reads the columns of a row, which begin at `first`.
    fn read(row: &AnyRow, first: usize) -> Result<Self, CellFault>;

    /// Binds the columns of a row that is inserted.
    fn bind(self, binder: &mut RowBinder) -> Result<(), sqlx::Error>;
}

/// A row, and the index of the record that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedRow<R> {
    /// The index of the record.
    pub index: u64,
    /// The row.
    pub row: R,
}

/// A cell that does not hold a value of its column's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFault {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
    /// The record that the row belongs to, where that is known.
    pub index: Option<u64>,
    /// The expected value.
    pub expected: &'static str,
    /// The value of the cell.
    pub found: Box<str>,
}

impl CellFault {
    /// The fault, of a row of this record.
    #[must_use]
    pub(crate) fn of_record(self, index: u64) -> Self {
        Self { index: Some(index), ..self }
    }
}

/// Reads the cell at `next`, and moves on to the one after it.
pub(crate) fn read_cell<T: ColumnValue>(
    row: &AnyRow,
    next: &mut usize,
    (table, column): (&'static str, &'static str),
) -> Result<T, CellFault> {
    let n = *next;
    *next += 1;
    T::read(row, n).map_err(|CellRefusal { expected, found }| CellFault {
        table,
        column,
        index: None,
        expected,
        found: found.into(),
    })
}
