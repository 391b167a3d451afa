//! The rows and cells of a table as they come.

use std::collections::BTreeMap;

use super::look::{self, RunProperties};
use super::placing;
use super::theme::ThemeColours;
use crate::document::HiddenText;
use crate::formats::css::StyleColour;
use crate::formats::outline::{CellDraft, RowDraft, folded};
use crate::formats::xml::XmlStartTag;

/// A table that is open, with its open row.
#[derive(Debug, Default)]
pub(super) struct DocxTable {
    /// How many paragraphs are open around it.
    pub(super) depth: usize,
    /// How many shapes are open around it.
    pub(super) shapes: usize,
    /// How its style makes letters look.
    pub(super) look: RunProperties,
    /// The colour of its cells.
    pub(super) ground: Option<StyleColour>,
    /// Why nothing in the tables around it can be seen.
    pub(super) around_unseen: Option<HiddenText>,
    /// The colour behind it.
    pub(super) around_ground: Option<StyleColour>,
    /// Why none of it can be seen.
    unseen: Option<HiddenText>,
    /// Why words of the row that is open cannot be seen.
    pub(super) hidden: Option<HiddenText>,
    pub(super) cells: Vec<DocxCell>,
    pub(super) first: Option<u32>,
    /// Its place among the tables of the document, once it has a row.
    pub(super) number: Option<usize>,
    /// The last text of each column, and where it is, for cells that go on below.
    pub(super) above: BTreeMap<usize, (usize, usize)>,
    row: TableRowState,
    /// Whether the properties of a row are open.
    pub(super) in_row_properties: bool,
}

/// The properties of the row that is open.
#[derive(Debug, Default)]
struct TableRowState {
    unseen: Option<HiddenText>,
    /// Whether it names the columns.
    is_header: bool,
    /// Whether it was deleted under review.
    is_deleted: bool,
}

/// One cell of a row.
#[derive(Debug, Default)]
pub(super) struct DocxCell {
    pub(super) text: String,
    columns: usize,
    /// Whether it continues the cell above it.
    goes_on: bool,
    ground: Option<StyleColour>,
    /// Whether it was deleted under review.
    is_deleted: bool,
}

impl DocxTable {
    /// A table inside `depth` paragraphs and `shapes` shapes.
    pub(super) fn inside(depth: usize, shapes: usize) -> Self {
        Self { depth, shapes, ..Self::default() }
    }

    /// Begins a cell.
    pub(super) fn begin_cell(&mut self) {
        self.cells.push(DocxCell { columns: 1, ..DocxCell::default() });
    }

    /// Begins a row.
    pub(super) fn begin(&mut self) {
        self.cells.clear();
        self.row = TableRowState::default();
    }

    /// Takes a tag if it is a property of the table, its row or its cell; returns whether it is
    /// one.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>, theme: &ThemeColours) -> bool {
        if self.in_row_properties {
            match tag.name() {
                "del" => self.row.is_deleted = true,
                "tblHeader" => self.row.is_header = tag.is_on(),
                _ => self.row.unseen = self.row.unseen.or(placing::row_unseen(tag)),
            }
            return true;
        }
        let Some(cell) = self.cells.last_mut() else { return self.take_whole(tag, theme) };
        match tag.name() {
            "shd" => cell.ground = look::shade(tag, theme).or(cell.ground),
            "gridSpan" => {
                cell.columns =
                    tag.number("val").map_or(1, |wide| wide.clamp(1, MAX_SPAN_COLUMNS) as usize);
            }
            "vMerge" => cell.goes_on = tag.get("val").is_none_or(|value| value != "restart"),
            "cellIns" => self.row.unseen = Some(HiddenText::UnacceptedInsertion),
            "cellDel" => cell.is_deleted = true,
            _ => return false,
        }
        true
    }

    /// Takes a property of all rows, or the start of the properties of one.
    fn take_whole(&mut self, tag: &XmlStartTag<'_>, theme: &ThemeColours) -> bool {
        match tag.name() {
            "shd" => self.ground = look::shade(tag, theme).or(self.ground),
            "tblpPr" | "tblInd" => self.unseen = self.unseen.or(placing::table_unseen(tag)),
            "trPr" => self.in_row_properties = true,
            _ => return false,
        }
        true
    }

    /// Ends the properties of a row.
    pub(super) fn end_properties(&mut self) {
        self.in_row_properties = false;
    }

    /// Why the next text cannot be seen.
    pub(super) fn unseen(&self) -> Option<HiddenText> {
        self.around_unseen.or(self.unseen).or(self.row.unseen)
    }

    /// The colour behind the next text.
    pub(super) fn ground(&self) -> Option<StyleColour> {
        self.cells.last().and_then(|cell| cell.ground).or(self.ground)
    }

    /// The cells of a row that were deleted under review; they are forgotten.
    pub(super) fn take_deleted(&mut self) -> u32 {
        let mut deleted = 0;
        let all = self.row.is_deleted;
        for cell in self.cells.iter_mut().filter(|cell| all || cell.is_deleted) {
            deleted += u32::from(!cell.text.trim().is_empty());
            cell.text.clear();
        }
        deleted
    }

    /// The row that is open, with the cells of rows above that reach into it.
    pub(super) fn end(&mut self) -> RowDraft {
        let mut cells = Vec::new();
        let mut column = 0;
        for cell in std::mem::take(&mut self.cells) {
            let text = folded(&cell.text);
            let from = self.above.get(&column).copied().filter(|_| cell.goes_on && text.is_empty());
            cells.push(CellDraft { column, text, from });
            column += cell.columns;
        }
        let hidden = self.hidden.take();
        RowDraft { is_header: self.row.is_header, cells, hidden, ..RowDraft::default() }
    }
}

/// No table for human readers has wider cells.
const MAX_SPAN_COLUMNS: u32 = 256;
