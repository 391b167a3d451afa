//! Untrusted values of rows: SQLite keeps any type in any column.

use dalil_proof::digest::Digest;
use sqlx::Row as _;
use sqlx::any::AnyRow;

/// A text; `None` for null and for anything else.
pub(super) fn text(row: &AnyRow, n: usize) -> Option<String> {
    row.try_get::<Option<String>, _>(n).ok().flatten()
}

/// A whole number.
pub(super) fn int(row: &AnyRow, n: usize) -> Option<i64> {
    row.try_get::<Option<i64>, _>(n).ok().flatten()
}

/// An index or a size.
pub(super) fn index(row: &AnyRow, n: usize) -> Option<u64> {
    int(row, n).and_then(|number| u64::try_from(number).ok())
}

/// Bytes.
pub(super) fn bytes(row: &AnyRow, n: usize) -> Option<Vec<u8>> {
    row.try_get::<Option<Vec<u8>>, _>(n).ok().flatten()
}

/// A hash of 32 bytes.
pub(super) fn hash(row: &AnyRow, n: usize) -> Option<Digest> {
    bytes(row, n).and_then(|bytes| bytes.try_into().ok()).map(Digest::from_bytes)
}

/// Whether there is nothing at all.
pub(super) fn is_null(row: &AnyRow, n: usize) -> bool {
    row.try_get::<Option<Vec<u8>>, _>(n).is_ok_and(|bytes| bytes.is_none())
        || row.try_get::<Option<String>, _>(n).is_ok_and(|text| text.is_none())
}
