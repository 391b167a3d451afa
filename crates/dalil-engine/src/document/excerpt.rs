//! Where an excerpt stands in a document: in what a reader sees, in what none does, or nowhere.

use std::ops::Range;

use super::ParsedDocument;

/// Where an excerpt stands in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExcerptPlace {
    /// In text that a reader of the document sees.
    Visible,
    /// Only in text that is hidden from a reader.
    Hidden,
    /// Nowhere, or only in what is no text of the document, such as a comment.
    Absent,
}

/// A part of a text that holds words of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcerptSpan {
    /// Where, in bytes of the text.
    pub range: Range<usize>,
    /// Whether a reader of the document does not see it.
    pub is_hidden: bool,
}

impl ParsedDocument {
    /// Where an excerpt stands in this document.
    pub fn excerpt_place(&self, excerpt: &str) -> ExcerptPlace {
        let span = |block: &super::DocumentBlock| ExcerptSpan {
            range: block.start..block.end,
            is_hidden: block.hidden.is_some(),
        };
        let spans: Vec<ExcerptSpan> = self.blocks.iter().map(span).collect();
        excerpt_place(&self.text, &spans, excerpt)
    }
}

/// Where an excerpt stands in a text, of which `spans` are what the document says.
pub fn excerpt_place(text: &str, spans: &[ExcerptSpan], excerpt: &str) -> ExcerptPlace {
    let mut place = ExcerptPlace::Absent;
    for (start, words) in text.match_indices(excerpt) {
        match occurrence(start, words, spans) {
            ExcerptPlace::Visible => return ExcerptPlace::Visible,
            ExcerptPlace::Hidden => place = ExcerptPlace::Hidden,
            ExcerptPlace::Absent => {}
        }
    }
    place
}

/// Where one occurrence stands. Marks between blocks, such as those of a list, are no words;
/// letters that no block holds are a comment or the like.
fn occurrence(start: usize, words: &str, spans: &[ExcerptSpan]) -> ExcerptPlace {
    let end = start + words.len();
    let touched: Vec<&ExcerptSpan> =
        spans.iter().filter(|span| span.range.start < end && start < span.range.end).collect();
    let is_held = |at: usize| touched.iter().any(|span| span.range.contains(&at));
    let letters = || words.char_indices().filter(|(_, letter)| letter.is_alphabetic());
    if touched.is_empty() || !letters().all(|(at, _)| is_held(start + at)) {
        ExcerptPlace::Absent
    } else if touched.iter().any(|span| span.is_hidden) {
        ExcerptPlace::Hidden
    } else {
        ExcerptPlace::Visible
    }
}
