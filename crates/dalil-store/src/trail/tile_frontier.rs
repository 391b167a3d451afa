//! The right edge of a tree: the hashes that are not in a complete tile yet.
//!
//! Level 0 holds the leaf hashes after the last complete tile, level l the roots
//! over 256^l leaves after the last complete tile of that level. So the sizes of
//! the levels are the digits of the tree's size to the base 256, and adding a
//! leaf, or naming the root, looks at nothing else.

use std::sync::Arc;

use dalil_proof::digest::Digest;
use dalil_proof::tree::{self, TreeHead};

/// Hashes side by side, and the roots over each sixteen of them.
///
/// The roots are kept, in memory and in the store, because a proof would otherwise
/// hash the whole tile; with them it hashes at most 22 pairs.
///
/// Invariant: `knots[i]` is the root over hashes `i * 16` up to `(i + 1) * 16`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tile {
    hashes: Vec<Digest>,
    knots: Vec<Digest>,
}

impl Tile {
    pub(crate) fn push(&mut self, hash: Digest) {
        self.hashes.push(hash);
        if self.hashes.len().is_multiple_of(SUBTREE_WIDTH) {
            let last = self.hashes.len() / SUBTREE_WIDTH - 1;
            self.knots.extend(complete(&self.hashes, SUBTREE_ROW, last));
        }
    }

    /// The hashes themselves.
    pub(crate) fn hashes(&self) -> &[Digest] {
        &self.hashes
    }

    /// The root over hashes `i * 2^row` up to `(i + 1) * 2^row`.
    pub(crate) fn node(&self, row: usize, i: usize) -> Option<Digest> {
        match row.checked_sub(SUBTREE_ROW) {
            Some(row) => complete(&self.knots, row, i),
            None => complete(&self.hashes, row, i),
        }
    }

    /// The root of a complete tile.
    pub(crate) fn root(&self) -> Option<Digest> {
        self.node(TILE_ROWS, 0)
    }

    /// The hashes and the roots over them, as they are stored.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.hashes.iter().chain(&self.knots).flat_map(Digest::as_bytes).copied().collect()
    }

    /// Parses a complete tile; `None` if it is not one. Its roots are unverified: callers compare
    /// the result with a head.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let (hashes, rest) = bytes.as_chunks::<32>();
        let (hashes, knots) = hashes.split_at_checked(TILE_WIDTH)?;
        if knots.len() != TILE_WIDTH / SUBTREE_WIDTH || !rest.is_empty() {
            return None;
        }
        let digests = |some: &[[u8; 32]]| some.iter().copied().map(Digest::from_bytes).collect();
        Some(Self { hashes: digests(hashes), knots: digests(knots) })
    }
}

/// The root over hashes `i * 2^row` up to `(i + 1) * 2^row`, if all of them are there.
fn complete(hashes: &[Digest], row: usize, i: usize) -> Option<Digest> {
    match row.checked_sub(1) {
        None => hashes.get(i).copied(),
        Some(below) => {
            let (left, right) = (i.checked_mul(2)?, i.checked_mul(2)?.checked_add(1)?);
            let right = complete(hashes, below, right)?;
            Some(tree::node(&complete(hashes, below, left)?, &right))
        }
    }
}

/// A tile that an append completed.
#[derive(Clone, Debug)]
pub(crate) struct CompletedTile {
    /// Its level.
    pub(crate) level: usize,
    /// Which one of its level.
    pub(crate) number: u64,
    /// Its hashes.
    pub(crate) tile: Arc<Tile>,
}

/// The unfinished tiles of a tree, from the leaves up. Cheap to copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileFrontier {
    size: u64,
    levels: Vec<Arc<Tile>>,
}

impl TileFrontier {
    /// Puts an edge together from the unfinished tiles of a tree of that size.
    pub(crate) fn new(size: u64, levels: Vec<Tile>) -> Self {
        Self { size, levels: levels.into_iter().map(Arc::new).collect() }
    }

    /// How many leaves the tree has.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The unfinished tile of a level.
    pub(crate) fn tile(&self, level: usize) -> Option<&Tile> {
        self.levels.get(level).map(Arc::as_ref)
    }

    /// Adds a leaf, and reports the tiles that it completed.
    pub(crate) fn push(&mut self, leaf: Digest, completed: &mut Vec<CompletedTile>) {
        self.size += 1;
        let (mut hash, mut through) = (leaf, self.size);
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Arc::default());
            }
            let Some(tile) = self.levels.get_mut(level) else { return };
            // Readers may hold this tile. It is copied once for a group, at its first leaf.
            Arc::make_mut(tile).push(hash);
            let Some(root) = tile.root() else { return };
            through /= TILE_WIDTH as u64;
            let tile = std::mem::take(tile);
            // The root of a full tile is the next hash of the level above; the carry of base 256.
            completed.push(CompletedTile { level, number: through - 1, tile });
            hash = root;
        }
    }

    /// The size and root of the tree.
    pub(crate) fn head(&self) -> TreeHead {
        let mut root = None;
        for tile in &self.levels {
            let length = tile.hashes().len();
            // From the smallest subtree, at the right, to the largest.
            for row in (0..TILE_ROWS).filter(|row| length >> row & 1 == 1) {
                let left = tile.node(row, (length >> row) - 1);
                root = match (left, root) {
                    (Some(left), Some(right)) => Some(tree::node(&left, &right)),
                    (left, right) => left.or(right),
                };
            }
        }
        TreeHead { size: self.size, root: root.unwrap_or_else(tree::empty) }
    }
}

/// How many hashes a complete tile has, and how many rows are over them.
pub(crate) const TILE_WIDTH: usize = 256;
pub(crate) const TILE_ROWS: usize = 8;
/// The number of hashes that a kept root covers, and the row that it is in.
const SUBTREE_WIDTH: usize = 16;
const SUBTREE_ROW: usize = 4;
