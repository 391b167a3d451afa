//! Chunk sets: the texts that an application retrieved, one after the other.
//!
//! The text of a set is for people who look something up in it. A claim is judged against each chunk
//! on its own (`read_chunk`), so that a heading of one chunk does not stand above the next.

use dalil_evidence::chunk_set::ChunkSet;

use super::markdown::{HiddenWords, UnshownMarkup};
use super::{DocumentDraft, UnreadableFile};
use crate::document::{BlockKind, BlockLocation, DocumentBlock};

pub(super) fn read(bytes: &[u8]) -> Result<DocumentDraft, UnreadableFile> {
    let other = || UnreadableFile::new("expected a chunk set in canonical form, found other", None);
    let set = ChunkSet::of_canonical(bytes).ok_or_else(other)?;
    let (text, spans) = set.joined();
    // Each chunk is Markdown by itself: a comment of one does not go on in the next.
    let unshown = UnshownMarkup::of_parts(&text, spans.iter().cloned());
    let chunks = set.chunks().iter().zip(spans).zip(1..);
    let blocks = chunks.map(|((chunk, span), part)| DocumentBlock {
        kind: BlockKind::Paragraph,
        start: span.start,
        end: span.end,
        page: chunk.page,
        headings: Vec::new(),
        place: BlockLocation::Part { part, start: 0, end: chunk.text.len() },
        lead: None,
        row: None,
        // A chunk may be a page, of which some words are seen.
        hidden: match unshown.hidden_words(&text, &span) {
            HiddenWords::All(reason) => Some(reason),
            HiddenWords::None | HiddenWords::Some(_) => None,
        },
    });
    let blocks = blocks.collect();
    Ok(DocumentDraft { text, blocks, ..DocumentDraft::default() })
}
