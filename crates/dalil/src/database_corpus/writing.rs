//! Writing a corpus: everything in one transaction, then the tables of the one before go.

use std::path::PathBuf;

use dalil_judge::index::{DocumentName, DocumentOutline, IndexSegment, PostingWriter};
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use tokio::runtime::Runtime;

use super::copy::{CopyCell, CopyRows};
use super::session::{
    self, LOCK_CLASS, MAX_COPY_TIME, MAX_INDEXING_TIME, MAX_STATEMENT_TIME, SHARED_LOCK, within,
};
use super::tables::{self, CorpusTables};
use super::{CorpusAddress, DatabaseCorpusFailure, IndexedTotals, UndroppedCorpus};
use crate::corpus::{
    self, CorpusCache, CorpusDocument, CorpusFailure, CorpusFileResult, CorpusProgress, OpenedFile,
    READERS_VERSION, UnreadCorpusFile, digests, encoded,
};
use crate::sandbox::SandboxReader;

pub(super) fn index(
    runtime: &Runtime,
    paths: &[PathBuf],
    address: &CorpusAddress,
    reading: (&SandboxReader, &CorpusCache),
    progress: &dyn Fn(CorpusProgress),
) -> Result<IndexedTotals, DatabaseCorpusFailure> {
    let mut connection = runtime.block_on(session::connect(address, MAX_INDEXING_TIME))?;
    runtime.block_on(within(MAX_STATEMENT_TIME, create_shared(&mut connection)))?;
    // One transaction: a process that is killed on the way leaves nothing, and readers see the old
    // corpus until the new one is whole.
    let tables = runtime.block_on(within(MAX_STATEMENT_TIME, begin(&mut connection)))?;
    let mut writer = CorpusWriter::to(tables);
    corpus::open_in_batches(paths, reading, progress, &mut |files| {
        runtime.block_on(writer.add(&mut connection, files))
    })?;
    if writer.totals.chunks == 0 {
        return Err(CorpusFailure::Unread(corpus::quoted(paths)).into());
    }
    runtime.block_on(async {
        let indexes = sqlx::raw_sql(AssertSqlSafe(tables.create_indexes()));
        within(MAX_INDEXING_TIME, indexes.execute(&mut connection)).await?;
        let replaced = replace(&mut connection, address, Some(tables));
        within(MAX_STATEMENT_TIME, replaced).await?;
        within(MAX_COPY_TIME, connection.execute("COMMIT")).await
    })?;
    let undropped = runtime.block_on(drop_retired(&mut connection, address));
    Ok(IndexedTotals { undropped, ..writer.totals })
}

pub(super) async fn remove(
    address: &CorpusAddress,
) -> Result<Vec<UndroppedCorpus>, DatabaseCorpusFailure> {
    let mut connection = session::connect(address, MAX_STATEMENT_TIME).await?;
    if !within(MAX_STATEMENT_TIME, session::has_tables(&mut connection)).await? {
        return Err(address.unknown());
    }
    within(MAX_STATEMENT_TIME, connection.execute("BEGIN")).await?;
    if !within(MAX_STATEMENT_TIME, replace(&mut connection, address, None)).await? {
        return Err(address.unknown());
    }
    within(MAX_STATEMENT_TIME, connection.execute("COMMIT")).await?;
    Ok(drop_retired(&mut connection, address).await)
}

impl CorpusAddress {
    /// That there is no such corpus.
    pub(super) fn unknown(&self) -> DatabaseCorpusFailure {
        DatabaseCorpusFailure::NoCorpus { tenant: quote(&self.tenant), name: quote(&self.name) }
    }
}

async fn create_shared(connection: &mut PgConnection) -> Result<(), DatabaseCorpusFailure> {
    if session::has_tables(connection).await? {
        return Ok(());
    }
    let mut transaction = connection.begin().await?;
    // `IF NOT EXISTS` alone does not hold against two who make the same at once.
    lock(&mut transaction, SHARED_LOCK).await?;
    sqlx::raw_sql(AssertSqlSafe(tables::create_shared())).execute(&mut *transaction).await?;
    Ok(transaction.commit().await?)
}

async fn lock(connection: &mut PgConnection, number: i32) -> sqlx::Result<()> {
    let lock = sqlx::query("SELECT pg_advisory_xact_lock($1, $2)");
    lock.bind(LOCK_CLASS).bind(number).execute(connection).await?;
    Ok(())
}

/// Begins a transaction, and makes the tables of a corpus in it.
async fn begin(connection: &mut PgConnection) -> Result<CorpusTables, DatabaseCorpusFailure> {
    (&mut *connection).execute("BEGIN").await?;
    let next = "SELECT nextval(pg_get_serial_sequence('dalil_corpora.corpus', 'corpus'))::integer";
    let tables = CorpusTables(sqlx::query_scalar(next).fetch_one(&mut *connection).await?);
    sqlx::raw_sql(AssertSqlSafe(tables.create())).execute(connection).await?;
    Ok(tables)
}

/// Puts a corpus, or nothing, in the place of the one of this name; returns whether there was one.
async fn replace(
    connection: &mut PgConnection,
    address: &CorpusAddress,
    tables: Option<CorpusTables>,
) -> Result<bool, DatabaseCorpusFailure> {
    let CorpusAddress { database: _, tenant, name } = address;
    // In a statement of its own, so that the next one sees the other writer's commit.
    lock(connection, SHARED_LOCK).await?;
    let gone = sqlx::query(
        "WITH gone AS (DELETE FROM dalil_corpora.corpus WHERE tenant = $1 AND name = $2 \
         RETURNING corpus) INSERT INTO dalil_corpora.retired SELECT corpus FROM gone",
    );
    let gone = gone.bind(tenant).bind(name).execute(&mut *connection).await?;
    if let Some(CorpusTables(number)) = tables {
        let made = sqlx::query(
            "INSERT INTO dalil_corpora.corpus (corpus, tenant, name, program, analysis) \
             VALUES ($1, $2, $3, $4, $5)",
        );
        let made = made.bind(number).bind(tenant).bind(name).bind(READERS_VERSION);
        made.bind(session::analysis().as_bytes().as_slice()).execute(connection).await?;
    }
    Ok(gone.rows_affected() > 0)
}

/// Drops the tables of corpora that were replaced and have no reader; the next writer drops those
/// that are being read now.
///
/// The commit is done, so nothing here is a failure: returns the tables that could not be dropped.
async fn drop_retired(
    connection: &mut PgConnection,
    address: &CorpusAddress,
) -> Vec<UndroppedCorpus> {
    let told = |number: Option<i32>, failure: DatabaseCorpusFailure| UndroppedCorpus {
        number,
        message: failure.hide(address).to_string(),
    };
    let retired = sqlx::query_scalar("SELECT corpus FROM dalil_corpora.retired ORDER BY corpus");
    let retired = within(MAX_STATEMENT_TIME, retired.fetch_all(&mut *connection)).await;
    let retired: Vec<i32> = match retired {
        Ok(retired) => retired,
        Err(failure) => return vec![told(None, failure)],
    };
    let mut undropped = Vec::new();
    for number in retired {
        let dropped = within(MAX_STATEMENT_TIME, drop_unread(connection, number)).await;
        let Err(failure) = dropped else { continue };
        let is_silent = matches!(failure, DatabaseCorpusFailure::TimedOut(_));
        undropped.push(told(Some(number), failure));
        // A server that no longer answers would be waited for once for each.
        if is_silent {
            break;
        }
    }
    undropped
}

/// Drops the tables of a corpus unless they are being read.
async fn drop_unread(connection: &mut PgConnection, number: i32) -> sqlx::Result<()> {
    let mut transaction = connection.begin().await?;
    let free = sqlx::query_scalar::<_, bool>("SELECT pg_try_advisory_xact_lock($1, $2)");
    if free.bind(LOCK_CLASS).bind(number).fetch_one(&mut *transaction).await? {
        let drop = AssertSqlSafe(CorpusTables(number).drop());
        sqlx::raw_sql(drop).execute(&mut *transaction).await?;
        let done = sqlx::query("DELETE FROM dalil_corpora.retired WHERE corpus = $1");
        done.bind(number).execute(&mut *transaction).await?;
    }
    transaction.commit().await
}

/// Rows of a corpus, on their way into its tables.
struct CorpusWriter {
    documents: CopyRows,
    unread: CopyRows,
    chunks: CopyRows,
    postings: CopyRows,
    anchors: CopyRows,
    /// Of the documents that wait, which become rows together.
    terms: PostingWriter,
    part: i32,
    next: u32,
    totals: IndexedTotals,
}

impl CorpusWriter {
    fn to(tables: CorpusTables) -> Self {
        let columns = |table: String, columns: &str| CopyRows::to(format!("{table} ({columns})"));
        let document =
            "document, name, sha256, chunks, problems, title, outline, content, content_sha256";
        Self {
            documents: columns(tables.document(), document),
            unread: columns(tables.unread(), "place, name, sha256, message"),
            chunks: columns(tables.chunk(), "document, chunk, arabic, vector"),
            postings: columns(tables.posting(), "term, part, chunks, postings"),
            anchors: columns(tables.anchor(), "digest, document"),
            terms: PostingWriter::default(),
            part: 0,
            next: 0,
            totals: IndexedTotals::default(),
        }
    }

    async fn add(
        &mut self,
        connection: &mut PgConnection,
        files: Vec<CorpusFileResult>,
    ) -> Result<(), DatabaseCorpusFailure> {
        for file in files {
            match file {
                Ok(OpenedFile::Document(document)) => self.document(&document.0, &document.1)?,
                Ok(OpenedFile::Chunks(set, _)) => {
                    return Err(DatabaseCorpusFailure::ChunkSet(quote(&set.name)));
                }
                Err(unread) => self.unread(unread),
            }
            if self.documents.len() > MAX_WAITING_BYTES {
                within(MAX_COPY_TIME, self.documents.send(connection)).await?;
            }
        }
        for (term, list) in std::mem::take(&mut self.terms).into_lists() {
            let chunks = i32::try_from(list.chunks).unwrap_or(i32::MAX);
            let term = CopyCell::Long(term.to_signed());
            let bytes = CopyCell::Bytes(&list.bytes);
            self.postings.add(&[term, CopyCell::Int(self.part), CopyCell::Int(chunks), bytes]);
        }
        self.part += 1;
        let Self { documents, unread, chunks, postings, anchors, .. } = self;
        for rows in [documents, unread, chunks, postings, anchors] {
            within(MAX_COPY_TIME, rows.send(connection)).await?;
        }
        Ok(())
    }

    fn document(
        &mut self,
        held: &CorpusDocument,
        segment: &IndexSegment,
    ) -> Result<(), DatabaseCorpusFailure> {
        let listed = held.listed();
        let name = DocumentName::of(&held.name, &held.document);
        let place = i32::try_from(self.next).unwrap_or(i32::MAX);
        let json = serde_json::to_vec(&listed.problems);
        let problems = json.map_err(|_| DatabaseCorpusFailure::Damaged(listed.id.clone()))?;
        let title = held.title();
        let content = encoded(held, segment);
        self.documents.add(&[
            CopyCell::Int(place),
            CopyCell::Text(&held.name),
            CopyCell::Bytes(listed.sha256.as_bytes()),
            CopyCell::Long(i64::try_from(listed.chunks).unwrap_or(i64::MAX)),
            CopyCell::Bytes(&problems),
            title.as_deref().map_or(CopyCell::Null, |title| CopyCell::Bytes(title.as_bytes())),
            CopyCell::Bytes(&DocumentOutline::of(name, segment).to_bytes()),
            CopyCell::Bytes(&content),
            CopyCell::Bytes(Digest::of(&content).as_bytes()),
        ]);
        for (chunk, (arabic, vector)) in (0..).zip(segment.chunk_vectors()) {
            let (arabic, vector) = (CopyCell::Bool(arabic), CopyCell::Halves(vector));
            self.chunks.add(&[CopyCell::Int(place), CopyCell::Int(chunk), arabic, vector]);
        }
        let mut keys: Vec<i64> =
            digests(held).iter().map(|(digest, _)| anchor_key(digest)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            self.anchors.add(&[CopyCell::Long(key), CopyCell::Int(place)]);
        }
        self.terms.add(self.next, segment);
        self.next += 1;
        self.totals.documents += 1;
        self.totals.chunks += listed.chunks;
        Ok(())
    }

    fn unread(&mut self, unread: UnreadCorpusFile) {
        let place = i32::try_from(self.totals.unread.len()).unwrap_or(i32::MAX);
        let UnreadCorpusFile { name, digest, message } = &unread;
        self.unread.add(&[
            CopyCell::Int(place),
            CopyCell::Text(name),
            CopyCell::Bytes(digest.as_bytes()),
            CopyCell::Text(message),
        ]);
        self.totals.unread.push(unread);
    }
}

/// The first 16 digits of a digest, as a number that is ordered as the digits are.
pub(super) fn anchor_key(digest: &Digest) -> i64 {
    let first = digest.as_bytes().first_chunk::<8>();
    let number = first.map_or(0, |bytes| u64::from_be_bytes(*bytes));
    (number ^ SIGN_BIT).cast_signed()
}

/// PostgreSQL's numbers have a sign: with this bit turned, zero digits are the smallest.
pub(super) const SIGN_BIT: u64 = 1 << 63;
/// A batch of documents can have several times this, so it is sent in parts.
const MAX_WAITING_BYTES: usize = 64 << 20;
