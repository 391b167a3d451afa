//! Tables: the names of their columns, and their captions.
//!
//! A format may mark the row that names the columns. Where it does not, a row
//! names them when it holds short, distinct labels and the cells below it are of
//! another kind: numbers, days, longer texts. A table of pairs ("Grade | A") names
//! nothing. Years are labels above amounts, not amounts.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::outline::{self, short};
use super::{DocumentDraft, markup};
use crate::document::{BlockKind, DocumentFormat, DocumentTable};

/// Names the columns of every table of a document, and finds the text above it.
pub(super) fn settle(draft: &mut DocumentDraft, format: DocumentFormat) {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); draft.tables.len()];
    for (at, block) in draft.blocks.iter().enumerate() {
        if let Some(own) = block.row.as_ref().and_then(|row| rows.get_mut(row.table)) {
            own.push(at);
        }
    }
    for (table, rows) in rows.iter().enumerate() {
        let Some(first) = rows.first() else { continue };
        let caption = caption(draft, *first);
        let found = match format {
            // A workbook writes the names of its columns into its rows.
            DocumentFormat::Xlsx => NamedColumns::default(),
            _ => columns(draft, rows, format),
        };
        for at in rows.get(found.rows.clone()).unwrap_or_default() {
            let row = draft.blocks.get_mut(*at).and_then(|block| block.row.as_mut());
            row.into_iter().for_each(|row| row.is_header = true);
        }
        if let Some(table) = draft.tables.get_mut(table) {
            table.columns = found.columns;
            table.caption = match (table.caption.take(), caption, found.above) {
                (Some(own), _, _) => Some(own),
                (None, above, inside) => joined(above, inside),
            };
        }
    }
    inherit(draft, &rows);
}

/// The names of a table's columns, and the rows that they are from.
#[derive(Debug, Default)]
pub(super) struct NamedColumns {
    pub(super) columns: Vec<String>,
    pub(super) rows: std::ops::Range<usize>,
    /// The text of rows above the names, which is about the whole table.
    pub(super) above: Option<String>,
}

fn columns(draft: &DocumentDraft, rows: &[usize], format: DocumentFormat) -> NamedColumns {
    let texts: Vec<Vec<(usize, Cow<'_, str>)>> =
        rows.iter().take(MAX_HEADER_SCAN_ROWS).map(|at| cells(draft, *at, format)).collect();
    let marked = rows.iter().take_while(|at| {
        draft.blocks.get(**at).and_then(|block| block.row.as_ref()).is_some_and(|row| row.is_header)
    });
    match marked.count().min(MAX_HEADER_ROWS) {
        0 => guess(&texts),
        // A marked row with nothing below it names nothing.
        _ if rows.len() == 1 => NamedColumns::default(),
        count => NamedColumns {
            columns: names(texts.get(..count).unwrap_or_default()),
            rows: 0..count,
            above: None,
        },
    }
}

fn cells<'d>(
    draft: &'d DocumentDraft,
    at: usize,
    format: DocumentFormat,
) -> Vec<(usize, Cow<'d, str>)> {
    // Hidden text names no column.
    let block = draft.blocks.get(at).filter(|block| block.hidden.is_none());
    let row = block.and_then(|block| block.row.as_ref());
    let words = |start: usize, end: usize| {
        let text = draft.text.get(start..end).unwrap_or_default();
        match format {
            DocumentFormat::Markdown => Cow::Owned(markup::words(text).replace(['*', '`'], "")),
            DocumentFormat::Csv => markup::unquoted(text),
            _ => Cow::Borrowed(text),
        }
    };
    row.into_iter()
        .flat_map(|row| &row.cells)
        .map(|cell| (cell.column, words(cell.start, cell.end)))
        .collect()
}

/// The names of columns that no format marks, if the first rows hold any.
pub(super) fn guess<S: AsRef<str>>(rows: &[Vec<(usize, S)>]) -> NamedColumns {
    let mut above: Option<String> = None;
    let mut widest = 0;
    for (at, row) in rows.iter().enumerate().take(MAX_ABOVE_ROWS + 1) {
        let below = rows.get(at + 1..).unwrap_or_default();
        // Names stand above every full row; below a row that is as wide it is too late for them.
        if row.len() > widest && is_header(row, below) {
            // A second row of labels belongs to the names: `Three months` above `2020`.
            let more = usize::from(below.first().is_some_and(|next| {
                is_sparse(row) && is_header(next, below.get(1..).unwrap_or_default())
            }));
            let end = at + 1 + more;
            let columns = names(rows.get(at..end).unwrap_or_default());
            return NamedColumns { columns, rows: at..end, above };
        }
        widest = widest.max(row.len());
        if let [(_, only)] = row.as_slice()
            && is_caption(only.as_ref())
        {
            above = joined(above, Some(short(only.as_ref())));
        }
    }
    NamedColumns::default()
}

/// A row whose first column is empty has more to say below.
fn is_sparse<S>(row: &[(usize, S)]) -> bool {
    row.first().is_some_and(|(column, _)| *column > 0)
}

fn is_header<S: AsRef<str>>(row: &[(usize, S)], below: &[Vec<(usize, S)>]) -> bool {
    if row.len() > MAX_GUESSED_COLUMNS {
        return false;
    }
    let mut seen = BTreeSet::new();
    let labels = row.iter().all(|(_, cell)| {
        let cell = cell.as_ref().trim();
        is_label(cell) && seen.insert(cell)
    });
    let below: Vec<&Vec<(usize, S)>> = below.iter().filter(|row| row.len() > 1).collect();
    if !labels || row.len() < 2 && !is_sparse(row) || below.is_empty() {
        return false;
    }
    let years = row.iter().filter(|(_, cell)| is_year(cell.as_ref())).count();
    // Years name columns only together: all cells of the row, but for one above the labels.
    if years > 0 && years + 1 < row.len() {
        return false;
    }
    // Every column looks through every row. The callers pass `MAX_HEADER_SCAN_ROWS` rows at most.
    let columns = |column: usize| {
        below
            .iter()
            .filter_map(move |row| row.iter().find(|(own, _)| *own == column))
            .map(|(_, cell)| cell.as_ref())
    };
    let again = |(column, name): &(usize, S)| {
        columns(*column).any(|cell| cell.trim() == name.as_ref().trim())
    };
    // A text that occurs again below itself is a value, and the row is one of plain data.
    if row.iter().any(again) {
        return false;
    }
    let differs = row.iter().any(|(column, name)| {
        let values = columns(*column).count();
        let counted = columns(*column).filter(|cell| is_value(cell)).count();
        let long: usize = columns(*column).map(|cell| cell.chars().count()).sum();
        let longer = row.len() >= MIN_PLAIN_COLUMNS
            && values > 0
            && long > MIN_VALUE_LENGTH_RATIO * values * name.as_ref().chars().count();
        counted * 10 >= values * 6 && values > 0 || longer && below.len() > 1
    });
    // Two columns: names of a word or two above texts of several.
    let words = |cell: &str| cell.split_whitespace().count();
    let glossary = row.len() == 2
        && below.len() >= MIN_GLOSSARY_ROWS
        && row.iter().all(|(_, cell)| words(cell.as_ref()) <= 2)
        && row
            .last()
            .is_some_and(|(column, _)| columns(*column).all(|cell| words(cell) >= MIN_TEXT_WORDS));
    let differs = differs || glossary;
    let widest = below.iter().map(|row| row.len()).max().unwrap_or(0);
    let brief = row
        .iter()
        .all(|(_, cell)| cell.as_ref().split_whitespace().count() <= MAX_COLUMN_NAME_WORDS);
    let full = row.len() >= widest;
    years > 0 && differs
        || full && brief && (differs || row.len() >= MIN_PLAIN_COLUMNS && below.len() > 1)
}

/// Whether a cell can name a column.
fn is_label(cell: &str) -> bool {
    if cell.ends_with(':') {
        return false;
    }
    let long = cell.chars().count() > MAX_COLUMN_NAME_CHARS;
    let named = cell.chars().any(char::is_alphabetic)
        && !cell
            .starts_with(|ch: char| ch.is_numeric() || matches!(ch, '$' | '€' | '£' | '-' | '('));
    let sentence =
        cell.ends_with(['.', '؟', '?', ';']) && cell.contains(' ') && cell.chars().count() > 20;
    !long && !sentence && (named || is_year(cell) || cell == "#" || cell == "%")
}

fn is_year(cell: &str) -> bool {
    let cell = cell.trim();
    cell.len() == 4 && cell.parse::<u16>().is_ok_and(|year| (1900..=2100).contains(&year))
}

/// Whether a cell holds an amount, a day, a yes or a no.
fn is_value(cell: &str) -> bool {
    let cell = cell.trim();
    let digits = cell.chars().filter(|ch| ch.is_numeric()).count();
    let letters = cell.chars().filter(|ch| ch.is_alphabetic()).count();
    let starts = cell
        .trim_start_matches(['$', '€', '£', '(', '-', '+', '<', '>', '≤', '≥', '~', ' '])
        .starts_with(char::is_numeric);
    let truth = matches!(
        cell.to_ascii_lowercase().as_str(),
        "true" | "false" | "yes" | "no" | "نعم" | "لا" | "-" | "—" | "n/a"
    );
    truth || digits > 0 && (starts || digits >= letters)
}

/// The names of the columns that some rows hold, one above the other.
fn names<S: AsRef<str>>(rows: &[Vec<(usize, S)>]) -> Vec<String> {
    let widest = rows.iter().flatten().map(|(column, _)| *column).max();
    let mut names =
        vec![String::new(); widest.map_or(0, |widest| widest.min(MAX_NAMED_COLUMNS) + 1)];
    for (column, cell) in rows.iter().flatten() {
        let Some(name) = names.get_mut(*column) else { continue };
        let cell = outline::folded(cell.as_ref());
        if !name.is_empty() && !cell.is_empty() {
            name.push(' ');
        }
        name.push_str(&cell);
    }
    for name in &mut names {
        if name.chars().count() > 2 * MAX_COLUMN_NAME_CHARS {
            *name = name.chars().take(2 * MAX_COLUMN_NAME_CHARS).collect();
        }
        let bare = name.trim_end_matches([':', ' ']).len();
        name.truncate(bare);
    }
    names
}

/// The caption of a table, from the lines directly above a row.
fn caption(draft: &DocumentDraft, first: usize) -> Option<String> {
    let page = draft.blocks.get(first)?.page;
    let mut found: Option<String> = None;
    for block in draft.blocks.get(..first)?.iter().rev().take(MAX_CAPTION_LINES) {
        if block.kind != BlockKind::Paragraph || block.page != page || block.hidden.is_some() {
            break;
        }
        if block.end - block.start > MAX_CAPTION_BYTES {
            break;
        }
        let text = markup::words(draft.text.get(block.start..block.end).unwrap_or_default());
        if !text.chars().any(char::is_alphabetic) {
            continue;
        }
        if !is_caption(&text) {
            break;
        }
        found = joined(Some(short(&text)), found);
    }
    found
}

fn is_caption(text: &str) -> bool {
    let text = text.trim();
    let count = text.chars().count();
    let stops = text.ends_with(['.', '!', '?', '؟', ';']);
    let first = text.split_once([' ', '.', ':']).map_or(text, |(first, _)| first).to_lowercase();
    count <= outline::MAX_HEADING_CHARS
        && text.chars().any(char::is_alphabetic)
        && (!stops || CAPTION_WORDS.contains(&first.as_str()) || text.starts_with('('))
}

fn joined(above: Option<String>, below: Option<String>) -> Option<String> {
    match (above, below) {
        (Some(above), Some(below)) => Some(short(&format!("{above} / {below}"))),
        (one, other) => one.or(other),
    }
}

/// A table without names that continues overleaf, or below a line of its own, has those above it.
fn inherit(draft: &mut DocumentDraft, rows: &[Vec<usize>]) {
    // In order, so that names pass from page to page.
    for (table, pair) in rows.windows(2).enumerate() {
        let [above, below] = pair else { continue };
        let (Some(last), Some(first)) = (above.last(), below.first()) else { continue };
        let wide = |rows: &[usize]| {
            let row = |at: &usize| draft.blocks.get(*at).and_then(|block| block.row.as_ref());
            rows.iter().filter_map(row).flat_map(|row| &row.cells).map(|cell| cell.column).max()
        };
        if !goes_on(draft, *last, *first) || wide(above) != wide(below) {
            continue;
        }
        let Some(DocumentTable { columns, caption }) = draft.tables.get(table).cloned() else {
            continue;
        };
        if let Some(next) = draft.tables.get_mut(table + 1).filter(|next| next.columns.is_empty()) {
            next.columns = columns;
            next.caption = joined(caption, next.caption.take());
        }
    }
}

/// Whether rows that begin at `first` may be of the table that ends at `last`.
fn goes_on(draft: &DocumentDraft, last: usize, first: usize) -> bool {
    let (Some(above), Some(below)) = (draft.blocks.get(last), draft.blocks.get(first)) else {
        return false;
    };
    // Only in a format with pages can a page break a table in two.
    let (Some(page), Some(next)) = (above.page, below.page) else { return false };
    let between = draft.blocks.get(last + 1..first).unwrap_or_default();
    let lines = between.iter().all(|block| {
        let text = draft.text.get(block.start..block.end).unwrap_or_default();
        block.kind == BlockKind::Paragraph
            && (is_caption(text) || text.trim().parse::<u32>().is_ok())
    });
    above.headings == below.headings
        && (page == next || page + 1 == next)
        && between.len() <= MAX_CAPTION_LINES
        && lines
}

/// How many rows are looked at to tell names from values.
pub(super) const MAX_HEADER_SCAN_ROWS: usize = 24;
/// Lines above the names that may speak about all of the table.
const MAX_ABOVE_ROWS: usize = 8;
/// Lines above a table that may.
const MAX_CAPTION_LINES: usize = 3;
/// A longer block is no line.
const MAX_CAPTION_BYTES: usize = 2000;
/// Every column is compared with every cell below it.
const MAX_GUESSED_COLUMNS: usize = 256;
const MAX_HEADER_ROWS: usize = 3;
/// The bound that CSV has for a name too.
const MAX_COLUMN_NAME_CHARS: usize = 60;
const MAX_NAMED_COLUMNS: usize = 1024;
/// A name of a column has few words.
const MAX_COLUMN_NAME_WORDS: usize = 8;
/// Texts that are this many times as long as the name above them are values, not names.
const MIN_VALUE_LENGTH_RATIO: usize = 3;
/// With fewer columns of plain words a first row may as well be a pair.
const MIN_PLAIN_COLUMNS: usize = 3;
const MIN_GLOSSARY_ROWS: usize = 3;
const MIN_TEXT_WORDS: usize = 4;
const CAPTION_WORDS: [&str; 6] = ["table", "exhibit", "schedule", "figure", "جدول", "الجدول"];
