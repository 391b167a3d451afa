//! Which subtrees a proof needs, and where they lie: pure planning, no reading.
//!
//! A proof is a list of roots. Each is over a range that RFC 6962 splits off, and
//! so a fold of complete subtrees; each complete subtree is a node of one tile.

use dalil_core::digest::Digest;
use dalil_core::tree;

use super::tile_frontier::{TILE_ROWS, TILE_WIDTH};

/// A complete subtree: over leaves `place * 2^height` up to `(place + 1) * 2^height`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CompleteSubtree {
    height: u32,
    place: u64,
}

/// Where a node lies: the tile, and the row and place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePosition {
    pub(super) level: usize,
    pub(super) tile: u64,
    pub(super) row: usize,
    pub(super) place: usize,
}

/// One hash of a proof: the fold of these nodes, from left to right.
pub(super) type SubtreeFold = Vec<CompleteSubtree>;

impl CompleteSubtree {
    pub(super) fn tile_position(self) -> Option<TilePosition> {
        let Self { height, place } = self;
        let row = usize::try_from(height).ok()? % TILE_ROWS;
        let level = usize::try_from(height).ok()? / TILE_ROWS;
        let across = (TILE_WIDTH >> row) as u64;
        let (tile, place) = (place / across, usize::try_from(place % across).ok()?);
        Some(TilePosition { level, tile, row, place })
    }
}

/// Folds the roots of complete subtrees that lie side by side, largest first.
pub(super) fn fold(roots: &[Digest]) -> Option<Digest> {
    let (last, rest) = roots.split_last()?;
    Some(rest.iter().rev().fold(*last, |right, left| tree::node(left, &right)))
}

/// The proof that leaf `index` is under the root at `size`, from the leaf up.
pub(super) fn inclusion(index: u64, size: u64) -> Option<Vec<SubtreeFold>> {
    if index >= size {
        return None;
    }
    let (mut start, mut end) = (0, size);
    let mut siblings = Vec::new();
    // RFC 6962, section 2.1.1, from the root down: the sibling of each step is the other half.
    while end - start > 1 {
        let middle = start + split(end - start);
        if index < middle {
            siblings.push(range(middle, end));
            end = middle;
        } else {
            siblings.push(range(start, middle));
            start = middle;
        }
    }
    siblings.reverse();
    Some(siblings)
}

/// The proof that the tree at `new` leaves only added to the tree at `old`.
pub(super) fn consistency(old: u64, new: u64) -> Option<Vec<SubtreeFold>> {
    if old > new {
        return None;
    }
    if old == 0 {
        return Some(Vec::new());
    }
    let (mut start, mut end) = (0, new);
    let mut hashes = Vec::new();
    // RFC 6962, section 2.1.2: down to the subtree with which the old tree ends.
    while old != end {
        let middle = start + split(end - start);
        if old <= middle {
            hashes.push(range(middle, end));
            end = middle;
        } else {
            hashes.push(range(start, middle));
            start = middle;
        }
    }
    // The checker knows the old root itself, but no smaller part of it.
    if start > 0 {
        hashes.push(range(start, end));
    }
    hashes.reverse();
    Some(hashes)
}

/// The complete subtrees of leaves `start..end`, a range that RFC 6962 splits off.
pub(super) fn range(mut start: u64, end: u64) -> SubtreeFold {
    let mut nodes = Vec::new();
    while start < end {
        let size = end - start;
        let part = if size.is_power_of_two() { size } else { split(size) };
        let height = part.trailing_zeros();
        nodes.push(CompleteSubtree { height, place: start >> height });
        start += part;
    }
    nodes
}

/// The largest power of two below `size`, which is at least 2.
fn split(size: u64) -> u64 {
    1 << (u64::BITS - 1 - size.saturating_sub(1).max(1).leading_zeros())
}
