//! Rectangles of cells, as `B2:C9` names them.

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

    /// Whether a cell is in it and not the first, which alone shows its text where all are one.
    pub(super) fn covers(&self, (row, column): (u32, u32)) -> bool {
        self.holds((row, column)) && (row, column) != (self.rows[0], self.columns[0])
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
