//! PostgreSQL: a cursor in a read-only transaction, by an account that is not the server's master.
//!
//! `DECLARE … CURSOR` takes one query that gives rows and no other statement; the
//! transaction is `READ ONLY` and has read before, so that nothing in the query can
//! undo it. Operations that a read-only transaction permits (files of the server, programs)
//! need rights of a superuser, and such accounts are refused. A function that
//! reaches another server, such as `dblink`, does so with the rights of the account.

use std::str::FromStr as _;

use dalil_proof::fault::quote;
use dalil_proof::json::{Json, integer};
use futures_util::TryStreamExt as _;
use sqlx::postgres::{
    PgArguments, PgConnectOptions, PgConnection, PgRow, PgTypeInfo as PgKind, Postgres,
};
use sqlx::{
    Arguments as _, AssertSqlSafe, Column as _, ConnectOptions as _, Connection as _,
    Executor as _, Row as _, SqlSafeStr as _, Statement as _, Type, TypeInfo as _, ValueRef as _,
};

use super::cell::{ResultColumn, SqlCell, unhexed};
use super::{
    EngineQuery, LiveQueryFailure, LiveQueryLimits, LiveResultSet, RowCollector, SqlEngine,
};

pub(super) async fn run(
    address: &str,
    asked: &EngineQuery<'_>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let options = PgConnectOptions::from_str(address).map_err(|error| unreachable(&error))?;
    let options = options.application_name("dalil").statement_cache_capacity(0);
    let mut connection =
        options.disable_statement_logging().connect().await.map_err(|error| unreachable(&error))?;
    let table = read(&mut connection, asked).await;
    // The answer is there; how the connection ends changes nothing.
    drop(connection.close().await);
    table
}

async fn read(
    connection: &mut PgConnection,
    asked: &EngineQuery<'_>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let failed = |error: sqlx::Error| failed(&error, asked.limits);
    settle(connection, asked).await.map_err(failed)?;
    // A read-only transaction does not stop functions that write files or run programs.
    if can_bypass_read_only(connection).await.map_err(failed)? {
        return Err(LiveQueryFailure::Account(
            "one that can write files or run programs on the server",
        ));
    }
    // Parsing alone refuses a second statement: the extended protocol takes one.
    let columns = columns(connection, asked).await.map_err(failed)?;
    // `DECLARE CURSOR` takes a query and nothing else, not even a `WITH` that changes data.
    let declare = format!("DECLARE dalil NO SCROLL CURSOR WITHOUT HOLD FOR\n{}", asked.text);
    let arguments = arguments(&asked.query.params).map_err(failed)?;
    let declare = sqlx::query_with(AssertSqlSafe(declare), arguments);
    // It was parsed before: what fails now is not a query that gives rows.
    declare.execute(&mut *connection).await.map_err(|error| match failed(error) {
        LiveQueryFailure::Failed(said) => LiveQueryFailure::Refused(said),
        other => other,
    })?;
    let fetch = format!("FETCH FORWARD {} FROM dalil", asked.one_more());
    let mut gathered = RowCollector::new(asked);
    let mut rows = sqlx::raw_sql(AssertSqlSafe(fetch)).fetch(&mut *connection);
    while let Some(row) = rows.try_next().await.map_err(failed)? {
        if !gathered.take(cells(&row).map_err(failed)?) {
            break;
        }
    }
    Ok(gathered.table(SqlEngine::Postgres, columns))
}

/// Limits, forms of values that do not depend on the server's settings, and the transaction.
async fn settle(connection: &mut PgConnection, asked: &EngineQuery<'_>) -> sqlx::Result<()> {
    sqlx::query(SESSION_SETTINGS_SQL)
        .bind(asked.millis().to_string())
        .execute(&mut *connection)
        .await?;
    // Since version 14 a server can detect by itself that its client is gone.
    drop(sqlx::query(DISCONNECT_CHECK_SQL).execute(&mut *connection).await);
    // The next query, about the account, fixes the mode: after it no statement can turn the
    // transaction back to writing.
    sqlx::raw_sql("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").execute(connection).await?;
    Ok(())
}

const SESSION_SETTINGS_SQL: &str = "SELECT set_config('statement_timeout', $1, false), \
    set_config('lock_timeout', $1, false), \
    set_config('default_transaction_read_only', 'on', false), \
    set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false), \
    set_config('IntervalStyle', 'iso_8601', false), set_config('bytea_output', 'hex', false), \
    set_config('extra_float_digits', '1', false)";

const DISCONNECT_CHECK_SQL: &str = "SELECT set_config(name, '500', false) FROM pg_settings \
    WHERE name = 'client_connection_check_interval'";

/// Whether the account may do things that a read-only transaction does not prevent.
async fn can_bypass_read_only(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar(CAN_BYPASS_READ_ONLY_SQL).fetch_one(connection).await
}

const CAN_BYPASS_READ_ONLY_SQL: &str = "SELECT me.rolsuper OR EXISTS (SELECT 1 FROM pg_roles AS able \
    WHERE able.rolname IN ('pg_execute_server_program', 'pg_write_server_files') \
    AND pg_has_role(session_user, able.oid, 'MEMBER')) \
    FROM pg_roles AS me WHERE me.rolname = session_user";

/// The columns, from a parse of the query as one statement: they are there also when no row is.
async fn columns(
    connection: &mut PgConnection,
    asked: &EngineQuery<'_>,
) -> sqlx::Result<Vec<ResultColumn>> {
    let kinds: Vec<PgKind> = asked.query.params.iter().map(kind).collect();
    let sql = AssertSqlSafe(asked.text.to_owned()).into_sql_str();
    let statement = connection.prepare_with(sql, &kinds).await?;
    let column = |column: &sqlx::postgres::PgColumn| ResultColumn {
        name: column.name().to_owned(),
        kind: column.type_info().name().to_lowercase(),
    };
    Ok(statement.columns().iter().map(column).collect())
}

fn kind(param: &Json<'static>) -> PgKind {
    match param {
        Json::Bool(_) => <bool as Type<Postgres>>::type_info(),
        Json::Number(value) if integer(*value).is_some() => <i64 as Type<Postgres>>::type_info(),
        Json::Number(_) => <f64 as Type<Postgres>>::type_info(),
        Json::Null | Json::Text(_) | Json::List(_) | Json::Object(_) => {
            <String as Type<Postgres>>::type_info()
        }
    }
}

fn arguments(params: &[Json<'static>]) -> sqlx::Result<PgArguments> {
    let mut arguments = PgArguments::default();
    for param in params {
        let added = match param {
            Json::Bool(value) => arguments.add(*value),
            Json::Number(value) => match integer(*value) {
                Some(whole) => arguments.add(whole),
                None => arguments.add(*value),
            },
            Json::Text(text) => arguments.add(text.to_string()),
            Json::Null | Json::List(_) | Json::Object(_) => arguments.add(None::<String>),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// A row that came as text, as the answers to plain statements do.
fn cells(row: &PgRow) -> sqlx::Result<Vec<SqlCell>> {
    let cell = |n: usize| -> sqlx::Result<SqlCell> {
        let value = row.try_get_raw(n)?;
        if value.is_null() {
            return Ok(SqlCell::Null);
        }
        let text = value.as_str().map_err(sqlx::Error::Decode)?;
        Ok(match value.type_info().name() {
            "BOOL" => SqlCell::Bool(text == "t"),
            "INT2" | "INT4" | "INT8" | "OID" => SqlCell::digits(text),
            "FLOAT4" | "FLOAT8" => SqlCell::double(text),
            "TIMESTAMP" | "TIMESTAMPTZ" => SqlCell::time(text),
            "BYTEA" => text
                .strip_prefix("\\x")
                .and_then(unhexed)
                .map_or_else(|| SqlCell::text(text), SqlCell::Bytes),
            _ => SqlCell::text(text),
        })
    };
    (0..row.len()).map(cell).collect()
}

fn unreachable(error: &sqlx::Error) -> LiveQueryFailure {
    LiveQueryFailure::Unreachable(quote(&said(error)))
}

fn failed(error: &sqlx::Error, limits: LiveQueryLimits) -> LiveQueryFailure {
    let code = error.as_database_error().and_then(|error| error.code());
    match code.as_deref() {
        Some(SQLSTATE_QUERY_CANCELED | SQLSTATE_LOCK_NOT_AVAILABLE) => {
            LiveQueryFailure::TimedOut(limits.time)
        }
        Some(SQLSTATE_READ_ONLY_TRANSACTION | SQLSTATE_INSUFFICIENT_PRIVILEGE) => {
            LiveQueryFailure::Refused(quote(&said(error)))
        }
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

const SQLSTATE_QUERY_CANCELED: &str = "57014";
const SQLSTATE_LOCK_NOT_AVAILABLE: &str = "55P03";
const SQLSTATE_READ_ONLY_TRANSACTION: &str = "25006";
const SQLSTATE_INSUFFICIENT_PRIVILEGE: &str = "42501";
