//! A connection to a database of corpora, and the meaning of its errors.

use std::str::FromStr as _;
use std::time::Duration;

use dalil_judge::index::analysis_digest;
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Row as _};
use tokio::time::timeout;

use super::tables::LAYOUT_VERSION;
use super::{CorpusAddress, DatabaseCorpusFailure};
use crate::corpus::READERS_VERSION;

/// Enters a database that has the extension; the server breaks off a statement that takes longer.
pub(super) async fn connect(
    address: &CorpusAddress,
    statement: Duration,
) -> Result<PgConnection, DatabaseCorpusFailure> {
    let unreachable = |error: sqlx::Error| DatabaseCorpusFailure::Unreachable(said(&error));
    let options = PgConnectOptions::from_str(address.database.address()).map_err(unreachable)?;
    let options = options.application_name("dalil").disable_statement_logging();
    let entered = timeout(MAX_CONNECT_TIME, options.connect()).await;
    let mut connection = entered
        .map_err(|_| DatabaseCorpusFailure::TimedOut(MAX_CONNECT_TIME))?
        .map_err(unreachable)?;
    let settings = sqlx::query(
        "SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false)",
    );
    let settings = settings.bind(millis(statement)).bind(millis(MAX_LOCK_TIME));
    within(MAX_STATEMENT_TIME, settings.execute(&mut connection)).await?;
    within(MAX_STATEMENT_TIME, find_extension(&mut connection)).await?;
    Ok(connection)
}

fn millis(time: Duration) -> String {
    time.as_millis().to_string()
}

/// Waits at most `time` for the server. The limit that a reader sent to it is shorter, so that the
/// server stops first; this one is for writers, and for a server that no longer answers.
pub(super) async fn within<T, E: Into<DatabaseCorpusFailure>>(
    time: Duration,
    reply: impl Future<Output = Result<T, E>>,
) -> Result<T, DatabaseCorpusFailure> {
    match timeout(time + MAX_SERVER_OVERRUN, reply).await {
        Ok(reply) => reply.map_err(Into::into),
        Err(_) => Err(DatabaseCorpusFailure::TimedOut(time)),
    }
}

/// Looks for names in the schema of the extension and nowhere else.
async fn find_extension(connection: &mut PgConnection) -> Result<(), DatabaseCorpusFailure> {
    let found = sqlx::query(EXTENSION_SQL).fetch_optional(&mut *connection).await?;
    let Some(found) = found else {
        return Err(DatabaseCorpusFailure::NoExtension("none".to_owned()));
    };
    if !found.try_get::<bool, _>(1)? {
        let version: String = found.try_get(2)?;
        return Err(DatabaseCorpusFailure::NoExtension(format!("version {}", quote(&version))));
    }
    let schema: String = found.try_get(0)?;
    let path = "SELECT set_config('search_path', 'pg_catalog, ' || quote_ident($1), false)";
    sqlx::query(path).bind(schema).execute(connection).await?;
    Ok(())
}

const EXTENSION_SQL: &str = "SELECT n.nspname::text, \
    to_regtype(quote_ident(n.nspname) || '.halfvec') IS NOT NULL, e.extversion::text \
    FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace \
    WHERE e.extname = 'vector'";

/// Refuses tables of another version; returns whether there are any.
pub(super) async fn has_tables(
    connection: &mut PgConnection,
) -> Result<bool, DatabaseCorpusFailure> {
    let there = "SELECT to_regclass('dalil_corpora.layout') IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(there).fetch_one(&mut *connection).await? {
        return Ok(false);
    }
    let version = sqlx::query_scalar("SELECT version FROM dalil_corpora.layout LIMIT 2");
    let versions: Vec<i32> = version.fetch_all(connection).await?;
    match versions.as_slice() {
        [LAYOUT_VERSION] => Ok(true),
        [other] => Err(DatabaseCorpusFailure::OtherTables(format!("version {other}"))),
        _ => Err(DatabaseCorpusFailure::OtherTables("no version".to_owned())),
    }
}

/// What names the rules by which this version reads, splits and ranks.
pub(super) fn analysis() -> Digest {
    let ranking = analysis_digest();
    Digest::of_parts([READERS_VERSION.as_bytes(), b"/", ranking.as_bytes()])
}

impl DatabaseCorpusFailure {
    /// Removes the password from the failure, if the database repeated it.
    pub(super) fn hide(self, address: &CorpusAddress) -> Self {
        let hide = |said: String| address.database.hide(said);
        match self {
            Self::Unreachable(said) => Self::Unreachable(hide(said)),
            Self::OtherTables(said) => Self::OtherTables(hide(said)),
            Self::Canceled(said) => Self::Canceled(hide(said)),
            Self::Failed(said) => Self::Failed(hide(said)),
            // Words of ours, numbers, and names that are no part of a password.
            other @ (Self::NoExtension(_)
            | Self::NoCorpus { .. }
            | Self::OtherAnalysis(_)
            | Self::Damaged(_)
            | Self::ChunkSet(_)
            | Self::LongListing { .. }
            | Self::TooMuch { .. }
            | Self::TimedOut(_)
            | Self::Locked(_)
            | Self::Corpus(_)
            | Self::Runtime(_)) => other,
        }
    }
}

impl From<sqlx::Error> for DatabaseCorpusFailure {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            Some(SQLSTATE_QUERY_CANCELED) => Self::Canceled(said(&error)),
            Some(SQLSTATE_LOCK_NOT_AVAILABLE) => Self::Locked(MAX_LOCK_TIME),
            // Undefined and mismatched tables, columns, types and functions: they were changed.
            Some("42P01" | "42703" | "42704" | "42883" | "42804" | "3F000") => {
                Self::OtherTables(said(&error))
            }
            _ => match error {
                sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnIndexOutOfBounds { .. } => {
                    Self::OtherTables(said(&error))
                }
                error => Self::Failed(said(&error)),
            },
        }
    }
}

/// The failure for a table that does not hold what was written there.
pub(super) fn damaged(what: &str) -> DatabaseCorpusFailure {
    DatabaseCorpusFailure::Damaged(quote(what))
}

/// The digest that these bytes are.
pub(super) fn digest(bytes: &[u8]) -> Option<Digest> {
    bytes.try_into().ok().map(Digest::from_bytes)
}

fn said(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => quote(error.message()),
        other => quote(&other.to_string()),
    }
}

/// The first number of the advisory locks on corpora: `dali`. The second is that of the corpus.
pub(super) const LOCK_CLASS: i32 = 0x6461_6c69;
/// The lock under which the shared tables are made.
pub(super) const SHARED_LOCK: i32 = 0;
/// A check asks in milliseconds; a server that takes longer is not well.
pub(super) const MAX_STATEMENT_TIME: Duration = Duration::from_secs(30);
/// Writing the rows of one batch of files, or committing those of all.
pub(super) const MAX_COPY_TIME: Duration = Duration::from_secs(600);
/// The indexes of a corpus are made in one statement, which grows with it: a limit against a server
/// that hangs, not against a large corpus.
pub(super) const MAX_INDEXING_TIME: Duration = Duration::from_secs(24 * 3600);
const MAX_CONNECT_TIME: Duration = Duration::from_secs(10);
const MAX_LOCK_TIME: Duration = Duration::from_secs(10);
const MAX_SERVER_OVERRUN: Duration = Duration::from_secs(1);
const SQLSTATE_QUERY_CANCELED: &str = "57014";
const SQLSTATE_LOCK_NOT_AVAILABLE: &str = "55P03";
