//! Archives: a pack with everything that it can be checked with, as named bytes.
//!
//! ```text
//! bag-info.txt  bagit.txt  manifest-sha256.txt  tagmanifest-sha256.txt
//! data/pack.json                 the sealed file, and data/versions/ the ones before it
//! data/records.jsonl             the records about it, and data/receipts/ one for each
//! data/checkpoint.txt            what all receipts are under
//! data/previous.json             the archive before, and the proof that the trail only grew
//! data/keys.json                 the trail's key history
//! data/objects/                  documents and other objects of the lake, by digest
//! data/report.{en,ar}.txt, data/report.json
//! ```
//!
//! Every byte follows from the evidence, so that one pack in one state of its
//! trail has one archive. In scope: which files there are, what is in them and
//! whether it holds. Out of scope: the ZIP around them, and reading documents.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::canon;
use crate::digest::Digest;
use crate::fault::{Fault, Refused};
use crate::keyring::KeyHistoryEntry;
use crate::note::UnverifiedNote;
use crate::pack::SealedPack;
use crate::receipt::Receipt;
use crate::record::Record;
use crate::trail::line;
use crate::trail::{PreviousExport, RecordPayload};

mod bag;
mod evidence;
mod objects;
mod recorded;
mod records;
mod report;
mod verify;
mod versions;

use evidence::ArchiveEvidence;

pub use objects::named;
pub use verify::{ArchiveVerification, verify};

/// The files of an archive, by name, in the order in which they stand in it.
pub type ArchiveFiles<'f> = BTreeMap<String, Cow<'f, [u8]>>;

/// What an archive is made of.
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

/// A record, what is shown of its payload, and its receipt.
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
    put(PACK_PATH.to_owned(), canonical(parts.pack)?);
    for (number, version) in parts.versions {
        put(version_name(*number), canonical(version)?);
    }
    let mut lines = Vec::new();
    for ArchivedRecord { record, index, payload, receipt } in parts.records {
        line::write(record, *index, payload, &mut lines);
        put(receipt_name(*index), receipt.to_string().into_bytes());
    }
    put(RECORDS_PATH.to_owned(), lines);
    put(CHECKPOINT_PATH.to_owned(), parts.checkpoint.to_string().into_bytes());
    put(KEYS_PATH.to_owned(), canonical(&parts.keys)?);
    if let Some(previous) = parts.previous {
        put(PREVIOUS_PATH.to_owned(), canonical(previous)?);
    }
    for object in parts.objects {
        put(object_name(&Digest::of(&object)), object);
    }
    // The report is made from the files and not from `parts`, so a verifier that has only the
    // files can make the same one.
    let evidence = ArchiveEvidence::read(&files);
    let (about, made) = (evidence.about(), report::write(&evidence));
    files.extend(made.into_iter().map(|(name, bytes)| (name.to_owned(), Cow::Owned(bytes))));
    // Last, since its manifests have the digest of every other file.
    bag::write(&mut files, &about);
    Ok(files)
}

fn canonical(value: &impl serde::Serialize) -> Result<Vec<u8>, Refused> {
    let fault = |_| Fault::new("canonical", "$", "a canonical form", "none").into();
    canon::bytes(value).map_err(fault)
}

/// What a file of an archive is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArchiveFileRole {
    /// One that is there once.
    Fixed,
    /// An earlier version of the pack, from 1.
    Version(u64),
    /// The receipt of a record.
    Receipt(u64),
    /// An object.
    Object(Digest),
}

impl ArchiveFileRole {
    fn of(name: &str) -> Option<Self> {
        if FIXED_PATHS.contains(&name) {
            return Some(Self::Fixed);
        }
        let role = if let Some(rest) = name.strip_prefix("data/versions/") {
            Self::Version(number(rest.strip_suffix(".json")?)?)
        } else if let Some(rest) = name.strip_prefix("data/receipts/") {
            Self::Receipt(number(rest.strip_suffix(".txt")?)?)
        } else {
            Self::Object(Digest::from_hex(name.strip_prefix("data/objects/")?).ok()?)
        };
        // One name for each: `+7` is a number too.
        (role.name().as_deref() == Some(name)).then_some(role)
    }

    fn name(self) -> Option<String> {
        match self {
            Self::Fixed => None,
            Self::Version(version) => Some(version_name(version)),
            Self::Receipt(index) => Some(receipt_name(index)),
            Self::Object(digest) => Some(object_name(&digest)),
        }
    }
}

fn number(digits: &str) -> Option<u64> {
    digits.parse().ok()
}

fn version_name(version: u64) -> String {
    format!("data/versions/{version:08}.json")
}

fn receipt_name(index: u64) -> String {
    format!("data/receipts/{index:016}.txt")
}

fn object_name(digest: &Digest) -> String {
    format!("data/objects/{}", digest.hex())
}

const PACK_PATH: &str = "data/pack.json";
const RECORDS_PATH: &str = "data/records.jsonl";
const CHECKPOINT_PATH: &str = "data/checkpoint.txt";
const KEYS_PATH: &str = "data/keys.json";
const PREVIOUS_PATH: &str = "data/previous.json";
const REPORT_PATH: &str = "data/report.json";
const REPORT_EN_PATH: &str = "data/report.en.txt";
const REPORT_AR_PATH: &str = "data/report.ar.txt";
const BAGIT_PATH: &str = "bagit.txt";
const BAG_INFO_PATH: &str = "bag-info.txt";
const MANIFEST_PATH: &str = "manifest-sha256.txt";
const TAG_MANIFEST_PATH: &str = "tagmanifest-sha256.txt";
const FIXED_PATHS: [&str; 12] = [
    BAG_INFO_PATH,
    BAGIT_PATH,
    CHECKPOINT_PATH,
    KEYS_PATH,
    PACK_PATH,
    PREVIOUS_PATH,
    RECORDS_PATH,
    REPORT_AR_PATH,
    REPORT_EN_PATH,
    REPORT_PATH,
    MANIFEST_PATH,
    TAG_MANIFEST_PATH,
];
/// Files that need not be there.
const OPTIONAL_PATHS: [&str; 1] = [PREVIOUS_PATH];
