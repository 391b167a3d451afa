//! Documents as they are put together: blocks in order, each under its headings.

use std::ops::Range;

use crate::document::{Block, Kind, Place, Problem};

/// The headings that stand above what comes next.
#[derive(Debug, Default)]
pub(super) struct Outline {
    above: Vec<(u8, String)>,
}

impl Outline {
    /// The headings above a block of this kind.
    pub(super) fn path(&self, kind: Kind) -> Vec<String> {
        let level = match kind {
            Kind::Heading(level) => level,
            Kind::Paragraph | Kind::Item | Kind::Row | Kind::Quote | Kind::Code => u8::MAX,
        };
        let above = self.above.iter().take_while(|(other, _)| *other < level);
        above.map(|(_, title)| title.clone()).collect()
    }

    /// Goes below a heading, out of all that are not above it.
    pub(super) fn enter(&mut self, level: u8, title: &str) {
        self.above.retain(|(other, _)| *other < level);
        self.above.push((level, short(title)));
    }
}

/// Text that is written block by block, for formats whose original is not text.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// Everything written.
    pub(super) text: String,
    /// What was written.
    pub(super) blocks: Vec<Block>,
    /// What could not be.
    pub(super) problems: Vec<Problem>,
    /// The headings above what comes next.
    pub(super) outline: Outline,
}

impl Sheet {
    /// Writes a block, unless there is nothing in it.
    pub(super) fn push(&mut self, kind: Kind, text: &str, place: Place) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if let Some(last) = self.blocks.last() {
            let close = matches!(kind, Kind::Row | Kind::Item) && last.kind == kind;
            self.text.push_str(if close { "\n" } else { "\n\n" });
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        let headings = self.outline.path(kind);
        self.blocks.push(Block { kind, start, end, page: None, headings, place });
        if let Kind::Heading(level) = kind {
            self.outline.enter(level, text);
        }
    }

    /// Notes something that could not be read.
    pub(super) fn problem(&mut self, place: Option<String>, message: impl Into<String>) {
        self.problems.push(Problem { place, message: message.into() });
    }
}

/// A range of a text without the white space at its ends; nothing when there is nothing else.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let inside = text.get(range.clone())?;
    let start = range.start + (inside.len() - inside.trim_start().len());
    let end = start + inside.trim().len();
    (start < end).then_some(start..end)
}

/// A text on one line: white space folded, no longer than a title has a use for.
pub(super) fn short(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        let room = MAX_TITLE.saturating_sub(line.chars().count());
        if room <= 1 {
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(room));
    }
    line
}

/// A text with its white space folded: the spaces of a format that shows none.
pub(super) fn folded(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// How much text a document that refers to its words more than once may have.
pub(super) const MAX_TEXT: usize = 64 << 20;
/// How many characters of a heading a path keeps; each block below holds a copy.
pub(super) const MAX_TITLE: usize = 200;
