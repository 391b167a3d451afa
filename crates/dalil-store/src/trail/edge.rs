//! The right edge of a tree: what is not in a complete tile yet.
//!
//! Level 0 holds the leaf hashes after the last complete tile, level l the roots
//! over 256^l leaves after the last complete tile of that level. So the sizes of
//! the levels are the digits of the tree's size to the base 256, and adding a
//! leaf, or naming the root, looks at nothing else.

use std::sync::Arc;

use dalil_core::digest::Digest;
use dalil_core::tree::{self, Head};

/// Hashes side by side, and every complete subtree over them.
///
/// Invariant: `rows[j][i]` is the root over hashes `i * 2^j` up to `(i + 1) * 2^j`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tile {
    rows: Vec<Vec<Digest>>,
}

impl Tile {
    pub(crate) fn push(&mut self, hash: Digest) {
        let mut complete = hash;
        for level in 0.. {
            let Some(row) = self.rows.get_mut(level) else {
                self.rows.push(vec![complete]);
                return;
            };
            let left = row.last().copied();
            row.push(complete);
            match left {
                Some(left) if row.len() % 2 == 0 => complete = tree::node(&left, &complete),
                Some(_) | None => return,
            }
        }
    }

    /// The hashes themselves.
    pub(crate) fn hashes(&self) -> &[Digest] {
        self.rows.first().map_or(&[], Vec::as_slice)
    }

    /// The root over hashes `i * 2^row` up to `(i + 1) * 2^row`.
    pub(crate) fn node(&self, row: usize, i: usize) -> Option<Digest> {
        self.rows.get(row)?.get(i).copied()
    }

    /// The root of a complete tile.
    pub(crate) fn root(&self) -> Option<Digest> {
        self.node(ROWS, 0)
    }

    /// The hashes as they are stored.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.hashes().iter().flat_map(Digest::as_bytes).copied().collect()
    }

    /// Reads a complete tile; `None` if it is not one.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let (hashes, rest) = bytes.as_chunks::<32>();
        if hashes.len() != WIDTH || !rest.is_empty() {
            return None;
        }
        let mut tile = Self::default();
        hashes.iter().for_each(|hash| tile.push(Digest::from_bytes(*hash)));
        Some(tile)
    }
}

/// A tile that an append completed.
#[derive(Clone, Debug)]
pub(crate) struct Completed {
    /// Its level.
    pub(crate) level: usize,
    /// Which one of its level.
    pub(crate) number: u64,
    /// Its hashes.
    pub(crate) tile: Arc<Tile>,
}

/// The unfinished tiles of a tree, from the leaves up. Cheap to copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edge {
    size: u64,
    levels: Vec<Arc<Tile>>,
}

impl Edge {
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

    /// Adds a leaf, and says which tiles it completed.
    pub(crate) fn push(&mut self, leaf: Digest, completed: &mut Vec<Completed>) {
        self.size += 1;
        let (mut hash, mut through) = (leaf, self.size);
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Arc::default());
            }
            let Some(tile) = self.levels.get_mut(level) else { return };
            Arc::make_mut(tile).push(hash);
            let Some(root) = tile.root() else { return };
            through /= WIDTH as u64;
            let tile = std::mem::take(tile);
            completed.push(Completed { level, number: through - 1, tile });
            hash = root;
        }
    }

    /// The size and root of the tree.
    pub(crate) fn head(&self) -> Head {
        let mut root = None;
        for tile in &self.levels {
            let length = tile.hashes().len();
            // From the smallest subtree, at the right, to the largest.
            for row in (0..ROWS).filter(|row| length >> row & 1 == 1) {
                let left = tile.node(row, (length >> row) - 1);
                root = match (left, root) {
                    (Some(left), Some(right)) => Some(tree::node(&left, &right)),
                    (left, right) => left.or(right),
                };
            }
        }
        Head { size: self.size, root: root.unwrap_or_else(tree::empty) }
    }
}

/// How many hashes a complete tile has, and how many rows stand over them.
pub(crate) const WIDTH: usize = 256;
pub(crate) const ROWS: usize = 8;
