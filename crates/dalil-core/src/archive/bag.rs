//! The bag around the evidence (RFC 8493): what is here, and the digest of each file.

use std::borrow::Cow;

use super::{BAG_INFO, BAGIT, FIXED, Files, MANIFEST, OPTIONAL, Role, TAG_MANIFEST};
use crate::digest::Digest;
use crate::fault::quote;
use crate::id::PackId;
use crate::report::Report;
use crate::report::notes::Notes;
use crate::say;
use crate::time::Time;

/// Adds the files of the bag to those of the evidence.
pub(super) fn write(files: &mut Files<'_>, about: &About) {
    let info = info(files, about);
    let manifest = manifest(files, is_payload);
    let mut put = |name: &str, text: String| {
        files.insert(name.to_owned(), Cow::Owned(text.into_bytes()));
    };
    put(BAGIT, DECLARATION.to_owned());
    put(BAG_INFO, info);
    put(MANIFEST, manifest);
    let tags = self::manifest(files, is_tag);
    files.insert(TAG_MANIFEST.to_owned(), Cow::Owned(tags.into_bytes()));
}

/// Checks that these are the files of an archive, whole and in their order; `false` if some that
/// must be there are not.
pub(super) fn check(files: &Files<'_>, about: &About, report: &mut Report) -> bool {
    let mut notes = Notes::default();
    for name in files.keys().filter(|name| Role::of(name).is_none()) {
        let name = quote(name);
        notes.fail(|| {
            say!("expected no file {name}, found one", "المتوقع ألا يوجد الملف {name}، وهو موجود")
        });
    }
    let needed = FIXED.iter().filter(|name| !OPTIONAL.contains(name));
    let mut whole = true;
    for name in needed.filter(|name| !files.contains_key(**name)) {
        whole = false;
        notes
            .fail(|| say!("expected a file `{name}`, found none", "المتوقع ملف `{name}`، ولا يوجد"));
    }
    if notes.is_empty() {
        let count = files.len();
        report.pass(
            FORMAT,
            say!("an archive of {count} files", "أرشيف من {count} ملفًا، كلها معروفة"),
        );
    }
    notes.report(FORMAT, report);
    tags(files, about, report);
    listed(files, (MANIFEST, is_payload), report);
    listed(files, (TAG_MANIFEST, is_tag), report);
    whole
}

/// Checks the two files that say what the bag is.
fn tags(files: &Files<'_>, about: &About, report: &mut Report) {
    let mut notes = Notes::default();
    for (name, expected) in [(BAGIT, DECLARATION.to_owned()), (BAG_INFO, info(files, about))] {
        if files.get(name).is_some_and(|found| **found != *expected.as_bytes()) {
            notes.fail(|| {
                say!(
                    "expected `{name}` as it follows from the rest, found another",
                    "المتوقع `{name}` كما يترتب على غيره، والموجود خلافه",
                )
            });
        }
    }
    if notes.is_empty() {
        report.pass(BAG, say!("a bag that says what is in it", "حقيبة تبيّن ما فيها"));
    }
    notes.report(BAG, report);
}

/// Checks that a manifest lists every file that it should, with its digest, and no other.
fn listed(files: &Files<'_>, (name, covers): (&str, fn(&str) -> bool), report: &mut Report) {
    let Some(found) = files.get(name) else { return };
    let expected = manifest(files, covers);
    if **found == *expected.as_bytes() {
        let count = expected.lines().count();
        let message = say!(
            "`{name}` lists {count} files with their digests",
            "يذكر `{name}` من الملفات {count} مع بصماتها",
        );
        return report.pass(PART, message);
    }
    let found = String::from_utf8_lossy(found);
    let mut notes = Notes::default();
    let (mut said, mut is) = (found.split('\n'), expected.split('\n'));
    let mut n = 0;
    loop {
        n += 1;
        let file = match (said.next(), is.next()) {
            (None, None) => break,
            (said, is) if said == is => continue,
            (said, is) => {
                let line = is.filter(|line| !line.is_empty()).or(said).unwrap_or_default();
                quote(line.rsplit("  ").next().unwrap_or_default())
            }
        };
        notes.fail(|| {
            say!(
                "`{name}`, line {n}: expected {file} as it is here, found another line",
                "`{name}`، السطر {n}: المتوقع {file} كما هو هنا، والموجود سطر آخر",
            )
        });
    }
    notes.report(PART, report);
}

fn manifest(files: &Files<'_>, covers: fn(&str) -> bool) -> String {
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
    name.starts_with(PAYLOAD)
}

fn is_tag(name: &str) -> bool {
    !is_payload(name) && name != TAG_MANIFEST
}

/// What the bag says about itself: the day of its latest record, its pack, and how much there is.
fn info(files: &Files<'_>, about: &About) -> String {
    let payload = files.iter().filter(|(name, _)| is_payload(name));
    let (bytes, count) =
        payload.fold((0, 0), |(bytes, count), (_, file)| (bytes + file.len(), count + 1));
    let day = about.latest.map(|time| time.to_string()).unwrap_or_default();
    let day = day.get(..10).unwrap_or_default();
    let id = about.pack_id.as_ref().map_or("", PackId::as_str);
    format!("Bagging-Date: {day}\nExternal-Identifier: {id}\nPayload-Oxum: {bytes}.{count}\n")
}

/// What a bag is about.
#[derive(Clone, Debug)]
pub(super) struct About {
    /// The time of its latest record, as of which it was made.
    pub(super) latest: Option<Time>,
    /// Its pack.
    pub(super) pack_id: Option<PackId>,
}

/// RFC 8493, section 2.1.1.
const DECLARATION: &str = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
const PAYLOAD: &str = "data/";
const FORMAT: &str = "format";
const BAG: &str = "bag";
const PART: &str = "manifest";
