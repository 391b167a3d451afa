//! Excel workbooks: one block for each row that holds something, under its sheet's name.
//!
//! When one of the first rows of a sheet names columns, every row below it is
//! written `name: value | name: value`.
//! A formula is the value that was kept with it. Numbers and dates are written as
//! the sheet shows them, as far as the format of the cell is one of the usual ones.

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
use concealed::ConcealedCells;

mod cell;
mod concealed;

pub(super) fn read(bytes: &[u8]) -> Result<DocumentDraft, UnreadableFile> {
    // `calamine` unpacks without a bound, so the package is measured before it.
    OfficePackage::open(bytes)?.measure()?;
    let (title, date) = docx::properties(&mut OfficePackage::open(bytes)?);
    let damaged = |error| {
        let found = format!("expected a sound workbook, found one that is not: {error}");
        UnreadableFile::new(found, Some("open it in a spreadsheet program and save it anew"))
    };
    let mut concealed = concealed::read(&mut OfficePackage::open(bytes)?);
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
            write(&mut book, table, &mut out);
        } else {
            out.problem(Some(&place(&name)), &document_note::hidden_sheet_not_read());
        }
    }
    Ok(DocumentDraft { title, date, ..DocumentDraft::written(out) })
}

fn write(book: &mut Xlsx<Cursor<&[u8]>>, mut table: XlsxTable, out: &mut DocumentBuilder) {
    let name = &table.name.clone();
    let mut cells = match book.worksheet_cells_reader(name) {
        Ok(cells) => cells,
        Err(error) => return out.problem(Some(&place(name)), &Phrase::verbatim(error)),
    };
    out.push(BlockKind::Heading(1), name, BlockLocation::Row { sheet: table.sheet, row: 1 });
    loop {
        match cells.next_cell_with_style_id() {
            Ok(Some((cell, style))) => {
                let format =
                    cells.styles().get(style).and_then(|style| style.number_format.as_ref());
                let code = format.map_or("General", |format| format.format_code.as_str());
                let (row, column) = cell.get_position();
                let text = shown(cell.get_value(), code);
                if !matches!(cell.get_value(), DataRef::Empty) {
                    table.take(row, column, &text, out);
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
    /// What the sheet does not show.
    concealed: ConcealedCells,
}

impl XlsxTable {
    fn take(&mut self, row: u32, column: u32, text: &str, out: &mut DocumentBuilder) {
        if row != self.row {
            self.end_row(out);
            self.row = row;
        }
        let text = folded(text);
        match self.cells.len() {
            _ if text.is_empty() => {}
            MAX_COLUMNS.. => self.is_cut = true,
            _ => self.cells.push((column as usize, text)),
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
        let rows: Vec<_> = first.iter().map(|(_, cells)| cells.clone()).collect();
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

    fn write(&self, row: u32, cells: &[(usize, String)], out: &mut DocumentBuilder) {
        let Some((table, names)) = &self.known else { return };
        let cells = cells.iter().map(|(column, text)| {
            let name = names.get(*column).filter(|name| !name.is_empty());
            let text = name.map_or_else(|| text.clone(), |name| format!("{name}: {text}"));
            CellDraft { column: *column, text, from: None }
        });
        let concealed = |cell: &CellDraft| {
            let column = u32::try_from(cell.column).unwrap_or(u32::MAX);
            self.concealed.has_row(row) || self.concealed.has_column(column)
        };
        let (unseen, seen): (Vec<_>, Vec<_>) = cells.partition(concealed);
        // Hidden cells are a block of their own: the mark holds for a whole block.
        for (cells, hidden) in [(seen, None), (unseen, Some(HiddenText::MarkedHidden))] {
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
