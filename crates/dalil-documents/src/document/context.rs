//! Blocks as a judge reads them, with the context that a human reader would have.

use std::borrow::Cow;
use std::ops::Range;

use super::{BlockKind, DocumentFormat, ParsedDocument};
use crate::formats::markup;

/// The context of a block that affects its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceContext<'d> {
    /// The title of the document.
    pub title: Option<&'d str>,
    /// The headings above the block, the outermost first.
    pub headings: &'d [String],
    /// The block that introduces the list that this item is in.
    pub lead: Option<usize>,
    /// The caption directly above the table of this row.
    pub caption: Option<&'d str>,
}

impl ParsedDocument {
    /// A block as the judge reads it: a row of a table with the names of its columns,
    /// anything else without tags. The quotation of a block is [`ParsedDocument::slice`].
    #[cfg(test)]
    pub(crate) fn judged_text(&self, block: usize) -> Cow<'_, str> {
        let Some(one) = self.blocks.get(block) else { return Cow::Borrowed("") };
        self.judged_span(block, one.start..one.end)
    }

    /// A part of a block as the judge reads it; of a row always the whole, since a
    /// cell means little without the others. The part is in bytes of the document's text.
    pub fn judged_span(&self, block: usize, part: Range<usize>) -> Cow<'_, str> {
        let row = self.blocks.get(block).and_then(|one| one.row.as_ref());
        let Some(row) = row.filter(|row| !row.cells.is_empty()) else {
            return self.clean(part);
        };
        let columns = self.tables.get(row.table).map_or(&[][..], |table| &table.columns);
        let mut judged = String::new();
        for cell in &row.cells {
            let value = self.clean(cell.start..cell.end);
            if value.is_empty() {
                continue;
            }
            if !judged.is_empty() {
                judged.push_str(" | ");
            }
            // The row of the names would say each of them twice.
            let name = columns.get(cell.column).filter(|name| !row.is_header && !name.is_empty());
            if let Some(name) = name {
                judged.push_str(name);
                judged.push_str(": ");
            }
            judged.push_str(&value);
        }
        Cow::Owned(judged)
    }

    /// A visible part of a block as a quotation: `[…]` replaces hidden words
    /// in it, which the judge does not read either.
    pub fn quotation(&self, part: &Range<usize>) -> Cow<'_, str> {
        self.without(self.hidden_parts(part), part, UNSEEN_MARK)
    }

    /// The context of a block that affects its meaning.
    pub fn evidence_context(&self, block: usize) -> EvidenceContext<'_> {
        let one = self.blocks.get(block);
        let table = one.and_then(|one| one.row.as_ref()).and_then(|row| self.tables.get(row.table));
        // The path of a CSV record is the names of its columns, which its judged text has.
        let named =
            self.format == DocumentFormat::Csv && one.is_some_and(|one| one.kind == BlockKind::Row);
        EvidenceContext {
            title: self.title.as_deref(),
            headings: one.filter(|_| !named).map_or(&[], |one| &one.headings),
            lead: one.and_then(|one| one.lead),
            caption: table.and_then(|table| table.caption.as_deref()),
        }
    }

    /// A part of the text without markup.
    fn clean(&self, part: Range<usize>) -> Cow<'_, str> {
        match self.format {
            DocumentFormat::Markdown => match self.without(self.unseen_parts(&part), &part, "") {
                Cow::Borrowed(text) => markup::words(text),
                Cow::Owned(text) => Cow::Owned(markup::words(&text).into_owned()),
            },
            DocumentFormat::Csv => markup::unquoted(self.text.get(part).unwrap_or_default()),
            DocumentFormat::Pdf
            | DocumentFormat::Docx
            | DocumentFormat::Html
            | DocumentFormat::Text
            | DocumentFormat::Xlsx
            | DocumentFormat::Eml
            | DocumentFormat::Chunks => Cow::Borrowed(self.text.get(part).unwrap_or_default()),
        }
    }

    /// A part of the text without these parts of it, and with a mark in their place.
    fn without(
        &self,
        left_out: impl Iterator<Item = Range<usize>>,
        part: &Range<usize>,
        mark: &str,
    ) -> Cow<'_, str> {
        let mut shown = String::new();
        let mut at = part.start;
        for unseen in left_out {
            shown.push_str(self.text.get(at..unseen.start).unwrap_or_default());
            // Nothing is seen between two parts that follow one another.
            if !shown.trim_end().ends_with(mark) {
                shown.push_str(mark);
            }
            at = unseen.end;
        }
        let rest = self.text.get(at..part.end).unwrap_or_default();
        if at == part.start {
            return Cow::Borrowed(rest);
        }
        shown.push_str(rest);
        Cow::Owned(shown)
    }

    /// The invisible ranges of a part, in order. A sentence may begin or end in the
    /// middle of a comment; whole tags are left out of it, as they separate words.
    fn unseen_parts(&self, part: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let Range { start, end } = *part;
        touched(&self.unshown, part).filter_map(move |one| {
            let is_whole = start <= one.start && one.end <= end;
            let text = self.text.get(one.clone()).unwrap_or_default();
            let is_kept = is_whole && markup::is_tag(text);
            (!is_kept).then(|| one.start.max(start)..one.end.min(end))
        })
    }

    /// The words of a part that a reader does not see, in order.
    pub(crate) fn hidden_parts(&self, part: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let Range { start, end } = *part;
        touched(&self.hidden_words, part).map(move |one| one.start.max(start)..one.end.min(end))
    }
}

/// Those of some parts, in order and apart, that another touches.
fn touched<'p>(
    parts: &'p [Range<usize>],
    part: &Range<usize>,
) -> impl Iterator<Item = &'p Range<usize>> + use<'p> {
    let Range { start, end } = *part;
    let first = parts.partition_point(|one| one.end <= start);
    parts.iter().skip(first).take_while(move |one| one.start < end)
}

/// Replaces hidden words in a quotation.
pub(crate) const UNSEEN_MARK: &str = "[…]";
