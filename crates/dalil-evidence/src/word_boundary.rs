//! Whether a place in a text is inside a word or a number, as Unicode parts words (UAX 29).
//!
//! Words that begin or end there are not words of the text: `60 days` of `160 days`, `legal` of
//! `illegal`, `1` of `1,500`.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

#[cfg(test)]
mod tests;

/// Whether a word or a number continues across a place of a text.
pub fn is_inside_word(text: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    // Most quotations are between spaces, and nothing else has to be checked.
    // An underscore may be emphasis of Markdown, and no part of the word.
    let is_apart = |next: Option<char>| next.is_none_or(|next| next.is_whitespace() || next == '_');
    if is_apart(before.chars().next_back()) || is_apart(after.chars().next()) {
        return false;
    }
    let from = before.char_indices().rev().nth(MAX_CONTEXT_CHARS - 1).map_or(0, |(from, _)| from);
    let to = after.char_indices().nth(MAX_CONTEXT_CHARS).map_or(after.len(), |(to, _)| to);
    let around = text.get(from..at + to).unwrap_or_default();
    let place = at - from;
    let mut parts = around.split_word_bound_indices();
    let cut = parts.find(|(start, part)| *start < place && place < start + part.len());
    cut.is_some_and(|(_, part)| part.contains(char::is_alphanumeric))
}

/// Whether a part of a text begins inside a word or a number, or ends inside a number. What ends
/// inside a word was cut to a length, and shows it.
pub fn cuts_a_word(text: &str, part: &Range<usize>) -> bool {
    let is_number = || {
        let before = text.get(..part.end).and_then(|before| before.chars().next_back());
        let after = text.get(part.end..).and_then(|after| after.chars().next());
        [before, after].into_iter().flatten().any(char::is_numeric)
    };
    let is_cut_start = is_inside_word(text, part.start) && !is_after_conjunction(text, part.start);
    is_cut_start || (is_number() && is_inside_word(text, part.end))
}

/// Whether only a conjunction that Arabic writes with the next word is before a place in its word:
/// people quote `يستحق العامل` of `ويستحق العامل`, which means the same.
fn is_after_conjunction(text: &str, at: usize) -> bool {
    let mut before = text.get(..at).unwrap_or_default().chars().rev();
    matches!(before.next(), Some('و' | 'ف')) && before.next().is_none_or(|ch| !ch.is_alphanumeric())
}

/// The place of words in a text, unless they cut a word or a number there.
pub fn find_whole(text: &str, words: &str) -> Option<usize> {
    let mut all = text.match_indices(words).map(|(at, _)| at);
    all.find(|at| !cuts_a_word(text, &(*at..*at + words.len())))
}

/// More than a word boundary depends on, but for runs of marks and of format characters, behind
/// which a word that is cut passes as whole.
const MAX_CONTEXT_CHARS: usize = 16;
