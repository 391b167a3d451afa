//! MySQL and MariaDB: one prepared statement that could be a subquery, in a read-only transaction.
//!
//! The server prepares the query twice. Alone: so it is one statement, whole in itself. And inside
//! `SELECT EXISTS (…)`: so it is a query that gives rows, and neither a `CALL`, which could end the
//! transaction, nor a `SELECT … INTO OUTFILE`, which transactions do not prevent. Only then the
//! first of the two is executed. Functions that are loaded into the server are not restrained.

use std::str::FromStr as _;

use dalil_proof::fault::quote;
use dalil_proof::json::{Json, integer};
use futures_util::TryStreamExt as _;
use sqlx::mysql::{
    MySqlColumn, MySqlConnectOptions, MySqlConnection, MySqlDatabaseError, MySqlRow, MySqlTypeInfo,
};
use sqlx::{
    AssertSqlSafe, Column as _, ConnectOptions as _, Connection as _, Decode, Executor as _, MySql,
    Row as _, SqlSafeStr as _, Statement as _, Type, TypeInfo as _, ValueRef as _,
};

use super::cell::{ResultColumn, SqlCell};
use super::{
    EngineQuery, LiveQueryFailure, LiveQueryLimits, LiveResultSet, RowCollector, SqlEngine,
};

pub(super) async fn run(
    address: &str,
    asked: &EngineQuery<'_>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let options = MySqlConnectOptions::from_str(address).map_err(|error| unreachable(&error))?;
    // The server keeps its own way of reading SQL.
    let options = options.pipes_as_concat(false).no_engine_substitution(false);
    let options = options.statement_cache_capacity(0).disable_statement_logging();
    let mut connection = options.connect().await.map_err(|error| unreachable(&error))?;
    let table = read(&mut connection, asked).await;
    // The answer is there; how the connection ends changes nothing.
    drop(connection.close_hard().await);
    table
}

async fn read(
    connection: &mut MySqlConnection,
    asked: &EngineQuery<'_>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let failed = |error: sqlx::Error| failed(&error, asked.limits);
    settle(connection, asked).await.map_err(failed)?;
    let columns = columns(connection, asked).await.map_err(failed)?;
    // `columns` has prepared the text, which fails for more than one statement.
    prepare(connection, asked).await?;
    let places: Vec<String> =
        (0..asked.query.params.len()).map(|n| format!("@dalil_{n}")).collect();
    for (place, param) in places.iter().zip(&asked.query.params) {
        // `EXECUTE … USING` takes user variables only. Values are bound, never part of the text.
        set(connection, format!("SET {place} = ?"), param).await.map_err(failed)?;
    }
    let using =
        if places.is_empty() { String::new() } else { format!(" USING {}", places.join(", ")) };
    let execute = AssertSqlSafe(format!("EXECUTE dalil_query{using}"));
    let mut gathered = RowCollector::new(asked);
    let mut rows = sqlx::raw_sql(execute).fetch(&mut *connection);
    while let Some(row) = rows.try_next().await.map_err(failed)? {
        if !gathered.take(cells(&row).map_err(failed)?) {
            break;
        }
    }
    Ok(gathered.table(SqlEngine::Mysql, columns))
}

/// Limits, and the transaction.
async fn settle(connection: &mut MySqlConnection, asked: &EngineQuery<'_>) -> sqlx::Result<()> {
    let version: String =
        sqlx::query_scalar("SELECT VERSION()").fetch_one(&mut *connection).await?;
    let (limit, time) = if version.contains("MariaDB") {
        // MariaDB counts in seconds, MySQL in milliseconds.
        ("SET SESSION max_statement_time = ? / 1000", asked.millis())
    } else {
        ("SET SESSION max_execution_time = ?", asked.millis())
    };
    sqlx::query(limit).bind(time).execute(&mut *connection).await?;
    let rows = i64::try_from(asked.one_more()).unwrap_or(i64::MAX);
    let wait = asked.millis().div_euclid(1000).max(1);
    // The server stops after these rows, unless the query has a `LIMIT` of its own.
    sqlx::query("SET SESSION sql_select_limit = ?, lock_wait_timeout = ?")
        .bind(rows)
        .bind(wait)
        .execute(&mut *connection)
        .await?;
    let begin = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
    sqlx::raw_sql(begin).execute(connection).await?;
    Ok(())
}

/// The columns, from a parse of the query as one statement: they are there also when no row is.
async fn columns(
    connection: &mut MySqlConnection,
    asked: &EngineQuery<'_>,
) -> sqlx::Result<Vec<ResultColumn>> {
    let sql = AssertSqlSafe(asked.text.to_owned()).into_sql_str();
    let statement = connection.prepare(sql).await?;
    let column = |column: &MySqlColumn| ResultColumn {
        name: column.name().to_owned(),
        kind: kind(column.type_info()),
    };
    Ok(statement.columns().iter().map(column).collect())
}

/// Has the server prepare the query, after it has made sure that it gives rows.
async fn prepare(
    connection: &mut MySqlConnection,
    asked: &EngineQuery<'_>,
) -> Result<(), LiveQueryFailure> {
    let broken = |error: sqlx::Error| failed(&error, asked.limits);
    sqlx::query("SET @dalil_query = ?, @dalil_shape = ?")
        .bind(asked.text)
        // Line breaks around the query: a comment at its end would swallow the bracket.
        .bind(format!("SELECT EXISTS (\n{}\n)", asked.text))
        .execute(&mut *connection)
        .await
        .map_err(broken)?;
    let shape = sqlx::raw_sql("PREPARE dalil_shape FROM @dalil_shape").execute(&mut *connection);
    // It was parsed before: what fails now is not a query that gives rows.
    shape.await.map_err(|error| match broken(error) {
        LiveQueryFailure::Failed(said) => LiveQueryFailure::Refused(said),
        other => other,
    })?;
    let query = sqlx::raw_sql("PREPARE dalil_query FROM @dalil_query").execute(&mut *connection);
    query.await.map(|_| ()).map_err(broken)
}

async fn set(
    connection: &mut MySqlConnection,
    sql: String,
    param: &Json<'static>,
) -> sqlx::Result<()> {
    let set = sqlx::query(AssertSqlSafe(sql));
    let set = match param {
        Json::Bool(value) => set.bind(*value),
        Json::Number(value) => match integer(*value) {
            Some(whole) => set.bind(whole),
            None => set.bind(*value),
        },
        Json::Text(text) => set.bind(text.to_string()),
        Json::Null | Json::List(_) | Json::Object(_) => set.bind(None::<String>),
    };
    set.execute(connection).await.map(|_| ())
}

/// A row that came as text, as the answers to plain statements do.
fn cells(row: &MySqlRow) -> sqlx::Result<Vec<SqlCell>> {
    let cell = |n: usize| -> sqlx::Result<SqlCell> {
        let value = row.try_get_raw(n)?;
        if value.is_null() {
            return Ok(SqlCell::Null);
        }
        let kind = kind(&value.type_info());
        let bytes = <&[u8] as Decode<'_, MySql>>::decode(value).map_err(sqlx::Error::Decode)?;
        Ok(said_as(&kind, bytes))
    };
    (0..row.len()).map(cell).collect()
}

fn said_as(kind: &str, bytes: &[u8]) -> SqlCell {
    let binary = kind.ends_with("blob") || kind.ends_with("binary") || kind == "geometry";
    let whole = kind.contains("int") || matches!(kind, "boolean" | "year");
    match (kind, std::str::from_utf8(bytes)) {
        ("bit", _) => {
            // `BIT` comes as big-endian bytes, in the text protocol as well.
            SqlCell::Unsigned(bytes.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
        }
        (_, Ok(text)) if whole => SqlCell::digits(text),
        ("float" | "double", Ok(text)) => SqlCell::double(text),
        ("datetime", Ok(text)) => SqlCell::time(text),
        // The session is in UTC.
        ("timestamp", Ok(text)) => SqlCell::time(&format!("{text}+00")),
        (_, Ok(text)) if !binary => SqlCell::text(text),
        _ => SqlCell::Bytes(bytes.to_vec()),
    }
}

/// The type in the server's word. Texts that compare by their bytes are texts all the same.
fn kind(info: &MySqlTypeInfo) -> String {
    let name = info.name().to_lowercase();
    if !<str as Type<MySql>>::compatible(info) {
        return name;
    }
    name.replace("blob", "text").replace("varbinary", "varchar").replace("binary", "char")
}

fn unreachable(error: &sqlx::Error) -> LiveQueryFailure {
    LiveQueryFailure::Unreachable(quote(&said(error)))
}

fn failed(error: &sqlx::Error, limits: LiveQueryLimits) -> LiveQueryFailure {
    let database = error.as_database_error();
    let number = database.and_then(|error| error.try_downcast_ref::<MySqlDatabaseError>());
    match number.map(MySqlDatabaseError::number) {
        Some(STATEMENT_TIMEOUT_ERROR | QUERY_TIMEOUT_ERROR | INTERRUPTED_ERROR) => {
            LiveQueryFailure::TimedOut(limits.time)
        }
        Some(READ_ONLY_ERROR) => LiveQueryFailure::Refused(quote(&said(error))),
        _ => LiveQueryFailure::Failed(quote(&said(error))),
    }
}

fn said(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

const STATEMENT_TIMEOUT_ERROR: u16 = 1969;
const QUERY_TIMEOUT_ERROR: u16 = 3024;
const INTERRUPTED_ERROR: u16 = 1317;
const READ_ONLY_ERROR: u16 = 1792;
