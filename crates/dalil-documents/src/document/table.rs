//! Tables: the column of each cell in a row, and the names of the columns.

/// The properties of a table beside its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentTable {
    /// The names of its columns; empty where the table does not name them.
    pub columns: Vec<String>,
    /// The text directly above it: `(in thousands)`, or the name of a sheet.
    pub caption: Option<String>,
}

/// One row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableRow {
    /// Its table, as a place in the tables of the document.
    pub table: usize,
    /// Whether it names the columns.
    pub is_header: bool,
    /// The cells that hold something, in order.
    pub cells: Vec<TableCell>,
}

/// One cell of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableCell {
    /// Its column, from 0.
    pub column: usize,
    /// Where it begins in the text of the document, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}
