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

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::anchor::Anchor;

use self::metadata::MetadataFilter;

pub use self::account::{
    IgnoredFields, OmissionReason, OmittedCandidate, SelectionAccount, ShortenedSnippet,
    WithheldMetadata,
};
pub use self::candidate::{CandidateChunk, OwnerName, SourceCandidate};
pub use self::metadata::SourceMetadata;
pub use self::options::{SortOrder, SourceOptions};
pub use self::snippet::{SnippetOrigin, SnippetSpan, SourceSnippet};

mod account;
mod candidate;
pub mod event;
mod metadata;
mod options;
mod order;
pub mod request;
mod snippet;
#[cfg(test)]
mod tests;
pub mod wire;

/// One item beside the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CitationSource<'a> {
    /// The candidate's `item_id`.
    pub source_id: &'a str,
    /// Its kind.
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
    /// The place of the snippet in the document, asked for or not.
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
    /// The parts left out, and why.
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
        // Without `debug` the others are not reported, so they need not be sorted.
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
        let unmatched =
            chunks.iter().filter(|chunk| !slots.contains_key(chunk.item_id.as_str())).count();
        SelectionAccount {
            candidates: candidates.len(),
            kept: sources.len(),
            left_out,
            chunks: chunks.len(),
            unmatched_chunks: unmatched,
            shortened: account::shortened(&sources),
            withheld_metadata: account::withheld(&kept, &sources),
            problems: Vec::new(),
            ignored_fields: IgnoredFields::default(),
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
