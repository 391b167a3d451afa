//! Tables of HTML inside Markdown: where their rows and cells are.

use std::ops::Range;

use crate::document::TableCell;
use crate::formats::markup::InlineTag;
use crate::formats::outline::trimmed;

/// A table of HTML in a text.
#[derive(Debug, Default)]
pub(super) struct RawTable {
    /// Where it ends.
    pub(super) end: usize,
    pub(super) rows: Vec<RawRow>,
}

/// One row of it: from its first word to its last.
#[derive(Debug, Default)]
pub(super) struct RawRow {
    pub(super) range: Range<usize>,
    pub(super) is_header: bool,
    pub(super) cells: Vec<TableCell>,
}

impl RawTable {
    /// The table that begins at a place of a text.
    pub(super) fn at(text: &str, from: usize) -> Option<Self> {
        let mut scan = RowScan { text, ..RowScan::default() };
        let mut at = from;
        while let Some(next) = text.get(at..).and_then(|rest| rest.find('<')) {
            at += next;
            let Some(tag) = InlineTag::at(text.get(at..).unwrap_or_default()) else {
                at += 1;
                continue;
            };
            let after = at + tag.len;
            if scan.step(&tag, at, after) {
                scan.end_row(at);
                return Some(Self { end: after, rows: scan.rows });
            }
            at = after;
        }
        None
    }
}

/// A table as its tags come.
#[derive(Debug, Default)]
struct RowScan<'t> {
    text: &'t str,
    /// Tables that are open, this one included.
    depth: usize,
    rows: Vec<RawRow>,
    row: RawRow,
    /// The open cell: where its words begin, and whether it is a name.
    cell: Option<(usize, bool)>,
    column: usize,
    /// Whether every cell so far is a name, or is set bold as a whole.
    named: bool,
}

impl RowScan<'_> {
    /// Whether the tag ends the table.
    fn step(&mut self, tag: &InlineTag<'_>, start: usize, after: usize) -> bool {
        let name = tag.name.to_ascii_lowercase();
        match (name.as_str(), tag.closes) {
            ("table", false) => self.depth += 1,
            ("table", true) => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            // Tags of a table inside a cell are words of that cell.
            _ if self.depth != 1 => {}
            ("tr", false) => {
                self.end_row(start);
                self.named = true;
            }
            ("tr", true) => self.end_row(start),
            ("td" | "th", true) => self.end_cell(start),
            ("td" | "th", false) => {
                self.end_cell(start);
                self.cell = Some((after, name == "th"));
                self.row.range.end = self.row.range.end.max(after);
                self.named &= name == "th" || self.is_bold(after);
            }
            _ => {}
        }
        false
    }

    fn end_cell(&mut self, end: usize) {
        let Some((start, _)) = self.cell.take() else { return };
        if let Some(Range { start, end }) = trimmed(self.text, start..end) {
            if self.row.cells.is_empty() {
                self.row.range.start = start;
            }
            self.row.range.end = end;
            self.row.cells.push(TableCell { column: self.column, start, end });
        }
        self.column += 1;
    }

    fn end_row(&mut self, at: usize) {
        self.end_cell(at);
        let mut row = std::mem::take(&mut self.row);
        row.is_header = self.named && row.cells.len() > 1;
        if !row.cells.is_empty() {
            self.rows.push(row);
        }
        self.column = 0;
        self.named = true;
    }

    /// Whether a cell begins with bold letters and ends with them.
    fn is_bold(&self, start: usize) -> bool {
        let inside = self.text.get(start..).unwrap_or_default().trim_start();
        let Some(tag) = InlineTag::at(inside).filter(|tag| matches!(tag.name, "b" | "strong"))
        else {
            return inside.starts_with("**");
        };
        let rest = inside.get(tag.len..).unwrap_or_default();
        let end = rest.find("</").unwrap_or(0);
        let after =
            rest.get(end..).and_then(|rest| rest.find('>').and_then(|at| rest.get(at + 1..)));
        // Behind the bold letters the cell must end. Its end tag is optional, so another may begin.
        after.is_some_and(|after| {
            after.trim_start().starts_with("</t") || after.trim_start().starts_with("<t")
        })
    }
}
