//! The bag around the evidence (RFC 8493): the list of files, and the digest of each.

use std::borrow::Cow;

use dalil_phrasebook::archive_check;
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::id::PackId;
use dalil_proof::report::VerificationReport;
use dalil_proof::report::notes::CheckNotes;
use dalil_proof::time::Time;

use super::layout::{
    ArchiveFileRole, ArchiveFiles, BAG_INFO_PATH, BAGIT_PATH, FIXED_PATHS, MANIFEST_PATH,
    OPTIONAL_PATHS, TAG_MANIFEST_PATH,
};

/// Adds the files of the bag to those of the evidence.
pub(super) fn write(files: &mut ArchiveFiles<'_>, about: &BagDescription) {
    let info = info(files, about);
    let manifest = manifest(files, is_payload);
    let mut put = |name: &str, text: String| {
        files.insert(name.to_owned(), Cow::Owned(text.into_bytes()));
    };
    put(BAGIT_PATH, BAGIT_DECLARATION.to_owned());
    put(BAG_INFO_PATH, info);
    put(MANIFEST_PATH, manifest);
    // After the three tag files that it lists. It cannot list itself (RFC 8493, section 2.2.1).
    let tags = self::manifest(files, is_tag);
    files.insert(TAG_MANIFEST_PATH.to_owned(), Cow::Owned(tags.into_bytes()));
}

/// Checks that these are the files of an archive, whole and in their order; `false` if some that
/// must be there are not.
pub(super) fn check(
    files: &ArchiveFiles<'_>,
    about: &BagDescription,
    report: &mut VerificationReport,
) -> bool {
    let mut notes = CheckNotes::default();
    // A file too many fails, but the evidence can still be read; only one too few stops that.
    for name in files.keys().filter(|name| ArchiveFileRole::of(name).is_none()) {
        let name = quote(name);
        notes.fail(|| archive_check::unexpected_file(name));
    }
    let needed = FIXED_PATHS.iter().filter(|name| !OPTIONAL_PATHS.contains(name));
    let mut whole = true;
    for name in needed.filter(|name| !files.contains_key(**name)) {
        whole = false;
        notes.fail(|| archive_check::missing_file(name));
    }
    if notes.is_empty() {
        let count = files.len();
        report.pass(PART_FORMAT, archive_check::archive_of_files(count));
    }
    notes.report(PART_FORMAT, report);
    tags(files, about, report);
    listed(files, (MANIFEST_PATH, is_payload), report);
    listed(files, (TAG_MANIFEST_PATH, is_tag), report);
    whole
}

/// Checks the two files that describe the bag.
fn tags(files: &ArchiveFiles<'_>, about: &BagDescription, report: &mut VerificationReport) {
    let mut notes = CheckNotes::default();
    for (name, expected) in
        [(BAGIT_PATH, BAGIT_DECLARATION.to_owned()), (BAG_INFO_PATH, info(files, about))]
    {
        if files.get(name).is_some_and(|found| **found != *expected.as_bytes()) {
            notes.fail(|| archive_check::file_differs_from_the_rest(name));
        }
    }
    if notes.is_empty() {
        report.pass(PART_BAG, archive_check::bag_says_what_is_in_it());
    }
    notes.report(PART_BAG, report);
}

/// Checks that a manifest lists every file that it should, with its digest, and no other.
fn listed(
    files: &ArchiveFiles<'_>,
    (name, covers): (&str, fn(&str) -> bool),
    report: &mut VerificationReport,
) {
    // A missing file was reported under `format`.
    let Some(found) = files.get(name) else { return };
    let expected = manifest(files, covers);
    if **found == *expected.as_bytes() {
        let count = expected.lines().count();
        let message = archive_check::manifest_lists_files(name, count);
        return report.pass(PART_MANIFEST, message);
    }
    let found = String::from_utf8_lossy(found);
    let mut notes = CheckNotes::default();
    // Compared line by line only to say where they differ. `CheckNotes` keeps the first 20,
    // so a hostile manifest cannot inflate the report.
    let (mut said, mut is) = (found.split('\n'), expected.split('\n'));
    let mut n = 0;
    loop {
        n += 1;
        let file = match (said.next(), is.next()) {
            (None, None) => break,
            (said, is) if said == is => continue,
            // After the last line end there is an empty piece, which names no file.
            (Some(line), None | Some("")) | (_, Some(line)) => {
                quote(line.rsplit_once("  ").map_or(line, |(_, name)| name))
            }
        };
        notes.fail(|| archive_check::manifest_line_differs(name, n, file));
    }
    notes.report(PART_MANIFEST, report);
}

fn manifest(files: &ArchiveFiles<'_>, covers: fn(&str) -> bool) -> String {
    let mut text = String::new();
    for (name, bytes) in files.iter().filter(|(name, _)| covers(name)) {
        text.push_str(&Digest::of(bytes).hex());
        text.push_str("  ");
        text.push_str(name);
        text.push('\n');
    }
    text
}

fn is_payload(name: &str) -> bool {
    name.starts_with(PAYLOAD_DIR_PREFIX)
}

fn is_tag(name: &str) -> bool {
    !is_payload(name) && name != TAG_MANIFEST_PATH
}

/// The bag's own description: the day of its latest record, its pack, and its size.
fn info(files: &ArchiveFiles<'_>, about: &BagDescription) -> String {
    let payload = files.iter().filter(|(name, _)| is_payload(name));
    let (bytes, count) =
        payload.fold((0, 0), |(bytes, count), (_, file)| (bytes + file.len(), count + 1));
    // The latest record gives the day, not a clock: equal evidence has equal bytes. RFC 3339
    // begins with the ten characters of the date.
    let day = about.latest.map(|time| time.to_string()).unwrap_or_default();
    let day = day.get(..10).unwrap_or_default();
    let id = about.pack_id.as_ref().map_or("", PackId::as_str);
    format!("Bagging-Date: {day}\nExternal-Identifier: {id}\nPayload-Oxum: {bytes}.{count}\n")
}

/// The subject of a bag.
#[derive(Clone, Debug)]
pub(super) struct BagDescription {
    /// The time of its latest record, as of which it was made.
    pub(super) latest: Option<Time>,
    /// Its pack.
    pub(super) pack_id: Option<PackId>,
}

/// RFC 8493, section 2.1.1.
const BAGIT_DECLARATION: &str = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
const PAYLOAD_DIR_PREFIX: &str = "data/";
const PART_FORMAT: &str = "format";
const PART_BAG: &str = "bag";
const PART_MANIFEST: &str = "manifest";
