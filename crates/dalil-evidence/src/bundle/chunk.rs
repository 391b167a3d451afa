//! Splitting a long text into chunks that cover it, each within a size, on
//! structure first: headings, paragraphs, lines, sentences, words.

use crate::bundle::policy::BundlePolicy;

/// How long chunks are and how much two neighbours share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSizes {
    /// The most bytes in a chunk; at least [`ChunkSizes::MIN_CHUNK_BYTES`].
    size: usize,
    /// The most bytes that two neighbours share; less than `size`.
    overlap: usize,
}

impl ChunkSizes {
    /// Room for any character, and for a few.
    pub const MIN_CHUNK_BYTES: usize = 16;

    /// Sizes that can cover any text; `None` for others.
    pub fn new(size: usize, overlap: usize) -> Option<Self> {
        (size >= Self::MIN_CHUNK_BYTES && overlap < size).then_some(Self { size, overlap })
    }

    /// The sizes of a policy, whose chunks are never longer than its items.
    pub(super) fn of(policy: &BundlePolicy) -> Self {
        // A policy has `chunk_overlap` below `chunk_size`, but not below `max_item_bytes`.
        let size = policy.chunk_size.min(policy.max_item_bytes).max(Self::MIN_CHUNK_BYTES);
        Self { size, overlap: policy.chunk_overlap.min(size - 1) }
    }
}

/// A part of a text, in bytes, on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSpan {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Splits a text into spans, in order, that cover all of it.
///
/// The first begins at the beginning, each begins at or before the end of the
/// one before and ends after it, and the last ends at the end. An empty text is
/// one empty span.
pub fn split(text: &str, sizes: &ChunkSizes) -> Vec<ChunkSpan> {
    let mut spans = Vec::new();
    let (mut start, mut covered) = (0, 0);
    loop {
        let end = end_of(text, start, covered, sizes);
        spans.push(ChunkSpan { start, end });
        if end >= text.len() {
            return spans;
        }
        // Every end is after the one before, by `end_of` and `start_of` together, so this ends.
        covered = end;
        start = start_of(text, ChunkSpan { start, end }, sizes);
    }
}

/// Where a chunk from `start` ends: at the strongest break in its second half,
/// else at the last character that fits.
fn end_of(text: &str, start: usize, covered: usize, sizes: &ChunkSizes) -> usize {
    let last = text.floor_char_boundary(start + sizes.size);
    if last >= text.len() {
        return text.len();
    }
    // A break in the first half would make small chunks; one at or before `covered` would add
    // nothing to the chunk before.
    let first = text.ceil_char_boundary((start + sizes.size / 2).max(covered + 1));
    let window = text.get(first..last).unwrap_or_default();
    let best = breaks(text, first, window).max_by_key(|(strength, at)| (*strength, *at));
    best.map_or(last, |(_, at)| at)
}

/// Where the chunk after `last` starts: at the first word that begins in the overlap.
fn start_of(text: &str, last: ChunkSpan, sizes: &ChunkSizes) -> usize {
    let end = last.end;
    let from = text.ceil_char_boundary(end.saturating_sub(sizes.overlap).max(last.start + 1));
    // A chunk from here must be able to reach past `end`.
    let reaches = |at: usize| text.floor_char_boundary(at + sizes.size) > end;
    let shared = text.get(from..end).unwrap_or_default();
    let word = shared
        .char_indices()
        .zip(shared.chars().skip(1))
        .find(|((_, before), after)| before.is_whitespace() && !after.is_whitespace())
        .map(|((at, before), _)| from + at + before.len_utf8());
    [word, Some(from)].into_iter().flatten().find(|at| reaches(*at)).unwrap_or(end)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BreakStrength {
    Word,
    Sentence,
    Line,
    Paragraph,
    Heading,
}

/// The places in a window of the text after which it may be cut.
fn breaks<'t>(
    text: &'t str,
    first: usize,
    window: &'t str,
) -> impl Iterator<Item = (BreakStrength, usize)> + 't {
    window.char_indices().filter_map(move |(at, ch)| {
        if !ch.is_whitespace() {
            return None;
        }
        let before = text.get(..first + at)?;
        let cut = first + at + ch.len_utf8();
        let after = text.get(cut..)?;
        Some((strength(before, ch, after), cut))
    })
}

/// How good a place to cut a white-space character is.
fn strength(before: &str, ch: char, after: &str) -> BreakStrength {
    if ch == '\n' {
        return if after.starts_with('#') {
            BreakStrength::Heading
        } else if before.ends_with('\n') || before.ends_with("\n\r") {
            // Also the second `\n` of `\r\n\r\n`, which follows `\n\r`.
            BreakStrength::Paragraph
        } else {
            BreakStrength::Line
        };
    }
    // Quotes and brackets may close after the point that ends a sentence.
    let closed = before.trim_end_matches(['"', '\'', ')', ']', '»', '”', '’']);
    if closed.ends_with(['.', '!', '?', '؟', '۔', '。', '…']) {
        BreakStrength::Sentence
    } else {
        BreakStrength::Word
    }
}
