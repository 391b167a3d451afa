//! ZIP files with one spelling: the same names and bytes are the same file, to the last bit.
//!
//! ```text
//! local header, name, bytes    for each file, in the order of the names
//! central header, name         for each, once more
//! end
//! ```
//!
//! Files are stored, not deflated, and every field that ZIP leaves open has one
//! value (`spec/archive.md`). So a reader needs to unpack nothing, and the names and
//! the contents determine every byte: any other spelling of the same files
//! is refused, with the place.

use std::borrow::Cow;
use std::collections::BTreeMap;

mod refusal;
#[cfg(test)]
mod tests;

pub use refusal::{NotAnArchive, ZipRefusal};

/// The files of an archive, by name.
pub type ZipFiles<'f> = BTreeMap<String, Cow<'f, [u8]>>;

/// Writes files as an archive.
///
/// # Errors
/// A name that no archive has; more files or bytes than a plain ZIP can hold.
pub fn write(files: &ZipFiles<'_>) -> Result<Vec<u8>, NotAnArchive> {
    // For each file 30 bytes of local and 46 of central header, and its name in both.
    let room = files.iter().map(|(name, bytes)| bytes.len() + 2 * name.len() + 76).sum::<usize>();
    let refused = |at: usize, why| Err(NotAnArchive { at: at as u64, why });
    if files.len() > MAX_FILES {
        return refused(0, ZipRefusal::Many);
    }
    if room as u64 > MAX_ARCHIVE_BYTES {
        return refused(0, ZipRefusal::Large);
    }
    let mut out = Vec::with_capacity(room + END_RECORD_BYTES);
    let mut central = Vec::new();
    for (name, bytes) in files {
        let at = out.len();
        if !is_name(name) {
            return refused(at, ZipRefusal::Name(name.clone()));
        }
        let entry = StoredZipEntry { name, crc: crc32fast::hash(bytes), size: bytes.len(), at };
        entry.local(&mut out);
        out.extend_from_slice(bytes);
        entry.central(&mut central);
    }
    let start = out.len();
    out.extend_from_slice(&central);
    end(files.len(), central.len(), start, &mut out);
    Ok(out)
}

/// Reads an archive, in its one spelling.
///
/// Nothing is unpacked or copied: the files are parts of `bytes`.
///
/// # Errors
/// The first byte or entry that [`write`] would have written otherwise.
pub fn read(bytes: &[u8]) -> Result<ZipFiles<'_>, NotAnArchive> {
    let mut files: ZipFiles<'_> = BTreeMap::new();
    let mut central = Vec::new();
    let mut last: Option<String> = None;
    let mut at = 0;
    while bytes.get(at..at + 4) == Some(&LOCAL_HEADER_SIGNATURE) {
        let refused = |why| NotAnArchive { at: at as u64, why };
        let (entry, content, after) = local(bytes, at).map_err(refused)?;
        // Ascending names also rule out a second file of
        // one name, of which readers take different ones.
        if last.as_deref().is_some_and(|last| last >= entry.name) {
            return Err(refused(ZipRefusal::Order(entry.name.to_owned())));
        }
        if files.len() == MAX_FILES {
            return Err(refused(ZipRefusal::Many));
        }
        last = Some(entry.name.to_owned());
        entry.central(&mut central);
        files.insert(entry.name.to_owned(), Cow::Borrowed(content));
        at = after;
    }
    // All that comes after the files follows from them, so it is written anew and compared.
    let mut rest = central;
    let size = rest.len();
    end(files.len(), size, at, &mut rest);
    let found = bytes.get(at..).unwrap_or_default();
    if found == rest {
        return Ok(files);
    }
    let same = found.iter().zip(&rest).take_while(|(found, rest)| found == rest).count();
    let why = if same == rest.len() {
        ZipRefusal::After
    } else if same == found.len() {
        ZipRefusal::Cut
    } else {
        ZipRefusal::Directory
    };
    Err(NotAnArchive { at: (at + same) as u64, why })
}

/// A file as its headers describe it.
struct StoredZipEntry<'n> {
    name: &'n str,
    crc: u32,
    size: usize,
    at: usize,
}

impl StoredZipEntry<'_> {
    /// The header before the bytes.
    fn local(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&LOCAL_HEADER_SIGNATURE);
        self.shared(out);
        out.extend_from_slice(self.name.as_bytes());
    }

    /// The header in the directory at the end.
    fn central(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&CENTRAL_HEADER_SIGNATURE);
        out.extend_from_slice(&ZIP_VERSION);
        self.shared(out);
        // No comment, the first disk, no attributes.
        out.extend_from_slice(&[0; 10]);
        out.extend_from_slice(&field(self.at));
        out.extend_from_slice(self.name.as_bytes());
    }

    /// The fields of both headers: from the version that is needed to the length of an extra field.
    fn shared(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&ZIP_VERSION);
        // No flags; stored.
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&ZIP_EPOCH);
        out.extend_from_slice(&self.crc.to_le_bytes());
        out.extend_from_slice(&field(self.size));
        out.extend_from_slice(&field(self.size));
        out.extend_from_slice(&short(self.name.len()));
        out.extend_from_slice(&[0; 2]);
    }
}

/// Reads the entry at a place: its header, its bytes, and where the next one is.
fn local(bytes: &[u8], at: usize) -> Result<(StoredZipEntry<'_>, &[u8], usize), ZipRefusal> {
    let header: &[u8; LOCAL_HEADER_BYTES] =
        bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or(ZipRefusal::Cut)?;
    let [_, _, _, _, _, _, flags, _, method, method_high, rest @ ..] = header;
    let [t0, t1, d0, d1, c0, c1, c2, c3, p0, p1, p2, p3, s0, s1, s2, s3, n0, n1, x0, x1] = *rest;
    if flags & 1 == 1 {
        return Err(ZipRefusal::Encrypted);
    }
    if [*method, *method_high] != [0, 0] {
        return Err(ZipRefusal::Packed);
    }
    if [x0, x1] != [0, 0] {
        return Err(ZipRefusal::Extra);
    }
    if [t0, t1, d0, d1] != ZIP_EPOCH {
        return Err(ZipRefusal::Time);
    }
    let (size, packed) =
        (u32::from_le_bytes([s0, s1, s2, s3]), u32::from_le_bytes([p0, p1, p2, p3]));
    if size == u32::MAX || packed == u32::MAX {
        return Err(ZipRefusal::Zip64);
    }
    let length = usize::from(u16::from_le_bytes([n0, n1]));
    let (start, size) =
        (at + LOCAL_HEADER_BYTES, usize::try_from(size).map_err(|_| ZipRefusal::Large)?);
    let name = bytes.get(start..start + length).ok_or(ZipRefusal::Cut)?;
    let name = std::str::from_utf8(name).map_err(|_| ZipRefusal::Name("not UTF-8".to_owned()))?;
    if !is_name(name) {
        return Err(ZipRefusal::Name(name.to_owned()));
    }
    let (start, after) = (start + length, start + length + size);
    let content = bytes.get(start..after).ok_or(ZipRefusal::Cut)?;
    let entry = StoredZipEntry { name, crc: crc32fast::hash(content), size, at };
    if entry.crc != u32::from_le_bytes([c0, c1, c2, c3]) {
        return Err(ZipRefusal::Checksum(name.to_owned()));
    }
    // The refusals above have words for people; this
    // comparison covers every field they did not ask.
    let mut written = Vec::with_capacity(LOCAL_HEADER_BYTES + length);
    entry.local(&mut written);
    if bytes.get(at..at + written.len()) != Some(&written) {
        return Err(ZipRefusal::Header(name.to_owned()));
    }
    Ok((entry, content, after))
}

/// The record after the directory.
fn end(files: usize, size: usize, start: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&END_RECORD_SIGNATURE);
    // The first disk, and the directory on it.
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&short(files));
    out.extend_from_slice(&short(files));
    out.extend_from_slice(&field(size));
    out.extend_from_slice(&field(start));
    // No comment.
    out.extend_from_slice(&[0; 2]);
}

/// Whether a file may have this name: small letters, in folders, and nowhere else. So no two
/// names differ in their case alone.
fn is_name(name: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    // No part begins with a dot: neither `..`, which leads out, nor a hidden file.
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(plain);
    name.len() <= MAX_NAME_BYTES && name.split('/').all(part)
}

fn field(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

fn short(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes()
}

const LOCAL_HEADER_SIGNATURE: [u8; 4] = *b"PK\x03\x04";
const CENTRAL_HEADER_SIGNATURE: [u8; 4] = *b"PK\x01\x02";
const END_RECORD_SIGNATURE: [u8; 4] = *b"PK\x05\x06";
/// The version that stored files need: 1.0.
const ZIP_VERSION: [u8; 2] = [10, 0];
/// Midnight of 1 January 1980, the first moment that ZIP knows.
const ZIP_EPOCH: [u8; 4] = [0, 0, 0x21, 0];
const LOCAL_HEADER_BYTES: usize = 30;
const END_RECORD_BYTES: usize = 22;
const MAX_NAME_BYTES: usize = 100;
/// The most files that the end record can count.
const MAX_FILES: usize = 65_534;
/// The largest size that a header can hold.
const MAX_ARCHIVE_BYTES: u64 = 0xffff_fffe;
