//! Sentences: where they begin and end, in English and Arabic.
//!
//! A text is cut first at line structure: at blank lines, list markers, table rows
//! and headings ([`line`]). A single line break inside a paragraph ends nothing.
//! The rest is cut at stops that end a sentence ([`stop`]), not at those of
//! abbreviations, initials, decimals, clause numbers, addresses and asides. The
//! general rules of Unicode (UAX 29) break at every line end and never before a
//! small letter or a bracket, so that nearly every break of theirs would have to be
//! decided anew; they are not used.

use std::ops::Range;

use dalil_phrasebook::Language;

mod abbreviation;
mod line;
mod stop;
#[cfg(test)]
mod tests;

/// The sentences of a text as byte ranges, trimmed and in order.
///
/// Together they hold every character that is not white space. Citations that
/// follow a stop belong to the sentence before them, list markers to the one
/// after. Takes time in proportion to the text.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for region in line::regions(text) {
        let inside = text.get(region.clone()).unwrap_or_default();
        let mut from = 0;
        for end in stop::ends(inside) {
            push(&mut found, text, region.start + from..region.start + end);
            from = end;
        }
        push(&mut found, text, region.start + from..region.end);
    }
    found
}

/// The language that most letters of a text are of; English when there is no telling.
pub fn language(text: &str) -> Language {
    let arabic = text.chars().filter(|ch| is_arabic(*ch)).count();
    let other = text.chars().filter(|ch| ch.is_alphabetic() && !is_arabic(*ch)).count();
    if arabic > other { Language::Arabic } else { Language::English }
}

/// Whether a character is a letter of the Arabic script.
pub fn is_arabic(ch: char) -> bool {
    ch.is_alphabetic()
        && matches!(ch, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}'
            | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Whether a character is a digit, also an Arabic-Indic one.
pub fn is_digit(ch: char) -> bool {
    ch.is_ascii_digit() || matches!(ch, '٠'..='٩' | '۰'..='۹')
}

/// Whether a character only directs the writing and has no form of its own.
pub const fn is_direction(ch: char) -> bool {
    matches!(ch, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The range without white space at both ends.
pub fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inside.len() - inside.trim_start().len());
    start..start + inside.trim().len()
}

pub(crate) use self::line::continues_in_brackets;
pub use self::line::{ListMarker, ListMarkerKind, NUMBERED_NOUNS, marker};
pub use self::stop::note;

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let range = trimmed(text, range);
    if !range.is_empty() {
        found.push(range);
    }
}
