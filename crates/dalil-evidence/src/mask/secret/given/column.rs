//! Secrets in a table: the cells below a heading that names a secret.

use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::secret::given::{MIN_PASSWORD_CHARS, is_marked, is_placeholder, is_secret_name};

/// The secrets of every table of a text: Markdown, or lines of values with commas, semicolons or
/// tabs between them. A table starts at the start of the text or after an empty line.
pub(in crate::mask) fn cells(text: &str) -> Vec<(BuiltinMaskRule, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut is_start = true;
    let mut header: Option<TableHeader> = None;
    for line in text.split_inclusive('\n') {
        let row = line.trim_end_matches(['\r', '\n']);
        if row.trim().is_empty() {
            (is_start, header) = (true, None);
        } else if is_start {
            (is_start, header) = (false, TableHeader::of(row));
        } else if let Some(header) = &header {
            found.extend(
                header
                    .secrets(row)
                    .map(|cell| (BuiltinMaskRule::SecretMarker, at + cell.start..at + cell.end)),
            );
        }
        at += line.len();
    }
    found
}

/// The first row of a table that has a column of secrets.
struct TableHeader {
    separator: char,
    columns: usize,
    secret: Vec<usize>,
}

impl TableHeader {
    fn of(row: &str) -> Option<Self> {
        let separator = CELL_SEPARATORS.into_iter().find(|separator| row.contains(*separator))?;
        let cells: Vec<Range<usize>> = cells_of(row, separator).collect();
        if !cells.iter().all(|cell| row.get(cell.clone()).is_some_and(is_heading)) {
            return None;
        }
        let is_secret = |cell: &Range<usize>| {
            row.get(cell.clone()).is_some_and(|name| is_secret_name(name.trim_matches('*')))
        };
        let secret: Vec<usize> =
            cells.iter().enumerate().filter(|(_, cell)| is_secret(cell)).map(|(n, _)| n).collect();
        (!secret.is_empty()).then_some(Self { separator, columns: cells.len(), secret })
    }

    /// The secrets of a row, as places in it; none in a row of another width.
    fn secrets(&self, row: &str) -> impl Iterator<Item = Range<usize>> {
        let cells: Vec<Range<usize>> = cells_of(row, self.separator).collect();
        // Asked first: a heading of many secrets over many short rows would cost their product.
        let secret = if cells.len() == self.columns { self.secret.as_slice() } else { &[] };
        let wanted = secret.iter().filter_map(move |n| cells.get(*n).cloned());
        wanted.filter(move |cell| {
            let value = row.get(cell.clone()).unwrap_or_default();
            let is_ruler = value.chars().all(|ch| matches!(ch, '-' | ':' | '*' | '•' | '–' | '—'));
            // A part of a sentence may be between commas.
            let is_word = matches!(self.separator, '|' | '\t') || !value.contains(' ');
            is_word
                && !value.is_empty()
                && !is_ruler
                && !is_placeholder(value)
                && (is_marked(value) || value.chars().count() >= MIN_PASSWORD_CHARS)
        })
    }
}

/// Whether a cell can be a heading, and not a part of a sentence with commas.
fn is_heading(cell: &str) -> bool {
    cell.split_whitespace().count() <= MAX_HEADING_WORDS
        && !cell.ends_with(['.', '?', '!', ':', '؟'])
}

/// The cells of a row without the spaces and quotation marks around them. A quoted cell that holds
/// a separator makes the row another width, so that nothing of it is taken for another column's.
fn cells_of(row: &str, separator: char) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    row.split(separator).map(move |cell| {
        let start = at + (cell.len() - cell.trim_start_matches([' ', '"', '\'']).len());
        let inner = cell.trim_matches([' ', '"', '\'']);
        at += cell.len() + separator.len_utf8();
        start..start + inner.len()
    })
}

/// `Date of last change` is as long as headings of columns get.
const MAX_HEADING_WORDS: usize = 4;

/// The separators between cells; the first of them that a heading has is the table's.
const CELL_SEPARATORS: [char; 4] = ['|', '\t', ';', ','];
