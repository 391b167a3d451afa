//! Opens a corpus: lists its files, and loads the data of all documents that ranking and ledgers
//! need.

use std::collections::BTreeSet;
use std::sync::Arc;

use dalil_evidence::ledger::request::LedgerDocument;
use dalil_judge::index::DocumentOutline;
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use futures_util::TryStreamExt as _;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Row as _};

use super::session::{self, LOCK_CLASS, MAX_STATEMENT_TIME, damaged, within};
use super::tables::CorpusTables;
use super::{CorpusAddress, DatabaseCorpusFailure};
use crate::corpus::{CorpusContents, CorpusFailure, DocumentTitle, UnreadCorpusFile, id};

/// The contents of a corpus, as far as they are known before any query.
#[derive(Debug)]
pub(super) struct CorpusListing {
    pub(super) tables: CorpusTables,
    /// The documents, by their places.
    pub(super) documents: Vec<ListedDocument>,
    /// Of each document; empty of one that is left out.
    pub(super) outlines: Arc<[DocumentOutline]>,
    pub(super) unread: Vec<UnreadCorpusFile>,
    /// The places of the documents that are left out.
    pub(super) left_out: BTreeSet<usize>,
}

/// A document as its row states it.
#[derive(Debug)]
pub(super) struct ListedDocument {
    pub(super) listed: LedgerDocument,
    pub(super) title: Option<String>,
}

impl CorpusListing {
    /// Whether there is a document at a place, and it is not left out.
    pub(super) fn has(&self, place: usize) -> bool {
        place < self.documents.len() && !self.left_out.contains(&place)
    }

    /// The summary of all files, without the documents that are left out.
    pub(super) fn contents(&self) -> CorpusContents {
        let places = self.documents.iter().enumerate();
        let here = || places.clone().filter(|(place, _)| self.has(*place)).map(|(_, one)| one);
        let title = |one: &ListedDocument| {
            Some(DocumentTitle { id: one.listed.id.clone(), title: one.title.clone()? })
        };
        let unread = self.unread.iter().map(UnreadCorpusFile::listed);
        CorpusContents {
            listed: here().map(|one| one.listed.clone()).chain(unread).collect(),
            titles: here().filter_map(title).collect(),
            unread: self.unread.clone(),
            left_out: self.left_out_names(),
        }
    }

    pub(super) fn left_out_names(&self) -> Vec<String> {
        let left_out = self.left_out.iter().filter_map(|place| self.documents.get(*place));
        left_out.map(|one| one.listed.filename.clone()).collect()
    }

    /// Leaves out the documents whose bytes have one of these digests.
    fn leave_out(&mut self, apart: &[Digest]) {
        let documents = self.documents.iter().enumerate();
        let left_out = documents.filter(|(_, one)| apart.contains(&one.listed.sha256));
        self.left_out = left_out.map(|(place, _)| place).collect();
        if self.left_out.is_empty() {
            return;
        }
        // Places stay the same as in the tables. Without an outline a document has no name that an
        // answer could mean, and no chunks.
        let mut outlines = self.outlines.to_vec();
        for place in &self.left_out {
            if let Some(outline) = outlines.get_mut(*place) {
                *outline = DocumentOutline::default();
            }
        }
        self.outlines = outlines.into();
    }
}

pub(super) async fn open(
    address: &CorpusAddress,
    apart: &[Digest],
) -> Result<(PgConnection, CorpusListing), DatabaseCorpusFailure> {
    let mut connection = session::connect(address, MAX_STATEMENT_TIME).await?;
    let width = sqlx::query("SELECT set_config('hnsw.ef_search', $1, false)");
    let width = width.bind(GRAPH_SEARCH_WIDTH).execute(&mut connection);
    within(MAX_STATEMENT_TIME, width).await?;
    if !within(MAX_STATEMENT_TIME, session::has_tables(&mut connection)).await? {
        return Err(address.unknown());
    }
    let tables = find(&mut connection, address).await?;
    // One for both: they are in memory together.
    let mut size = ListingSize::default();
    let listed = documents(&mut connection, tables, &mut size);
    let listed = within(MAX_STATEMENT_TIME, listed).await?;
    let (documents, outlines): (Vec<_>, Vec<_>) = listed.into_iter().unzip();
    let unread = unread(&mut connection, tables, &mut size);
    let unread = within(MAX_STATEMENT_TIME, unread).await?;
    let (outlines, left_out) = (outlines.into(), BTreeSet::new());
    let mut listing = CorpusListing { tables, documents, outlines, unread, left_out };
    listing.leave_out(apart);
    if !listing.left_out.is_empty() && listing.left_out.len() == listing.documents.len() {
        return Err(CorpusFailure::LeftOut(quote(&address.name)).into());
    }
    Ok((connection, listing))
}

/// Finds the tables of a corpus and holds them: while the session lasts, they are not dropped.
///
/// The lock is of the session and not of a transaction: judging takes minutes, and a transaction
/// that is open so long keeps the server from removing deleted rows anywhere in the database. The
/// tables of a corpus never change, so nothing else needs one.
async fn find(
    connection: &mut PgConnection,
    address: &CorpusAddress,
) -> Result<CorpusTables, DatabaseCorpusFailure> {
    // Between being found and being held they may have been replaced and dropped; then it is the
    // next corpus of this name that is meant.
    for _ in 0..MAX_FIND_TURNS {
        let tables = within(MAX_STATEMENT_TIME, newest(connection, address)).await?;
        let hold = sqlx::query("SELECT pg_advisory_lock_shared($1, $2)");
        let hold = hold.bind(LOCK_CLASS).bind(tables.0).execute(&mut *connection);
        within(MAX_STATEMENT_TIME, hold).await?;
        let there = sqlx::query_scalar::<_, bool>("SELECT to_regclass($1) IS NOT NULL");
        let there = there.bind(tables.chunk()).fetch_one(&mut *connection);
        if within(MAX_STATEMENT_TIME, there).await? {
            return Ok(tables);
        }
        let release = sqlx::query("SELECT pg_advisory_unlock_shared($1, $2)");
        let release = release.bind(LOCK_CLASS).bind(tables.0).execute(&mut *connection);
        within(MAX_STATEMENT_TIME, release).await?;
    }
    Err(DatabaseCorpusFailure::OtherTables("no tables of this corpus".to_owned()))
}

/// The tables of the corpus that has this name now, if this version made it.
async fn newest(
    connection: &mut PgConnection,
    address: &CorpusAddress,
) -> Result<CorpusTables, DatabaseCorpusFailure> {
    let row = sqlx::query(
        "SELECT corpus, left(program, 64), substr(analysis, 1, 64) FROM dalil_corpora.corpus \
         WHERE tenant = $1 AND name = $2",
    );
    let row = row.bind(&address.tenant).bind(&address.name).fetch_optional(connection);
    let row = row.await?.ok_or_else(|| address.unknown())?;
    if row.try_get::<Vec<u8>, _>(2)? != session::analysis().as_bytes() {
        let program: String = row.try_get(1)?;
        return Err(DatabaseCorpusFailure::OtherAnalysis(quote(&program)));
    }
    Ok(CorpusTables(row.try_get(0)?))
}

async fn documents(
    connection: &mut PgConnection,
    tables: CorpusTables,
    size: &mut ListingSize,
) -> Result<Vec<(ListedDocument, DocumentOutline)>, DatabaseCorpusFailure> {
    let sql = format!(
        "SELECT {}, chunks, document FROM {} ORDER BY document",
        bounded(&["name", "sha256", "problems", "title", "outline"]),
        tables.document()
    );
    let mut listed = Vec::new();
    let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        size.add(row.try_get(0)?)?;
        listed.push(document(&row, listed.len())?);
    }
    Ok(listed)
}

fn document(
    row: &PgRow,
    place: usize,
) -> Result<(ListedDocument, DocumentOutline), DatabaseCorpusFailure> {
    let filename: String = row.try_get(1)?;
    let sha256 = session::digest(row.try_get(2)?).ok_or_else(|| damaged(&filename))?;
    let problems = serde_json::from_slice(row.try_get(3)?).map_err(|_| damaged(&filename))?;
    let title: Option<Vec<u8>> = row.try_get(4)?;
    let title = title.map(String::from_utf8).transpose().map_err(|_| damaged(&filename))?;
    let outline = DocumentOutline::from_bytes(row.try_get(5)?).map_err(|_| damaged(&filename))?;
    let chunks = u64::try_from(row.try_get::<i64, _>(6)?).map_err(|_| damaged(&filename))?;
    // Places are counted; one that is missing would shift all that follow.
    if usize::try_from(row.try_get::<i32, _>(7)?).ok() != Some(place) {
        return Err(damaged(&filename));
    }
    let listed = LedgerDocument { id: id(&sha256), filename, sha256, chunks, problems };
    Ok((ListedDocument { listed, title }, outline))
}

async fn unread(
    connection: &mut PgConnection,
    tables: CorpusTables,
    size: &mut ListingSize,
) -> Result<Vec<UnreadCorpusFile>, DatabaseCorpusFailure> {
    let columns = bounded(&["name", "sha256", "message"]);
    let sql = format!("SELECT {columns} FROM {} ORDER BY place", tables.unread());
    let mut unread = Vec::new();
    let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        size.add(row.try_get(0)?)?;
        let name: String = row.try_get(1)?;
        let digest = session::digest(row.try_get(2)?).ok_or_else(|| damaged(&name))?;
        unread.push(UnreadCorpusFile { name, digest, message: row.try_get(3)? });
    }
    Ok(unread)
}

/// How many bytes some columns of a row have together, and the columns: nothing in place of those
/// that have more than a listing may have, so that they are not sent.
fn bounded(columns: &[&str]) -> String {
    let sizes = columns.iter().map(|column| format!("coalesce(octet_length({column}), 0)::bigint"));
    let size = sizes.collect::<Vec<_>>().join(" + ");
    let column =
        |column: &&str| format!("CASE WHEN {size} <= {MAX_LISTING_BYTES} THEN {column} END");
    let columns = columns.iter().map(column).collect::<Vec<_>>().join(", ");
    format!("{size}, {columns}")
}

/// How many bytes a listing has so far, of documents and of files that could not be read.
#[derive(Default)]
pub(super) struct ListingSize {
    bytes: u64,
}

impl ListingSize {
    /// Counts a row of this size.
    pub(super) fn add(&mut self, row: i64) -> Result<(), DatabaseCorpusFailure> {
        let row = u64::try_from(row).map_err(|_| damaged("a size"))?;
        self.bytes = self.bytes.saturating_add(ROW_BYTES).saturating_add(row);
        if self.bytes > MAX_LISTING_BYTES {
            return Err(DatabaseCorpusFailure::LongListing { limit: MAX_LISTING_BYTES });
        }
        Ok(())
    }
}

const MAX_FIND_TURNS: usize = 3;
/// How many vectors the graph keeps in view on its way; at least as many as are asked for.
const GRAPH_SEARCH_WIDTH: &str = "128";
/// Names, titles, outlines and problems of a corpus in memory: those of some million documents.
const MAX_LISTING_BYTES: u64 = 2 << 30;
/// The memory that a row takes beside its columns, at least.
const ROW_BYTES: u64 = 128;
