//! Values on their way into a statement.

use std::fmt;

use sqlx::Arguments as _;
use sqlx::any::AnyArguments;

use super::column::{ColumnType, ColumnValue};
use super::value::SqlValue;

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

/// Binds a value; `null_type` is the type of a null, which PostgreSQL needs.
pub(super) fn bind(
    bound: &mut AnyArguments,
    value: SqlValue<'_>,
    null_type: ColumnType,
) -> Result<(), sqlx::Error> {
    let done = match (value, null_type) {
        // Owned, so that a text that the caller gives away is not copied again.
        (SqlValue::Text(text), _) => bound.add(text.into_owned()),
        (SqlValue::Int(int), _) => bound.add(int),
        (SqlValue::Real(real), _) => bound.add(real),
        (SqlValue::Blob(bytes), _) => bound.add(bytes.into_owned()),
        (SqlValue::Null, ColumnType::Text) => bound.add(None::<String>),
        (SqlValue::Null, ColumnType::Int) => bound.add(None::<i64>),
        // sqlx has the nulls of its two kinds of numbers the wrong way round: the null of an
        // `f32` is prepared as a double, and what PostgreSQL then expects are doubles.
        (SqlValue::Null, ColumnType::Real) => bound.add(None::<f32>),
        (SqlValue::Null, ColumnType::Blob) => bound.add(None::<Vec<u8>>),
    };
    done.map_err(sqlx::Error::Encode)
}
