//! Reading a corpus: which documents it has, and those that may speak about a claim.

use std::collections::{BTreeMap, BTreeSet};

use dalil_evidence::anchor::Anchor;
use dalil_evidence::ledger::request::LedgerDocument;
use dalil_judge::extract::ClaimExtraction;
use dalil_judge::index::{
    ClaimSearch, CorpusIndex, DocumentOutline, EmbeddingVector, NearChunk, RankedChunk, Shortlist,
    TermHash, TermPostings, read_postings,
};
use dalil_judge::judge::ClaimQuery;
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use futures_util::TryStreamExt as _;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Executor as _, Row as _};

use super::session::{self, LOCK_CLASS, MAX_STATEMENT_TIME};
use super::tables::CorpusTables;
use super::writing::SIGN_BIT;
use super::{CorpusAddress, DatabaseCorpusFailure};
use crate::check::{MAX_CLAIMS, uncited};
use crate::corpus::{Corpus, UnreadCorpusFile, decoded, id};

type OpenedCorpus = (PgConnection, CorpusTables, Vec<LedgerDocument>, CorpusIndex);

pub(super) async fn open(address: &CorpusAddress) -> Result<OpenedCorpus, DatabaseCorpusFailure> {
    let mut connection = session::connect(address, Some(MAX_STATEMENT_TIME)).await?;
    let search = sqlx::query("SELECT set_config('hnsw.ef_search', $1, false)");
    search.bind(GRAPH_SEARCH_WIDTH).execute(&mut connection).await?;
    if !session::has_tables(&mut connection).await? {
        return Err(address.unknown());
    }
    let tables = find(&mut connection, address).await?;
    let (mut listed, outlines) = documents(&mut connection, tables).await?;
    listed.extend(unread(&mut connection, tables).await?);
    Ok((connection, tables, listed, CorpusIndex::outlined(outlines)))
}

/// Finds the tables of a corpus and holds them: until the transaction ends, nobody drops them.
async fn find(
    connection: &mut PgConnection,
    address: &CorpusAddress,
) -> Result<CorpusTables, DatabaseCorpusFailure> {
    // Between being found and being held they may have been replaced and dropped; then it is the
    // next corpus of this name that is meant.
    for _ in 0..MAX_FIND_TURNS {
        (&mut *connection).execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await?;
        let row = sqlx::query(
            "SELECT corpus, program, analysis FROM dalil_corpora.corpus \
             WHERE tenant = $1 AND name = $2",
        );
        let row = row.bind(&address.tenant).bind(&address.name).fetch_optional(&mut *connection);
        let row = row.await?.ok_or_else(|| address.unknown())?;
        let tables = CorpusTables(row.try_get(0)?);
        if row.try_get::<Vec<u8>, _>(2)? != session::analysis().as_bytes() {
            let program: String = row.try_get(1)?;
            return Err(DatabaseCorpusFailure::OtherAnalysis(quote(&program)));
        }
        let hold = sqlx::query("SELECT pg_advisory_xact_lock_shared($1, $2)");
        hold.bind(LOCK_CLASS).bind(tables.0).execute(&mut *connection).await?;
        let there = sqlx::query_scalar::<_, bool>("SELECT to_regclass($1) IS NOT NULL");
        if there.bind(tables.chunk()).fetch_one(&mut *connection).await? {
            return Ok(tables);
        }
        (&mut *connection).execute("ROLLBACK").await?;
    }
    Err(DatabaseCorpusFailure::OtherTables("no tables of this corpus".to_owned()))
}

async fn documents(
    connection: &mut PgConnection,
    tables: CorpusTables,
) -> Result<(Vec<LedgerDocument>, Vec<DocumentOutline>), DatabaseCorpusFailure> {
    let sql = format!(
        "SELECT name, sha256, chunks, problems, outline, document FROM {} ORDER BY document",
        tables.document()
    );
    let (mut listed, mut outlines) = (Vec::new(), Vec::new());
    let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let document = document(&row, listed.len())?;
        let outline = DocumentOutline::from_bytes(row.try_get(4)?);
        outlines.push(outline.map_err(|_| damaged(&document.filename))?);
        listed.push(document);
    }
    Ok((listed, outlines))
}

fn document(row: &PgRow, place: usize) -> Result<LedgerDocument, DatabaseCorpusFailure> {
    let filename: String = row.try_get(0)?;
    let sha256 = digest(row.try_get(1)?).ok_or_else(|| damaged(&filename))?;
    let chunks = u64::try_from(row.try_get::<i64, _>(2)?).map_err(|_| damaged(&filename))?;
    let problems = serde_json::from_slice(row.try_get(3)?).map_err(|_| damaged(&filename))?;
    // Places are counted; one that is missing would shift all that follow.
    if usize::try_from(row.try_get::<i32, _>(5)?).ok() != Some(place) {
        return Err(damaged(&filename));
    }
    Ok(LedgerDocument { id: id(&sha256), filename, sha256, chunks, problems })
}

async fn unread(
    connection: &mut PgConnection,
    tables: CorpusTables,
) -> Result<Vec<LedgerDocument>, DatabaseCorpusFailure> {
    let sql = format!("SELECT name, sha256, message FROM {} ORDER BY place", tables.unread());
    let mut listed = Vec::new();
    for row in sqlx::query(AssertSqlSafe(sql)).fetch_all(connection).await? {
        let name: String = row.try_get(0)?;
        let digest = digest(row.try_get(1)?).ok_or_else(|| damaged(&name))?;
        listed.push(UnreadCorpusFile { name, digest, message: row.try_get(2)? }.listed());
    }
    Ok(listed)
}

pub(super) async fn select(
    connection: &mut PgConnection,
    (tables, listed, outlined): (CorpusTables, &[LedgerDocument], &CorpusIndex),
    answer: &str,
    extracted: &ClaimExtraction,
) -> Result<Corpus, DatabaseCorpusFailure> {
    let mut claims: Vec<(ClaimQuery, &[Anchor])> = uncited(answer, extracted).collect();
    // The check refuses such an answer; there is nothing to look for.
    if claims.len() > MAX_CLAIMS {
        claims.clear();
    }
    let terms: BTreeSet<TermHash> =
        claims.iter().flat_map(|(claim, _)| search(claim).terms()).collect();
    let holding = holding(connection, tables, &terms).await?;
    let index = outlined.clone().with_holding(holding.clone());
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    for some in claims.chunks(MAX_CLAIMS_AT_ONCE) {
        let looked: BTreeSet<TermHash> =
            some.iter().flat_map(|(claim, _)| rare(&search(claim), &holding)).collect();
        let postings = postings(connection, tables, &looked).await?;
        for (claim, anchors) in some {
            wanted.extend(index.named_anywhere(&claim.named, MAX_NAMED_DOCUMENTS));
            let (search, vector) = (search(claim), search(claim).vector());
            for list in index.shortlists(&search, &postings) {
                let best = nearest(connection, tables, &list, &vector).await?;
                wanted.extend(best.into_iter().map(|one| one.segment));
            }
            for anchor in *anchors {
                wanted.extend(anchored(connection, tables, anchor).await?);
            }
        }
    }
    fetch(connection, tables, listed, (index, &wanted)).await
}

fn search(claim: &ClaimQuery) -> ClaimSearch<'_> {
    ClaimSearch {
        statement: &claim.statement,
        context: claim.context.as_deref(),
        named: &claim.named,
    }
}

/// How many chunks hold each term; those that none holds are left out.
async fn holding(
    connection: &mut PgConnection,
    tables: CorpusTables,
    terms: &BTreeSet<TermHash>,
) -> Result<BTreeMap<TermHash, u64>, DatabaseCorpusFailure> {
    let sql = format!(
        "SELECT term, sum(chunks)::bigint FROM {} WHERE term = ANY($1) GROUP BY term",
        tables.posting()
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(signed(terms)).fetch_all(connection).await?;
    let mut holding = BTreeMap::new();
    for row in rows {
        let chunks = u64::try_from(row.try_get::<i64, _>(1)?).map_err(|_| damaged("a count"))?;
        holding.insert(TermHash::of_signed(row.try_get(0)?), chunks);
    }
    Ok(holding)
}

/// The terms of a claim that tell most: the rare ones, until their postings are as many as are
/// looked through. A word of every chunk tells them apart no more.
fn rare(search: &ClaimSearch<'_>, holding: &BTreeMap<TermHash, u64>) -> Vec<TermHash> {
    let terms = search.terms().into_iter();
    let mut counted: Vec<(u64, TermHash)> =
        terms.filter_map(|term| holding.get(&term).map(|chunks| (*chunks, term))).collect();
    counted.sort_unstable();
    let mut all = 0_u64;
    counted.retain(|(chunks, _)| {
        all = all.saturating_add(*chunks);
        all <= MAX_POSTINGS
    });
    counted.into_iter().map(|(_, term)| term).collect()
}

async fn postings(
    connection: &mut PgConnection,
    tables: CorpusTables,
    terms: &BTreeSet<TermHash>,
) -> Result<TermPostings, DatabaseCorpusFailure> {
    let sql = format!(
        "SELECT term, postings FROM {} WHERE term = ANY($1) ORDER BY term, part",
        tables.posting()
    );
    let mut postings = TermPostings::new();
    let mut rows = sqlx::query(AssertSqlSafe(sql)).bind(signed(terms)).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let list = postings.entry(TermHash::of_signed(row.try_get(0)?)).or_default();
        read_postings(row.try_get(1)?, list).ok_or_else(|| damaged("a list of postings"))?;
    }
    Ok(postings)
}

fn signed(terms: &BTreeSet<TermHash>) -> Vec<i64> {
    terms.iter().map(|term| term.to_signed()).collect()
}

/// The best chunks of a script: those whose vectors are nearest, and those that hold most of the
/// claim's terms, weighed by both.
async fn nearest(
    connection: &mut PgConnection,
    tables: CorpusTables,
    list: &Shortlist,
    vector: &EmbeddingVector,
) -> Result<Vec<RankedChunk>, DatabaseCorpusFailure> {
    let chunk = tables.chunk();
    // Spelled out, not bound: the planner takes the index of a script only where it sees which.
    let script = if list.is_arabic() { "arabic" } else { "NOT arabic" };
    let sql = format!(
        "(SELECT document, chunk, -(vector <#> $1::halfvec) FROM {chunk} WHERE {script} \
          ORDER BY vector <#> $1::halfvec LIMIT {MAX_NEAR_CHUNKS}) \
         UNION ALL \
         (SELECT c.document, c.chunk, -(c.vector <#> $1::halfvec) \
          FROM unnest($2::integer[], $3::integer[]) AS held (document, chunk) \
          JOIN {chunk} AS c ON c.document = held.document AND c.chunk = held.chunk)"
    );
    let by_terms = list.best_by_terms(MAX_CHUNKS_BY_TERMS);
    let places = |of: fn(&RankedChunk) -> usize| -> Vec<i32> {
        by_terms.iter().map(|one| i32::try_from(of(one)).unwrap_or(i32::MAX)).collect()
    };
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(format!("{vector:?}"));
    let rows = rows.bind(places(|one| one.segment)).bind(places(|one| one.chunk));
    let mut near = Vec::new();
    for row in rows.fetch_all(connection).await? {
        let place = |at: usize| -> Result<u32, DatabaseCorpusFailure> {
            u32::try_from(row.try_get::<i32, _>(at)?).map_err(|_| damaged("a place"))
        };
        let (document, chunk) = (place(0)?, place(1)?);
        near.push(NearChunk { document, chunk, product: row.try_get(2)? });
    }
    Ok(list.best(&near, MAX_SHORTLISTED_CHUNKS))
}

/// The documents that have words with such a digest: the first of each digest, since equal words are
/// cited by their first place, and of several digests, since an anchor that fits two names neither.
async fn anchored(
    connection: &mut PgConnection,
    tables: CorpusTables,
    anchor: &Anchor,
) -> Result<Vec<usize>, DatabaseCorpusFailure> {
    let edge = |filler: &str| -> Option<i64> {
        let digits: String = anchor.as_str().chars().take(16).collect();
        let padded = digits.clone() + &filler.repeat(16 - digits.len().min(16));
        Some((u64::from_str_radix(&padded, 16).ok()? ^ SIGN_BIT).cast_signed())
    };
    let Some((first, last)) = edge("0").zip(edge("f")) else { return Ok(Vec::new()) };
    let sql = format!(
        "SELECT min(document) FROM {} WHERE digest BETWEEN $1 AND $2 GROUP BY digest \
         ORDER BY digest LIMIT {MAX_ANCHORED_DIGESTS}",
        tables.anchor()
    );
    let places = sqlx::query_scalar::<_, i32>(AssertSqlSafe(sql)).bind(first).bind(last);
    let places = places.fetch_all(connection).await?.into_iter();
    places.map(|place| usize::try_from(place).map_err(|_| damaged("a place"))).collect()
}

/// The documents at some places, with their segments, as a corpus.
async fn fetch(
    connection: &mut PgConnection,
    tables: CorpusTables,
    listed: &[LedgerDocument],
    (index, wanted): (CorpusIndex, &BTreeSet<usize>),
) -> Result<Corpus, DatabaseCorpusFailure> {
    let sql = format!(
        "SELECT document, content FROM {} WHERE document = ANY($1) ORDER BY document",
        tables.document()
    );
    let places: Vec<i32> =
        wanted.iter().map(|place| i32::try_from(*place).unwrap_or(i32::MAX)).collect();
    let (mut held, mut segments) = (Vec::new(), Vec::new());
    let mut bytes = 0_usize;
    let mut rows = sqlx::query(AssertSqlSafe(sql)).bind(places).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let place = usize::try_from(row.try_get::<i32, _>(0)?).map_err(|_| damaged("a place"))?;
        let about = listed.get(place).ok_or_else(|| damaged("a place"))?;
        let content: &[u8] = row.try_get(1)?;
        bytes = bytes.saturating_add(content.len());
        if bytes > MAX_SELECTED_BYTES {
            return Err(DatabaseCorpusFailure::TooMuch { limit: MAX_SELECTED_BYTES });
        }
        let (document, segment) = decoded(&about.filename, about.sha256, content)
            .filter(|(document, _)| document.listed() == *about)
            .ok_or_else(|| damaged(&about.filename))?;
        held.push(document);
        segments.push((place, segment));
    }
    Ok(Corpus::selected(held, index.with_segments(segments), listed.to_vec()))
}

pub(super) async fn disk_bytes(
    connection: &mut PgConnection,
    tables: CorpusTables,
) -> Result<u64, DatabaseCorpusFailure> {
    let sql = "SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM unnest($1) AS name";
    let size = sqlx::query_scalar::<_, i64>(sql).bind(tables.all().to_vec());
    u64::try_from(size.fetch_one(connection).await?).map_err(|_| damaged("a size"))
}

fn digest(bytes: &[u8]) -> Option<Digest> {
    bytes.try_into().ok().map(Digest::from_bytes)
}

fn damaged(what: &str) -> DatabaseCorpusFailure {
    DatabaseCorpusFailure::Damaged(quote(what))
}

const MAX_FIND_TURNS: usize = 3;
/// Claims whose postings are in memory together.
const MAX_CLAIMS_AT_ONCE: usize = 16;
/// How many postings are looked through for a claim: some tens of milliseconds.
const MAX_POSTINGS: u64 = 500_000;
/// How many of the nearest vectors are asked for, and how many chunks that hold its terms are
/// weighed by their vectors.
const MAX_NEAR_CHUNKS: usize = 64;
/// How many vectors the graph keeps in view on its way; at least as many as are asked for.
const GRAPH_SEARCH_WIDTH: &str = "128";
const MAX_CHUNKS_BY_TERMS: usize = 256;
/// How many chunks of each script say which documents are fetched. The judge reads among twelve.
const MAX_SHORTLISTED_CHUNKS: usize = 24;
/// Documents that an answer names are fetched in any case, if they are few.
const MAX_NAMED_DOCUMENTS: usize = 8;
const MAX_ANCHORED_DIGESTS: usize = 8;
/// Documents of one answer in memory.
const MAX_SELECTED_BYTES: usize = 1 << 30;
