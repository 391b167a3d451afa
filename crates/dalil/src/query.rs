//! Live queries: the whole result of a database is stored before a bundle shows a part of it.
//!
//! ```text
//! LiveQuery ─▶ Connection by name ─▶ one read-only statement ─▶ Table ─▶ artifact ─▶ lake
//! ```
//!
//! The database ensures that nothing is written; we do not guess from the text of the query. The
//! module of each engine explains how: `sqlite`, `postgres`, `mysql`, `mssql`.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use dalil_evidence::bundle::{LiveQuery, UnansweredQuery};
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::fault::{Fault, Refused};
use serde::Serialize;
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use url::Url;

use self::cell::ResultColumn;
pub use self::cell::SqlCell;

mod cell;
#[cfg(feature = "live-mssql")]
mod mssql;
mod mysql;
mod postgres;
mod sqlite;

#[cfg(test)]
mod tests;

/// Connections by their names.
pub type NamedDatabases = BTreeMap<String, DatabaseAddress>;

/// The address of a database, with everything that is needed to enter it.
#[derive(Clone)]
pub struct DatabaseAddress {
    engine: SqlEngine,
    address: String,
    /// Passwords as they were written and as they are, the longest first.
    secrets: Vec<String>,
}

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SqlEngine {
    /// SQLite, by `sqlite:FILE`.
    Sqlite,
    /// PostgreSQL, by `postgres://…`.
    Postgres,
    /// MySQL or MariaDB, by `mysql://…` or `mariadb://…`.
    Mysql,
    /// SQL Server, by `sqlserver://…`.
    SqlServer,
}

/// Text that is not the address of a database. It may hold a password, so it is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}, found something else", DatabaseAddress::EXPECTED)]
pub struct NoAddress;

impl DatabaseAddress {
    /// The form of an address, for messages.
    pub const EXPECTED: &'static str =
        "`sqlite:FILE`, `postgres://…`, `mysql://…`, `mariadb://…` or `sqlserver://…`";

    /// Reads an address.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(address: &str) -> Result<Self, NoAddress> {
        let (scheme, rest) = address.split_once(':').ok_or(NoAddress)?;
        let engine = match scheme {
            // A path of a file, not a URL: `sqlite:a?b` is a file named `a?b`. The path is shown, so
            // the address of a server is none.
            "sqlite" if !rest.is_empty() && !rest.contains("://") => {
                return Ok(Self {
                    engine: SqlEngine::Sqlite,
                    address: rest.to_owned(),
                    secrets: Vec::new(),
                });
            }
            "postgres" | "postgresql" => SqlEngine::Postgres,
            "mysql" | "mariadb" => SqlEngine::Mysql,
            "sqlserver" | "mssql" => SqlEngine::SqlServer,
            _ => return Err(NoAddress),
        };
        let url = Url::parse(address).map_err(|_| NoAddress)?;
        // Drivers also take a socket in the query part (`?host=/run/…`), and no host then.
        if url.host_str().is_none_or(str::is_empty) && url.query().is_none() {
            return Err(NoAddress);
        }
        Ok(Self { engine, address: address.to_owned(), secrets: secrets(&url) })
    }

    /// The address itself, for a driver only.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// A message of a database or its driver, without passwords.
    pub(crate) fn hide(&self, said: String) -> String {
        self.secrets.iter().fold(said, |said, secret| said.replace(secret, "***"))
    }
}

/// Everything in an address that may be a password. Drivers also take one as a parameter, and
/// speak of it as it was written or as it is.
fn secrets(url: &Url) -> Vec<String> {
    let written = url.query().unwrap_or("").split('&').filter_map(|pair| pair.split_once('='));
    let secret = |key: &str| {
        let key = key.to_ascii_lowercase();
        ["pass", "pwd", "secret", "token"].iter().any(|word| key.contains(word))
    };
    let parameters = written.filter(|(key, _)| secret(key)).map(|(_, value)| value);
    let mut secrets: Vec<String> = Vec::new();
    for written in url.password().into_iter().chain(parameters) {
        secrets.extend([written.to_owned(), cell::unescaped(written)]);
    }
    secrets.retain(|secret| !secret.is_empty());
    secrets.sort_by(|one, two| two.len().cmp(&one.len()).then_with(|| one.cmp(two)));
    secrets.dedup();
    secrets
}

/// Without the address: it may hold a password.
impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("engine", &self.engine).finish_non_exhaustive()
    }
}

/// The limits of a query.
#[derive(Clone, Copy, Debug)]
pub struct LiveQueryLimits {
    /// How long, connecting included.
    pub time: Duration,
    /// How many bytes the cells of its rows may have together.
    pub bytes: usize,
}

impl LiveQueryLimits {
    /// The usual limit of bytes, with a limit of time.
    pub fn within(time: Duration) -> Self {
        Self { time, bytes: 64 << 20 }
    }
}

/// Why a query has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LiveQueryFailure {
    /// There was no way in.
    #[error("expected to enter the database, found {0}")]
    Unreachable(String),
    /// This program was built without the driver of that engine.
    #[error("expected a program with the driver for {0}, found one that was built without it")]
    NoDriver(&'static str),
    /// The account could write, and nothing else would prevent it.
    #[error("expected an account that can only read, found {0}")]
    Account(&'static str),
    /// The statement is not one that only reads.
    #[error("expected one statement that only reads, found {0}")]
    Refused(String),
    /// The database could not make sense of it, or broke off.
    #[error("expected the query to run, found {0}")]
    Failed(String),
    /// It took too long and was broken off.
    #[error("expected a result within {} ms, found none", .0.as_millis())]
    TimedOut(Duration),
}

impl LiveQueryFailure {
    /// The kind of problem: a short, stable name.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::NoDriver(_) => "no_driver",
            Self::Account(_) => "account",
            Self::Refused(_) => "refused",
            Self::Failed(_) => "failed",
            Self::TimedOut(_) => "timed_out",
        }
    }

    /// The next step.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "look at the address, the account and the server",
            Self::NoDriver(_) => "build it with `--features live-mssql`",
            Self::Account(_) => "give the connection an account with the right to read alone",
            Self::Refused(_) => "ask with one `SELECT`, `VALUES` or `WITH … SELECT`",
            Self::Failed(_) => "try the query in the database's own client",
            Self::TimedOut(_) => "narrow the query, or give it more time",
        }
    }

    fn hidden(self, connection: &DatabaseAddress) -> Self {
        match self {
            Self::Unreachable(said) => Self::Unreachable(connection.hide(said)),
            Self::Refused(said) => Self::Refused(connection.hide(said)),
            Self::Failed(said) => Self::Failed(connection.hide(said)),
            other @ (Self::NoDriver(_) | Self::Account(_) | Self::TimedOut(_)) => other,
        }
    }
}

impl From<LiveQueryFailure> for UnansweredQuery {
    fn from(failure: LiveQueryFailure) -> Self {
        let message = format!("{failure}; {}", failure.hint());
        Self { reason: failure.reason(), message }
    }
}

/// The result of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveResultSet {
    engine: SqlEngine,
    columns: Vec<ResultColumn>,
    rows: Vec<Vec<SqlCell>>,
    more: bool,
}

impl LiveResultSet {
    /// The rows, each with a cell for every column.
    pub fn rows(&self) -> &[Vec<SqlCell>] {
        &self.rows
    }

    /// Whether the query gave more rows than were kept.
    pub fn more(&self) -> bool {
        self.more
    }

    /// The SQL artifact that the lake keeps: equal results have equal bytes.
    ///
    /// # Errors
    /// None in practice: every part of it has a form in JSON.
    pub fn artifact(&self, query: &LiveQuery) -> serde_json::Result<String> {
        serde_json::to_string(&LiveResultArtifact {
            columns: self.columns.iter().map(|column| column.name.as_str()).collect(),
            engine: self.engine,
            more: self.more,
            params: &query.params,
            query: &query.query,
            row_count: self.rows.len(),
            rows: &self.rows,
            types: self.columns.iter().map(|column| column.kind.as_str()).collect(),
        })
    }
}

/// The fields are in the order of their names.
#[derive(Serialize)]
struct LiveResultArtifact<'t> {
    columns: Vec<&'t str>,
    engine: SqlEngine,
    more: bool,
    params: &'t [dalil_proof::json::Json<'static>],
    query: &'t str,
    row_count: usize,
    rows: &'t [Vec<SqlCell>],
    types: Vec<&'t str>,
}

/// Makes sure that every query has its connection.
///
/// # Errors
/// Every query that names another one.
pub fn connected(queries: &[LiveQuery], connections: &NamedDatabases) -> Result<(), Refused> {
    let unknown = queries
        .iter()
        .enumerate()
        .filter(|(_, query)| !connections.contains_key(&query.connection));
    let fault = |(n, query): (usize, &LiveQuery)| {
        let path = format!("{}.connection", LiveQuery::path(n));
        let found = found::value(&query.connection);
        Fault::new("connection", path, precondition::a_connection_that_was_set_up(), found)
            .hint(hint::give_the_connection(query.connection.to_uppercase(), &query.connection))
    };
    let refused: Vec<Fault> = unknown.map(fault).collect();
    if refused.is_empty() { Ok(()) } else { Err(Refused { refused }) }
}

/// Runs queries one after the other, and waits for them.
///
/// # Errors
/// The system gives no means to wait on a network.
pub fn run_all(
    queries: &[LiveQuery],
    connections: &NamedDatabases,
    limits: LiveQueryLimits,
) -> std::io::Result<Vec<Result<LiveResultSet, LiveQueryFailure>>> {
    let runtime: Runtime = Builder::new_current_thread().enable_all().build()?;
    let answer = |query: &LiveQuery| match connections.get(&query.connection) {
        Some(connection) => runtime.block_on(run(connection, query, limits)),
        // `connected` has refused unknown names before, for every query at once.
        None => Err(LiveQueryFailure::Unreachable("no connection of that name".to_owned())),
    };
    let answers = queries.iter().map(answer).collect();
    // A cancelled query may still hold a thread; no caller waits for it.
    runtime.shutdown_background();
    Ok(answers)
}

/// Runs a query. Dropping the future cancels it.
///
/// # Errors
/// Why there is no result, with the message of the database and without the password.
pub async fn run(
    connection: &DatabaseAddress,
    query: &LiveQuery,
    limits: LiveQueryLimits,
) -> Result<LiveResultSet, LiveQueryFailure> {
    let address = &connection.address;
    let asked = EngineQuery { query, text: bare(&query.query), limits };
    let answer = async {
        match connection.engine {
            SqlEngine::Sqlite => sqlite::run(address, &asked).await,
            SqlEngine::Postgres => postgres::run(address, &asked).await,
            SqlEngine::Mysql => mysql::run(address, &asked).await,
            #[cfg(feature = "live-mssql")]
            SqlEngine::SqlServer => mssql::run(address, &asked).await,
            #[cfg(not(feature = "live-mssql"))]
            SqlEngine::SqlServer => Err(LiveQueryFailure::NoDriver("SQL Server")),
        }
    };
    // The server's own limit comes first, so that it is the one who stops.
    let answer = timeout(limits.time + MAX_SERVER_OVERRUN, answer).await;
    answer
        .unwrap_or(Err(LiveQueryFailure::TimedOut(limits.time)))
        .map_err(|failure| failure.hidden(connection))
}

/// A query as an engine takes it.
struct EngineQuery<'q> {
    query: &'q LiveQuery,
    /// Its text, without the semicolon at its end.
    text: &'q str,
    limits: LiveQueryLimits,
}

impl EngineQuery<'_> {
    /// One row more than are kept, to know whether there are more.
    fn one_more(&self) -> usize {
        self.query.max_rows.saturating_add(1)
    }

    fn millis(&self) -> i64 {
        i64::try_from(self.limits.time.as_millis()).unwrap_or(i64::MAX).max(1)
    }
}

/// Rows as they come, until a limit.
struct RowCollector {
    rows: Vec<Vec<SqlCell>>,
    more: bool,
    bytes: usize,
    most_rows: usize,
    most_bytes: usize,
}

impl RowCollector {
    fn new(asked: &EngineQuery<'_>) -> Self {
        let (most_rows, most_bytes) = (asked.query.max_rows, asked.limits.bytes);
        Self { rows: Vec::new(), more: false, bytes: 0, most_rows, most_bytes }
    }

    /// Takes a row, if it is within the limits; returns whether to continue.
    fn take(&mut self, row: Vec<SqlCell>) -> bool {
        // The row counts before it is kept, or one huge row could pass as the last. A row that is
        // not kept still proves that there are more.
        self.bytes = self.bytes.saturating_add(row.iter().map(SqlCell::size).sum());
        self.more = self.rows.len() >= self.most_rows || self.bytes > self.most_bytes;
        if !self.more {
            self.rows.push(row);
        }
        !self.more
    }

    fn table(self, engine: SqlEngine, columns: Vec<ResultColumn>) -> LiveResultSet {
        LiveResultSet { engine, columns, rows: self.rows, more: self.more }
    }
}

fn bare(query: &str) -> &str {
    // A semicolon at the end is no second statement, but would break the query inside `EXISTS (…)`.
    query.trim_end_matches(|ch: char| ch.is_whitespace() || ch == ';')
}

const MAX_SERVER_OVERRUN: Duration = Duration::from_millis(1000);
