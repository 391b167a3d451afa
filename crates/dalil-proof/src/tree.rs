//! The Merkle tree of RFC 6962: one root that commits to every record of a trail.
//!
//! A leaf is hashed behind `0x00` and a node behind `0x01`, so that no leaf can
//! pass for a node. [`plan`] lists the parts of a proof, a [`MerkleTree`] keeps
//! the root of every complete subtree to build it, and [`proof`] checks it with
//! neither. A [`Frontier`] is the minimum from which roots can be computed.

use crate::digest::Digest;

mod frontier;
pub mod plan;
pub mod proof;
#[cfg(test)]
mod tests;

pub use frontier::Frontier;
use plan::CompleteSubtree;

/// The hash of a leaf's bytes.
pub fn leaf(bytes: &[u8]) -> Digest {
    Digest::of_parts([&[0x00][..], bytes])
}

/// The hash of two subtrees side by side.
pub fn node(left: &Digest, right: &Digest) -> Digest {
    Digest::of_parts([&[0x01][..], left.as_bytes(), right.as_bytes()])
}

/// A size and the root of the tree of that size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// How many leaves.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
}

/// A tree that only grows.
///
/// Invariant: `levels[l][i]` is the root over leaves `i * 2^l` up to
/// `(i + 1) * 2^l`, and every such complete range is there. That is at most two
/// digests for each leaf, and enough to prove any leaf of any earlier size.
#[derive(Clone, Debug, Default)]
pub struct MerkleTree {
    levels: Vec<Vec<Digest>>,
}

impl MerkleTree {
    /// Appends a leaf by its hash and returns its index.
    pub fn push(&mut self, leaf: Digest) -> u64 {
        let index = self.size();
        let mut complete = leaf;
        for level in 0.. {
            let Some(row) = self.levels.get_mut(level) else {
                self.levels.push(vec![complete]);
                break;
            };
            let left = row.last().copied();
            row.push(complete);
            // A row of even length has just completed a pair, whose root belongs one level up.
            match left {
                Some(left) if row.len() % 2 == 0 => complete = node(&left, &complete),
                Some(_) | None => break,
            }
        }
        index
    }

    /// How many leaves there are.
    pub fn size(&self) -> u64 {
        self.levels.first().map_or(0, |leaves| leaves.len() as u64)
    }

    /// The size and root of the whole tree.
    pub fn head(&self) -> TreeHead {
        // The whole tree is always within itself.
        self.head_at(self.size()).unwrap_or(TreeHead { size: 0, root: empty() })
    }

    /// The size and root that the tree had at `size` leaves; `None` if it never had that many.
    pub fn head_at(&self, size: u64) -> Option<TreeHead> {
        let root = if size == 0 { empty() } else { self.fold(&plan::range(0, size))? };
        Some(TreeHead { size, root })
    }

    /// Proves that leaf `index` is under the root at `size`: siblings from the leaf up.
    ///
    /// `None` if there is no such leaf or the tree never had that size.
    pub fn inclusion(&self, index: u64, size: u64) -> Option<Vec<Digest>> {
        let plan = plan::inclusion(index, size).filter(|_| size <= self.size())?;
        plan.iter().map(|subtrees| self.fold(subtrees)).collect()
    }

    /// Proves that the tree at `new` leaves only added to the tree at `old` leaves.
    ///
    /// `None` if `old` is above `new` or the tree never had `new` leaves.
    pub fn consistency(&self, old: u64, new: u64) -> Option<Vec<Digest>> {
        let plan = plan::consistency(old, new).filter(|_| new <= self.size())?;
        plan.iter().map(|subtrees| self.fold(subtrees)).collect()
    }

    /// The root over complete subtrees that lie side by side; `None` if one is not there.
    fn fold(&self, subtrees: &[CompleteSubtree]) -> Option<Digest> {
        let root = |subtree: &CompleteSubtree| {
            let level = usize::try_from(subtree.height).ok()?;
            let place = usize::try_from(subtree.place).ok()?;
            self.levels.get(level)?.get(place).copied()
        };
        plan::fold(&subtrees.iter().map(root).collect::<Option<Vec<_>>>()?)
    }
}

impl Extend<Digest> for MerkleTree {
    fn extend<I: IntoIterator<Item = Digest>>(&mut self, leaves: I) {
        for leaf in leaves {
            self.push(leaf);
        }
    }
}

impl FromIterator<Digest> for MerkleTree {
    fn from_iter<I: IntoIterator<Item = Digest>>(leaves: I) -> Self {
        let mut tree = Self::default();
        tree.extend(leaves);
        tree
    }
}

/// The root of a tree without leaves: the digest of nothing.
pub fn empty() -> Digest {
    Digest::of(b"")
}
