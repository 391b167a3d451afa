//! The right edge of a tree: the least that later roots can be computed from.

use super::{TreeHead, empty, node};
use crate::digest::Digest;

/// The roots of the complete subtrees that a tree of some size is made of.
///
/// Invariant: one root for each bit that is set in `size`, the largest subtree
/// first. So it holds at most 64 digests, however many leaves came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    roots: Vec<Digest>,
}

impl Frontier {
    /// The frontier at `size` leaves; `None` if a tree of that size has another number of roots.
    pub fn new(size: u64, roots: Vec<Digest>) -> Option<Self> {
        (roots.len() as u64 == u64::from(size.count_ones())).then_some(Self { size, roots })
    }

    /// How many leaves came.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The roots, the largest subtree first.
    pub fn roots(&self) -> &[Digest] {
        &self.roots
    }

    /// Appends a leaf by its hash; `false`, and nothing done, if the tree is full.
    pub fn push(&mut self, leaf: Digest) -> bool {
        let Some(size) = self.size.checked_add(1) else { return false };
        let mut complete = leaf;
        // A carry in binary: each trailing one of the size is a subtree that this leaf doubles.
        for _ in 0..self.size.trailing_ones() {
            let Some(left) = self.roots.pop() else { break };
            complete = node(&left, &complete);
        }
        self.roots.push(complete);
        self.size = size;
        true
    }

    /// The size and root of the whole tree.
    pub fn head(&self) -> TreeHead {
        // RFC 6962 puts the smaller subtree on the right, so roots are joined from the right.
        let root = self.roots.iter().copied().rev().reduce(|right, left| node(&left, &right));
        TreeHead { size: self.size, root: root.unwrap_or_else(empty) }
    }
}
