//! Sources: the small, stable, document-level items shown beside an answer.
//!
//! ```text
//! candidates ─order─▶ first of each id ─limit─▶ Source ◀─snippet─ chunks
//!                                                 └─▶ Event, or the parts and citations of others
//! ```
//!
//! Everything borrows from the request: a snippet is a slice of the text it was
//! cut from. The work is linear in candidates and chunks, but for the sort.
//!
//! Out of scope: retrieving, splitting, and rendering.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;

use crate::anchor::Anchor;
use crate::json::JsonMembers;

use self::metadata::MetadataFilter;

pub use self::account::{
    OmissionReason, OmittedCandidate, SelectionAccount, ShortenedSnippet, WithheldMetadata,
};
pub use self::metadata::SourceMetadata;
pub use self::snippet::{SnippetOrigin, SnippetSpan, SourceSnippet};

mod account;
pub mod event;
mod metadata;
mod order;
pub mod request;
mod snippet;
#[cfg(test)]
mod tests;
pub mod wire;

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

/// What to show, and how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOptions<'a> {
    /// The most sources to show.
    pub max_sources: usize,
    /// Whether a chunk's words are preferred to the document's summary.
    pub prefer_chunk_snippets: bool,
    /// The most characters of a snippet.
    pub max_snippet_chars: usize,
    /// The only metadata to show; `None` leaves the choice to the rule for safe metadata.
    pub include_metadata_keys: Option<BTreeSet<&'a str>>,
    /// Metadata never to show.
    pub exclude_metadata_keys: Option<BTreeSet<&'a str>>,
    /// Which comes first.
    pub order_by: SortOrder,
    /// Whether to account for what was left out.
    pub debug: bool,
    /// Up to so many snippets under each source, beside the one it always has.
    pub max_snippets: Option<usize>,
    /// Whether snippets carry their citation anchor and their place.
    pub anchors: bool,
}

impl SourceOptions<'_> {
    /// The seed's choices.
    pub const CONTRACT_DEFAULTS: Self = Self {
        max_sources: 6,
        prefer_chunk_snippets: true,
        max_snippet_chars: 360,
        include_metadata_keys: None,
        exclude_metadata_keys: None,
        order_by: SortOrder::Score,
        debug: false,
        max_snippets: None,
        anchors: false,
    };
}

/// Which candidate comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortOrder {
    /// The highest score; then the smaller rank; then the id.
    Score,
    /// The smaller rank; then the higher score; then the id.
    Rank,
    /// The one given first.
    Input,
}

/// One item beside the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CitationSource<'a> {
    /// The candidate's `item_id`.
    pub source_id: &'a str,
    /// What it is.
    pub kind: &'a str,
    /// Its title.
    pub title: Option<&'a str>,
    /// Where it is.
    pub url: Option<&'a str>,
    /// The words to show.
    pub snippet: Option<&'a str>,
    /// The whole text that the words were cut from.
    #[serde(skip)]
    pub whole: Option<&'a str>,
    /// Where the words come from.
    pub snippet_from: SnippetOrigin,
    /// How well it fits; nothing when that is not a number.
    pub score: Option<f64>,
    /// Its place in this list, from 1.
    pub rank: usize,
    /// What else may be shown about it.
    pub metadata: SourceMetadata<'a>,
    /// The anchor of the chunk that the snippet is from, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// Where the snippet stands in the document, asked for or not.
    #[serde(skip)]
    pub place: Option<SnippetSpan>,
    /// The same, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<SnippetSpan>,
    /// The best snippets, the shown one first, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippets: Option<Vec<SourceSnippet<'a>>>,
}

/// The sources, and the account of everything else when it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceSelection<'a> {
    /// The sources, best first.
    pub sources: Vec<CitationSource<'a>>,
    /// What was left out, and why.
    pub debug: Option<SelectionAccount<'a>>,
}

/// Chooses the sources to show.
pub fn select<'a>(
    candidates: &[SourceCandidate<'a>],
    chunks: &[CandidateChunk<'a>],
    options: &SourceOptions<'a>,
) -> SourceSelection<'a> {
    // The limit comes from the request and may be 2^53: alone it must not size an allocation.
    let mut seen = HashSet::with_capacity(candidates.len().min(options.max_sources));
    let mut kept = Vec::with_capacity(candidates.len().min(options.max_sources));
    let mut left_out = Vec::new();
    for n in order::CandidateRanking::new(candidates, options.order_by) {
        // Without `debug` nobody asks about the others, so they need not be sorted.
        if kept.len() == options.max_sources && !options.debug {
            break;
        }
        let Some(candidate) = candidates.get(n) else { continue };
        if !seen.insert(candidate.item_id) {
            left_out.push(OmittedCandidate::new(n, candidate, OmissionReason::Duplicate));
        } else if kept.len() == options.max_sources {
            left_out.push(OmittedCandidate::new(n, candidate, OmissionReason::Limit));
        } else {
            kept.push(candidate);
        }
    }
    // Asked by name and never walked, so the order of the map decides nothing.
    let slots: HashMap<&str, usize> =
        kept.iter().enumerate().map(|(slot, candidate)| (candidate.item_id, slot)).collect();
    let snippets = snippet::choose(chunks, &slots, options);
    let mut filter = MetadataFilter::new(options);
    let sources: Vec<CitationSource<'a>> = kept
        .iter()
        .zip(snippets)
        .enumerate()
        .map(|(n, (candidate, snippets))| source(n + 1, candidate, snippets, &mut filter))
        .collect();
    let debug = options.debug.then(|| {
        left_out.sort_by_key(|left| left.index);
        let unmatched = chunks.iter().filter(|chunk| !slots.contains_key(chunk.item_id)).count();
        SelectionAccount {
            candidates: candidates.len(),
            kept: sources.len(),
            left_out,
            chunks: chunks.len(),
            unmatched_chunks: unmatched,
            shortened: account::shortened(&sources),
            withheld_metadata: account::withheld(&kept, &sources),
            problems: Vec::new(),
        }
    });
    SourceSelection { sources, debug }
}

fn source<'a>(
    rank: usize,
    candidate: &SourceCandidate<'a>,
    mut snippets: Vec<SourceSnippet<'a>>,
    filter: &mut MetadataFilter<'_, 'a>,
) -> CitationSource<'a> {
    let options = filter.options;
    if snippets.is_empty() {
        snippets.extend(snippet::of_document(candidate, options.max_snippet_chars));
    }
    let first = snippets.first();
    CitationSource {
        source_id: candidate.item_id,
        kind: candidate.kind,
        title: candidate.title,
        url: candidate.source_ref,
        snippet: first.map(|first| first.text),
        whole: first.map(|first| first.whole),
        snippet_from: first.map_or(SnippetOrigin::Unknown, |first| first.snippet_from),
        score: candidate.score.is_finite().then_some(candidate.score),
        rank,
        metadata: filter.shown(candidate.metadata),
        anchor: first.and_then(|first| first.anchor.clone()),
        place: first.and_then(|first| first.place),
        span: first.and_then(|first| first.span),
        snippets: options.max_snippets.map(|_| snippets),
    }
}
