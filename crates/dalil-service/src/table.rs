//! Tables of plain columns for people.

use std::fmt;

use dalil_render::ledger::cell::{padded, width};

/// Writes a heading and rows, each column as wide as its widest cell.
pub(super) fn write<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    heading: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> fmt::Result {
    let rows = std::iter::once(heading.map(str::to_owned)).chain(rows).collect::<Vec<_>>();
    let wide = |n: usize| {
        let cells = rows.iter().filter_map(|row| row.get(n));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths = std::array::from_fn::<usize, N, _>(wide);
    for row in &rows {
        let mut line = String::new();
        for (cell, columns) in row.iter().zip(widths) {
            line.push_str(&padded(cell, columns));
            line.push_str("  ");
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}
