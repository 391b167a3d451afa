//! Checking proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
//!
//! Total and bounded on any input: a proof is read at most as far as the tree
//! is high, 64 hashes.

use dalil_phrasebook::{Phrase, error};

use super::{TreeHead, empty, node};
use crate::digest::Digest;

/// Why a proof proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MerkleProofError {
    /// The leaf lies outside the tree.
    Index {
        /// The index that was claimed.
        index: u64,
        /// The tree's size.
        size: u64,
    },
    /// The old tree is larger than the one that is to contain it.
    Order {
        /// The size that was claimed to be earlier.
        old: u64,
        /// The size that was claimed to be later.
        new: u64,
    },
    /// No tree of this size has a proof of this length.
    Length {
        /// How many hashes there were.
        found: usize,
    },
    /// The hashes do not lead to the later root.
    Root {
        /// The root that was claimed.
        expected: Digest,
        /// Where the proof leads.
        found: Digest,
    },
    /// The hashes do not lead to the earlier root.
    OldRoot {
        /// The root that was claimed.
        expected: Digest,
        /// Where the proof leads.
        found: Digest,
    },
}

impl MerkleProofError {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Index { index, size } => error::index_beyond_size(size, index),
            Self::Order { old, new } => error::sizes_out_of_order(new, old),
            Self::Length { found } => error::proof_length(found),
            Self::Root { expected, found } => error::proof_root(expected, found),
            Self::OldRoot { expected, found } => error::proof_old_root(expected, found),
        }
    }
}

dalil_phrasebook::spoken_error!(MerkleProofError);

/// Checks that `leaf` is at `index` under `head`.
///
/// # Errors
/// What about the proof does not fit.
pub fn inclusion(
    leaf: &Digest,
    index: u64,
    proof: &[Digest],
    head: &TreeHead,
) -> Result<(), MerkleProofError> {
    if index >= head.size {
        return Err(MerkleProofError::Index { index, size: head.size });
    }
    let wrong_length = MerkleProofError::Length { found: proof.len() };
    // `fn` and `sn` of RFC 9162: the node, and the last node of its level.
    let (mut here, mut last) = (index, head.size - 1);
    let mut root = *leaf;
    for sibling in proof {
        // The root is reached, and hashes are left.
        if last == 0 {
            return Err(wrong_length);
        }
        // A right child, or the last node of its level, which has its sibling on the left.
        if here % 2 == 1 || here == last {
            root = node(sibling, &root);
            (here, last) = skip_lone(here, last);
        } else {
            root = node(&root, sibling);
        }
        (here, last) = (here >> 1, last >> 1);
    }
    // A proof that ends below the root would prove a subtree only.
    if last != 0 {
        return Err(wrong_length);
    }
    same(&head.root, &root)
}

/// Checks that the tree of `new` only added to the tree of `old`.
///
/// Everything adds to the empty tree, and equal sizes need equal roots; both
/// need an empty proof.
///
/// # Errors
/// What about the proof does not fit.
pub fn consistency(
    old: &TreeHead,
    new: &TreeHead,
    proof: &[Digest],
) -> Result<(), MerkleProofError> {
    if old.size > new.size {
        return Err(MerkleProofError::Order { old: old.size, new: new.size });
    }
    let wrong_length = MerkleProofError::Length { found: proof.len() };
    if old.size == 0 || old.size == new.size {
        let expected = if old.size == 0 { empty() } else { new.root };
        return if proof.is_empty() { same_old(&old.root, &expected) } else { Err(wrong_length) };
    }
    let (mut here, mut last) = (old.size - 1, new.size - 1);
    // Complete subtrees at the old tree's right edge are shared by both trees.
    let complete = here.trailing_ones();
    (here, last) = (here >> complete, last >> complete);
    // At a power of two the old root is a node of the
    // new tree; otherwise the proof starts with one.
    let (first, rest) = if old.size.is_power_of_two() {
        (&old.root, proof)
    } else {
        proof.split_first().ok_or(wrong_length)?
    };
    let (mut old_root, mut new_root) = (*first, *first);
    for hash in rest {
        if last == 0 {
            return Err(wrong_length);
        }
        if here % 2 == 1 || here == last {
            // The left part is in both trees; the right part was added.
            old_root = node(hash, &old_root);
            new_root = node(hash, &new_root);
            (here, last) = skip_lone(here, last);
        } else {
            new_root = node(&new_root, hash);
        }
        (here, last) = (here >> 1, last >> 1);
    }
    if last != 0 {
        return Err(wrong_length);
    }
    same_old(&old.root, &old_root)?;
    same(&new.root, &new_root)
}

/// Climbs past the levels on which the right edge has no sibling.
fn skip_lone(here: u64, last: u64) -> (u64, u64) {
    // RFC 9162: shift until the lowest bit of `fn` is set, or `fn` is 0.
    let lone = if here == 0 { 0 } else { here.trailing_zeros() };
    (here >> lone, last >> lone)
}

fn same(expected: &Digest, found: &Digest) -> Result<(), MerkleProofError> {
    if expected == found {
        Ok(())
    } else {
        Err(MerkleProofError::Root { expected: *expected, found: *found })
    }
}

fn same_old(expected: &Digest, found: &Digest) -> Result<(), MerkleProofError> {
    if expected == found {
        Ok(())
    } else {
        Err(MerkleProofError::OldRoot { expected: *expected, found: *found })
    }
}
