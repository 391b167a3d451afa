//! Where the root of a complete subtree lies: each is a node of one tile.

use dalil_proof::tree::plan::CompleteSubtree;

use super::tile_frontier::{TILE_ROWS, TILE_WIDTH};

/// The tile of a node, and the row and place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePosition {
    pub(super) level: usize,
    pub(super) tile: u64,
    pub(super) row: usize,
    pub(super) place: usize,
}

impl TilePosition {
    /// Returns the place of a subtree's root; `None` if no tile of this machine has that many rows.
    pub(super) fn of(subtree: CompleteSubtree) -> Option<Self> {
        let CompleteSubtree { height, place } = subtree;
        let row = usize::try_from(height).ok()? % TILE_ROWS;
        let level = usize::try_from(height).ok()? / TILE_ROWS;
        let across = (TILE_WIDTH >> row) as u64;
        let (tile, place) = (place / across, usize::try_from(place % across).ok()?);
        Some(Self { level, tile, row, place })
    }
}
