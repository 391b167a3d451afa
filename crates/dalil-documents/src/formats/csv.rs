//! Tables in text: each record is a row, and the original text is not changed.
//!
//! The separator is the one of comma, semicolon, tab
//! and bar that is most frequent in the first record. A first record of distinct
//! names, none of them a number, is the header of the others.

use std::collections::BTreeSet;
use std::ops::Range;

use dalil_phrasebook::{document_note, document_place};

use super::DocumentDraft;
use super::encoding::{DecodedText, decode};
use super::markup::unquoted;
use super::outline::{BlockDraft, Outline, short, trimmed};
use crate::document::{
    BlockKind, BlockLocation, DocumentBlock, DocumentTable, ParseProblem, TableCell, TableRow,
};

/// Reads a table in text.
pub(super) fn read(bytes: &[u8]) -> DocumentDraft {
    let decoded = decode(bytes);
    let text = decoded.text.as_str();
    let mut problems: Vec<ParseProblem> = decoded.problem.clone().into_iter().collect();
    let (records, open) = records(text);
    if open {
        let place = document_place::row(records.len());
        problems.push(ParseProblem::new(Some(&place), &document_note::quotation_open()));
    }
    let mut offsets = decoded.offsets();
    let mut outline = Outline::default();
    let mut blocks: Vec<DocumentBlock> = Vec::new();
    let first = records.first().and_then(|range| text.get(range.clone()));
    let separator = first.map_or(USUAL_SEPARATOR, separator);
    let header = header(text, &records, separator);
    for range in records {
        let place = BlockLocation::Bytes {
            start: offsets.original(range.start),
            end: offsets.original(range.end),
        };
        let is_header = blocks.is_empty() && !header.is_empty();
        let headings = if blocks.is_empty() { Vec::new() } else { header.clone() };
        let row = TableRow { table: 0, is_header, cells: cells(text, range.clone(), separator) };
        let block =
            outline.block(text, &BlockDraft { kind: BlockKind::Row, range, place, depth: None });
        blocks.push(DocumentBlock { headings, row: Some(row), ..block });
    }
    let DecodedText { text, .. } = decoded;
    let tables = vec![DocumentTable::default()];
    DocumentDraft { text, blocks, tables, problems, ..DocumentDraft::default() }
}

/// The records that hold something, and whether a quotation is never closed.
fn records(text: &str) -> (Vec<Range<usize>>, bool) {
    let mut records = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    // Bytes are enough: in UTF-8 no byte of a longer sequence looks like ASCII.
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            // RFC 4180: a doubled quotation mark is one of the cell. It toggles twice.
            b'"' => quoted = !quoted,
            // A line end inside quotation marks belongs to the cell. `record` trims a `\r`.
            b'\n' if !quoted => {
                records.extend(record(text, start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    records.extend(record(text, start..text.len()));
    (records, quoted)
}

/// A record without white space at its ends, unless it holds nothing but separators.
fn record(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let range = trimmed(text, range)?;
    let says = text.get(range.clone())?.chars().any(|ch| !SEPARATORS.contains(&ch) && ch != '"');
    says.then_some(range)
}

/// The text repeated above every record after the first: the header on one line, if there is one.
fn header(text: &str, records: &[Range<usize>], separator: char) -> Vec<String> {
    let Some(first) = records.first().filter(|_| records.len() > 1) else { return Vec::new() };
    let cells = cells(text, first.clone(), separator);
    let names: Vec<_> = cells
        .iter()
        .map(|cell| unquoted(text.get(cell.start..cell.end).unwrap_or_default()))
        .collect();
    let named = names.iter().map(|name| name.trim());
    // A column of row numbers often has no name.
    if cells.iter().all(|cell| cell.column <= names.len()) && is_header(named.clone()) {
        vec![short(&named.collect::<Vec<_>>().join(" | "))]
    } else {
        Vec::new()
    }
}

/// Whether a first row names columns: two or more distinct names, none of them a number.
pub(super) fn is_header<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let mut seen = BTreeSet::new();
    for cell in cells {
        let is_name = cell.chars().any(char::is_alphabetic) && !cell.starts_with(char::is_numeric);
        if !is_name || cell.chars().count() > MAX_COLUMN_NAME_CHARS || !seen.insert(cell) {
            return false;
        }
    }
    seen.len() > 1
}

fn separator(record: &str) -> char {
    let count = |separator: &char| record.matches(*separator).count();
    // The last of equals wins, and a comma is the usual one.
    SEPARATORS.into_iter().max_by_key(count).unwrap_or(USUAL_SEPARATOR)
}

/// The cells of one record that hold something, quotation marks included.
fn cells(text: &str, record: Range<usize>, separator: char) -> Vec<TableCell> {
    let mut cells = Vec::new();
    let mut quoted = false;
    let (mut column, mut start) = (0, record.start);
    let mut close = |column: usize, start: usize, end: usize| {
        if let Some(Range { start, end }) = trimmed(text, start..end) {
            cells.push(TableCell { column, start, end });
        }
    };
    for (at, ch) in text.get(record.clone()).unwrap_or_default().char_indices() {
        if ch == '"' {
            quoted = !quoted;
        } else if ch == separator && !quoted {
            close(column, start, record.start + at);
            column += 1;
            start = record.start + at + ch.len_utf8();
        }
    }
    close(column, start, record.end);
    cells
}

const SEPARATORS: [char; 4] = ['|', '\t', ';', USUAL_SEPARATOR];
const USUAL_SEPARATOR: char = ',';
const MAX_COLUMN_NAME_CHARS: usize = 60;
