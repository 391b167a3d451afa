//! Excel workbooks: one block for each row that holds something, under its sheet's name.
//!
//! When one of the first rows of a sheet names columns, every row below it is
//! written `name: value | name: value`.
//! A formula is the value that was kept with it. Numbers and dates are written as
//! the sheet shows them, as far as the format of the cell is one of the usual ones.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{DataRef, Reader as _, SheetVisible, Xlsx};
use dalil_phrasebook::{Phrase, document_note, document_place};
use dalil_proof::fault::quote;

use super::archive::OfficePackage;
use super::format::UnreadableFile;
use super::outline::{CellDraft, DocumentBuilder, MAX_TEXT_BYTES, RowDraft, folded, short};
use super::table::{MAX_HEADER_SCAN_ROWS, guess};
use super::{DocumentDraft, docx};
use crate::document::{BlockKind, BlockLocation, HiddenText};
use cell::shown;
use concealed::{ConcealedCells, WorkbookLooks};
use look::StyledCell;

mod area;
mod cell;
mod concealed;
mod look;
mod rule;
mod section;
mod text_run;

pub(super) fn read(bytes: &[u8]) -> Result<DocumentDraft, UnreadableFile> {
    // `calamine` unpacks without a bound, so the package is measured before it.
    OfficePackage::open(bytes)?.measure()?;
    let (title, date) = docx::properties(&mut OfficePackage::open(bytes)?);
    let damaged = |error| {
        let found = format!("expected a sound workbook, found one that is not: {error}");
        UnreadableFile::new(found, Some("open it in a spreadsheet program and save it anew"))
    };
    let (mut concealed, looks) = concealed::read(&mut OfficePackage::open(bytes)?);
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut out = DocumentBuilder::default();
    let sheets: Vec<_> =
        book.sheets_metadata().iter().map(|one| (one.name.clone(), one.visible)).collect();
    for (number, (name, visible)) in (1..).zip(sheets) {
        if visible == SheetVisible::Visible {
            let table = XlsxTable {
                sheet: number,
                name: name.clone(),
                concealed: concealed.remove(&name).unwrap_or_default(),
                ..XlsxTable::default()
            };
            write(&mut book, table, &looks, &mut out);
        } else {
            out.problem(Some(&place(&name)), &document_note::hidden_sheet_not_read());
        }
    }
    Ok(DocumentDraft { title, date, ..DocumentDraft::written(out) })
}

fn write(
    book: &mut Xlsx<Cursor<&[u8]>>,
    mut table: XlsxTable,
    looks: &WorkbookLooks,
    out: &mut DocumentBuilder,
) {
    let name = &table.name.clone();
    let mut cells = match book.worksheet_cells_reader(name) {
        Ok(cells) => cells,
        Err(error) => return out.problem(Some(&place(name)), &Phrase::verbatim(error)),
    };
    out.push(BlockKind::Heading(1), name, BlockLocation::Row { sheet: table.sheet, row: 1 });
    loop {
        match cells.next_cell_with_style_id() {
            Ok(Some((cell, style))) => {
                let is_gradient = looks.styles.is_gradient(style);
                let (at, value) = (cell.get_position(), cell.get_value());
                let style = cells.styles().get(style);
                let text = &shown(value, look::code(style));
                if !matches!(value, DataRef::Empty) {
                    let cell = StyledCell { at, value, text, style, is_gradient };
                    let hidden = cell.unseen(&table.concealed, looks);
                    table.take(at, text, hidden, out);
                }
            }
            Ok(None) => break,
            Err(error) => {
                out.problem(Some(&place(name)), &document_note::rest_not_read(error));
                break;
            }
        }
        // Each use of a shared string costs a few bytes, so a small file can hold a huge text.
        if out.text.len() > MAX_TEXT_BYTES {
            out.problem(Some(&place(name)), &document_note::text_left_out(MAX_TEXT_BYTES));
            break;
        }
    }
    table.end(out);
    if table.narrowed > 0 {
        let message = document_note::cells_left_out(MAX_COLUMNS, table.narrowed);
        out.problem(Some(&place(name)), &message);
    }
}

/// The rows of one sheet, as its cells come.
#[derive(Debug, Default)]
struct XlsxTable {
    sheet: u32,
    name: String,
    row: u32,
    cells: Vec<(usize, String)>,
    /// The first rows, until it is known which of them names the columns.
    first: Vec<(u32, Vec<(usize, String)>)>,
    /// Its place among the tables, and the names of the columns, once they are known.
    known: Option<(usize, Vec<String>)>,
    /// Whether the row that is open has more cells than are read.
    is_cut: bool,
    /// How many rows have more.
    narrowed: usize,
    /// The cells that the sheet does not show.
    concealed: ConcealedCells,
    /// Why cells of the rows that are not written yet cannot be seen.
    hidden: BTreeMap<(u32, usize), HiddenText>,
}

impl XlsxTable {
    fn take(
        &mut self,
        (row, column): (u32, u32),
        text: &str,
        hidden: Option<HiddenText>,
        out: &mut DocumentBuilder,
    ) {
        if row != self.row {
            self.end_row(out);
            self.row = row;
        }
        let text = folded(text);
        match self.cells.len() {
            _ if text.is_empty() => {}
            MAX_COLUMNS.. => self.is_cut = true,
            _ => {
                self.cells.push((column as usize, text));
                self.hidden.extend(hidden.map(|reason| ((row, column as usize), reason)));
            }
        }
    }

    fn end_row(&mut self, out: &mut DocumentBuilder) {
        let cells = std::mem::take(&mut self.cells);
        self.narrowed += usize::from(std::mem::take(&mut self.is_cut));
        if cells.is_empty() {
            return;
        }
        if self.known.is_some() {
            return self.write(self.row, &cells, out);
        }
        self.first.push((self.row, cells));
        if self.first.len() >= MAX_HEADER_SCAN_ROWS {
            self.settle(out);
        }
    }

    /// Finds the names of the columns among the first rows, and writes these.
    fn settle(&mut self, out: &mut DocumentBuilder) {
        let first = std::mem::take(&mut self.first);
        // Hidden text names no column.
        let seen = |(row, cells): &(u32, Vec<(usize, String)>)| {
            let seen =
                cells.iter().filter(|(column, _)| !self.hidden.contains_key(&(*row, *column)));
            seen.cloned().collect()
        };
        let rows: Vec<_> = first.iter().map(seen).collect();
        let found = guess(&rows);
        let name = self.name.clone();
        let caption = found.above.iter().fold(name, |name, above| format!("{name} / {above}"));
        self.known = Some((out.table(Some(short(&caption))), Vec::new()));
        for (at, (row, cells)) in first.iter().enumerate() {
            // The names themselves and the rows above them are written without names.
            if at == found.rows.end {
                self.known.iter_mut().for_each(|(_, names)| names.clone_from(&found.columns));
            }
            self.write(*row, cells, out);
        }
        self.known.iter_mut().for_each(|(_, names)| *names = found.columns.clone());
    }

    fn write(&mut self, row: u32, cells: &[(usize, String)], out: &mut DocumentBuilder) {
        let Some((table, names)) = &self.known else { return };
        let cells = cells.iter().map(|(column, text)| {
            let name = names.get(*column).filter(|name| !name.is_empty());
            let text = name.map_or_else(|| text.clone(), |name| format!("{name}: {text}"));
            CellDraft { column: *column, text, from: None }
        });
        // Hidden cells are blocks of their own, apart by why that is: the mark holds for a block.
        let mut parts: BTreeMap<Option<HiddenText>, Vec<CellDraft>> = BTreeMap::new();
        for cell in cells {
            parts.entry(self.hidden.remove(&(row, cell.column))).or_default().push(cell);
        }
        // `None` sorts first, so that visible text comes first.
        for (hidden, cells) in parts {
            let draft = RowDraft { table: *table, cells, hidden, ..RowDraft::default() };
            out.row(&draft, BlockLocation::Row { sheet: self.sheet, row: row.saturating_add(1) });
        }
    }

    fn end(&mut self, out: &mut DocumentBuilder) {
        self.end_row(out);
        if self.known.is_none() {
            self.settle(out);
        }
    }
}

fn place(name: &str) -> Phrase {
    document_place::sheet(quote(name))
}

const MAX_COLUMNS: usize = 256;
