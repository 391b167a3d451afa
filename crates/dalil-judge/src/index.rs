//! Indexes: the chunks of a corpus, ready to be ranked for a claim.
//!
//! ```text
//! texts of a document's chunks ─▶ Segment ─┐
//!                              ─▶ Segment ─┴▶ Index ─ Query of a claim ─▶ Ranked
//! ```
//!
//! A [`IndexSegment`] is made once for a document and can be kept as bytes under the
//! document's digest; an [`CorpusIndex`] is nothing but the segments of a corpus, so a
//! changed file costs its own segment alone. A [`WeightedQuery`] ranks chunks by the
//! claim's terms that they hold, the rare ones first, and by the nearness of
//! their vectors, which also meets other words and the other language. A
//! [`ClaimSearch`] also takes what a claim is read with and which documents its
//! answer names, and looks in each language by itself.
//!
//! Not here: where segments are kept, and which chunks a claim cites.

mod embed;
mod lexicon;
mod naming;
mod passage;
mod query;
mod rarity;
mod search;
mod segment;
mod term;
#[cfg(test)]
mod tests;

pub use naming::DocumentName;
pub use passage::IndexPassage;
pub use query::{RankedChunk, WeightedQuery};
pub(crate) use rarity::ln;
pub use search::ClaimSearch;
use search::MIN_NAMING_MARGIN;
pub use segment::{IndexSegment, SegmentDecodeError};

/// The segments of a corpus, with what is counted over all of them.
#[derive(Clone, Debug, Default)]
pub struct CorpusIndex {
    segments: Vec<IndexSegment>,
    /// What the documents of the segments are called, where that is known.
    names: Vec<DocumentName>,
    chunks: u64,
    terms: u64,
}

impl CorpusIndex {
    /// Puts segments together. Their order breaks ties and changes no score.
    pub fn of(segments: Vec<IndexSegment>) -> Self {
        let chunks = segments.iter().map(|segment| segment.len() as u64).sum();
        let terms = segments.iter().map(IndexSegment::total).sum();
        Self { segments, names: Vec::new(), chunks, terms }
    }

    /// The same index that knows what its documents are called, in the order of its segments.
    #[must_use]
    pub fn with_names(self, names: Vec<DocumentName>) -> Self {
        Self { names, ..self }
    }

    /// The segments, in the order that they were given in.
    pub fn segments(&self) -> &[IndexSegment] {
        &self.segments
    }

    /// The chunks in which to look for evidence about a claim of an answer, the best first.
    ///
    /// Chunks in the language of the claim and in the other are ranked apart and each have a
    /// share of the places: most go to the language of the document that is named, or else to
    /// that of the claim.
    pub fn candidates(&self, search: &ClaimSearch<'_>, limit: usize) -> Vec<RankedChunk> {
        search::candidates(self, search, limit)
    }

    /// The documents that words name most clearly, by their places: none where the words name
    /// nothing, or all alike.
    pub fn named(&self, words: &[String]) -> Vec<usize> {
        let preferences = naming::preferences(&self.names, words);
        let best = preferences.iter().copied().fold(0.0, f32::max);
        let places = preferences.iter().enumerate();
        let clear = places.filter(|(_, one)| **one > 0.0 && **one + MIN_NAMING_MARGIN >= best);
        let named: Vec<usize> = clear.map(|(place, _)| place).collect();
        if named.len() == preferences.len() { Vec::new() } else { named }
    }

    /// The chunks that speak most about a claim, the best first.
    pub fn rank(&self, claim: &str, limit: usize) -> Vec<RankedChunk> {
        WeightedQuery::of(claim, self).rank(limit)
    }
}
