//! SQL Server: an account that cannot write, with the intent to read, rolled back at the end.
//!
//! SQL Server has no read-only transactions, and a batch may hold any number of
//! statements. So the rights of the account decide: an account that may
//! change anything in the database is refused before the query is sent.
//! `ApplicationIntent=ReadOnly` goes with the login, and the transaction around the
//! query is never committed.

use dalil_proof::fault::quote;
use dalil_proof::json::{Json, integer};
use futures_util::TryStreamExt as _;
use tiberius::error::Error;
use tiberius::{AuthMethod, Client, Config, EncryptionLevel, Query, QueryItem};
use tokio::net::TcpStream;
use tokio_util::compat::{Compat, TokioAsyncWriteCompatExt as _};
use url::Url;

use self::value::cell;
use super::cell::{ResultColumn, SqlCell, unescaped};
use super::{EngineQuery, LiveQueryFailure, LiveResultSet, RowCollector, SqlEngine};

mod value;

type MssqlClient = Client<Compat<TcpStream>>;

pub(super) async fn run(
    address: &str,
    asked: &EngineQuery<'_>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let mut session = open(address).await?;
    if can_write(&mut session).await? {
        return Err(LiveQueryFailure::Account("one that can change the database"));
    }
    // SQL Server has no read-only transactions. This one is never committed.
    let limits = format!(
        "SET XACT_ABORT ON; SET ROWCOUNT {}; SET LOCK_TIMEOUT {}; BEGIN TRANSACTION",
        asked.one_more(),
        asked.millis()
    );
    plain(&mut session, &limits).await?;
    let table = read(&mut session, asked).await;
    // If this does not reach the server, the end of the connection does the same.
    drop(plain(&mut session, "SET ROWCOUNT 0; IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION").await);
    table
}

async fn open(address: &str) -> Result<MssqlClient, LiveQueryFailure> {
    let unknown =
        || LiveQueryFailure::Unreachable("an address that is not one of SQL Server".to_owned());
    let mut config = config(address).ok_or_else(unknown)?;
    // One clock is enough, and it is the caller's.
    config.handshake_timeout(None);
    config.command_timeout(None);
    // Two libraries for TLS may be built in; the first caller decides for all.
    drop(rustls::crypto::ring::default_provider().install_default());
    let unreachable =
        |error: &dyn std::error::Error| LiveQueryFailure::Unreachable(quote(&error.to_string()));
    let socket =
        TcpStream::connect(config.get_addr()).await.map_err(|error| unreachable(&error))?;
    socket.set_nodelay(true).map_err(|error| unreachable(&error))?;
    let session = Client::connect(config, socket.compat_write()).await;
    session.map_err(|error| LiveQueryFailure::Unreachable(quote(&said(&error))))
}

/// `sqlserver://user:password@host:1433/database?encrypt=strict&trustServerCertificate=true`.
fn config(address: &str) -> Option<Config> {
    let url = Url::parse(address).ok()?;
    let mut config = Config::new();
    config.host(url.host_str()?);
    config.port(url.port().unwrap_or(1433));
    config.database(unescaped(url.path().trim_start_matches('/')));
    config.application_name("dalil");
    // `ApplicationIntent=ReadOnly`: an availability group then routes to a readable replica.
    config.readonly(true);
    config.encryption(EncryptionLevel::Required);
    let password = unescaped(url.password().unwrap_or(""));
    config.authentication(AuthMethod::sql_server(unescaped(url.username()), password));
    for (name, value) in url.query_pairs() {
        match (name.as_ref(), value.as_ref()) {
            ("encrypt", "true") => config.encryption(EncryptionLevel::Required),
            ("encrypt", "false") => config.encryption(EncryptionLevel::NotSupported),
            ("trustServerCertificate", "true") => config.trust_cert(),
            ("trustServerCertificate", "false") => {}
            // An option that is silently ignored could be the one that makes the connection safe.
            _ => return None,
        }
    }
    Some(config)
}

async fn can_write(session: &mut MssqlClient) -> Result<bool, LiveQueryFailure> {
    let rows = session.simple_query(CAN_WRITE_SQL).await.map_err(|error| failed(&error))?;
    let row = rows.into_row().await.map_err(|error| failed(&error))?;
    // An answer other than 0 counts as permission to write.
    Ok(row.and_then(|row| row.get::<i32, _>(0)) != Some(0))
}

/// One if the account may change anything, by its roles or by a right to any table, view or procedure.
const CAN_WRITE_SQL: &str = "SELECT CAST(CASE WHEN IS_SRVROLEMEMBER('sysadmin') = 1 \
    OR HAS_PERMS_BY_NAME(NULL, NULL, 'CONTROL SERVER') = 1 \
    OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'INSERT') = 1 \
    OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'UPDATE') = 1 \
    OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'DELETE') = 1 \
    OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'ALTER') = 1 \
    OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'EXECUTE') = 1 \
    OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CREATE TABLE') = 1 \
    OR EXISTS (SELECT 1 FROM sys.objects AS o CROSS APPLY (SELECT \
    QUOTENAME(SCHEMA_NAME(o.schema_id)) + '.' + QUOTENAME(o.name) AS name) AS n \
    WHERE o.is_ms_shipped = 0 AND (\
    HAS_PERMS_BY_NAME(n.name, 'OBJECT', 'INSERT') = 1 \
    OR HAS_PERMS_BY_NAME(n.name, 'OBJECT', 'UPDATE') = 1 \
    OR HAS_PERMS_BY_NAME(n.name, 'OBJECT', 'DELETE') = 1 \
    OR HAS_PERMS_BY_NAME(n.name, 'OBJECT', 'ALTER') = 1 \
    OR (o.type IN ('P', 'PC', 'X') AND HAS_PERMS_BY_NAME(n.name, 'OBJECT', 'EXECUTE') = 1))) \
    THEN 1 ELSE 0 END AS INT) AS can_write";

async fn plain(session: &mut MssqlClient, sql: &str) -> Result<(), LiveQueryFailure> {
    let answer = session.simple_query(sql).await.map_err(|error| failed(&error))?;
    answer.into_results().await.map(|_| ()).map_err(|error| failed(&error))
}

async fn read(
    session: &mut MssqlClient,
    asked: &EngineQuery<'_>,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let mut query = Query::new(asked.text);
    for param in &asked.query.params {
        match param {
            Json::Bool(value) => query.bind(*value),
            Json::Number(value) => match integer(*value) {
                Some(whole) => query.bind(whole),
                None => query.bind(*value),
            },
            Json::Text(text) => query.bind(text.to_string()),
            Json::Null | Json::List(_) | Json::Object(_) => query.bind(None::<String>),
        }
    }
    let mut columns: Option<Vec<ResultColumn>> = None;
    let mut gathered = RowCollector::new(asked);
    let mut answer = query.query(session).await.map_err(|error| failed(&error))?;
    while let Some(item) = answer.try_next().await.map_err(|error| failed(&error))? {
        match item {
            // The protocol takes several statements; a second result is the sign of a second one.
            QueryItem::Metadata(_) if columns.is_some() => {
                return Err(LiveQueryFailure::Refused("more than one".to_owned()));
            }
            QueryItem::Metadata(head) => {
                columns = Some(head.columns().iter().map(column).collect())
            }
            QueryItem::Row(row) => {
                if !gathered.take(row.cells().map(|(_, data)| cell(data)).collect()) {
                    break;
                }
            }
        }
    }
    match columns {
        Some(columns) => Ok(gathered.table(SqlEngine::SqlServer, columns)),
        None => Err(LiveQueryFailure::Refused("one that gives no rows".to_owned())),
    }
}

fn column(column: &tiberius::Column) -> ResultColumn {
    let kind = format!("{:?}", column.column_type()).to_lowercase();
    ResultColumn { name: column.name().to_owned(), kind }
}

fn failed(error: &Error) -> LiveQueryFailure {
    match error {
        Error::Server(token) if DENIED_ERRORS.contains(&token.code()) => {
            LiveQueryFailure::Refused(quote(&said(error)))
        }
        _ => LiveQueryFailure::Failed(quote(&said(error))),
    }
}

fn said(error: &Error) -> String {
    match error {
        Error::Server(token) => token.message().to_owned(),
        other => other.to_string(),
    }
}

/// No right to the object, to the database, to create a table; a database that is read-only.
const DENIED_ERRORS: [u32; 5] = [229, 230, 262, 297, 3906];
