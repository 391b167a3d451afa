//! Rows: which row of a table a claim is about.

use dalil_documents::document::{TableCell, TableRow};

use super::corpus::{ChunkRef, IndexedCorpus, IndexedDocument};
use crate::rule;

#[cfg(test)]
mod tests;

/// Whether a chunk is a row that the claim does not name, in a table of which it names another. What
/// such a row states is true beside the claim, whatever values it has.
pub(super) fn is_another_row(corpus: &IndexedCorpus<'_>, place: ChunkRef, statement: &str) -> bool {
    let Some(source) = corpus.sources.get(place.source) else { return false };
    let block =
        source.chunks.get(place.chunk).and_then(|one| source.document.blocks.get(one.block));
    let Some(quoted) = block.and_then(|block| block.row.as_ref()) else { return false };
    let naming = rule::naming_words(statement);
    if quoted.is_header || names(source, quoted).any(|name| rule::is_named(name, &naming)) {
        return false;
    }
    let rows = source.document.blocks.iter().filter_map(|block| block.row.as_ref());
    let mut others = rows.filter(|row| row.table == quoted.table && !row.is_header);
    others.any(|row| key(source, row).is_some_and(|name| rule::is_named(name, &naming)))
}

/// What a row may be called by: its first cell, and the others that have letters.
fn names<'d>(
    source: &'d IndexedDocument<'d>,
    row: &'d TableRow,
) -> impl Iterator<Item = &'d str> + use<'d> {
    let text = |(n, cell): (usize, &TableCell)| {
        let text = source.document.text.get(cell.start..cell.end)?;
        (n == 0 || text.contains(char::is_alphabetic)).then_some(text)
    };
    row.cells.iter().enumerate().filter_map(text)
}

/// The cell that tells a row from others: the first, where it is in the first column.
fn key<'d>(source: &'d IndexedDocument<'d>, row: &'d TableRow) -> Option<&'d str> {
    let first = row.cells.first().filter(|cell| cell.column == 0)?;
    source.document.text.get(first.start..first.end)
}
