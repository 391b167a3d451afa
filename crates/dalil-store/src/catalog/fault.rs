//! Classifies the failure of a statement.

use sqlx::error::ErrorKind as Violation;

use super::row::CellFault;
use crate::error::Error;

/// Why work inside the store stopped: the database, or the store's own reason.
#[derive(Debug)]
pub(crate) enum CatalogFailure {
    /// The database.
    Sql(sqlx::Error),
    /// The store.
    Store(Error),
    /// A cell that does not hold a value of its column's type.
    Cell(CellFault),
}

impl From<CellFault> for CatalogFailure {
    fn from(fault: CellFault) -> Self {
        Self::Cell(fault)
    }
}

impl From<sqlx::Error> for CatalogFailure {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<Error> for CatalogFailure {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

/// Words a failure for the caller.
pub(crate) fn failed(what: &str, label: &str, failure: impl Into<CatalogFailure>) -> Error {
    let error = match failure.into() {
        CatalogFailure::Store(error) => return error,
        CatalogFailure::Cell(fault) => return damaged_cell(what, label, &fault),
        CatalogFailure::Sql(error) => error,
    };
    let place = format!("`{label}`");
    if matches!(error, sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)) {
        return Error::damaged(what, place)
            .saw("values of the catalog's types", error)
            .hint("`dalil fsck` says what else is not as it was");
    }
    let said =
        error.as_database_error().map_or_else(|| error.to_string(), |db| db.message().to_owned());
    let code = error.as_database_error().and_then(|db| db.code());
    // SQLite's codes have at most four digits, the primary one in the low byte. A SQLSTATE of
    // PostgreSQL has five characters, some of them digits only.
    let primary = code.filter(|code| code.len() < 5);
    let primary = primary.and_then(|code| code.parse::<u32>().ok()).map(|code| code % 256);
    match primary {
        // SQLITE_CORRUPT, SQLITE_NOTADB.
        Some(11 | 26) => Error::damaged(what, place)
            .saw("a whole SQLite database", said)
            .hint("put the file back from a copy; nothing was written"),
        // SQLITE_FULL.
        Some(13) => Error::unavailable(what, place)
            .saw("room on the disk", said)
            .hint("free some space and try again; nothing was written"),
        // SQLITE_BUSY, SQLITE_LOCKED.
        Some(5 | 6) => Error::unavailable(what, place)
            .saw("a database that nobody holds", said)
            .hint("another program has the file open for writing; end it and try again"),
        // SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_AUTH.
        Some(8 | 14 | 23) => Error::unavailable(what, place)
            .saw("a file that may be opened and written", said)
            .hint("look at the owner and permissions of the folder"),
        Some(_) | None if is_away(&error) => Error::unavailable(what, place)
            .saw(format!("a database that answers within {RECONNECT_WAIT_TEXT}"), said)
            .hint("see that the server runs and can be reached"),
        Some(_) | None if is_lost(&error) => Error::unavailable(what, place)
            .saw("a database that answers", said)
            .hint("see that the server runs and can be reached"),
        Some(_) | None => Error::unavailable(what, place).saw("the database to do it", said),
    }
}

fn damaged_cell(what: &str, label: &str, fault: &CellFault) -> Error {
    let CellFault { table, column, index, expected, found } = fault;
    let record = index.map_or(String::new(), |index| format!(", record {index}"));
    Error::damaged(what, format!("`{label}`, `{table}.{column}`{record}"))
        .saw(expected, found)
        .hint("`dalil fsck` says what else is not as it was")
}

/// Whether the connection is gone, so that a commit on its way may have happened or not.
pub(crate) fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // Connection exceptions, a server that stops or starts, too many clients.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code.len() == 5
                && (code.starts_with("08") || code.starts_with("57P") || code == "53300")
        }),
        _ => false,
    }
}

/// Whether no server answers, or one that starts or stops: a later try may succeed.
pub(crate) fn is_away(error: &sqlx::Error) -> bool {
    use std::io::ErrorKind;
    match error {
        sqlx::Error::Io(error) => matches!(
            error.kind(),
            ErrorKind::ConnectionRefused
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::UnexpectedEof
        ),
        // 57P01 and its kind: the server is stopping, has crashed, or is starting. 53300: too many
        // clients, of which one may leave.
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| code.starts_with("57P") || code == "53300")
        }
        _ => false,
    }
}

/// Whether a row was refused because another has its key: one entry's fault, not the group's.
pub(crate) fn is_conflict(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| {
        // 19 is SQLite's code for a constraint, 1811 for one that a trigger holds.
        error.kind() == Violation::UniqueViolation
            || error.code().is_some_and(|code| code == "1811" || code == "19")
    })
}

/// How long to wait for a server that is away, in milliseconds: ten seconds in all.
pub(super) const RECONNECT_PAUSES_MS: [u64; 8] = [100, 200, 400, 800, 1500, 2000, 2500, 2500];
/// The same, for messages.
const RECONNECT_WAIT_TEXT: &str = "10 s";
