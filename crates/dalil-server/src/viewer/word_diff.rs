//! Two texts beside each other, with the words marked that only one of them has.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::layout::escaped;

#[cfg(test)]
mod tests;

/// Both texts, each with the words marked that the other does not have. HTML.
pub(super) fn beside(old: &str, new: &str) -> (String, String) {
    let (old, new) = (words(old), words(new));
    // Where two long texts differ is not looked for: they are one change.
    if old.len().saturating_mul(new.len()) > MAX_WORD_PAIRS {
        return (marked(&old), marked(&new));
    }
    let (mut left, mut right) = (String::new(), String::new());
    // White space alone is no difference; each text keeps its own.
    for run in capture_diff_slices(Algorithm::Myers, &bare(&old), &bare(&new)) {
        let (tag, old_range, new_range) = run.as_tag_tuple();
        let own = old.get(old_range).unwrap_or(&[]);
        let other = new.get(new_range).unwrap_or(&[]);
        let html = match tag {
            DiffTag::Equal => unmarked,
            DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => marked,
        };
        left.push_str(&html(own));
        right.push_str(&html(other));
    }
    (left, right)
}

/// The words of a text, each with the white space after it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let space = rest.get(word..).unwrap_or("");
        let next = space.find(|ch: char| !ch.is_whitespace()).unwrap_or(space.len());
        let (own, after) = rest.split_at(word + next);
        words.push(own);
        rest = after;
    }
    words
}

/// The words without the white space after them.
fn bare<'a>(words: &[&'a str]) -> Vec<&'a str> {
    words.iter().map(|word| word.trim_end()).collect()
}

fn unmarked(words: &[&str]) -> String {
    escaped(&words.concat())
}

fn marked(words: &[&str]) -> String {
    let text = words.concat();
    let own = text.trim_end();
    let space = text.get(own.len()..).unwrap_or("");
    if own.is_empty() {
        return space.to_owned();
    }
    format!("<mark class=\"differs\">{}</mark>{space}", escaped(own))
}

/// How many pairs of words are compared: texts of a thousand words each.
const MAX_WORD_PAIRS: usize = 1 << 20;
