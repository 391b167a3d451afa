//! Words to word pieces: the longest piece that fits, again and again.

use std::collections::HashMap;

use dalil_proof::fault::quote;

use crate::model::error::ModelFileError;
use crate::model::normalize::{NormalizedChar, fold};

#[cfg(test)]
mod tests;

/// The word pieces that the model knows, each with its number.
#[derive(Clone, Debug)]
pub(super) struct WordPieceVocabulary {
    /// Pieces that begin a word.
    starts: HashMap<Box<str>, u32>,
    /// Pieces that continue one, without their `##`.
    rests: HashMap<Box<str>, u32>,
    /// The longest piece, in bytes.
    longest: usize,
    /// How many lines there are.
    pub(super) size: usize,
    /// `[CLS]`: begins a pair.
    pub(super) class: u32,
    /// `[SEP]`: ends the premise and the claim.
    pub(super) separator: u32,
    /// `[UNK]`: a word that has no pieces.
    pub(super) unknown: u32,
}

impl WordPieceVocabulary {
    /// Reads one piece a line.
    pub(super) fn parse(text: &str) -> Result<Self, ModelFileError> {
        let lines = text.strip_suffix('\n').unwrap_or(text);
        let (mut starts, mut rests) = (HashMap::new(), HashMap::new());
        let (mut longest, mut size) = (0, 0);
        for (number, line) in (0..u32::MAX).zip(lines.split('\n')) {
            let (map, piece) = match line.strip_prefix("##") {
                // A line of `##` alone is the piece of these two signs.
                Some(piece) if !piece.is_empty() => (&mut rests, piece),
                _ => (&mut starts, line),
            };
            if piece.is_empty() || map.insert(Box::from(piece), number).is_some() {
                let found = format!("{} again on line {}", quote(line), u64::from(number) + 1);
                return Err(ModelFileError::new(
                    "vocabulary",
                    "a different piece on each line",
                    found,
                ));
            }
            longest = longest.max(piece.len());
            size += 1;
        }
        let special = |name: &str| {
            let missing = || ModelFileError::new("vocabulary", format!("a line `{name}`"), "none");
            starts.get(name).copied().ok_or_else(missing)
        };
        let [class, separator, unknown] = ["[CLS]", "[SEP]", "[UNK]"].map(special);
        let (class, separator, unknown) = (class?, separator?, unknown?);
        Ok(Self { starts, rests, longest, size, class, separator, unknown })
    }

    /// The numbers of a text's word pieces.
    pub(super) fn tokens(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        let mut word = String::new();
        for ch in text.chars() {
            fold(ch, &mut |letter| match letter {
                NormalizedChar::Inner(ch) => word.push(ch),
                NormalizedChar::Apart(ch) => {
                    self.end(&mut word, &mut tokens);
                    word.push(ch);
                    self.end(&mut word, &mut tokens);
                }
                NormalizedChar::Gap => self.end(&mut word, &mut tokens),
            });
        }
        self.end(&mut word, &mut tokens);
        tokens
    }

    /// Adds the pieces of a word, or that it is unknown, and clears it.
    fn end(&self, word: &mut String, tokens: &mut Vec<u32>) {
        if word.is_empty() {
            return;
        }
        let before = tokens.len();
        if !self.cut(word, tokens) {
            // As in BERT, a word that is not covered whole is unknown as a whole.
            tokens.truncate(before);
            tokens.push(self.unknown);
        }
        word.clear();
    }

    /// Whether pieces could be found for all of a word.
    fn cut(&self, word: &str, tokens: &mut Vec<u32>) -> bool {
        // Characters are never more than bytes, so only long words are counted.
        if word.len() > MAX_WORD_CHARS && word.chars().count() > MAX_WORD_CHARS {
            return false;
        }
        let (mut pieces, mut rest) = (&self.starts, word);
        while !rest.is_empty() {
            // The longest piece first; an end inside a character splits nothing and is passed over.
            let mut ends = (1..=rest.len().min(self.longest)).rev();
            let found = ends.find_map(|end| {
                let (piece, after) = rest.split_at_checked(end)?;
                Some((*pieces.get(piece)?, after))
            });
            let Some((number, after)) = found else { return false };
            tokens.push(number);
            (pieces, rest) = (&self.rests, after);
        }
        true
    }
}

/// Characters of the longest word that is cut into pieces.
const MAX_WORD_CHARS: usize = 100;
