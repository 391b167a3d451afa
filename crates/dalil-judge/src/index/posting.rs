//! Postings as bytes: which chunks of some documents hold a term, for a database to keep.
//!
//! ```text
//! for each chunk: documents since the one before · chunks since the one before in its document
//! · how often (1) · terms of the chunk × 4 + 2 for a heading + 1 for Arabic
//! ```
//!
//! Numbers are unsigned LEB128, but for how often, which is the byte of a segment.

use std::collections::BTreeMap;

use super::segment::{self, IndexSegment};
use super::term::{TermHash, TextScript};

#[cfg(test)]
mod tests;

/// The postings of some documents, by their terms.
#[derive(Debug, Default)]
pub struct PostingWriter {
    lists: BTreeMap<TermHash, PostingList>,
}

/// The postings of one term.
#[derive(Debug, Default)]
pub struct PostingList {
    /// How many chunks hold the term.
    pub chunks: u32,
    /// Their postings.
    pub bytes: Vec<u8>,
    document: u32,
    /// The chunk after the last one.
    next: u32,
}

/// A chunk that holds a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChunkPosting {
    pub(super) document: u32,
    pub(super) chunk: u32,
    /// How often; an occurrence around the chunk counts less than once.
    pub(super) times: f32,
    /// How many terms the chunk has.
    pub(super) length: u32,
    pub(super) script: TextScript,
    pub(super) is_heading: bool,
}

impl PostingWriter {
    /// Adds a document, by its place in the corpus. Places must grow.
    pub fn add(&mut self, document: u32, segment: &IndexSegment) {
        for (term, chunk, count) in segment.all_postings() {
            self.lists.entry(term).or_default().add(document, chunk, count, segment);
        }
    }

    /// The list of each term, in the order of terms.
    pub fn into_lists(self) -> impl Iterator<Item = (TermHash, PostingList)> {
        self.lists.into_iter()
    }
}

impl PostingList {
    fn add(&mut self, document: u32, chunk: u32, count: u8, segment: &IndexSegment) {
        let further = document.saturating_sub(self.document);
        if further > 0 {
            (self.document, self.next) = (document, 0);
        }
        let place = chunk as usize;
        let kind = u64::from(segment.is_heading(place)) << 1
            | u64::from(segment.script(place) == TextScript::Arabic);
        put(&mut self.bytes, u64::from(further));
        put(&mut self.bytes, u64::from(chunk.saturating_sub(self.next)));
        self.bytes.push(count);
        put(&mut self.bytes, u64::from(segment.length(place)) << 2 | kind);
        self.next = chunk.saturating_add(1);
        self.chunks += 1;
    }
}

/// Reads the postings of `chunks` chunks, and appends them to those of the parts before.
///
/// Returns none for bytes that are not the postings of exactly that many.
pub fn read_postings(bytes: &[u8], chunks: u32, into: &mut Vec<ChunkPosting>) -> Option<()> {
    let mut rest = bytes;
    let (mut document, mut next) = (0_u32, 0_u32);
    for _ in 0..chunks {
        let further = u32::try_from(take(&mut rest)?).ok()?;
        if further > 0 {
            next = 0;
        }
        document = document.checked_add(further)?;
        let chunk = next.checked_add(u32::try_from(take(&mut rest)?).ok()?)?;
        next = chunk.checked_add(1)?;
        let (count, after) = rest.split_first()?;
        rest = after;
        let kind = take(&mut rest)?;
        let script = if kind & 1 == 0 { TextScript::Other } else { TextScript::Arabic };
        into.push(ChunkPosting {
            document,
            chunk,
            times: segment::times(*count),
            length: u32::try_from(kind >> 2).ok()?,
            script,
            is_heading: kind & 2 != 0,
        });
    }
    rest.is_empty().then_some(())
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 0x80);
    }
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..MAX_NUMBER_BITS).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// No number that is written has more: a length of 32 bits and the kind.
const MAX_NUMBER_BITS: u32 = 35;
/// How many bytes the posting of one chunk has at most: three numbers of five, and how often.
pub const MAX_POSTING_BYTES: usize = 16;
