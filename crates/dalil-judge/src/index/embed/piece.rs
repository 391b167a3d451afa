//! Pieces: the parts of words that have rows in the table, and how a word is cut into them.

use std::cmp::Ordering;
use std::ops::Range;

use super::EMBEDDING_DIMENSIONS;

/// The pieces of a word: the likeliest cut, as `SentencePiece`'s unigram model has it.
///
/// Characters that no piece covers are left out.
pub(super) fn cut(word: &str) -> Vec<usize> {
    let text = format!("{WORD_START}{word}");
    let text = text.get(..text.floor_char_boundary(MAX_WORD_BYTES)).unwrap_or_default();
    let mut best = vec![ViterbiStep { score: i32::MIN, start: 0, piece: None }; text.len() + 1];
    if let Some(first) = best.first_mut() {
        first.score = 0;
    }
    // Viterbi: for each place only the best way to it is kept.
    for (start, ch) in text.char_indices() {
        let Some(score) = best.get(start).map(|step| step.score) else { break };
        let mut offer = |end: usize, cost: i32, piece: Option<usize>| {
            let score = score.saturating_add(cost);
            if let Some(step) = best.get_mut(end).filter(|step| score > step.score) {
                *step = ViterbiStep { score, start, piece };
            }
        };
        // Any character may be passed at a price, so there is always a way to the end.
        offer(start + ch.len_utf8(), UNKNOWN_PIECE_SCORE, None);
        let rest = text.get(start..).unwrap_or_default();
        prefixes(rest, |length, piece| offer(start + length, score_of(piece), Some(piece)));
    }
    let pieces = walk_back(&best);
    // Of unknown letters only the start mark is left, which would bring all such words together.
    let says_something = pieces.iter().any(|piece| spelling(*piece) != WORD_START.as_bytes());
    if says_something { pieces } else { Vec::new() }
}

/// The scale and the numbers of a piece's row.
pub(super) fn row(piece: usize) -> Option<(i32, &'static [u8])> {
    let scale = ROW_SCALES.as_chunks().0.get(piece)?;
    let row =
        EMBEDDING_ROWS.get(piece * EMBEDDING_DIMENSIONS..(piece + 1) * EMBEDDING_DIMENSIONS)?;
    Some((i32::from(u16::from_le_bytes(*scale)), row))
}

/// The spelling of a piece, for tests to compare.
#[cfg(test)]
pub(super) fn text(piece: usize) -> &'static str {
    std::str::from_utf8(spelling(piece)).unwrap()
}

/// The best way to one place in a word.
#[derive(Clone, Copy)]
struct ViterbiStep {
    score: i32,
    start: usize,
    piece: Option<usize>,
}

fn walk_back(best: &[ViterbiStep]) -> Vec<usize> {
    let mut pieces = Vec::new();
    let mut at = best.len().saturating_sub(1);
    while let Some(step) = best.get(at).filter(|_| at > 0) {
        pieces.extend(step.piece);
        at = step.start;
    }
    pieces.reverse();
    pieces
}

/// Gives every piece that a text starts with, with its length, the shorter ones first.
///
/// The pieces are sorted: those that share a beginning stand together, and each
/// further byte narrows the range.
fn prefixes(text: &str, mut take: impl FnMut(usize, usize)) {
    let mut range = 0..PIECE_COUNT;
    for (at, byte) in text.bytes().enumerate() {
        range = narrowed(range, at, byte);
        if range.is_empty() {
            return;
        }
        // Of sorted spellings with one beginning the shortest is the first: only it can end here.
        if spelling(range.start).len() == at + 1 {
            take(at + 1, range.start);
        }
    }
}

/// The pieces of a range whose byte at a place is the one given.
fn narrowed(range: Range<usize>, at: usize, byte: u8) -> Range<usize> {
    // A piece that ended before this byte sorts before those that go on.
    let compare = |piece: usize| spelling(piece).get(at).map_or(Ordering::Less, |b| b.cmp(&byte));
    let start = first(range.clone(), |piece| compare(piece) == Ordering::Less);
    let end = first(start..range.end, |piece| compare(piece) == Ordering::Equal);
    start..end
}

/// The first of a range for which something stops being true, which it does once.
fn first(range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let Range { mut start, mut end } = range;
    while start < end {
        let middle = start.midpoint(end);
        if holds(middle) {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
}

fn spelling(piece: usize) -> &'static [u8] {
    let end = |piece: usize| {
        let bytes = SPELLING_ENDS.as_chunks().0.get(piece).copied();
        bytes.map_or(0, u32::from_le_bytes) as usize
    };
    let start = piece.checked_sub(1).map_or(0, end);
    SPELLINGS.get(start..end(piece)).unwrap_or_default()
}

fn score_of(piece: usize) -> i32 {
    PIECE_SCORES.as_chunks().0.get(piece).copied().map_or(UNKNOWN_PIECE_SCORE, i32::from_le_bytes)
}

/// The mark that `SentencePiece` writes for the space before a word.
const WORD_START: &str = "▁";
/// Longer words are cut off, so that a long run of letters costs no more than its length.
const MAX_WORD_BYTES: usize = 256;
/// The score of a character that is no piece: worse than any piece.
const UNKNOWN_PIECE_SCORE: i32 = -30_000;

/// The table: for each piece the end of its spelling, its score and its row's scale;
/// then the spellings, sorted; then the rows. Little-endian.
pub(super) static EMBEDDING_WEIGHTS: &[u8] = include_bytes!("../../../model/embed.bin");
const PIECE_COUNT: usize = 20_720;
const SPELLING_BYTES: usize = 165_349;
const SPELLING_ENDS: &[u8] = EMBEDDING_WEIGHTS.split_at(4 * PIECE_COUNT).0;
const PIECE_SCORES: &[u8] =
    EMBEDDING_WEIGHTS.split_at(4 * PIECE_COUNT).1.split_at(4 * PIECE_COUNT).0;
const ROW_SCALES: &[u8] = EMBEDDING_WEIGHTS.split_at(8 * PIECE_COUNT).1.split_at(2 * PIECE_COUNT).0;
const SPELLINGS: &[u8] = EMBEDDING_WEIGHTS.split_at(10 * PIECE_COUNT).1.split_at(SPELLING_BYTES).0;
const EMBEDDING_ROWS: &[u8] = EMBEDDING_WEIGHTS.split_at(10 * PIECE_COUNT + SPELLING_BYTES).1;
const _: () = assert!(
    EMBEDDING_ROWS.len() == PIECE_COUNT * EMBEDDING_DIMENSIONS,
    "the table has another shape"
);
