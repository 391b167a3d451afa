//! Excel workbooks: one block for each row that holds something, under its sheet's name.
//!
//! When the first such row of a sheet names columns (two or more distinct names,
//! none of them a number), every row below is written `name: value | name: value`.
//! A formula is the value that was kept with it. Numbers and dates are written as
//! the sheet shows them, as far as the format of the cell is one of the usual ones.

use std::io::Cursor;

use calamine::{DataRef, Reader as _, SheetVisible, Xlsx};
use dalil_core::fault::quote;

use super::archive::Archive;
use super::csv::is_header;
use super::format::Unreadable;
use super::outline::{MAX_TEXT, Sheet, folded};
use super::{Draft, docx};
use crate::document::{Kind, Place};
use cell::shown;

mod cell;

pub(super) fn read(bytes: &[u8]) -> Result<Draft, Unreadable> {
    Archive::open(bytes)?.measure()?;
    let (title, date) = docx::properties(&mut Archive::open(bytes)?);
    let damaged = |error| {
        let found = format!("expected a sound workbook, found one that is not: {error}");
        Unreadable::new(found, Some("open it in a spreadsheet program and save it anew"))
    };
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut out = Sheet::default();
    let sheets: Vec<_> =
        book.sheets_metadata().iter().map(|one| (one.name.clone(), one.visible)).collect();
    for (number, (name, visible)) in (1..).zip(sheets) {
        if visible == SheetVisible::Visible {
            write(&mut book, number, &name, &mut out);
        } else {
            out.problem(Some(place(&name)), "a hidden sheet was not read");
        }
    }
    let Sheet { text, blocks, problems, .. } = out;
    Ok(Draft { title, date, text, blocks, problems })
}

fn write(book: &mut Xlsx<Cursor<&[u8]>>, number: u32, name: &str, out: &mut Sheet) {
    let mut cells = match book.worksheet_cells_reader(name) {
        Ok(cells) => cells,
        Err(error) => return out.problem(Some(place(name)), error.to_string()),
    };
    out.push(Kind::Heading(1), name, Place::Row { sheet: number, row: 1 });
    let mut table = Table { sheet: number, ..Table::default() };
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
                out.problem(Some(place(name)), format!("the rest was not read: {error}"));
                break;
            }
        }
        if out.text.len() > MAX_TEXT {
            out.problem(
                Some(place(name)),
                format!(
                    "expected at most {MAX_TEXT} bytes of text, found more; the rest was left out"
                ),
            );
            break;
        }
    }
    table.end(out);
    if table.narrowed > 0 {
        let message = format!(
            "expected at most {MAX_COLUMNS} cells in a row, found more in {} rows; the rest was left out",
            table.narrowed
        );
        out.problem(Some(place(name)), message);
    }
}

/// The rows of one sheet, as its cells come.
#[derive(Debug, Default)]
struct Table {
    sheet: u32,
    row: u32,
    cells: Vec<(u32, String)>,
    /// The first row, once it has passed, if it names columns.
    names: Option<Vec<(u32, String)>>,
    narrowed: usize,
}

impl Table {
    fn take(&mut self, row: u32, column: u32, text: &str, out: &mut Sheet) {
        if row != self.row {
            self.end(out);
            self.row = row;
        }
        let text = folded(text);
        match self.cells.len() {
            _ if text.is_empty() => {}
            MAX_COLUMNS => self.narrowed += 1,
            more if more > MAX_COLUMNS => {}
            _ => self.cells.push((column, text)),
        }
    }

    fn end(&mut self, out: &mut Sheet) {
        let cells = std::mem::take(&mut self.cells);
        if cells.is_empty() {
            return;
        }
        let named = |column: u32| {
            let names = self.names.iter().flatten();
            names.clone().find(|(other, _)| *other == column).map(|(_, name)| name.as_str())
        };
        let texts = cells.iter().map(|(column, text)| match named(*column) {
            Some(name) => format!("{name}: {text}"),
            None => text.clone(),
        });
        let place = Place::Row { sheet: self.sheet, row: self.row.saturating_add(1) };
        out.push(Kind::Row, &texts.collect::<Vec<_>>().join(" | "), place);
        if self.names.is_none() {
            let header = is_header(cells.iter().map(|(_, text)| text.as_str()));
            self.names = Some(if header { cells } else { Vec::new() });
        }
    }
}

fn place(name: &str) -> String {
    format!("sheet {}", quote(name))
}

const MAX_COLUMNS: usize = 256;
