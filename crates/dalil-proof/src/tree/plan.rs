//! Which subtrees a proof needs: pure planning, no hashing but the last fold.
//!
//! A proof is a list of roots. Each is over a range that RFC 6962 splits off, and
//! so a fold of complete subtrees. A holder of the roots of complete subtrees, in
//! memory as a [`MerkleTree`](super::MerkleTree) or in tiles on disk, plans here and
//! looks them up.

use super::node;
use crate::digest::Digest;

/// A complete subtree: over leaves `place * 2^height` up to `(place + 1) * 2^height`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompleteSubtree {
    /// How many levels it has above its leaves.
    pub height: u32,
    /// Which one of that height it is, from the left.
    pub place: u64,
}

/// One hash of a proof: the fold of these subtrees, from left to right.
pub type SubtreeFold = Vec<CompleteSubtree>;

/// Folds the roots of complete subtrees that lie side by side, largest first; `None` without any.
pub fn fold(roots: &[Digest]) -> Option<Digest> {
    let (last, rest) = roots.split_last()?;
    Some(rest.iter().rev().fold(*last, |right, left| node(left, &right)))
}

/// The proof that leaf `index` is under the root at `size`, from the leaf up; `None` if there is
/// no such leaf.
pub fn inclusion(index: u64, size: u64) -> Option<Vec<SubtreeFold>> {
    if index >= size {
        return None;
    }
    let (mut start, mut end) = (0, size);
    let mut siblings = Vec::new();
    // PATH of RFC 6962, section 2.1.1, from the root down: the sibling of each step is the other half.
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

/// The proof that the tree at `new` leaves only added to the tree at `old`; `None` if `old` is
/// above `new`.
pub fn consistency(old: u64, new: u64) -> Option<Vec<SubtreeFold>> {
    if old > new {
        return None;
    }
    if old == 0 {
        return Some(Vec::new());
    }
    let (mut start, mut end) = (0, new);
    let mut hashes = Vec::new();
    // SUBPROOF of RFC 6962, section 2.1.2, as a loop: down to the subtree with which the old tree ends.
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
pub fn range(mut start: u64, end: u64) -> SubtreeFold {
    let mut nodes = Vec::new();
    while start < end {
        let size = end - start;
        // RFC 6962 splits at powers of two, so a complete range starts at a multiple of its size.
        let part = if size.is_power_of_two() { size } else { split(size) };
        let height = part.trailing_zeros();
        nodes.push(CompleteSubtree { height, place: start >> height });
        start += part;
    }
    nodes
}

/// The largest power of two below `size`, which is at least 2.
fn split(size: u64) -> u64 {
    // `max` only keeps the shift in range for sizes that are never split.
    1 << (u64::BITS - 1 - size.saturating_sub(1).max(1).leading_zeros())
}
