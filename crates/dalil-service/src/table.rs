//! Tables of plain columns for people.

use std::fmt;

use dalil_render::plain_table;

/// Writes a heading and rows, each column as wide as its widest cell.
pub(super) fn write<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    heading: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> fmt::Result {
    plain_table::lines(heading, rows).iter().try_for_each(|line| writeln!(f, "{line}"))
}
