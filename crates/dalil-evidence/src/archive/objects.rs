//! The objects of an archive: documents and other bytes of the lake, by their digests.

use std::collections::{BTreeMap, BTreeSet};

use dalil_phrasebook::archive_check;
use dalil_proof::digest::Digest;
use dalil_proof::json::Json;
use dalil_proof::report::VerificationReport;
use dalil_proof::report::notes::CheckNotes;

use super::layout::{ArchiveFileRole, ArchiveFiles};
use super::records::ArchiveRecords;
use crate::pack::PackDraft;

/// The objects, and the findings about them.
#[derive(Debug)]
pub(super) struct ArchiveObjects<'f> {
    /// Each under its own digest.
    pub(super) held: BTreeMap<Digest, &'f [u8]>,
    notes: CheckNotes,
}

impl<'f> ArchiveObjects<'f> {
    pub(super) fn read(
        files: &'f ArchiveFiles<'_>,
        pack: Option<&PackDraft>,
        records: &ArchiveRecords<'_>,
    ) -> Self {
        let named = pack.map(named);
        let is_named = |digest: &Digest| named.as_ref().is_some_and(|named| named.contains(digest));
        let mut objects = Self { held: BTreeMap::new(), notes: CheckNotes::default() };
        for (name, file) in files {
            let Some(ArchiveFileRole::Object(digest)) = ArchiveFileRole::of(name) else { continue };
            let found = Digest::of(file);
            if found != digest {
                objects.notes.fail(|| archive_check::object_digest_differs(digest, found));
            } else if !is_named(&digest) && !records.objects.contains(&digest) {
                // Otherwise an archive could carry any file past a verifier (spec/archive.md).
                objects.notes.fail(|| archive_check::unnamed_object(digest));
            } else {
                objects.held.insert(digest, file);
            }
        }
        objects
    }

    pub(super) fn report(&self, report: &mut VerificationReport) {
        if self.notes.is_empty() {
            let count = self.held.len();
            let message = archive_check::objects_as_their_digests_say(count);
            report.pass(PART_OBJECTS, message);
        }
        self.notes.clone().report(PART_OBJECTS, report);
    }
}

/// The digests that a pack names: its sources, and the documents of its ledger.
pub fn named(pack: &PackDraft) -> BTreeSet<Digest> {
    let sources = pack.sources.iter().filter_map(|source| source.content_hash);
    let documents = match pack.ledger.as_ref().and_then(|ledger| ledger.get("documents")) {
        Some(Json::List(documents)) => documents.as_slice(),
        _ => &[],
    };
    let consulted = documents.iter().filter_map(|document| match document.get("sha256") {
        Some(Json::Text(text)) => text.parse().ok(),
        _ => None,
    });
    sources.chain(consulted).collect()
}

const PART_OBJECTS: &str = "objects";
