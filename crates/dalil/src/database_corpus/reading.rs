//! Reading a corpus: the documents that may speak about the claims of an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dalil_evidence::anchor::Anchor;
use dalil_judge::extract::ClaimExtraction;
use dalil_judge::index::{
    ClaimSearch, CorpusIndex, DocumentName, DocumentOutline, EmbeddingVector, IndexSegment,
    MAX_POSTING_BYTES, NearChunk, RankedChunk, Shortlist, TermHash, TermPostings, read_postings,
};
use dalil_judge::judge::ClaimQuery;
use dalil_proof::digest::Digest;
use futures_util::TryStreamExt as _;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Row as _};

use super::DatabaseCorpusFailure;
use super::listing::CorpusListing;
use super::session::{self, MAX_STATEMENT_TIME, damaged, within};
use super::writing::SIGN_BIT;
use crate::check::{MAX_CLAIMS, uncited};
use crate::corpus::{Corpus, CorpusDocument, decoded};

pub(super) async fn select(
    connection: &mut PgConnection,
    listing: &CorpusListing,
    answer: &str,
    extracted: &ClaimExtraction,
) -> Result<Corpus, DatabaseCorpusFailure> {
    let mut claims: Vec<(ClaimQuery, &[Anchor])> = uncited(answer, extracted).collect();
    // The check refuses such an answer; there is nothing to look for.
    if claims.len() > MAX_CLAIMS {
        claims.clear();
    }
    let mut reader = CorpusReader { connection, listing };
    let terms: BTreeSet<TermHash> =
        claims.iter().flat_map(|(claim, _)| claim.search().terms()).collect();
    let holding = within(MAX_STATEMENT_TIME, reader.holding(&terms)).await?;
    let outlines = || Arc::clone(&listing.outlines);
    let index = CorpusIndex::part(outlines(), holding.clone(), Vec::new());
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    for some in claims.chunks(MAX_CLAIMS_AT_ONCE) {
        let looked: BTreeSet<TermHash> =
            some.iter().flat_map(|(claim, _)| rare(&claim.search(), &holding)).collect();
        let postings = reader.postings(&looked, &holding);
        let postings = within(MAX_STATEMENT_TIME, postings).await?;
        for (claim, anchors) in some {
            wanted.extend(index.named_anywhere(&claim.named, MAX_NAMED_DOCUMENTS));
            let (search, vector) = (claim.search(), claim.search().vector());
            for list in index.shortlists(&search, &postings) {
                let best = within(MAX_STATEMENT_TIME, reader.nearest(&list, &vector)).await?;
                wanted.extend(best.into_iter().map(|one| one.segment));
            }
            for anchor in *anchors {
                wanted.extend(within(MAX_STATEMENT_TIME, reader.anchored(anchor)).await?);
            }
        }
    }
    wanted.retain(|place| listing.has(*place));
    let (held, segments) = within(MAX_STATEMENT_TIME, reader.fetch(&wanted)).await?;
    let index = CorpusIndex::part(outlines(), holding, segments);
    Ok(Corpus::selected(held, index, listing.contents()))
}

/// The most distinctive terms of a claim: the rare ones, until their postings reach the limit. A
/// word that is in every chunk does not tell chunks apart.
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

/// A corpus that is asked; each question is one statement.
struct CorpusReader<'r> {
    connection: &'r mut PgConnection,
    listing: &'r CorpusListing,
}

impl CorpusReader<'_> {
    /// How many chunks hold each term; those that none holds are left out.
    async fn holding(
        &mut self,
        terms: &BTreeSet<TermHash>,
    ) -> Result<BTreeMap<TermHash, u64>, DatabaseCorpusFailure> {
        let sql = format!(
            "SELECT term, sum(chunks)::bigint FROM {} WHERE term = ANY($1) GROUP BY term",
            self.listing.tables.posting()
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(signed(terms));
        let mut holding = BTreeMap::new();
        for row in rows.fetch_all(&mut *self.connection).await? {
            let chunks = u64::try_from(row.try_get::<i64, _>(1)?);
            let chunks = chunks.map_err(|_| damaged("a count"))?;
            holding.insert(TermHash::of_signed(row.try_get(0)?), chunks);
        }
        Ok(holding)
    }

    /// The postings of some terms: as many as are known to be there, and no more.
    async fn postings(
        &mut self,
        terms: &BTreeSet<TermHash>,
        holding: &BTreeMap<TermHash, u64>,
    ) -> Result<TermPostings, DatabaseCorpusFailure> {
        let wrong = || damaged("a list of postings");
        // A list longer than its number of postings allows is not even sent.
        let sql = format!(
            "SELECT term, chunks, CASE WHEN octet_length(postings) <= \
             chunks::bigint * {MAX_POSTING_BYTES} THEN postings END \
             FROM {} WHERE term = ANY($1) ORDER BY term, part",
            self.listing.tables.posting()
        );
        let mut postings = TermPostings::new();
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(signed(terms));
        let mut rows = rows.fetch(&mut *self.connection);
        while let Some(row) = rows.try_next().await? {
            let term = TermHash::of_signed(row.try_get(0)?);
            let chunks = u32::try_from(row.try_get::<i32, _>(1)?).map_err(|_| wrong())?;
            let bytes = row.try_get::<Option<&[u8]>, _>(2)?.ok_or_else(wrong)?;
            let list = postings.entry(term).or_default();
            let known = holding.get(&term).ok_or_else(wrong)?;
            if list.len() as u64 + u64::from(chunks) > *known {
                return Err(wrong());
            }
            read_postings(bytes, chunks, list).ok_or_else(wrong)?;
        }
        let read = |term: &TermHash| postings.get(term).map(|list| list.len() as u64);
        let is_whole = terms.iter().all(|term| read(term) == holding.get(term).copied());
        if is_whole { Ok(postings) } else { Err(wrong()) }
    }

    /// The best chunks of a script: those whose vectors are nearest, and those that hold most of the
    /// claim's terms, weighed by both.
    async fn nearest(
        &mut self,
        list: &Shortlist,
        vector: &EmbeddingVector,
    ) -> Result<Vec<RankedChunk>, DatabaseCorpusFailure> {
        let chunk = self.listing.tables.chunk();
        // Spelled out, not bound: the planner takes the index of a script only where it sees which.
        let script = if list.is_arabic() { "arabic" } else { "NOT arabic" };
        let sql = format!(
            "(SELECT document, chunk, -(vector <#> $1::halfvec) FROM {chunk} WHERE {script} \
              ORDER BY vector <#> $1::halfvec LIMIT {MAX_NEAR_CHUNKS}) \
             UNION ALL \
             (SELECT c.document, c.chunk, -(c.vector <#> $1::halfvec) \
              FROM unnest($2::integer[], $3::integer[]) AS held (document, chunk) \
              JOIN {chunk} AS c ON c.document = held.document AND c.chunk = held.chunk \
              LIMIT {MAX_CHUNKS_BY_TERMS})"
        );
        let by_terms = list.best_by_terms(MAX_CHUNKS_BY_TERMS);
        let places = |of: fn(&RankedChunk) -> usize| -> Vec<i32> {
            by_terms.iter().map(|one| i32::try_from(of(one)).unwrap_or(i32::MAX)).collect()
        };
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(format!("{vector:?}"));
        let rows = rows.bind(places(|one| one.segment)).bind(places(|one| one.chunk));
        let mut near = Vec::new();
        for row in rows.fetch_all(&mut *self.connection).await? {
            let place = |at: usize| -> Result<u32, DatabaseCorpusFailure> {
                u32::try_from(row.try_get::<i32, _>(at)?).map_err(|_| damaged("a place"))
            };
            let (document, chunk) = (place(0)?, place(1)?);
            near.push(NearChunk { document, chunk, product: row.try_get(2)? });
        }
        near.retain(|one| self.listing.has(one.document as usize));
        Ok(list.best(&near, MAX_SHORTLISTED_CHUNKS))
    }

    /// The documents that have words with such a digest: the first of each digest, since equal words
    /// are cited by their first place, and of several digests, since an anchor that fits two names
    /// neither.
    async fn anchored(&mut self, anchor: &Anchor) -> Result<Vec<usize>, DatabaseCorpusFailure> {
        let edge = |filler: &str| -> Option<i64> {
            let digits: String = anchor.as_str().chars().take(16).collect();
            let padded = digits.clone() + &filler.repeat(16 - digits.len().min(16));
            Some((u64::from_str_radix(&padded, 16).ok()? ^ SIGN_BIT).cast_signed())
        };
        let Some((first, last)) = edge("0").zip(edge("f")) else { return Ok(Vec::new()) };
        let sql = format!(
            "SELECT min(document) FROM {} WHERE digest BETWEEN $1 AND $2 AND document <> ALL($3) \
             GROUP BY digest ORDER BY digest LIMIT {MAX_ANCHORED_DIGESTS}",
            self.listing.tables.anchor()
        );
        let places = sqlx::query_scalar::<_, i32>(AssertSqlSafe(sql)).bind(first).bind(last);
        let places = places.bind(numbers(&self.listing.left_out));
        let places = places.fetch_all(&mut *self.connection).await?.into_iter();
        places.map(|place| usize::try_from(place).map_err(|_| damaged("a place"))).collect()
    }

    /// The documents at some places, each with its segment.
    async fn fetch(
        &mut self,
        wanted: &BTreeSet<usize>,
    ) -> Result<FetchedParts, DatabaseCorpusFailure> {
        // Documents beyond the limit are not even sent.
        let sql = format!(
            "SELECT document, \
             CASE WHEN octet_length(content_sha256) = 32 THEN content_sha256 END, \
             CASE WHEN sum(octet_length(content)::bigint) OVER (ORDER BY document) \
             <= {MAX_SELECTED_BYTES} THEN content END \
             FROM {} WHERE document = ANY($1) ORDER BY document",
            self.listing.tables.document()
        );
        let (mut held, mut segments) = (Vec::new(), Vec::new());
        let mut missing = wanted.iter();
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(numbers(wanted));
        let mut rows = rows.fetch(&mut *self.connection);
        while let Some(row) = rows.try_next().await? {
            let found = usize::try_from(row.try_get::<i32, _>(0)?).ok();
            // Each once, in their order.
            let place = missing.next().filter(|place| found == Some(**place));
            let place = *place.ok_or_else(|| damaged("a place"))?;
            let Some(content) = row.try_get::<Option<&[u8]>, _>(2)? else {
                return Err(DatabaseCorpusFailure::TooMuch { limit: MAX_SELECTED_BYTES });
            };
            let stated = row.try_get::<Option<&[u8]>, _>(1)?.and_then(session::digest);
            let (document, segment) = self.listing.document(place, stated, content)?;
            held.push(document);
            segments.push((place, segment));
        }
        // A row that was there when the corpus was opened.
        if missing.next().is_some() {
            return Err(damaged("a document"));
        }
        Ok((held, segments))
    }
}

type FetchedParts = (Vec<CorpusDocument>, Vec<(usize, IndexSegment)>);

impl CorpusListing {
    /// The document at a place, if its content has this digest and agrees with its row.
    fn document(
        &self,
        place: usize,
        stated: Option<Digest>,
        content: &[u8],
    ) -> Result<(CorpusDocument, IndexSegment), DatabaseCorpusFailure> {
        let about = self.documents.get(place).ok_or_else(|| damaged("a place"))?;
        let name = &about.listed.filename;
        let is_same = |(held, segment): &(CorpusDocument, IndexSegment)| {
            let named = DocumentName::of(name, &held.document);
            held.listed() == about.listed
                && held.title() == about.title
                && self.outlines.get(place) == Some(&DocumentOutline::of(named, segment))
        };
        let whole = Some(content).filter(|content| stated == Some(Digest::of(content)));
        let read = whole.and_then(|content| decoded(name, about.listed.sha256, content));
        read.filter(is_same).ok_or_else(|| damaged(name))
    }
}

fn signed(terms: &BTreeSet<TermHash>) -> Vec<i64> {
    terms.iter().map(|term| term.to_signed()).collect()
}

fn numbers(places: &BTreeSet<usize>) -> Vec<i32> {
    places.iter().map(|place| i32::try_from(*place).unwrap_or(i32::MAX)).collect()
}

/// Claims whose postings are in memory together.
const MAX_CLAIMS_AT_ONCE: usize = 16;
/// How many postings are looked through for a claim.
const MAX_POSTINGS: u64 = 500_000;
/// How many of the nearest vectors are asked for, and how many chunks that hold its terms are
/// weighed by their vectors.
const MAX_NEAR_CHUNKS: usize = 64;
const MAX_CHUNKS_BY_TERMS: usize = 256;
/// How many chunks of each script say which documents are fetched. The judge reads among twelve.
const MAX_SHORTLISTED_CHUNKS: usize = 24;
/// How many documents that a claim names are fetched in any case.
const MAX_NAMED_DOCUMENTS: usize = 8;
const MAX_ANCHORED_DIGESTS: usize = 8;
/// Documents of one answer in memory.
const MAX_SELECTED_BYTES: usize = 1 << 30;
