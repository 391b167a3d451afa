//! Values and rows, and the bytes by which a record commits to its rows.

use dalil_core::canon;
use dalil_core::json::MAX_INTEGER;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use super::table::{ColumnType, EvidenceTable};
use crate::error::Error;

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    /// Text.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A double.
    Real(f64),
    /// Bytes.
    Blob(Vec<u8>),
    /// Nothing.
    Null,
}

/// A row of an evidence table, without the columns that say whose it is.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceRow {
    /// The table.
    pub table: EvidenceTable,
    /// Its values, one for each column.
    pub values: Vec<SqlValue>,
}

impl EvidenceRow {
    /// Checks that the table can hold the row, and that it can be read back as it is.
    ///
    /// # Errors
    /// Another number of values than columns, a value of another type, text with
    /// U+0000, a number that canonical JSON cannot hold.
    pub fn check(&self) -> Result<(), Error> {
        let Self { table, values } = self;
        let columns = table.columns();
        let refuse = |column: &str, expected: &str, found: &str| {
            let place = format!("`{}{column}`", table.name());
            Err(Error::refused("append a record", place).saw(expected, found))
        };
        if columns.len() != values.len() {
            let (expected, found) = (columns.len().to_string(), values.len().to_string());
            return refuse("", &format!("{expected} values"), &found);
        }
        for ((name, column), value) in columns.iter().zip(values) {
            if let Some((expected, found)) = value.misfit(*column) {
                return refuse(&format!(".{name}"), expected, found);
            }
        }
        Ok(())
    }
}

impl SqlValue {
    /// What about this value a column of the type cannot hold.
    fn misfit(&self, column: ColumnType) -> Option<(&'static str, &'static str)> {
        match (self, column) {
            // PostgreSQL cannot hold U+0000 in a text, and SQLite's functions end at it.
            (Self::Text(text), ColumnType::Text) if text.contains('\0') => {
                Some(("text without U+0000", "text with it"))
            }
            // RFC 8785 writes numbers as doubles; a larger integer would be committed to rounded.
            (Self::Int(int), ColumnType::Int) if int.unsigned_abs() > MAX_INTEGER => {
                Some(("a whole number that a double holds", "a larger one"))
            }
            (Self::Real(real), ColumnType::Real) if !real.is_finite() => {
                Some(("a finite number", "another"))
            }
            (Self::Text(_), ColumnType::Text)
            | (Self::Int(_), ColumnType::Int)
            | (Self::Real(_), ColumnType::Real)
            | (Self::Blob(_), ColumnType::Blob)
            | (Self::Null, _) => None,
            (Self::Text(_) | Self::Int(_) | Self::Real(_) | Self::Blob(_), _) => {
                Some(("a value of the column's type", "another type"))
            }
        }
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
        let Self { table, values } = self;
        let mut row = serializer.serialize_seq(Some(values.len() + 1))?;
        row.serialize_element(table.name())?;
        values.iter().try_for_each(|value| row.serialize_element(value))?;
        row.end()
    }
}

impl Serialize for SqlValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Int(int) => serializer.serialize_i64(*int),
            Self::Real(real) => serializer.serialize_f64(*real),
            // An array, so that no text can pass for bytes.
            Self::Blob(bytes) => [dalil_core::digest::hex(bytes)].serialize(serializer),
            Self::Null => serializer.serialize_unit(),
        }
    }
}

impl From<&str> for SqlValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for SqlValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for SqlValue {
    fn from(int: i64) -> Self {
        Self::Int(int)
    }
}

impl From<f64> for SqlValue {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

impl<T: Into<Self>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
