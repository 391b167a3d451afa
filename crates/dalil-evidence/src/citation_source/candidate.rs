//! What retrieval found: documents and their chunks, each with its score.

use dalil_proof::json::JsonMembers;

/// A document that retrieval found.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceCandidate<'a> {
    /// What names it; the source keeps this name.
    pub item_id: &'a str,
    /// What it is: documents, jobs, entities or anything else.
    pub kind: &'a str,
    /// Where it is; becomes the source's `url`.
    pub source_ref: Option<&'a str>,
    /// Its title.
    pub title: Option<&'a str>,
    /// What it is about, when no chunk says it better.
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
    pub item_id: &'a str,
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
