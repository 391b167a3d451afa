//! Finds an excerpt in a document: in its visible text, in its hidden text, or nowhere.

use std::borrow::Cow;
use std::ops::Range;

use dalil_evidence::word_boundary;

use crate::document::{DocumentBlock, DocumentFormat, HiddenText, ParsedDocument};
use crate::formats::markdown::UnshownMarkup;

#[cfg(test)]
mod tests;

/// Where an excerpt is in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExcerptPlace {
    /// In text that a reader of the document sees.
    Visible,
    /// Only in text that is hidden from a reader.
    Hidden,
    /// Nowhere, or only in parts that are no text of the document, such as a comment.
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

/// A text in which excerpts are looked for.
#[derive(Clone, Debug)]
pub struct QuotableText<'t> {
    text: Cow<'t, str>,
    /// The text of the document, in order and without overlaps.
    spans: Vec<ExcerptSpan>,
    /// Tags and the like: a quotation of the text around them may contain them whole, but not in
    /// part.
    marks: Vec<Range<usize>>,
}

impl ParsedDocument {
    /// Where an excerpt is in this document.
    pub fn excerpt_place(&self, excerpt: &str) -> ExcerptPlace {
        let span = |block: &DocumentBlock| ExcerptSpan {
            range: block.start..block.end,
            is_hidden: block.hidden.is_some(),
        };
        let spans: Vec<ExcerptSpan> = self.blocks.iter().map(span).collect();
        QuotableText::new(self.text.as_str(), self.format, &spans).place(excerpt)
    }
}

impl<'t> QuotableText<'t> {
    /// The text of a document of this format, of which `spans` are the document's words.
    pub fn new(
        text: impl Into<Cow<'t, str>>,
        format: DocumentFormat,
        spans: &[ExcerptSpan],
    ) -> Self {
        let text = text.into();
        let spans = in_order(spans);
        let parts = spans.iter().map(|span| span.range.clone());
        let unshown = UnshownMarkup::of_document(&text, format, parts);
        let spans = marked_hidden(&spans, &unshown.hidden);
        let spans = without(&spans, &unshown.comments);
        Self { text, spans, marks: unshown.marks() }
    }

    /// Where an excerpt is in the text.
    pub fn place(&self, excerpt: &str) -> ExcerptPlace {
        let mut place = ExcerptPlace::Absent;
        for (start, words) in self.text.match_indices(excerpt) {
            let words = start..start + words.len();
            // `60 days` of `160 days` is not a statement of the document.
            if word_boundary::cuts_a_word(&self.text, &words) || self.cuts_a_mark(&words) {
                continue;
            }
            match occurrence(&self.text, words, &self.spans) {
                ExcerptPlace::Visible => return ExcerptPlace::Visible,
                ExcerptPlace::Hidden => place = ExcerptPlace::Hidden,
                ExcerptPlace::Absent => {}
            }
        }
        place
    }

    /// Whether words are in the visible text, whatever white space is between them.
    pub fn shows_words(&self, words: &str) -> bool {
        let shown = without(&self.spans, &self.marks);
        let shown = shown.into_iter().filter(|span| !span.is_hidden);
        let said = shown.filter_map(|span| self.text.get(span.range));
        let said: Vec<&str> = said.flat_map(str::split_whitespace).collect();
        let words: Vec<&str> = words.split_whitespace().collect();
        word_boundary::find_whole(&said.join(" "), &words.join(" ")).is_some()
    }

    /// Whether words begin or end inside a mark, as the value of an attribute does, or have
    /// nothing beside marks.
    fn cuts_a_mark(&self, words: &Range<usize>) -> bool {
        let says = |part: Range<usize>| {
            !part.is_empty()
                && self.text.get(part).is_none_or(|part| part.contains(char::is_alphanumeric))
        };
        let first = self.marks.partition_point(|mark| mark.end <= words.start);
        let touched = self.marks.iter().skip(first).take_while(|mark| mark.start < words.end);
        let (mut at, mut is_marked, mut is_shown) = (words.start, false, false);
        for mark in touched {
            let part = mark.start.max(words.start)..mark.end.min(words.end);
            let is_whole = part.len() == mark.len();
            is_shown |= says(at..part.start);
            at = part.end;
            if says(part) {
                if !is_whole {
                    return true;
                }
                is_marked = true;
            }
        }
        is_marked && !is_shown && !says(at..words.end)
    }
}

/// The spans without parts that say nothing; both are in order.
fn without(spans: &[ExcerptSpan], parts: &[Range<usize>]) -> Vec<ExcerptSpan> {
    let mut left = Vec::with_capacity(spans.len());
    for ExcerptSpan { range, is_hidden } in spans {
        let mut at = range.start;
        let first = parts.partition_point(|part| part.end <= range.start);
        for part in parts.iter().skip(first).take_while(|part| part.start < range.end) {
            let range = at..part.start.max(at);
            left.push(ExcerptSpan { range, is_hidden: *is_hidden });
            at = part.end.max(at);
        }
        left.push(ExcerptSpan { range: at..range.end.max(at), is_hidden: *is_hidden });
    }
    left.retain(|span| !span.range.is_empty());
    left
}

/// The spans, cut where hidden parts begin and end; both are in order.
fn marked_hidden(spans: &[ExcerptSpan], hidden: &[(Range<usize>, HiddenText)]) -> Vec<ExcerptSpan> {
    let mut cut = Vec::with_capacity(spans.len());
    for ExcerptSpan { range, is_hidden } in spans {
        let mut at = range.start;
        let first = hidden.partition_point(|(part, _)| part.end <= range.start);
        for (part, _) in hidden.iter().skip(first).take_while(|(part, _)| part.start < range.end) {
            let part = part.start.max(at)..part.end.min(range.end);
            cut.push(ExcerptSpan { range: at..part.start, is_hidden: *is_hidden });
            at = part.end;
            cut.push(ExcerptSpan { range: part, is_hidden: true });
        }
        cut.push(ExcerptSpan { range: at..range.end.max(at), is_hidden: *is_hidden });
    }
    cut.retain(|span| !span.range.is_empty());
    cut
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

/// The place of one occurrence. Marks between blocks, such as those of a list, are no words;
/// letters that no block holds are a comment or the like.
fn occurrence(text: &str, words: Range<usize>, spans: &[ExcerptSpan]) -> ExcerptPlace {
    let first = spans.partition_point(|span| span.range.end <= words.start);
    let touched = spans.iter().skip(first).take_while(|span| span.range.start < words.end);
    let (mut at, mut is_touched, mut is_hidden) = (words.start, false, false);
    for span in touched {
        if says_something(text, at..span.range.start) {
            return ExcerptPlace::Absent;
        }
        at = span.range.end;
        is_touched = true;
        is_hidden |= span.is_hidden;
    }
    if !is_touched || says_something(text, at..words.end) {
        ExcerptPlace::Absent
    } else if is_hidden {
        ExcerptPlace::Hidden
    } else {
        ExcerptPlace::Visible
    }
}

/// Whether a part of a text has letters or is a comment; one that ends before it begins is neither.
fn says_something(text: &str, part: Range<usize>) -> bool {
    let says = |part: &str| part.contains("<!--") || part.contains(char::is_alphabetic);
    !part.is_empty() && text.get(part).is_none_or(says)
}
