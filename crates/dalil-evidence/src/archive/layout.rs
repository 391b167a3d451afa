//! The file names of an archive, and the content of each.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dalil_proof::digest::Digest;

#[cfg(test)]
mod tests;

/// The files of an archive, by name, in their order in it.
pub type ArchiveFiles<'f> = BTreeMap<String, Cow<'f, [u8]>>;

/// The role of a file in an archive, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveFileRole {
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
    pub(super) fn of(name: &str) -> Option<Self> {
        if FIXED_PATHS.contains(&name) {
            return Some(Self::Fixed);
        }
        if let Some(rest) = name.strip_prefix("data/versions/") {
            return number(rest.strip_suffix(".json")?, MIN_VERSION_DIGITS).map(Self::Version);
        }
        if let Some(rest) = name.strip_prefix("data/receipts/") {
            return number(rest.strip_suffix(".txt")?, MIN_RECEIPT_DIGITS).map(Self::Receipt);
        }
        Digest::from_hex(name.strip_prefix("data/objects/")?).ok().map(Self::Object)
    }
}

/// A number in the one spelling with at least `least` digits: `+7` is a number too.
fn number(digits: &str, least: usize) -> Option<u64> {
    let is_padded = digits.len() > least && digits.starts_with('0');
    let is_spelled = digits.len() >= least && !is_padded;
    let number = digits.parse().ok().filter(|_| is_spelled);
    number.filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
}

pub(super) fn version_name(version: u64) -> String {
    format!("data/versions/{version:0MIN_VERSION_DIGITS$}.json")
}

pub(super) fn receipt_name(index: u64) -> String {
    format!("data/receipts/{index:0MIN_RECEIPT_DIGITS$}.txt")
}

pub(super) fn object_name(digest: &Digest) -> String {
    format!("data/objects/{}", digest.hex())
}

const MIN_VERSION_DIGITS: usize = 8;
const MIN_RECEIPT_DIGITS: usize = 16;
pub(super) const PACK_PATH: &str = "data/pack.json";
pub(super) const RECORDS_PATH: &str = "data/records.jsonl";
pub(super) const CHECKPOINT_PATH: &str = "data/checkpoint.txt";
pub(super) const KEYS_PATH: &str = "data/keys.json";
pub(super) const PREVIOUS_PATH: &str = "data/previous.json";
pub(super) const REPORT_PATH: &str = "data/report.json";
pub(super) const REPORT_EN_PATH: &str = "data/report.en.txt";
pub(super) const REPORT_AR_PATH: &str = "data/report.ar.txt";
pub(super) const BAGIT_PATH: &str = "bagit.txt";
pub(super) const BAG_INFO_PATH: &str = "bag-info.txt";
pub(super) const MANIFEST_PATH: &str = "manifest-sha256.txt";
pub(super) const TAG_MANIFEST_PATH: &str = "tagmanifest-sha256.txt";
pub(super) const FIXED_PATHS: [&str; 12] = [
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
pub(super) const OPTIONAL_PATHS: [&str; 1] = [PREVIOUS_PATH];
