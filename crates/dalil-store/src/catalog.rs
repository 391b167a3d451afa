//! The catalog: one schema on SQLite or PostgreSQL, one writer, some readers.
//!
//! Nothing in it is trusted. A connection that breaks is made again; the caller
//! has to find out whether its transaction was committed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::any::{AnyArguments, AnyConnectOptions, AnyRow};
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions as _, Connection as _};
use tokio::sync::Mutex;

pub use bind::RowBinder;
use bind::bind;
pub use column::{CellRefusal, ColumnDef, ColumnScalar, ColumnType, ColumnValue};
pub use commitment::committed;
pub(crate) use engine::DatabaseEngine;
use fault::RECONNECT_PAUSES_MS;
pub(crate) use fault::{CatalogFailure, failed, is_away, is_conflict, is_lost};
pub(crate) use insert::{NewEvidenceRow, STATEMENT_BATCH_SIZES, insert, insert_evidence};
pub use query::TableQuery;
pub(crate) use row::read_cell;
pub use row::{CellFault, IndexedRow, TypedRow};
pub(crate) use select::{LEADING_COLUMNS, place, select_from};
pub(crate) use table::typed_row;
pub use table::{
    ApiKeyRow, ArtifactRow, BundleItemRow, BundleRow, ChunkRow, ClaimRow, DecisionRow, DocumentRow,
    ErasedPackRow, ErasureRow, EvidenceRow, EvidenceTable, EvidenceTableRow, ExportRow, HoldRow,
    JobRow, KeyRedatingRow, KeyRow, LedgerRow, MatterRow, MemberRow, ObligationRow,
    PackApprovalRow, PackRow, RunBundleRow, RunRow, SessionRow, TenantRow, ToolCallRow, VerdictRow,
};
pub(crate) use trail_table::{
    CheckpointLine, CheckpointLinkLine, CosignatureLine, EnvelopeLine, ErasedByLine, LineageLine,
    PayloadLine, PlaceLine, RecordLine, RequestLine, SealedKeyLine, SecretLine, TileLine,
    TimestampLine,
};
pub use value::SqlValue;

mod bind;
mod column;
mod commitment;
mod engine;
mod fault;
mod insert;
mod query;
mod row;
mod select;
mod table;
#[cfg(test)]
mod tests;
mod trail_table;
mod value;

/// The database of one store.
pub(crate) struct Catalog {
    /// Which database it is.
    pub(crate) engine: DatabaseEngine,
    /// The store's name for messages, without a password.
    pub(crate) label: String,
    /// Whether this process is the only writer, so that cached reads stay valid.
    pub(crate) is_ours: bool,
    options: AnyConnectOptions,
    readers: Vec<Mutex<Option<AnyConnection>>>,
    next: AtomicUsize,
}

impl Catalog {
    /// A catalog that no connection has been made to.
    pub(crate) fn new(
        engine: DatabaseEngine,
        url: &str,
        label: String,
        is_ours: bool,
    ) -> Result<Self, CatalogFailure> {
        sqlx::any::install_default_drivers();
        let options: AnyConnectOptions = url.parse()?;
        let options = options.disable_statement_logging();
        let readers = (0..MAX_READER_CONNECTIONS).map(|_| Mutex::new(None)).collect();
        Ok(Self { engine, label, is_ours, options, readers, next: AtomicUsize::new(0) })
    }

    /// Makes a connection that writes, durably.
    pub(crate) async fn writer(&self) -> Result<AnyConnection, sqlx::Error> {
        self.patiently(self.writing()).await
    }

    /// As [`Catalog::writer`], for a caller with a patience of its own.
    pub(crate) async fn writer_at_once(&self) -> Result<AnyConnection, sqlx::Error> {
        self.connect(self.writing()).await
    }

    const fn writing(&self) -> &'static str {
        match self.engine {
            DatabaseEngine::Sqlite => SQLITE_WRITER,
            DatabaseEngine::Postgres => POSTGRES_WRITER,
        }
    }

    /// Makes a connection of one's own that only reads, and sees one moment of the catalog.
    pub(crate) async fn snapshot(&self) -> Result<AnyConnection, sqlx::Error> {
        let (settings, begin) = match self.engine {
            DatabaseEngine::Sqlite => (SQLITE_READER, "BEGIN"),
            DatabaseEngine::Postgres => {
                // `READ COMMITTED` would show each statement another moment.
                (POSTGRES_READER, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            }
        };
        let mut connection = self.patiently(settings).await?;
        run(&mut connection, begin).await?;
        Ok(connection)
    }

    /// Connects to a server that is there, or comes back within ten seconds.
    async fn patiently(&self, settings: &'static str) -> Result<AnyConnection, sqlx::Error> {
        let mut pauses = RECONNECT_PAUSES_MS.iter();
        loop {
            match (self.connect(settings).await, pauses.next()) {
                // Only an absent server is waited for; other errors would come again.
                (Err(error), Some(pause)) if is_away(&error) => {
                    tokio::time::sleep(Duration::from_millis(*pause)).await;
                }
                (result, _) => return result,
            }
        }
    }

    async fn connect(&self, settings: &'static str) -> Result<AnyConnection, sqlx::Error> {
        let mut connection = self.options.connect().await?;
        sqlx::raw_sql(settings).execute(&mut connection).await?;
        Ok(connection)
    }

    /// Reads rows. A reader that was lost is made again, some times.
    pub(crate) async fn fetch(
        &self,
        sql: &str,
        arguments: &[SqlValue<'_>],
    ) -> Result<Vec<AnyRow>, sqlx::Error> {
        // Any free reader will do; if none is free, wait in the line of the next.
        let free = self.readers.iter().find_map(|reader| reader.try_lock().ok());
        let mut reader = match free {
            Some(reader) => reader,
            None => {
                let next = self.next.fetch_add(1, Ordering::Relaxed) % MAX_READER_CONNECTIONS;
                let line = self.readers.get(next).ok_or(sqlx::Error::PoolClosed)?;
                line.lock().await
            }
        };
        let mut tries = 1;
        loop {
            let was_open = reader.is_some();
            match self.fetch_by(&mut reader, sql, arguments).await {
                // A server that stops may let a connection in and lose it once more.
                Err(error) if was_open && is_lost(&error) && tries < MAX_CONNECTION_TRIES => {
                    *reader = None;
                    tries += 1;
                }
                result => return result,
            }
        }
    }

    async fn fetch_by(
        &self,
        reader: &mut Option<AnyConnection>,
        sql: &str,
        arguments: &[SqlValue<'_>],
    ) -> Result<Vec<AnyRow>, sqlx::Error> {
        let connection = match reader {
            Some(connection) => connection,
            None => reader.insert(
                self.patiently(match self.engine {
                    DatabaseEngine::Sqlite => SQLITE_READER,
                    DatabaseEngine::Postgres => POSTGRES_READER,
                })
                .await?,
            ),
        };
        fetch(connection, sql, arguments).await
    }

    /// Closes the readers.
    pub(crate) async fn close(&self) -> Result<(), sqlx::Error> {
        for reader in &self.readers {
            let open = reader.lock().await.take();
            if let Some(connection) = open {
                connection.close().await?;
            }
        }
        Ok(())
    }
}

/// Where rows are read: by a reader, or inside the writer's transaction.
pub(crate) enum RowSource<'s> {
    /// The committed state.
    Readers(&'s Catalog),
    /// The state that the transaction sees.
    Writer(&'s mut AnyConnection),
}

impl RowSource<'_> {
    /// Reads rows.
    pub(crate) async fn fetch(
        &mut self,
        sql: &str,
        arguments: &[SqlValue<'_>],
    ) -> Result<Vec<AnyRow>, sqlx::Error> {
        match self {
            Self::Readers(catalog) => catalog.fetch(sql, arguments).await,
            Self::Writer(connection) => fetch(connection, sql, arguments).await,
        }
    }

    /// Reads rows of which the statement gives every column, in order.
    pub(crate) async fn fetch_as<R: TypedRow>(
        &mut self,
        sql: &str,
        arguments: &[SqlValue<'_>],
    ) -> Result<Vec<R>, CatalogFailure> {
        read_rows(&self.fetch(sql, arguments).await?)
    }

    /// Reads one column of a table.
    pub(crate) async fn fetch_column<T: ColumnValue>(
        &mut self,
        column: (&'static str, &'static str),
        sql: &str,
        arguments: &[SqlValue<'_>],
    ) -> Result<Vec<T>, CatalogFailure> {
        let rows = self.fetch(sql, arguments).await?;
        let cells = rows.iter().map(|row| read_cell(row, &mut 0, column));
        Ok(cells.collect::<Result<_, _>>()?)
    }
}

/// Reads rows of which the statement gave every column, in order.
pub(crate) fn read_rows<R: TypedRow>(rows: &[AnyRow]) -> Result<Vec<R>, CatalogFailure> {
    Ok(rows.iter().map(|row| R::read(row, 0)).collect::<Result<_, _>>()?)
}

/// The columns of a row, as a statement lists them.
pub(crate) fn columns<R: TypedRow>() -> String {
    R::COLUMNS.join(", ")
}

/// Reads rows over one connection. The text is one of ours; values are bound.
pub(crate) async fn fetch(
    connection: &mut AnyConnection,
    sql: &str,
    arguments: &[SqlValue<'_>],
) -> Result<Vec<AnyRow>, sqlx::Error> {
    let mut bound = AnyArguments::default();
    for value in arguments {
        // No statement that comes here binds a null, so its type does not matter.
        bind(&mut bound, value.clone(), ColumnType::Text)?;
    }
    sqlx::query_with(AssertSqlSafe(sql), bound).fetch_all(connection).await
}

/// Runs statements that bind nothing and give nothing.
pub(crate) async fn run(connection: &mut AnyConnection, sql: &str) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.map(|_| ())
}

/// How many connections read at once.
const MAX_READER_CONNECTIONS: usize = 4;
/// How often a lost connection is made again before the loss is reported.
pub(crate) const MAX_CONNECTION_TRIES: usize = 3;

/// A checkpoint of the log at 32 MB instead of 4 keeps its extra syncs rare.
const SQLITE_WRITER: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
     PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -32000; PRAGMA foreign_keys = OFF; \
     PRAGMA secure_delete = ON;";
const SQLITE_READER: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -8000;";
/// Every statement has its index; a table must not be scanned because its statistics are old.
const POSTGRES_WRITER: &str = "SET synchronous_commit = on; SET enable_seqscan = off; \
     SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off; \
     SET plan_cache_mode = force_generic_plan;";
const POSTGRES_READER: &str = "SET default_transaction_read_only = on; SET enable_seqscan = off; \
     SET jit = off; SET plan_cache_mode = force_generic_plan;";
