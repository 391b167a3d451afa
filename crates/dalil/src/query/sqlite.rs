//! SQLite: a file that is opened to read, and an authorizer that lets nothing else be prepared.
//!
//! The file is opened with `SQLITE_OPEN_READONLY` and `PRAGMA query_only`, no other
//! file can be attached, and SQLite asks the authorizer about everything that a
//! statement would do. A second statement, and one that gives no columns, is refused.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dalil_proof::fault::quote;
use dalil_proof::json::{Json, integer};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Statement, params_from_iter};

use super::cell::{ResultColumn, SqlCell};
use super::{
    EngineQuery, LiveQueryFailure, LiveQueryLimits, LiveResultSet, RowCollector, SqlEngine,
};

pub(super) async fn run(
    file: &str,
    asked: &EngineQuery<'_>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let dropped = Arc::new(AtomicBool::new(false));
    let guard = InterruptOnDrop(Arc::clone(&dropped));
    let (file, text) = (file.to_owned(), asked.text.to_owned());
    let (query, limits) = (asked.query.clone(), asked.limits);
    let work = tokio::task::spawn_blocking(move || {
        let asked = EngineQuery { query: &query, text: &text, limits };
        read(Path::new(&file), &asked, dropped)
    });
    let answer = tokio::time::timeout(limits.time, work).await;
    // The thread cannot be ended from here. The flag makes SQLite stop at its next progress call.
    drop(guard);
    match answer {
        Ok(Ok(table)) => table,
        Ok(Err(broken)) => Err(LiveQueryFailure::Failed(quote(&broken.to_string()))),
        Err(_) => Err(LiveQueryFailure::TimedOut(limits.time)),
    }
}

/// Stops the query when its caller no longer waits.
struct InterruptOnDrop(Arc<AtomicBool>);

impl Drop for InterruptOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn read(
    file: &Path,
    asked: &EngineQuery<'_>,
    dropped: Arc<AtomicBool>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let connection =
        open(file, dropped).map_err(|error| LiveQueryFailure::Unreachable(said(&error)))?;
    let mut statement =
        connection.prepare(asked.text).map_err(|error| failed(&error, asked.limits))?;
    // The authorizer has refused writes, at `prepare`. This refuses statements without rows.
    if statement.column_count() == 0 || !statement.readonly() {
        return Err(LiveQueryFailure::Refused("one that gives no rows".to_owned()));
    }
    let columns = columns(&statement);
    let gathered = rows(&mut statement, asked).map_err(|error| failed(&error, asked.limits))?;
    Ok(gathered.table(SqlEngine::Sqlite, columns))
}

fn open(file: &Path, dropped: Arc<AtomicBool>) -> rusqlite::Result<Connection> {
    // No URI: a name with `?` in it stays a name.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.pragma_update(None, "query_only", true)?;
    // The schema of a hostile file then cannot use functions or virtual tables with side effects.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    // A file that is no database is found out here.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    connection.progress_handler(1000, Some(move || dropped.load(Ordering::Relaxed)))?;
    // Set last: the pragmas above would not pass it.
    connection.authorizer(Some(allowed))?;
    Ok(connection)
}

/// The actions that a statement may do: read, compute, and nothing else.
fn allowed(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Function { function_name: "load_extension" } => Authorization::Deny,
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Recursive
        | AuthAction::Function { .. } => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

fn columns(statement: &Statement<'_>) -> Vec<ResultColumn> {
    let column = |column: rusqlite::Column<'_>| ResultColumn {
        name: column.name().to_owned(),
        kind: column.decl_type().unwrap_or("").to_owned(),
    };
    statement.columns().into_iter().map(column).collect()
}

fn rows(statement: &mut Statement<'_>, asked: &EngineQuery<'_>) -> rusqlite::Result<RowCollector> {
    let width = statement.column_count();
    let mut gathered = RowCollector::new(asked);
    let mut rows = statement.query(params_from_iter(asked.query.params.iter().map(param)))?;
    while let Some(row) = rows.next()? {
        let cells = (0..width).map(|n| row.get_ref(n).map(cell)).collect::<Result<_, _>>()?;
        if !gathered.take(cells) {
            break;
        }
    }
    Ok(gathered)
}

fn cell(value: ValueRef<'_>) -> SqlCell {
    match value {
        ValueRef::Null => SqlCell::Null,
        ValueRef::Integer(value) => SqlCell::Integer(value),
        ValueRef::Real(value) => SqlCell::number(value),
        // SQLite does not check that text is UTF-8.
        ValueRef::Text(text) => SqlCell::text_or_bytes(text),
        ValueRef::Blob(bytes) => SqlCell::Bytes(bytes.to_vec()),
    }
}

fn param(given: &Json<'static>) -> Value {
    match given {
        Json::Bool(value) => Value::Integer(i64::from(*value)),
        Json::Number(value) => integer(*value).map_or(Value::Real(*value), Value::Integer),
        Json::Text(text) => Value::Text(text.to_string()),
        Json::Null | Json::List(_) | Json::Object(_) => Value::Null,
    }
}

fn failed(error: &Error, limits: LiveQueryLimits) -> LiveQueryFailure {
    let refused = [ErrorCode::AuthorizationForStatementDenied, ErrorCode::ReadOnly];
    match (error, error.sqlite_error_code()) {
        (Error::MultipleStatement, _) => LiveQueryFailure::Refused("more than one".to_owned()),
        (_, Some(code)) if refused.contains(&code) => LiveQueryFailure::Refused(said(error)),
        // A denied function has the code of a syntax error; only the message differs.
        (Error::SqlInputError { msg, .. }, _) if msg.starts_with("not authorized") => {
            LiveQueryFailure::Refused(said(error))
        }
        (_, Some(ErrorCode::OperationInterrupted)) => LiveQueryFailure::TimedOut(limits.time),
        _ => LiveQueryFailure::Failed(said(error)),
    }
}

/// The message of SQLite, without the path of the file.
fn said(error: &Error) -> String {
    match error {
        Error::SqliteFailure(code, Some(message)) if message.contains("unable to open") => {
            quote(&code.to_string())
        }
        Error::SqliteFailure(_, Some(message)) => quote(message),
        Error::SqlInputError { msg, .. } => quote(msg),
        other => quote(&other.to_string()),
    }
}
