//! Snippets: which words of a document are shown, and where they are cut.

use std::collections::HashMap;

use dalil_proof::digest::Digest;
use serde::Serialize;
use unicode_segmentation::GraphemeCursor;

use super::candidate::{CandidateChunk, OwnerName, SourceCandidate};
use super::options::SourceOptions;
use super::order::best_score;
use crate::anchor::{Anchor, AnchorIndex, text_digest};

/// Where a snippet's words come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SnippetOrigin {
    /// A chunk of the document.
    Chunk,
    /// The document's summary or preview.
    Doc,
    /// There are no words.
    Unknown,
}

/// Some words of a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceSnippet<'a> {
    /// The words.
    pub text: &'a str,
    /// The whole text that they were cut from.
    #[serde(skip)]
    pub whole: &'a str,
    /// Where the words come from.
    pub snippet_from: SnippetOrigin,
    /// The chunk they are from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<&'a str>,
    /// The headings above them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heading_path: Vec<&'a str>,
    /// The anchor of the whole chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// The place of the words in the document, asked for or not.
    #[serde(skip)]
    pub place: Option<SnippetSpan>,
    /// The same, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<SnippetSpan>,
}

/// A place in a document, in characters; the end is the first character after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SnippetSpan {
    /// The first character.
    pub start: u64,
    /// The first character after it.
    pub end: u64,
}

/// The best chunks of each kept candidate as snippets, by the candidate's slot.
pub(super) fn choose<'a>(
    chunks: &[CandidateChunk<'a>],
    slots: &HashMap<&str, usize>,
    options: &SourceOptions<'a>,
) -> Vec<Vec<SourceSnippet<'a>>> {
    let mut best: Vec<Vec<&CandidateChunk<'a>>> = vec![Vec::new(); slots.len()];
    if options.prefer_chunk_snippets {
        let limit = options.max_snippets.unwrap_or(1);
        let marks = SlotNameFilter::of(slots);
        for chunk in chunks.iter().filter(|chunk| marks.may_hold(chunk.item_id)) {
            let slot = slots.get(chunk.item_id.as_str()).and_then(|slot| best.get_mut(*slot));
            if let Some(slot) = slot.filter(|_| !is_blank(chunk.text)) {
                slot.push(chunk);
                // Cut when it has twice the limit, so that a cut pays for as many chunks as it
                // drops.
                if slot.len() >= limit.saturating_mul(2) {
                    keep_best(slot, limit);
                }
            }
        }
        best.iter_mut().for_each(|slot| keep_best(slot, limit));
    }
    // Over all chunks, also those not shown: an anchor must be ambiguous with none of them.
    let digests = options.anchors.then(|| ChunkDigestCache::of(chunks));
    let max = options.max_snippet_chars;
    let snippet = |chunk| of_chunk(chunk, digests.as_ref(), max);
    best.into_iter().map(|best| best.into_iter().filter_map(snippet).collect()).collect()
}

/// Excludes most names that have no slot, without hashing them.
///
/// Few of many documents are shown, so most chunks belong to none of them.
struct SlotNameFilter(Vec<bool>);

impl SlotNameFilter {
    fn of(slots: &HashMap<&str, usize>) -> Self {
        // A name that falls on another's mark costs one lookup; no name with a slot is missed,
        // since equal names have equal places. A lookup costs as much as many marks.
        let mut marks = vec![false; (slots.len() * 16).next_power_of_two().max(MIN_MARKS)];
        let size = marks.len();
        #[expect(clippy::iter_over_hash_type, reason = "marks are the same in any order")]
        for name in slots.keys() {
            if let Some(mark) = marks.get_mut(Self::place(OwnerName::new(name), size)) {
                *mark = true;
            }
        }
        Self(marks)
    }

    fn may_hold(&self, name: OwnerName<'_>) -> bool {
        self.0.get(Self::place(name, self.0.len())).is_some_and(|mark| *mark)
    }

    /// A place made from the end of a name.
    fn place(name: OwnerName<'_>, size: usize) -> usize {
        // Fibonacci hashing: 2^64 over the golden ratio. A product mixes upwards, so its high bits
        // are turned to where the mask takes them.
        let mixed = name.end().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(24);
        usize::try_from(mixed & (size as u64).saturating_sub(1)).unwrap_or(0)
    }
}

/// What anchors are made from: each text is digested once.
struct ChunkDigestCache<'a> {
    by_text: HashMap<&'a str, Digest>,
    known: AnchorIndex,
}

impl<'a> ChunkDigestCache<'a> {
    fn of(chunks: &[CandidateChunk<'a>]) -> Self {
        let by_text: HashMap<&str, Digest> =
            chunks.iter().map(|chunk| (chunk.text, text_digest(chunk.text))).collect();
        let known =
            AnchorIndex::new(chunks.iter().filter_map(|chunk| by_text.get(chunk.text).copied()));
        Self { by_text, known }
    }

    fn anchor(&self, text: &str) -> Option<Anchor> {
        self.by_text.get(text).map(|digest| self.known.shortest(digest))
    }
}

/// The summary, or else the preview, of a document.
pub(super) fn of_document<'a>(
    candidate: &SourceCandidate<'a>,
    max: usize,
) -> Option<SourceSnippet<'a>> {
    let mut texts = [candidate.summary, candidate.snippet].into_iter().flatten();
    let whole = texts.find(|text| !is_blank(text))?;
    Some(SourceSnippet {
        text: cut(whole, max)?,
        whole,
        snippet_from: SnippetOrigin::Doc,
        chunk_id: None,
        heading_path: Vec::new(),
        anchor: None,
        place: None,
        span: None,
    })
}

/// Keeps the best chunks, the best first; of equals those that came first.
fn keep_best(chunks: &mut Vec<&CandidateChunk<'_>>, limit: usize) {
    chunks.sort_by(|one, other| best_score(one.score, other.score));
    chunks.truncate(limit);
}

fn of_chunk<'a>(
    chunk: &CandidateChunk<'a>,
    digests: Option<&ChunkDigestCache<'a>>,
    max: usize,
) -> Option<SourceSnippet<'a>> {
    let text = cut(chunk.text, max)?;
    let place =
        chunk.start.map(|start| SnippetSpan { start, end: start + text.chars().count() as u64 });
    Some(SourceSnippet {
        text,
        whole: chunk.text,
        snippet_from: SnippetOrigin::Chunk,
        chunk_id: chunk.chunk_id,
        heading_path: chunk.heading_path.clone(),
        anchor: digests.and_then(|digests| digests.anchor(chunk.text)),
        place,
        span: digests.and(place),
    })
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// The beginning of a text: at most `max` characters, never part of a grapheme, and up to the
/// last white space where that is within the last 20 characters. Nothing when nothing fits.
pub(super) fn cut(text: &str, max: usize) -> Option<&str> {
    let kept = match text.char_indices().nth(max) {
        None => text,
        Some((limit, _)) => at_word(text, text.get(..at_grapheme(text, limit))?),
    };
    (!kept.is_empty()).then_some(kept)
}

/// The last grapheme boundary at or before `limit`.
fn at_grapheme(text: &str, limit: usize) -> usize {
    let mut cursor = GraphemeCursor::new(limit, text.len(), true);
    // The cursor asks for more text only when it is given less than all of it.
    match cursor.is_boundary(text, 0) {
        Ok(false) => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
        Ok(true) | Err(_) => limit,
    }
}

/// Shortens `kept` to its last whole word, when white space is near enough to its end.
fn at_word<'a>(text: &'a str, kept: &'a str) -> &'a str {
    let rest = text.get(kept.len()..).unwrap_or_default();
    if rest.chars().next().is_none_or(char::is_whitespace) {
        return kept.trim_end();
    }
    let mut last = kept.char_indices().rev().take(MAX_WORD_BACKTRACK_CHARS);
    let space = last.find(|(_, ch)| ch.is_whitespace());
    let words = space.and_then(|(at, _)| kept.get(..at)).map(str::trim_end);
    words.filter(|words| !words.is_empty()).unwrap_or(kept)
}

/// This many marks fit into the first cache of a processor; with six slots, few names share a mark.
const MIN_MARKS: usize = 4096;
/// The most characters that a cut may move back to end on a word.
const MAX_WORD_BACKTRACK_CHARS: usize = 20;
