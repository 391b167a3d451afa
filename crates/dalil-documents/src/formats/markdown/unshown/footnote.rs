//! Footnotes that no word refers to: programs that show Markdown leave them out.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use crate::document::HiddenText;

/// The footnotes of a text, and which of them are referred to.
#[derive(Debug, Default)]
pub(super) struct FootnoteReader {
    notes: Vec<(String, Range<usize>)>,
    asked: BTreeSet<String>,
}

impl FootnoteReader {
    pub(super) fn take(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::FootnoteDefinition(name)) => {
                self.notes.push((name.to_lowercase(), range.clone()));
            }
            Event::FootnoteReference(name) => {
                self.asked.insert(name.to_lowercase());
            }
            _ => {}
        }
    }

    /// The footnotes that are not shown.
    pub(super) fn unasked(self) -> impl Iterator<Item = (Range<usize>, HiddenText)> {
        let Self { notes, asked } = self;
        let unasked = notes.into_iter().filter(move |(name, _)| !asked.contains(name));
        unasked.map(|(_, range)| (range, HiddenText::MarkedHidden))
    }
}
