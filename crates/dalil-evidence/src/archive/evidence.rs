//! Parses the files of an archive once, and checks them against a verifier's trust.

use dalil_phrasebook::{archive_check, expected, found};
use dalil_proof::canon;
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;
use dalil_proof::keyring::{KeyHistoryEntry, Keyring};
use dalil_proof::note::{NotANote, UnverifiedNote};
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trail::header;
use dalil_proof::trail::keys::StatedKeyHistory;
use dalil_proof::trail::{PreviousExport, consistency};
use dalil_proof::tree::TreeHead;
use dalil_proof::trust::{Trust, checkpoint};
use dalil_proof::witness::WitnessPolicy;

use super::bag::BagDescription;
use super::layout::{ArchiveFiles, CHECKPOINT_PATH, KEYS_PATH, PREVIOUS_PATH};
use super::objects::ArchiveObjects;
use super::recorded;
use super::records::ArchiveRecords;
use super::versions::ArchivePackVersions;

/// The evidence in an archive, with everything that no trust is needed to see.
#[derive(Debug)]
pub(super) struct ArchiveEvidence<'f> {
    pub(super) versions: ArchivePackVersions,
    pub(super) records: ArchiveRecords<'f>,
    pub(super) objects: ArchiveObjects<'f>,
    checkpoint: Result<UnverifiedNote, NotANote>,
    keys: Result<Vec<KeyHistoryEntry>, Refused>,
    previous: Result<Option<PreviousExport>, Refused>,
}

impl<'f> ArchiveEvidence<'f> {
    pub(super) fn read(files: &'f ArchiveFiles<'_>) -> Self {
        // A file that is not there reads as empty, which no parser here accepts; `bag` reports it.
        let bytes = |name: &str| files.get(name).map_or(&[][..], |file| file);
        let checkpoint = UnverifiedNote::parse(bytes(CHECKPOINT_PATH));
        let keys = spelled(bytes(KEYS_PATH), header::history);
        let previous = match files.get(PREVIOUS_PATH) {
            Some(file) => spelled(file, header::previous).map(Some),
            None => Ok(None),
        };
        let head = checkpoint.as_ref().ok().and_then(head);
        let history = keys.as_deref().unwrap_or_default();
        // Records first: they say which packs were sealed or erased, and which objects belong here.
        let records = ArchiveRecords::read(files, head, history);
        let versions = ArchivePackVersions::read(files, &records);
        let objects = ArchiveObjects::read(files, versions.newest(), &records);
        Self { versions, records, objects, checkpoint, keys, previous }
    }

    /// The description of the bag around it.
    pub(super) fn about(&self) -> BagDescription {
        let pack_id = self.versions.newest().map(|pack| pack.pack_id.clone());
        BagDescription { latest: self.records.latest, pack_id }
    }

    /// The trust of a reader that accepts the archive's own keys.
    pub(super) fn own_trust(&self) -> Trust {
        // Only the report inside the archive is made with this trust, and states it. A verifier
        // brings its own: nothing in the evidence adds to that.
        let note = self.checkpoint.as_ref().ok();
        let checkpoint = note.and_then(|note| Checkpoint::parse(note.unverified_text()).ok());
        let origin = checkpoint.map(|one| one.origin().to_owned()).unwrap_or_default();
        let keys = self.keys.as_deref().unwrap_or_default();
        let keyring = Keyring::new(Vec::new(), keys).unwrap_or_default();
        Trust::in_keys(origin, keyring, WitnessPolicy::NONE)
    }

    /// Checks everything that the archive states about its pack.
    pub(super) fn report(&self, trust: &Trust, now: Time) -> VerificationReport {
        let mut report = VerificationReport::default();
        self.versions.report(trust, now, &mut report);
        if let Some(pack) = self.versions.newest() {
            recorded::report(pack, &self.records, &mut report);
        }
        self.records.report(trust, now, &mut report);
        self.objects.report(&mut report);
        match &self.checkpoint {
            Ok(note) => self.under(note, trust, now, &mut report),
            Err(error) => report.fail(PART_CHECKPOINT, error),
        }
        report
    }

    /// Checks what only the checkpoint can vouch for.
    fn under(
        &self,
        note: &UnverifiedNote,
        trust: &Trust,
        now: Time,
        report: &mut VerificationReport,
    ) {
        let text = note.to_string();
        // A receipt ends with its checkpoint, verbatim. That each receipt holds is checked apart.
        if self.versions.receipts().all(|receipt| receipt.ends_with(&text)) {
            let message = archive_check::receipts_under_one_checkpoint();
            report.pass(PART_CHECKPOINT, message);
        } else {
            let message = archive_check::receipt_under_another_checkpoint();
            report.fail(PART_CHECKPOINT, message);
        }
        match (&self.previous, head(note)) {
            (Ok(previous), Some(head)) => {
                // An archive has few of the leaves, so it can compute no earlier root.
                consistency::check(&head, previous.as_ref(), trust, &|_| None, report);
            }
            (Err(refused), _) => report.refused("consistency", refused),
            // Without a head no receipt holds, which was reported for each record.
            (Ok(_), None) => {}
        }
        match &self.keys {
            Ok(keys) => {
                let history = StatedKeyHistory { keys, whole: true, checkpoint: note };
                let seen = checkpoint::seen(note, trust, now);
                self.records.keys.clone().report(&history, trust, seen, report);
            }
            Err(refused) => report.refused("key history", refused),
        }
    }
}

fn head(note: &UnverifiedNote) -> Option<TreeHead> {
    Checkpoint::parse(note.unverified_text()).ok().map(|checkpoint| *checkpoint.head())
}

/// Reads canonical JSON.
fn spelled<T>(
    bytes: &[u8],
    read: impl FnOnce(JsonReader<'_, '_>) -> Option<T>,
) -> Result<T, Refused> {
    let json = Json::parse(bytes)?;
    // An archive has one spelling: a reader refuses bytes that it would not write itself.
    if canon::bytes(&json).ok().as_deref() != Some(bytes) {
        let expected = expected::canonical_json_rfc_8785();
        return Err(Fault::new("canonical", "$", expected, found::another_spelling()).into());
    }
    decode::value(&json, read)
}

const PART_CHECKPOINT: &str = "checkpoint";
