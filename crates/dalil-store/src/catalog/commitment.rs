//! The bytes by which a record commits to its rows, and which rows can be committed to.

use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::json::MAX_INTEGER;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use super::column::ColumnType;
use super::table::EvidenceRow;
use super::value::SqlValue;
use crate::error::Error;

impl EvidenceRow {
    /// The digest of the lake object that the record of this row needs, if any.
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
