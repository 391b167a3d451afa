//! The results of retrieval: documents and their chunks, each with its score.

use dalil_proof::json::JsonMembers;

/// A document that retrieval found.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceCandidate<'a> {
    /// What names it; the source keeps this name.
    pub item_id: &'a str,
    /// Its kind: documents, jobs, entities or anything else.
    pub kind: &'a str,
    /// Where it is; becomes the source's `url`.
    pub source_ref: Option<&'a str>,
    /// Its title.
    pub title: Option<&'a str>,
    /// Its summary, for when no chunk is better.
    pub summary: Option<&'a str>,
    /// A preview, when there is no summary either.
    pub snippet: Option<&'a str>,
    /// How well it fits; not a number sorts last.
    pub score: f64,
    /// Its retrieval rank: the smaller of its text rank and its vector rank.
    pub rank: Option<u64>,
    /// What else is known about it.
    pub metadata: &'a JsonMembers<'a>,
}

/// A chunk of a candidate that retrieval found.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateChunk<'a> {
    /// The candidate it belongs to.
    pub item_id: OwnerName<'a>,
    /// What names it.
    pub chunk_id: Option<&'a str>,
    /// Its words.
    pub text: &'a str,
    /// How well it fits; not a number sorts last.
    pub score: f64,
    /// The headings above it.
    pub heading_path: Vec<&'a str>,
    /// Where its text begins in the document, in characters.
    pub start: Option<u64>,
}

/// The name of the candidate that a chunk belongs to, and its end as a number.
///
/// Few of many chunks belong to a source that is shown. The number excludes most others without a
/// look at the name, which lies somewhere else in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerName<'a> {
    name: &'a str,
    end: u64,
}

impl<'a> OwnerName<'a> {
    /// A name.
    pub fn new(name: &'a str) -> Self {
        let bytes = name.as_bytes();
        let end = match bytes.last_chunk() {
            Some(end) => u64::from_le_bytes(*end),
            None => bytes.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
        };
        Self { name, end }
    }

    /// The name itself.
    pub fn as_str(self) -> &'a str {
        self.name
    }

    /// The last eight bytes, where names differ most: the same for equal names.
    pub(super) fn end(self) -> u64 {
        self.end
    }
}
