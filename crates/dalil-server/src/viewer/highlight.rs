//! A text, with the words that were quoted or that differ marked in it.

use dalil_render::markup::without_markup;

use super::layout::escaped;

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

impl HighlightSegment {
    /// Without the markup of Markdown, which is about the look and not about the content.
    pub(super) fn plain(self) -> Self {
        Self { text: without_markup(&self.text), ..self }
    }
}

/// Cuts a text around a quotation, even where lines and spaces differ.
///
/// At most `context` bytes before the words and after them are kept.
pub(super) fn pieces(text: &str, quoted: &str, context: usize) -> Vec<HighlightSegment> {
    let hit = find(text, quoted);
    let (start, end) = hit.unwrap_or((0, 0));
    let first = text.floor_char_boundary(start.saturating_sub(context));
    let last = text.ceil_char_boundary(end.saturating_add(context).min(text.len()));
    let parts = [(first, start, false), (start, end, true), (end, last, false)];
    let cut = |(from, to, is_hit): (usize, usize, bool)| {
        let text = text.get(from..to).filter(|text| !text.is_empty())?;
        Some(HighlightSegment { text: text.to_owned(), is_hit, is_first: is_hit })
    };
    parts.into_iter().filter_map(cut).collect()
}

/// A text in which each of some words is marked where it first occurs. HTML.
pub(super) fn marked(text: &str, words: &[(&str, &'static str)]) -> String {
    let mut hits: Vec<(usize, usize, &str)> = words
        .iter()
        .filter_map(|(words, class)| find(text, words).map(|(start, end)| (start, end, *class)))
        .collect();
    hits.sort_unstable();
    let mut html = String::new();
    let mut at = 0;
    for (start, end, class) in hits {
        // Marks cannot overlap; the first has the words.
        let (Some(before), Some(own)) = (text.get(at..start), text.get(start..end)) else {
            continue;
        };
        html.push_str(&escaped(before));
        html.push_str(&format!("<mark class=\"{class}\">{}</mark>", escaped(own)));
        at = end;
    }
    html.push_str(&escaped(text.get(at..).unwrap_or("")));
    html
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

/// How many bytes before and after the words the page of a document shows: with its elements, and
/// escaped, it stays below 300 kB.
pub(super) const MAX_PAGE_CONTEXT_BYTES: usize = 50_000;
