//! A text, with the words that were quoted marked in it.

#[cfg(test)]
mod tests;

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HighlightSegment {
    pub(super) text: String,
    /// Whether it was quoted.
    pub(super) is_hit: bool,
    /// Whether it is the first that was.
    pub(super) is_first: bool,
}

/// Cuts a text around what was quoted of it, wherever lines and spaces differ.
///
/// Of a text that is too long for a page, only what is around the words is shown.
pub(super) fn pieces(text: &str, quoted: &str) -> Vec<HighlightSegment> {
    let hit = find(text, quoted);
    let (start, end) = hit.unwrap_or((0, 0));
    let first = text.floor_char_boundary(start.saturating_sub(MAX_CONTEXT_BYTES));
    let last = text.ceil_char_boundary(end.saturating_add(MAX_CONTEXT_BYTES).min(text.len()));
    let parts = [(first, start, false), (start, end, true), (end, last, false)];
    let cut = |(from, to, is_hit): (usize, usize, bool)| {
        let text = text.get(from..to).filter(|text| !text.is_empty())?;
        Some(HighlightSegment { text: text.to_owned(), is_hit, is_first: is_hit })
    };
    parts.into_iter().filter_map(cut).collect()
}

/// Where a text has the words of another, white space aside, in bytes.
fn find(text: &str, quoted: &str) -> Option<(usize, usize)> {
    let squeezed: String = quoted.split_whitespace().collect();
    if squeezed.is_empty() {
        return None;
    }
    let mut solid = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len());
    for (at, ch) in text.char_indices().filter(|(_, ch)| !ch.is_whitespace()) {
        solid.push(ch);
        // For every byte of `solid` the place of its character in `text`.
        places.resize(solid.len(), at);
    }
    let from = solid.find(&squeezed)?;
    let start = places.get(from)?;
    let last = places.get(from + squeezed.len() - 1)?;
    let width = text.get(*last..)?.chars().next()?.len_utf8();
    Some((*start, last + width))
}

/// How many bytes before and after the words are shown.
const MAX_CONTEXT_BYTES: usize = 200_000;
