//! The lake: every object that records need, and objects that none does.

use super::finding::FindingSink;
use super::tenant::TenantFsck;
use crate::catalog::CatalogFailure;
use crate::lake::{ErasureAuthorization, LakeEntry, LakeObjectState};

impl TenantFsck<'_> {
    /// Reads every byte of the objects that were named since the last call.
    pub(super) async fn check_objects(
        &mut self,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let fresh = std::mem::take(&mut self.objects.fresh);
        if fresh.is_empty() {
            return Ok(());
        }
        let lake = self.shared.lake.tenant(self.tenant)?;
        for (object, index) in fresh {
            let message = match lake.check(&object).await? {
                LakeObjectState::Whole { size } => {
                    self.objects.bytes += size;
                    continue;
                }
                LakeObjectState::Missing => format!("object {object} is MISSING"),
                LakeObjectState::Altered { found, size } => {
                    format!("object {object} is ALTERED: {size} bytes of {found}")
                }
                LakeObjectState::Strange => {
                    format!("object {object} is MISSING: no file has its name")
                }
            };
            teller.fail("lake", Some(index), message);
        }
        Ok(())
    }

    /// Lists the objects that no record needs, and deletes erased objects if asked to.
    pub(super) async fn lake(
        &mut self,
        sweep: bool,
        teller: &mut FindingSink<'_>,
    ) -> Result<(), CatalogFailure> {
        let Ok(lake) = self.shared.lake.tenant(self.tenant) else {
            teller.fail("lake", None, "expected a tenant whose name a lake can have");
            return Ok(());
        };
        // With some of the needed objects forgotten, a sweep would take them for unneeded.
        if self.objects.is_full {
            teller.incomplete("lake", "too many objects to say which of them nobody needs");
            return Ok(());
        }
        let mut unneeded = Vec::new();
        let mut listing = lake.list();
        while let Some(listed) = listing.next().await? {
            match listed {
                LakeEntry::Object { digest, .. } if self.objects.needed.contains(&digest) => {}
                // Before the first erasure nothing may go: entries on their way have put their
                // objects, and do not look for them again (`sequencer::objects`).
                LakeEntry::Object { digest, .. } if sweep && self.erasure.is_some() => {
                    unneeded.push(digest);
                }
                LakeEntry::Object { digest, size } => {
                    let message = format!("no record needs object {digest} of {size} bytes");
                    teller.note("lake", None, message);
                }
                LakeEntry::Foreign(thing) => {
                    let message = format!("{} that no put makes: {}", thing.what, thing.path);
                    teller.note("lake", None, message);
                }
            }
        }
        if let Some(record) = self.erasure.filter(|_| sweep) {
            let erasure = ErasureAuthorization::recorded(self.tenant, record);
            // The snapshot is old by now. `release` asks again, under the tenant's lock, whether a
            // record needs the object.
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
