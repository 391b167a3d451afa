//! Cells: which column each is in, where some reach over several.

use html5gum::emitters::default::StartTag;

use crate::document::{HiddenText, TableCell};
use crate::formats::outline::CellDraft;

/// Where a text is from in the page.
type PageRange = Option<(usize, usize)>;

/// A table whose rows are being read.
#[derive(Debug, Default)]
pub(super) struct TableGrid {
    /// Its place among the tables of the document, once it has a row.
    pub(super) number: Option<usize>,
    pub(super) caption: Option<String>,
    cells: Vec<(CellSpan, CellDraft)>,
    range: PageRange,
    hidden: Option<HiddenText>,
    open: Option<CellSpan>,
    column: usize,
    /// Cells of rows above that reach into rows below: their column, the number of rows left, and
    /// the cell.
    down: Vec<(usize, usize, Option<TableCell>)>,
}

/// The attributes of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellSpan {
    is_name: bool,
    is_bold: bool,
    columns: usize,
    rows: usize,
}

impl Default for CellSpan {
    fn default() -> Self {
        Self { is_name: false, is_bold: false, columns: 1, rows: 1 }
    }
}

impl CellSpan {
    pub(super) fn of(name: &str, tag: &StartTag<usize>) -> Self {
        let number = |key: &str| {
            let value = tag.attributes.get(key.as_bytes())?;
            String::from_utf8_lossy(value).trim().parse::<usize>().ok()
        };
        Self {
            is_name: name == "th",
            is_bold: false,
            columns: number("colspan").unwrap_or(1).clamp(1, MAX_SPAN_CELLS),
            rows: number("rowspan").unwrap_or(1).clamp(1, MAX_SPAN_CELLS),
        }
    }
}

impl TableGrid {
    /// A cell begins.
    pub(super) fn begin(&mut self, span: CellSpan) {
        self.open = Some(span);
    }

    /// The cell begins with bold letters.
    pub(super) fn embolden(&mut self) {
        self.open.iter_mut().for_each(|span| span.is_bold = true);
    }

    /// The cell ends.
    pub(super) fn end(&mut self, text: String, range: PageRange, hidden: Option<HiddenText>) {
        let open = self.open.take();
        // White space between cells is none.
        if open.is_none() && (range.is_none() || text.is_empty()) {
            return;
        }
        // Words outside of any cell become a cell, so that none are lost.
        let span = open.unwrap_or_default();
        self.reach();
        if range.is_some() && !text.is_empty() {
            self.range = match (self.range, range) {
                (Some((start, _)), Some((_, end))) => Some((start, end)),
                (one, other) => one.or(other),
            };
            self.hidden = self.hidden.or(hidden);
        }
        self.cells.push((span, CellDraft { column: self.column, text, from: None }));
        self.column += span.columns;
    }

    /// Takes the cells of rows above that stand where the next cell would.
    fn reach(&mut self) {
        while let Some((_, _, cell)) =
            self.down.iter().find(|(column, _, _)| *column == self.column)
        {
            if let Some(cell) = cell {
                let from = Some((cell.start, cell.end));
                let draft = CellDraft { column: self.column, text: String::new(), from };
                self.cells.push((CellSpan::default(), draft));
            }
            self.column += 1;
        }
    }

    /// The row ends: its cells, whether they name columns, where it is from, and why it is hidden.
    pub(super) fn row(&mut self) -> (Vec<CellDraft>, bool, PageRange, Option<HiddenText>) {
        // Cells from above may also stand behind the last cell of the row.
        if !self.cells.is_empty() {
            self.reach();
        }
        let said =
            || self.cells.iter().filter(|(_, cell)| !cell.text.is_empty() && cell.from.is_none());
        // A single bold cell is a label of its row.
        let named = said().count() > 1
            && (said().all(|(span, _)| span.is_name) || said().all(|(span, _)| span.is_bold));
        let cells = self
            .cells
            .iter()
            .filter(|(_, cell)| !cell.text.is_empty() || cell.from.is_some())
            .map(|(_, cell)| cell.clone())
            .collect();
        (cells, named, self.range.take(), self.hidden.take())
    }

    /// Keeps the cells that reach into the next row, now that this row is written in these places.
    pub(super) fn carry(&mut self, written: &[TableCell]) {
        // Between the end of a row and the beginning of the next is no row.
        if self.cells.is_empty() {
            return;
        }
        // Old ones first: the new ones below have this row behind them already.
        for (_, left, _) in &mut self.down {
            *left = left.saturating_sub(1);
        }
        self.down.retain(|(_, left, _)| *left > 0);
        for (span, cell) in std::mem::take(&mut self.cells) {
            let found = written.iter().find(|one| one.column == cell.column).copied();
            if span.rows > 1 && self.down.len() < MAX_SPAN_CELLS {
                // A cell over several columns has its text in the first of them.
                for more in 0..span.columns {
                    self.down.push((
                        cell.column + more,
                        span.rows - 1,
                        found.filter(|_| more == 0),
                    ));
                }
            }
        }
        self.column = 0;
    }
}

/// No table for readers has wider or higher cells.
const MAX_SPAN_CELLS: usize = 256;
