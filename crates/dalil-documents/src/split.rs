//! Splitting: documents to chunks.
//!
//! A chunk is one block. A long block is cut between sentences, a long sentence
//! between words, and never inside a grapheme cluster.

use std::ops::Range;

use icu_segmenter::GraphemeClusterSegmenter;

use crate::document::ParsedDocument;
use crate::sentence::{sentences, trimmed};

#[cfg(test)]
mod tests;

/// A verbatim span of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentChunk {
    /// Where it begins in the document's text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The block it is of.
    pub block: usize,
}

/// Cuts a document into chunks, in order.
///
/// They do not overlap, begin and end with no white space, and together hold
/// everything else of all blocks, however short a block or a page is. None is
/// longer than 1000 bytes, except one that is a single character to a reader.
pub fn chunks(document: &ParsedDocument) -> Vec<DocumentChunk> {
    let mut chunks = Vec::new();
    for (block, one) in document.blocks.iter().enumerate() {
        let range = trimmed(&document.text, one.start..one.end);
        let Some(text) = document.text.get(range.clone()).filter(|text| !text.is_empty()) else {
            continue;
        };
        chunks.extend(parts(text).into_iter().map(|part| DocumentChunk {
            start: range.start + part.start,
            end: range.start + part.end,
            block,
        }));
    }
    chunks
}

/// A short text whole; of a long one as many sentences as fit, and long sentences in pieces.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    if text.len() <= MAX_CHUNK_BYTES {
        parts.push(0..text.len());
        return parts;
    }
    for sentence in sentences(text).into_iter().flat_map(|sentence| pieces(text, sentence)) {
        // Measured from start to end, since the space between two sentences is in the chunk too.
        match parts.last_mut() {
            Some(last) if sentence.end - last.start <= MAX_CHUNK_BYTES => last.end = sentence.end,
            _ => parts.push(sentence),
        }
    }
    parts
}

/// A sentence whole, or cut between words where it is too long.
fn pieces(text: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut rest = sentence;
    while rest.len() > MAX_CHUNK_BYTES {
        let inside = text.get(rest.clone()).unwrap_or_default();
        let cut = rest.start + cut(inside);
        let piece = trimmed(text, rest.start..cut);
        if !piece.is_empty() {
            pieces.push(piece);
        }
        rest = trimmed(text, cut..rest.end);
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// Where to cut a text that is too long: behind the last word that fits, or the last character.
fn cut(text: &str) -> usize {
    let segmenter = GraphemeClusterSegmenter::new();
    let mut fits = 0;
    let mut word = 0;
    for end in segmenter.segment_str(text).skip(1) {
        // The first character is taken at any length, or the caller would never get on.
        if end > MAX_CHUNK_BYTES && fits > 0 {
            break;
        }
        let character = text.get(fits..end).unwrap_or_default();
        if character.starts_with(char::is_whitespace) {
            word = end;
        }
        fits = end;
        if end > MAX_CHUNK_BYTES {
            break;
        }
    }
    // A last space in the first half means one very long word: better cut that one.
    if word > MAX_CHUNK_BYTES / 2 { word } else { fits }
}

/// How long a chunk may be, in bytes: some 180 English words, or 90 Arabic ones.
const MAX_CHUNK_BYTES: usize = 1000;
