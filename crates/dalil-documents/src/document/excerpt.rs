//! Where an excerpt stands in a document: in what a reader sees, in what none does, or nowhere.

use std::borrow::Cow;
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
    let spans = in_order(spans);
    let mut place = ExcerptPlace::Absent;
    for (start, words) in text.match_indices(excerpt) {
        match occurrence(text, start..start + words.len(), &spans) {
            ExcerptPlace::Visible => return ExcerptPlace::Visible,
            ExcerptPlace::Hidden => place = ExcerptPlace::Hidden,
            ExcerptPlace::Absent => {}
        }
    }
    place
}

/// The spans in order and apart, as the blocks of a document are. Where a stored document has
/// them otherwise, those that overlap become one, which is hidden if a part of it is.
fn in_order(spans: &[ExcerptSpan]) -> Cow<'_, [ExcerptSpan]> {
    if spans.is_sorted_by(|one, next| one.range.end <= next.range.start) {
        return Cow::Borrowed(spans);
    }
    let mut sorted = spans.to_vec();
    sorted.sort_by_key(|span| span.range.start);
    let mut apart: Vec<ExcerptSpan> = Vec::with_capacity(sorted.len());
    for span in sorted {
        match apart.last_mut().filter(|last| span.range.start < last.range.end) {
            Some(last) => {
                last.range.end = last.range.end.max(span.range.end);
                last.is_hidden |= span.is_hidden;
            }
            None => apart.push(span),
        }
    }
    Cow::Owned(apart)
}

/// Where one occurrence stands. Marks between blocks, such as those of a list, are no words;
/// letters that no block holds are a comment or the like.
fn occurrence(text: &str, words: Range<usize>, spans: &[ExcerptSpan]) -> ExcerptPlace {
    let first = spans.partition_point(|span| span.range.end <= words.start);
    let touched = spans.iter().skip(first).take_while(|span| span.range.start < words.end);
    let (mut at, mut is_touched, mut is_hidden) = (words.start, false, false);
    for span in touched {
        if has_letters(text, at..span.range.start) {
            return ExcerptPlace::Absent;
        }
        at = span.range.end;
        is_touched = true;
        is_hidden |= span.is_hidden;
    }
    if !is_touched || has_letters(text, at..words.end) {
        ExcerptPlace::Absent
    } else if is_hidden {
        ExcerptPlace::Hidden
    } else {
        ExcerptPlace::Visible
    }
}

/// Whether a part of a text has letters; one that ends before it begins has none.
fn has_letters(text: &str, part: Range<usize>) -> bool {
    !part.is_empty() && text.get(part).is_none_or(|part| part.chars().any(char::is_alphabetic))
}
