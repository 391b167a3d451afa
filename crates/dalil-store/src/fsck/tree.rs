//! The tree computed from the records, for comparison with the signed one.

use std::collections::VecDeque;

use dalil_proof::digest::Digest;

use crate::trail::tile_frontier::{CompletedTile, TileFrontier};

/// The tree as the records make it, and the checkpoints that wait for their size.
#[derive(Default)]
pub(super) struct RebuiltTree {
    pub(super) edge: TileFrontier,
    /// Whether a record was missing, so that no root can be computed after it.
    pub(super) is_lost: bool,
    pub(super) completed: Vec<CompletedTile>,
    pub(super) tiles: u64,
    pub(super) waiting: VecDeque<(i64, Option<String>)>,
    /// The last size that was read ahead, and whether there may be more.
    pub(super) read: Option<i64>,
    pub(super) is_read: bool,
    pub(super) signed: u64,
    pub(super) newest: Option<i64>,
}

impl RebuiltTree {
    pub(super) fn push(&mut self, leaf: Digest) {
        if !self.is_lost {
            self.edge.push(leaf, &mut self.completed);
        }
    }

    /// A leaf is not there: roots cannot be computed from here on.
    pub(super) fn lose(&mut self) {
        self.is_lost = true;
    }
}
