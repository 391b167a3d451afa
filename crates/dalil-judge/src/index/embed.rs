//! Vectors of texts: near for texts that mean the same, in English and in Arabic.
//!
//! The weights are a table with one row for each piece of a word. The vector of a
//! text is the sum of its pieces' rows, scaled to one length and rounded to whole
//! numbers. The rows were fitted to a large multilingual sentence encoder: see
//! `training/embed`. All arithmetic that decides is on integers, so that a vector
//! is the same on every processor.

use std::collections::HashMap;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

mod piece;
#[cfg(test)]
mod tests;

/// How many numbers a vector has.
pub const EMBEDDING_DIMENSIONS: usize = 256;

/// The direction of a text's meaning.
pub type EmbeddingVector = [i8; EMBEDDING_DIMENSIONS];

/// Makes vectors, and remembers how words are cut into pieces.
#[derive(Debug, Default)]
pub(super) struct Embedder {
    words: HashMap<String, Vec<usize>>,
}

impl Embedder {
    /// The vector of a text; all zero if no piece of it is known.
    pub(super) fn vector(&mut self, text: &str) -> EmbeddingVector {
        let mut sums = [0_i32; EMBEDDING_DIMENSIONS];
        let mut left = MAX_TEXT_PIECES;
        let plain = plain(text);
        for word in plain.split_whitespace() {
            for id in self.pieces(word).iter().take(left) {
                add(&mut sums, *id);
            }
            left = left.saturating_sub(self.pieces(word).len());
        }
        scaled(&sums)
    }

    fn pieces(&mut self, word: &str) -> &[usize] {
        if !self.words.contains_key(word) {
            // Bounded against documents of made-up words. Common words come back soon.
            if self.words.len() == MAX_CACHED_WORDS {
                self.words.clear();
            }
            self.words.insert(word.to_owned(), piece::cut(word));
        }
        self.words.get(word).map_or(&[], Vec::as_slice)
    }
}

/// The bytes of the table, which name it.
pub(super) fn weights() -> &'static [u8] {
    piece::EMBEDDING_WEIGHTS
}

/// How near two vectors are, from -1 to 1.
pub(super) fn nearness(a: &[i8], b: &[i8]) -> f32 {
    let add = |sum: i32, (a, b): (&i8, &i8)| sum.wrapping_add(i32::from(*a) * i32::from(*b));
    // At most 256 · 127 · 127, so the sum cannot wrap.
    nearness_of(f64::from(a.iter().zip(b).fold(0, add)))
}

/// How near two vectors with this product are, from -1 to 1.
pub(super) fn nearness_of(product: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "at most a little above 1")]
    let nearness = (product / (VECTOR_LENGTH * VECTOR_LENGTH)) as f32;
    nearness.clamp(-1.0, 1.0)
}

/// A text as the pieces are spelled: the compatibility form in lower case, without marks of vowels.
fn plain(text: &str) -> String {
    let bare = |ch: &char| !is_combining_mark(*ch) && *ch != '\u{640}';
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else if is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        // Most texts are normalised already; the quick check saves the normaliser.
        text.chars().filter(bare).flat_map(char::to_lowercase).collect()
    } else {
        text.nfkc().filter(bare).flat_map(char::to_lowercase).collect()
    }
}

fn add(sums: &mut [i32; EMBEDDING_DIMENSIONS], id: usize) {
    let Some((scale, row)) = piece::row(id) else { return };
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i32::from(value.cast_signed()).wrapping_mul(scale));
    }
}

/// Sums as a vector of the length [`VECTOR_LENGTH`].
fn scaled(sums: &[i32; EMBEDDING_DIMENSIONS]) -> EmbeddingVector {
    let square: i64 = sums.iter().map(|sum| i64::from(*sum) * i64::from(*sum)).sum();
    let mut vector = [0; EMBEDDING_DIMENSIONS];
    if square > 0 {
        // IEEE 754 fixes the last bit of a division and a root, so this is the same everywhere.
        let scale = VECTOR_LENGTH / (square as f64).sqrt();
        for (value, sum) in vector.iter_mut().zip(sums) {
            #[expect(clippy::cast_possible_truncation, reason = "held between -127 and 127")]
            let whole = (f64::from(*sum) * scale).round().clamp(-127.0, 127.0) as i8;
            *value = whole;
        }
    }
    vector
}

/// The length of a vector: long enough to round finely, short enough that hardly a number is cut off.
const VECTOR_LENGTH: f64 = 381.0;
/// Later pieces of a text do not count; the sum of this many rows cannot overflow.
const MAX_TEXT_PIECES: usize = 512;
const MAX_CACHED_WORDS: usize = 100_000;
