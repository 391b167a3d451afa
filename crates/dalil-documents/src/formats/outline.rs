//! Documents as they are put together: blocks in order, each under its headings.

use std::ops::Range;

use dalil_phrasebook::Phrase;

use super::lead::ListLeads;
use crate::document::{
    BlockKind, BlockLocation, DocumentBlock, DocumentTable, HiddenText, ParseProblem, TableCell,
    TableRow,
};

/// The headings above the next block, and the lists it may be in.
#[derive(Debug, Default)]
pub(super) struct Outline {
    above: Vec<(u8, String)>,
    leads: ListLeads,
    /// How many blocks there are.
    blocks: usize,
}

/// A block that is to be put under its headings.
#[derive(Clone, Debug)]
pub(super) struct BlockDraft {
    pub(super) kind: BlockKind,
    /// Where it is in the text.
    pub(super) range: Range<usize>,
    pub(super) place: BlockLocation,
    /// How many lists are around an item, where the format states it.
    pub(super) depth: Option<u8>,
}

impl Outline {
    /// A block of a text, under its headings and with its lead. Every block is made here, in order.
    pub(super) fn block(&mut self, text: &str, draft: &BlockDraft) -> DocumentBlock {
        let BlockDraft { kind, range: Range { start, end }, place, depth } = draft.clone();
        let words = text.get(start..end).unwrap_or_default();
        // For blocks of every kind: headings and paragraphs end lists or introduce them.
        let lead = self.leads.next(kind, depth, self.blocks, words);
        let headings = self.path(kind);
        self.blocks += 1;
        DocumentBlock {
            kind,
            start,
            end,
            page: None,
            headings,
            place,
            lead,
            row: None,
            hidden: None,
        }
    }

    /// A block that no reader sees: it leads to nothing that follows.
    pub(super) fn unseen_block(&mut self, draft: &BlockDraft) -> DocumentBlock {
        self.block("", draft)
    }

    /// Forgets the headings: another part of a document begins.
    pub(super) fn restart(&mut self) {
        *self = Self { blocks: self.blocks, ..Self::default() };
    }

    /// The headings above a block of this kind.
    pub(super) fn path(&self, kind: BlockKind) -> Vec<String> {
        let level = match kind {
            BlockKind::Heading(level) => level,
            BlockKind::Paragraph
            | BlockKind::Item
            | BlockKind::Row
            | BlockKind::Quote
            | BlockKind::Code => u8::MAX,
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
pub(super) struct DocumentBuilder {
    /// Everything written.
    pub(super) text: String,
    /// The blocks written.
    pub(super) blocks: Vec<DocumentBlock>,
    /// The tables that rows were written of.
    pub(super) tables: Vec<DocumentTable>,
    /// The parts that could not be read.
    pub(super) problems: Vec<ParseProblem>,
    /// The headings above the next block.
    pub(super) outline: Outline,
}

impl DocumentBuilder {
    /// Writes a block, unless there is nothing in it.
    pub(super) fn push(
        &mut self,
        kind: BlockKind,
        text: &str,
        place: BlockLocation,
    ) -> Option<&mut DocumentBlock> {
        self.nested(kind, text, place, None)
    }

    /// Writes a block inside `depth` lists.
    pub(super) fn nested(
        &mut self,
        kind: BlockKind,
        text: &str,
        place: BlockLocation,
        depth: Option<u8>,
    ) -> Option<&mut DocumentBlock> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        if let Some(last) = self.blocks.last() {
            let close = matches!(kind, BlockKind::Row | BlockKind::Item) && last.kind == kind;
            self.text.push_str(if close { "\n" } else { "\n\n" });
        }
        let start = self.text.len();
        self.text.push_str(text);
        let range = start..self.text.len();
        let block = self.outline.block(&self.text, &BlockDraft { kind, range, place, depth });
        self.blocks.push(block);
        // After the block is made: a heading is not above itself.
        if let BlockKind::Heading(level) = kind {
            self.outline.enter(level, text);
        }
        self.blocks.last_mut()
    }

    /// Writes a row of a table, unless all of its cells are empty.
    pub(super) fn row(
        &mut self,
        draft: &RowDraft,
        place: BlockLocation,
    ) -> Option<&mut DocumentBlock> {
        if draft.cells.iter().all(|cell| cell.text.trim().is_empty()) {
            return None;
        }
        let texts: Vec<&str> = draft
            .cells
            .iter()
            .filter(|cell| cell.from.is_none())
            .map(|cell| cell.text.trim())
            .collect();
        let line = texts.join(CELL_SEPARATOR);
        // An empty first cell leaves ` | ` at the start, and `push` trims the space of it.
        let skipped = line.len() - line.trim_start().len();
        let block = self.push(BlockKind::Row, &line, place)?;
        let end = block.end;
        let mut at = block.start.saturating_sub(skipped);
        let mut cells = Vec::new();
        for cell in &draft.cells {
            let text = cell.text.trim();
            match cell.from {
                // A cell that reaches down is not written again: it points to an earlier row.
                Some((start, end)) => cells.push(TableCell { column: cell.column, start, end }),
                None => {
                    if !text.is_empty() {
                        cells.push(TableCell {
                            column: cell.column,
                            start: at,
                            end: (at + text.len()).min(end),
                        });
                    }
                    at += text.len() + CELL_SEPARATOR.len();
                }
            }
        }
        block.row = Some(TableRow { table: draft.table, is_header: draft.is_header, cells });
        block.hidden = draft.hidden;
        Some(block)
    }

    /// A table that rows can be written of.
    pub(super) fn table(&mut self, caption: Option<String>) -> usize {
        self.tables.push(DocumentTable { columns: Vec::new(), caption });
        self.tables.len() - 1
    }

    /// Notes something that could not be read.
    pub(super) fn problem(&mut self, place: Option<&Phrase>, message: &Phrase) {
        self.problems.push(ParseProblem::new(place, message));
    }
}

/// A row that is to be written.
#[derive(Clone, Debug, Default)]
pub(super) struct RowDraft {
    pub(super) table: usize,
    pub(super) is_header: bool,
    pub(super) cells: Vec<CellDraft>,
    pub(super) hidden: Option<HiddenText>,
}

/// A cell that is to be written.
#[derive(Clone, Debug, Default)]
pub(super) struct CellDraft {
    pub(super) column: usize,
    pub(super) text: String,
    /// Where it was written before, for a cell of an earlier row that reaches into this one.
    pub(super) from: Option<(usize, usize)>,
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
        let room = MAX_HEADING_CHARS.saturating_sub(line.chars().count());
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

/// Between the cells of a row.
pub(super) const CELL_SEPARATOR: &str = " | ";
/// How much text a document that refers to its words more than once may have.
pub(super) const MAX_TEXT_BYTES: usize = 64 << 20;
/// How many characters of a heading a path keeps; each block below holds a copy.
pub(super) const MAX_HEADING_CHARS: usize = 200;
