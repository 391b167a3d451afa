//! Text as it looks: without what is not seen, and wide letters as narrow ones.

use std::ops::Range;

use crate::mask::edge::is_mark;

/// A text as it looks, and where each of its bytes stood.
pub(super) struct FoldedText {
    pub(super) text: String,
    /// For each byte, the place of the character that it is of.
    places: Vec<(usize, usize)>,
}

impl FoldedText {
    /// Nothing when the text looks as it is.
    pub(super) fn of(text: &str) -> Option<Self> {
        if text.is_ascii() || !text.contains(|ch| is_unseen(ch) || narrow(ch) != ch) {
            return None;
        }
        let mut folded = Self { text: String::with_capacity(text.len()), places: Vec::new() };
        for (start, ch) in text.char_indices().filter(|(_, ch)| !is_unseen(*ch)) {
            let seen = narrow(ch);
            folded.text.push(seen);
            let place = (start, start + ch.len_utf8());
            folded.places.extend(std::iter::repeat_n(place, seen.len_utf8()));
        }
        Some(folded)
    }

    /// Where a range of the folded text stood in the original one.
    pub(super) fn original(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let (start, _) = self.places.get(range.start)?;
        let (_, end) = self.places.get(range.end.checked_sub(1)?)?;
        Some(*start..*end)
    }
}

fn is_unseen(ch: char) -> bool {
    is_mark(ch) || matches!(ch, '\u{ad}' | '\u{2060}' | '\u{feff}')
}

/// The ASCII character that a full-width or small form is.
fn narrow(ch: char) -> char {
    match ch {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(ch).saturating_sub(0xfee0)).unwrap_or(ch)
        }
        '\u{fe6b}' => '@',
        '\u{fe52}' => '.',
        other => other,
    }
}
