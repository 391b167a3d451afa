//! Ranking: a corpus is analysed, kept, read back and ranked for every claim.

use std::error::Error;

use dalil_judge::index::{CorpusIndex, IndexSegment, RankedChunk, WeightedQuery};
use dalil_proof::canon;
use dalil_proof::digest::Digest;

use crate::measure::{BenchFigures, median};

/// Twenty chunks make a document, as in a corpus of short files.
const CHUNKS_PER_DOCUMENT: usize = 20;
const MAX_RANKED_CHUNKS: usize = 10;

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let (chunks, claims): (Vec<String>, Vec<String>) = serde_json::from_slice(input)?;
    let (analyse, segments) = median(1, || segments(&chunks));
    let (write, kept) =
        median(1, || segments.iter().map(IndexSegment::to_bytes).collect::<Vec<_>>());
    drop(segments);
    let (read, segments) =
        median(1, || kept.iter().map(|bytes| IndexSegment::from_bytes(bytes)).collect());
    let bytes: usize = kept.iter().map(Vec::len).sum();
    drop(kept);
    let segments: Result<Vec<_>, _> = segments;
    let index = CorpusIndex::of(segments?);
    let (rank, _) = median(1, || {
        claims.iter().map(|claim| index.rank(claim, MAX_RANKED_CHUNKS)).collect::<Vec<_>>()
    });
    let found: Vec<_> =
        claims.iter().take(5000).map(|claim| tops(&WeightedQuery::of(claim, &index))).collect();
    let figures = vec![
        ("analyse", analyse),
        ("write", write),
        ("read", read),
        ("bytes", u32::try_from(bytes)?.into()),
        ("rank", rank / u32::try_from(claims.len().max(1)).map(f64::from)?),
    ];
    Ok((figures, canon::bytes(&found)?))
}

fn segments(chunks: &[String]) -> Vec<IndexSegment> {
    let segment = |texts: &[String]| {
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        IndexSegment::of(Digest::of(b""), &texts)
    };
    chunks.chunks(CHUNKS_PER_DOCUMENT).map(segment).collect()
}

/// The first chunks by terms alone, by vectors alone, and by both.
fn tops(query: &WeightedQuery<'_>) -> [Vec<usize>; 3] {
    let mut all = query.rank(usize::MAX);
    let mut top = |order: fn(&RankedChunk) -> f32| {
        all.sort_by(|a, b| order(b).total_cmp(&order(a)));
        all.iter()
            .take(MAX_RANKED_CHUNKS)
            .map(|ranked| ranked.segment * CHUNKS_PER_DOCUMENT + ranked.chunk)
            .collect()
    };
    [top(|ranked| ranked.lexical), top(|ranked| ranked.vector), top(|ranked| ranked.score)]
}
