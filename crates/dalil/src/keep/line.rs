//! Rows of the catalog.

use dalil_store::{Row, Table, Value};

/// A row of a table.
pub(super) fn row<const N: usize>(table: Table, values: [Value; N]) -> Row {
    Row { table, values: values.into() }
}

/// A whole number as a value; what a catalog cannot hold is refused when it is appended.
pub(super) fn whole(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}
