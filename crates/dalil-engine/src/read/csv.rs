//! Tables in text: each record is a row, and the original stays as it is.
//!
//! The separator is the one of comma, semicolon, tab
//! and bar that is most frequent in the first record. A first record of distinct
//! names, none of them a number, is the header, and stands above the others.

use std::collections::BTreeSet;
use std::ops::Range;

use super::encoding::{Decoded, decode};
use super::outline::{short, trimmed};
use crate::document::{Block, Kind, Place, Problem};

/// The text, blocks and problems of a table.
pub(super) fn read(bytes: &[u8]) -> (String, Vec<Block>, Vec<Problem>) {
    let decoded = decode(bytes);
    let text = decoded.text.as_str();
    let mut problems: Vec<Problem> = decoded.problem.clone().into_iter().collect();
    let (records, open) = records(text);
    if open {
        let message = "expected a closing quotation mark, found the end; the rest is one row";
        problems.push(Problem {
            place: Some(format!("row {}", records.len())),
            message: message.into(),
        });
    }
    let mut offsets = decoded.offsets();
    let mut blocks: Vec<Block> = Vec::new();
    let header = header(text, &records);
    for Range { start, end } in records {
        let place = Place::Bytes { start: offsets.original(start), end: offsets.original(end) };
        let headings = if blocks.is_empty() { Vec::new() } else { header.clone() };
        blocks.push(Block { kind: Kind::Row, start, end, page: None, headings, place });
    }
    let Decoded { text, .. } = decoded;
    (text, blocks, problems)
}

/// The records that hold something, and whether a quotation is never closed.
fn records(text: &str) -> (Vec<Range<usize>>, bool) {
    let mut records = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
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

/// What stands above every record after the first: the header on one line, if there is one.
fn header(text: &str, records: &[Range<usize>]) -> Vec<String> {
    let Some(first) = records.first().and_then(|range| text.get(range.clone())) else {
        return Vec::new();
    };
    if records.len() < 2 {
        return Vec::new();
    }
    let separator = separator(first);
    let names = cells(first, separator);
    if is_header(names.iter().map(String::as_str)) {
        vec![short(&names.join(" | "))]
    } else {
        Vec::new()
    }
}

/// Whether a first row names columns: two or more distinct names, none of them a number.
pub(super) fn is_header<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let mut seen = BTreeSet::new();
    for cell in cells {
        let is_name = cell.chars().any(char::is_alphabetic) && !cell.starts_with(char::is_numeric);
        if !is_name || cell.chars().count() > MAX_NAME || !seen.insert(cell) {
            return false;
        }
    }
    seen.len() > 1
}

fn separator(record: &str) -> char {
    let count = |separator: &char| record.matches(*separator).count();
    // The last of equals wins, and a comma is the usual one.
    SEPARATORS.into_iter().max_by_key(count).unwrap_or(',')
}

/// The cells of one record, without the quotation marks around them.
fn cells(record: &str, separator: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for ch in record.chars() {
        match ch {
            '"' => quoted = !quoted,
            _ if ch == separator && !quoted => cells.push(String::new()),
            _ => cells.last_mut().into_iter().for_each(|cell| cell.push(ch)),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];
const MAX_NAME: usize = 60;
