//! The digests of many chunks, in order, so that one anchor costs a search and not a walk.

use std::cmp::Ordering;

use dalil_proof::digest::Digest;

use super::{Anchor, UnresolvedAnchor};

/// The text digests of the chunks that anchors may name.
///
/// Invariant: sorted, without repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorIndex(Vec<Digest>);

impl AnchorIndex {
    /// Sorts the digests of a set of chunks.
    pub fn new(digests: impl IntoIterator<Item = Digest>) -> Self {
        let mut all: Vec<Digest> = digests.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    /// The shortest anchor that names `digest` and no other of these.
    ///
    /// In sorted order the longest shared prefix is with a neighbour.
    pub fn shortest(&self, digest: &Digest) -> Anchor {
        // `digest` need not be one of these: its neighbours are those of the place it would have.
        let before = self.0.partition_point(|one| one < digest);
        let after = self.0.partition_point(|one| one <= digest);
        let previous = before.checked_sub(1).and_then(|n| self.0.get(n));
        Anchor::shortest(digest, previous.into_iter().chain(self.0.get(after)))
    }

    /// Finds the one digest that `anchor` names.
    ///
    /// # Errors
    /// No digest matches, or more than one does.
    pub fn resolve(&self, anchor: &Anchor) -> Result<Digest, UnresolvedAnchor> {
        // Hex digits ascend as bytes do, so all digests with one prefix are adjacent.
        let first = self.0.partition_point(|one| anchor.order(one) == Ordering::Less);
        let last = self.0.partition_point(|one| anchor.order(one) != Ordering::Greater);
        anchor.resolve(self.0.get(first..last).unwrap_or_default())
    }
}
