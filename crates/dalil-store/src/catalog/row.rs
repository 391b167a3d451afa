//! Rows: how one is read, how it is inserted, and the bytes by which a record commits to its own.

use std::fmt;

use dalil_core::canon;
use dalil_core::digest::Digest;
use dalil_core::json::MAX_INTEGER;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};
use sqlx::Arguments as _;
use sqlx::any::{AnyArguments, AnyRow};

use super::bind;
use super::column::{CellRefusal, ColumnType, ColumnValue};
use super::table::{EvidenceRow, EvidenceTable};
use super::value::SqlValue;
use crate::error::Error;

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

/// A row of an evidence table, which belongs to a record.
pub trait EvidenceTableRow: TypedRow + Into<EvidenceRow> {
    /// The table.
    const EVIDENCE: EvidenceTable;
}

/// A row, and the index of the record that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedRow<R> {
    /// The index of the record.
    pub index: u64,
    /// The row.
    pub row: R,
}

/// A cell that does not hold what its column says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFault {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
    /// The record that the row belongs to, where that is known.
    pub index: Option<u64>,
    /// What the column says.
    pub expected: &'static str,
    /// What the cell holds.
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

/// The values of rows on their way into a statement.
pub struct RowBinder(pub(super) AnyArguments);

impl fmt::Debug for RowBinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowBinder({} values)", self.0.len())
    }
}

impl RowBinder {
    /// Binds a value without another copy of its text.
    pub(crate) fn push<T: ColumnValue>(&mut self, value: T) -> Result<(), sqlx::Error> {
        bind(&mut self.0, value.into_sql(), T::TYPE)
    }
}

impl EvidenceRow {
    /// The object of the lake that it says its record needs.
    pub fn object(&self) -> Option<Digest> {
        match self {
            Self::Artifacts(artifact) => Some(artifact.sha256),
            _ => None,
        }
    }

    /// Checks that the row can be read back as it is.
    ///
    /// # Errors
    /// Text with U+0000, a number that canonical JSON cannot hold.
    pub fn check(&self) -> Result<(), Error> {
        self.each(&mut |(column, _), value| match misfit(&value) {
            Some((expected, found)) => {
                let place = format!("`{}.{column}`", self.table().name());
                Err(Error::refused("append a record", place).saw(expected, found))
            }
            None => Ok(()),
        })
    }
}

/// What about this value no column can hold.
fn misfit(value: &SqlValue<'_>) -> Option<(&'static str, &'static str)> {
    match value {
        // PostgreSQL cannot hold U+0000 in a text, and SQLite's functions end at it.
        SqlValue::Text(text) if text.contains('\0') => {
            Some(("text without U+0000", "text with it"))
        }
        // RFC 8785 writes numbers as doubles; a larger integer would be committed to rounded.
        SqlValue::Int(int) if int.unsigned_abs() > MAX_INTEGER => {
            Some(("a whole number that a double holds", "a larger one"))
        }
        SqlValue::Real(real) if !real.is_finite() => Some(("a finite number", "another")),
        SqlValue::Text(_)
        | SqlValue::Int(_)
        | SqlValue::Real(_)
        | SqlValue::Blob(_)
        | SqlValue::Null => None,
    }
}

/// The bytes that a record's commitment `rows` is over: the canonical JSON array
/// of `[table, value…]`, in order.
///
/// # Errors
/// A value that canonical JSON cannot hold.
pub fn committed(rows: &[EvidenceRow]) -> Result<Vec<u8>, Error> {
    canon::bytes(&rows).map_err(|error| {
        Error::refused("append a record", "`rows`").saw("values with a canonical form", error)
    })
}

impl Serialize for EvidenceRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = self.table();
        let mut row = serializer.serialize_seq(Some(table.columns().len() + 1))?;
        row.serialize_element(table.name())?;
        self.each(&mut |_: (&str, ColumnType), value| row.serialize_element(&value))?;
        row.end()
    }
}
