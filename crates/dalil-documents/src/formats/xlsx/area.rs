//! Rectangles of cells, as `B2:C9` names them, and ranges of columns.

use std::collections::{BTreeMap, BTreeSet};

/// Some cells that lie beside one another; rows and columns from 0, the last included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellArea {
    rows: [u32; 2],
    columns: [u32; 2],
}

impl CellArea {
    /// The area that a reference names.
    pub(super) fn of(reference: &str) -> Option<Self> {
        let (first, last) = reference.split_once(':').unwrap_or((reference, reference));
        let (first, last) = (corner(first)?, corner(last)?);
        Some(Self {
            rows: [first.0.min(last.0), first.0.max(last.0)],
            columns: [first.1.min(last.1), first.1.max(last.1)],
        })
    }

    /// The areas of a list, up to one more than the rules of a sheet may have.
    pub(super) fn list(references: &str) -> Vec<Self> {
        references.split_whitespace().take(MAX_RULE_AREAS + 1).filter_map(Self::of).collect()
    }

    pub(super) fn holds(&self, (row, column): (u32, u32)) -> bool {
        let [top, bottom] = self.rows;
        let [left, right] = self.columns;
        (top..=bottom).contains(&row) && (left..=right).contains(&column)
    }
}

/// Ranges of columns, from 0, the last included: in order, and without a column in two of them.
#[derive(Debug, Default)]
pub(super) struct ColumnRanges(Vec<(u32, u32)>);

impl ColumnRanges {
    pub(super) fn of(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.retain(|(first, last)| first <= last);
        ranges.sort_unstable();
        ranges.dedup_by(|(first, last), (_, end)| {
            let is_joined = first <= end;
            if is_joined {
                *end = (*end).max(*last);
            }
            is_joined
        });
        Self(ranges)
    }

    pub(super) fn holds(&self, column: u32) -> bool {
        let begun = self.0.partition_point(|(first, _)| *first <= column);
        begun.checked_sub(1).and_then(|at| self.0.get(at)).is_some_and(|(_, last)| column <= *last)
    }
}

/// Those of some cells that are in an area and not its first, which alone shows its text where all
/// are one.
///
/// The areas are counted row by row, as any number of them may lie over one another.
pub(super) fn covered(areas: &[CellArea], mut cells: Vec<(u32, u32)>) -> BTreeSet<(u32, u32)> {
    let mut firsts: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for area in areas {
        *firsts.entry((area.rows[0], area.columns[0])).or_default() += 1;
    }
    let (mut begin, mut end) = (areas.to_vec(), areas.to_vec());
    begin.sort_unstable_by_key(|area| area.rows[0]);
    end.sort_unstable_by_key(|area| area.rows[1]);
    let (mut begin, mut end) = (begin.into_iter().peekable(), end.into_iter().peekable());
    let mut open = OpenAreas::default();
    cells.sort_unstable();
    cells.retain(|at| {
        while let Some(area) = begin.next_if(|area| area.rows[0] <= at.0) {
            open.add(area.columns, 1);
        }
        while let Some(area) = end.next_if(|area| area.rows[1] < at.0) {
            open.add(area.columns, -1);
        }
        open.over(at.1) > firsts.get(at).copied().unwrap_or_default()
    });
    cells.into_iter().collect()
}

/// How many areas lie over each column of a row: a Fenwick tree of the columns at which areas begin,
/// and behind which they end.
struct OpenAreas(Vec<i32>);

impl Default for OpenAreas {
    fn default() -> Self {
        Self(vec![0; MAX_COLUMNS + 1])
    }
}

impl OpenAreas {
    fn add(&mut self, [left, right]: [u32; 2], areas: i32) {
        self.change(left, areas);
        self.change(right.saturating_add(1), -areas);
    }

    fn change(&mut self, column: u32, areas: i32) {
        let mut at = (column as usize).saturating_add(1);
        while let Some(count) = self.0.get_mut(at) {
            *count += areas;
            at += at & at.wrapping_neg();
        }
    }

    fn over(&self, column: u32) -> i32 {
        let mut at = (column as usize).saturating_add(1);
        let mut sum = 0;
        while at > 0 {
            sum += self.0.get(at).copied().unwrap_or_default();
            at &= at.wrapping_sub(1);
        }
        sum
    }
}

/// The row and the column that a name such as `$B$2` means.
pub(super) fn corner(name: &str) -> Option<(u32, u32)> {
    let name = name.replace('$', "");
    let digits = name.find(|ch: char| ch.is_ascii_digit())?;
    let (letters, row) = name.split_at_checked(digits)?;
    let column = letters.bytes().try_fold(0_u32, |column, letter| {
        let digit = u32::from(letter.to_ascii_uppercase().checked_sub(b'A')?);
        column.checked_mul(26)?.checked_add(digit.checked_add(1)?)
    })?;
    Some((row.parse::<u32>().ok()?.checked_sub(1)?, column.checked_sub(1)?))
}

/// The areas of all rules of a sheet.
pub(super) const MAX_RULE_AREAS: usize = 10_000;
/// The columns of a sheet in Excel, whose last is `XFD`.
const MAX_COLUMNS: usize = 16_384;
