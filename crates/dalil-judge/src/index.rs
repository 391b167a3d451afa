//! Indexes: the chunks of a corpus, ready to be ranked for a claim.
//!
//! ```text
//! texts of a document's chunks ─▶ IndexSegment ─┐
//!                              ─▶ IndexSegment ─┴▶ CorpusIndex ─ WeightedQuery of a claim ─▶ ranked chunks
//! ```
//!
//! A [`IndexSegment`] is made once for a document and can be kept as bytes under the
//! document's digest; an [`CorpusIndex`] is nothing but the segments of a corpus, so a
//! changed file costs its own segment alone. A [`WeightedQuery`] ranks chunks by the
//! claim's terms that they hold, the rare ones first, and by the nearness of
//! their vectors, which also meets other words and the other language. A
//! [`ClaimSearch`] also takes the context of a claim and the documents that the
//! answer names, and searches in each language separately.
//!
//! Out of scope: storing segments, and resolving the chunks that a claim cites.

mod embed;
mod lexicon;
mod naming;
mod outline;
mod passage;
mod posting;
mod query;
mod rarity;
mod search;
mod segment;
mod shortlist;
mod term;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use embed::{EMBEDDING_DIMENSIONS, EmbeddingVector};
pub use naming::DocumentName;
pub use outline::DocumentOutline;
use outline::ScriptTotals;
pub use passage::IndexPassage;
pub use posting::{ChunkPosting, MAX_POSTING_BYTES, PostingList, PostingWriter, read_postings};
pub use query::{RankedChunk, WeightedQuery};
pub(crate) use rarity::ln;
pub use search::ClaimSearch;
use search::MIN_NAMING_MARGIN;
pub use segment::{IndexSegment, SegmentDecodeError, analysis_digest};
pub use shortlist::{NearChunk, Shortlist, TermPostings};
pub use term::TermHash;
use term::TextScript;

/// The segments of a corpus, with the counts over all of its documents.
///
/// The segments may be those of some documents alone: then the counts are given, and a chunk has
/// the same score as in the whole corpus.
#[derive(Clone, Debug, Default)]
pub struct CorpusIndex {
    segments: Vec<IndexSegment>,
    /// The document of each segment, by its place among the outlines. Grows.
    documents: Vec<usize>,
    /// Of every document, also those whose segments are elsewhere.
    outlines: Arc<[DocumentOutline]>,
    other: ScriptTotals,
    arabic: ScriptTotals,
    /// How many chunks hold a term, where not all segments are here to count them.
    holding: Option<BTreeMap<TermHash, u64>>,
}

impl CorpusIndex {
    /// Puts segments together. Their order breaks ties and changes no score.
    pub fn of(segments: Vec<IndexSegment>) -> Self {
        let unnamed = |one: &IndexSegment| DocumentOutline::of(DocumentName::default(), one);
        let outlined = Self::outlined(segments.iter().map(unnamed).collect());
        let documents = (0..segments.len()).collect();
        Self { segments, documents, ..outlined }
    }

    /// Returns the index with the names of its documents, in the order of its segments.
    #[must_use]
    pub fn with_names(self, names: Vec<DocumentName>) -> Self {
        let mut outlines = self.outlines.to_vec();
        for (outline, name) in outlines.iter_mut().zip(names) {
            outline.name = name;
        }
        Self { outlines: outlines.into(), ..self }
    }

    /// A part of a corpus: the outlines of all its documents, how many of all its chunks hold each
    /// term, and the segments of some documents, each by the place of its document, which grows.
    ///
    /// A term that `holding` does not name is held by no chunk.
    pub fn part(
        outlines: Arc<[DocumentOutline]>,
        holding: BTreeMap<TermHash, u64>,
        segments: Vec<(usize, IndexSegment)>,
    ) -> Self {
        let (documents, segments) = segments.into_iter().unzip();
        Self { segments, documents, holding: Some(holding), ..Self::outlined(outlines) }
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

    /// The documents that words name most clearly, by the places of their segments: none where the
    /// words name nothing, or all alike.
    pub fn named(&self, words: &[String]) -> Vec<usize> {
        let named = self.clearly_named(words);
        let is_named = |document: &usize| named.binary_search(document).is_ok();
        let places = self.documents.iter().enumerate();
        places.filter(|(_, document)| is_named(document)).map(|(place, _)| place).collect()
    }

    /// The chunks that speak most about a claim, the best first.
    pub fn rank(&self, claim: &str, limit: usize) -> Vec<RankedChunk> {
        WeightedQuery::of(claim, self).rank(limit)
    }

    /// The same for all documents of the corpus, by their places in it, which grow.
    fn clearly_named(&self, words: &[String]) -> Vec<usize> {
        let preferences = naming::preferences(&self.names(), words);
        let best = preferences.iter().copied().fold(0.0, f32::max);
        let places = preferences.iter().enumerate();
        let clear = places.filter(|(_, one)| **one > 0.0 && **one + MIN_NAMING_MARGIN >= best);
        let named: Vec<usize> = clear.map(|(place, _)| place).collect();
        if named.len() == preferences.len() { Vec::new() } else { named }
    }

    /// An index of documents without segments.
    fn outlined(outlines: Arc<[DocumentOutline]>) -> Self {
        let all = |of: fn(&DocumentOutline) -> ScriptTotals| {
            outlines.iter().map(of).fold(ScriptTotals::default(), ScriptTotals::and)
        };
        let (other, arabic) = (all(|one| one.other), all(|one| one.arabic));
        Self { outlines, other, arabic, ..Self::default() }
    }

    fn names(&self) -> Vec<&DocumentName> {
        self.outlines.iter().map(|outline| &outline.name).collect()
    }

    /// The segments, each with the place of its document.
    fn placed_segments(&self) -> impl Iterator<Item = (&IndexSegment, usize)> {
        self.segments.iter().zip(self.documents.iter().copied())
    }

    fn totals(&self) -> ScriptTotals {
        self.other.and(self.arabic)
    }

    fn of_script(&self, script: TextScript) -> ScriptTotals {
        match script {
            TextScript::Other => self.other,
            TextScript::Arabic => self.arabic,
        }
    }

    /// How many chunks of the corpus hold a term.
    fn holding(&self, term: TermHash) -> u64 {
        match &self.holding {
            Some(known) => known.get(&term).map_or(0, |chunks| *chunks),
            None => self.segments.iter().map(|segment| segment.holding(term) as u64).sum(),
        }
    }
}
