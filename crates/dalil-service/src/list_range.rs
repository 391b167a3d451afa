//! Which part of a list is wanted.

use dalil_store::TableQuery;

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRange {
    /// The record to begin at.
    pub from: u64,
    /// At most so many.
    pub limit: u32,
    /// Whether the newest come first, from `from` back.
    pub newest: bool,
}

impl ListRange {
    /// The part of what a question selects.
    pub(super) fn of<R>(self, query: TableQuery<R>) -> TableQuery<R> {
        let Self { from, limit, newest } = self;
        let query = query.starting_at(from).at_most(limit);
        if newest { query.newest_first() } else { query }
    }
}
