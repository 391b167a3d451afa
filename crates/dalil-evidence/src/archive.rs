//! Archives: a pack with everything needed to verify it, as named bytes.
//!
//! ```text
//! bag-info.txt  bagit.txt  manifest-sha256.txt  tagmanifest-sha256.txt
//! data/pack.json                 the sealed file, and data/versions/ the ones before it
//! data/records.jsonl             the records about it, and data/receipts/ one for each
//! data/checkpoint.txt            the checkpoint of all receipts
//! data/previous.json             the archive before, and the proof that the trail only grew
//! data/keys.json                 the trail's key history
//! data/objects/                  documents and other objects of the lake, by digest
//! data/report.{en,ar}.txt, data/report.json
//! ```
//!
//! Every byte follows from the evidence, so that one pack in one state of its trail has one
//! archive. In scope: which files there are, their content and whether it holds. Out of scope: the
//! ZIP around them, and reading documents.

use std::borrow::Cow;

use dalil_proof::canon;
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::fault::Refused;
use dalil_proof::keyring::KeyHistoryEntry;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::Record;
use dalil_proof::trail::line;
use dalil_proof::trail::{PreviousExport, RecordPayload};

use crate::pack::SealedPack;

mod bag;
mod evidence;
mod layout;
mod objects;
mod recorded;
mod records;
mod report;
mod verify;
mod versions;

use evidence::ArchiveEvidence;
pub use layout::ArchiveFiles;
use layout::{
    CHECKPOINT_PATH, KEYS_PATH, PACK_PATH, PREVIOUS_PATH, RECORDS_PATH, object_name, receipt_name,
    version_name,
};
pub use objects::named;
pub use verify::{ArchiveVerification, verify};

/// The trail that an archive claims to be of, unverified.
pub fn unverified_origin(files: &ArchiveFiles<'_>) -> Option<String> {
    let note = UnverifiedNote::parse(files.get(CHECKPOINT_PATH)?).ok()?;
    let checkpoint = Checkpoint::parse(note.unverified_text()).ok()?;
    Some(checkpoint.origin().to_owned())
}

/// The digest of the pack in an archive, which nothing vouches for.
pub fn unverified_digest(files: &ArchiveFiles<'_>) -> Option<Digest> {
    crate::verify::unverified_digest(files.get(PACK_PATH)?)
}

/// The content of an archive.
#[derive(Debug)]
pub struct ArchiveContents<'p> {
    /// The sealed pack.
    pub pack: &'p SealedPack,
    /// The versions before it that were not erased, each with its number.
    pub versions: &'p [(u64, SealedPack)],
    /// The records about them, in the order of the trail.
    pub records: &'p [ArchivedRecord<'p>],
    /// Objects that the pack or a record names by digest.
    pub objects: Vec<Vec<u8>>,
    /// The checkpoint that every receipt is under.
    pub checkpoint: &'p UnverifiedNote,
    /// The archive before this one.
    pub previous: Option<&'p PreviousExport>,
    /// The trail's key history from its beginning.
    pub keys: &'p [KeyHistoryEntry],
}

/// A record, the shown part of its payload, and its receipt.
#[derive(Debug)]
pub struct ArchivedRecord<'r> {
    /// The record.
    pub record: &'r Record,
    /// Its place in the trail.
    pub index: u64,
    /// What became of its fields.
    pub payload: RecordPayload<'r>,
    /// Its receipt.
    pub receipt: &'r Receipt,
}

/// Makes the files of an archive.
///
/// # Errors
/// A value without a canonical form.
pub fn build(parts: ArchiveContents<'_>) -> Result<ArchiveFiles<'static>, Refused> {
    let mut files = ArchiveFiles::new();
    let mut put = |name: String, bytes: Vec<u8>| files.insert(name, Cow::Owned(bytes));
    put(PACK_PATH.to_owned(), canon::bytes(parts.pack)?);
    for (number, version) in parts.versions {
        put(version_name(*number), canon::bytes(version)?);
    }
    let mut lines = Vec::new();
    for ArchivedRecord { record, index, payload, receipt } in parts.records {
        line::write(record, *index, payload, &mut lines);
        put(receipt_name(*index), receipt.to_string().into_bytes());
    }
    put(RECORDS_PATH.to_owned(), lines);
    put(CHECKPOINT_PATH.to_owned(), parts.checkpoint.to_string().into_bytes());
    put(KEYS_PATH.to_owned(), canon::bytes(&parts.keys)?);
    if let Some(previous) = parts.previous {
        put(PREVIOUS_PATH.to_owned(), canon::bytes(previous)?);
    }
    for object in parts.objects {
        put(object_name(&Digest::of(&object)), object);
    }
    // The report is made from the files and not from `parts`, so a verifier that has only the
    // files can make the same one.
    let evidence = ArchiveEvidence::read(&files);
    let (about, made) = (evidence.about(), report::write(&evidence)?);
    files.extend(made.into_iter().map(|(name, bytes)| (name.to_owned(), Cow::Owned(bytes))));
    // Last, since its manifests have the digest of every other file.
    bag::write(&mut files, &about);
    Ok(files)
}
