//! Which objects of the lake records need.

use std::collections::BTreeSet;

use dalil_proof::digest::Digest;

/// The objects that records need.
#[derive(Default)]
pub(super) struct ReferencedObjects {
    pub(super) needed: BTreeSet<Digest>,
    /// Those of the last page, with the record that named each first.
    pub(super) fresh: Vec<(Digest, u64)>,
    pub(super) bytes: u64,
    /// Whether there were too many to keep in mind.
    pub(super) is_full: bool,
}

impl ReferencedObjects {
    pub(super) fn need(&mut self, objects: &[Digest], index: u64) {
        for object in objects {
            if self.needed.contains(object) {
                continue;
            }
            if self.needed.len() < MAX_REMEMBERED_OBJECTS {
                self.needed.insert(*object);
            } else {
                self.is_full = true;
            }
            // Past the limit an object is checked once for each record that names it.
            self.fresh.push((*object, index));
        }
    }
}

/// How many objects are kept in mind: some 200 MB of digests.
const MAX_REMEMBERED_OBJECTS: usize = 1 << 22;
