//! Plain columns for people: a heading and rows, without borders.

use crate::ledger::cell::{padded, width, wrapped};

#[cfg(test)]
mod tests;

/// The lines of a heading and of rows, each column as wide as its widest cell.
///
/// A cell takes one line, whatever is in it: the second line of a text must not look like a row of
/// its own.
pub fn lines<const N: usize>(
    heading: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Vec<String> {
    let rows = std::iter::once(heading.map(str::to_owned)).chain(rows);
    let rows: Vec<[String; N]> = rows.map(|row| row.map(|cell| on_one_line(&cell))).collect();
    let wide = |n: usize| {
        let cells = rows.iter().filter_map(|row| row.get(n));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths = std::array::from_fn::<usize, N, _>(wide);
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, columns)| padded(cell, columns));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn on_one_line(cell: &str) -> String {
    wrapped(cell, usize::MAX).concat()
}
