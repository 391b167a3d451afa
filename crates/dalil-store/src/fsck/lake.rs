//! The lake: every object that records need, and objects that none does.

use std::collections::BTreeSet;

use dalil_core::digest::Digest;

use super::finding::Teller;
use super::walk::Walk;
use crate::catalog::Failed;
use crate::lake::{Erasure, Listed, State};

/// The objects that records need.
#[derive(Default)]
pub(super) struct Objects {
    needed: BTreeSet<Digest>,
    /// Those of the last page, with the record that named each first.
    fresh: Vec<(Digest, u64)>,
    bytes: u64,
    /// Whether there were too many to keep in mind.
    is_full: bool,
}

impl Objects {
    pub(super) fn need(&mut self, objects: &[Digest], index: u64) {
        for object in objects {
            if self.needed.contains(object) {
                continue;
            }
            if self.needed.len() < MOST_OBJECTS {
                self.needed.insert(*object);
            } else {
                self.is_full = true;
            }
            self.fresh.push((*object, index));
        }
    }
}

impl Walk<'_> {
    /// Reads every byte of the objects that were named since the last call.
    pub(super) async fn check_objects(&mut self, teller: &mut Teller<'_>) -> Result<(), Failed> {
        let fresh = std::mem::take(&mut self.objects.fresh);
        if fresh.is_empty() {
            return Ok(());
        }
        let lake = self.shared.lake.tenant(self.tenant)?;
        for (object, index) in fresh {
            let message = match lake.check(&object).await? {
                State::Whole { size } => {
                    self.objects.bytes += size;
                    continue;
                }
                State::Missing => format!("object {object} is MISSING"),
                State::Altered { found, size } => {
                    format!("object {object} is ALTERED: {size} bytes of {found}")
                }
                State::Strange => format!("object {object} is MISSING: no file has its name"),
            };
            teller.fail("lake", Some(index), message);
        }
        Ok(())
    }

    /// Lists what no record needs, and takes erased objects away if asked to.
    pub(super) async fn lake(
        &mut self,
        sweep: bool,
        teller: &mut Teller<'_>,
    ) -> Result<(), Failed> {
        let Ok(lake) = self.shared.lake.tenant(self.tenant) else {
            teller.fail("lake", None, "expected a tenant whose name a lake can have");
            return Ok(());
        };
        if self.objects.is_full {
            teller.incomplete("lake", "too many objects to say which of them nobody needs");
            return Ok(());
        }
        let mut unneeded = Vec::new();
        let mut listing = lake.list();
        while let Some(listed) = listing.next().await? {
            match listed {
                Listed::Object { digest, .. } if self.objects.needed.contains(&digest) => {}
                Listed::Object { digest, .. } if sweep && self.erasure.is_some() => {
                    unneeded.push(digest);
                }
                Listed::Object { digest, size } => {
                    let message = format!("no record needs object {digest} of {size} bytes");
                    teller.note("lake", None, message);
                }
                Listed::Foreign(thing) => {
                    let message = format!("{} that no put makes: {}", thing.what, thing.path);
                    teller.note("lake", None, message);
                }
            }
        }
        if let Some(record) = self.erasure.filter(|_| sweep) {
            let erasure = Erasure::recorded(self.tenant, record);
            for digest in self.handle.release(&unneeded, &erasure).await? {
                let message = format!("object {digest}, which no record needs, was removed");
                teller.note("sweep", None, message);
            }
        }
        let (count, bytes) = (self.objects.needed.len(), self.objects.bytes);
        teller.pass("lake", format!("{count} objects of {bytes} bytes, each with its digest"));
        Ok(())
    }
}

/// How many objects are kept in mind: some 200 MB of digests.
const MOST_OBJECTS: usize = 1 << 22;
