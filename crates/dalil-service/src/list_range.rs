//! Which part of a list is wanted.

use dalil_store::TableQuery;

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRange {
    /// The record to begin at.
    pub from: u64,
    /// The most items.
    pub limit: u32,
    /// Whether the newest come first, from `from` back.
    pub newest: bool,
}

impl ListRange {
    /// Limits a query to this range.
    pub(super) fn of<R>(self, query: TableQuery<R>) -> TableQuery<R> {
        let Self { from, limit, newest } = self;
        let query = query.starting_at(from).at_most(limit);
        if newest { query.newest_first() } else { query }
    }
}
