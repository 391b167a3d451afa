//! The cache: what was read from a file, under the digest of its bytes.
//!
//! A file of the cache is a convenience. One that is missing, damaged or of
//! another version is made again, and a folder that cannot be written to costs
//! time and nothing else.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dalil_core::digest::Digest;
use dalil_engine::document::ParsedDocument;
use dalil_engine::index::IndexSegment;
use dalil_engine::split;

use super::{CorpusDocument, CorpusFileResult};

/// A folder of files, or nothing.
#[derive(Debug)]
pub struct CorpusCache {
    folder: Option<PathBuf>,
    /// Why something could not be kept, the first time.
    unkept: OnceLock<io::Error>,
}

impl CorpusCache {
    /// A cache in a folder, which is made when it is needed.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Some(folder), unkept: OnceLock::new() }
    }

    /// A cache that keeps nothing.
    pub fn none() -> Self {
        Self { folder: None, unkept: OnceLock::new() }
    }

    /// Forgets everything, so that nothing is left here of what was erased elsewhere.
    ///
    /// # Errors
    /// The first file that cannot be removed; the others are.
    pub fn clear(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        let mut cleared = Ok(());
        for entry in entries {
            let removed = entry.and_then(|entry| fs::remove_file(entry.path()));
            cleared = cleared.and(removed);
        }
        cleared
    }

    /// Why something could not be kept, if anything.
    pub fn unkept(&self) -> Option<&io::Error> {
        self.unkept.get()
    }

    /// What was read from these bytes under such a name.
    pub(super) fn get(&self, name: &str, bytes: &[u8]) -> Option<CorpusFileResult> {
        let digest = Digest::of(bytes);
        let path = self.path(name, &digest)?;
        let kept = fs::read(path).ok()?;
        let (size, rest) = kept.split_first_chunk::<8>()?;
        let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
        let (document, segment) = rest.split_at_checked(size)?;
        let document = ParsedDocument::from_bytes(document).ok()?;
        let segment = IndexSegment::from_bytes(segment).ok()?;
        let chunks = split::chunks(&document);
        // A file of the cache may be damaged or renamed. What it holds must be of these bytes.
        let same = document.digest == digest
            && segment.digest() == digest
            && segment.len() == chunks.len();
        same.then(|| Ok((CorpusDocument { name: name.to_owned(), document, chunks }, segment)))
    }

    /// Keeps what was read.
    pub(super) fn put(&self, held: &CorpusDocument, segment: &IndexSegment) {
        let Some(path) = self.path(&held.name, &held.document.digest) else { return };
        let document = held.document.to_bytes();
        let parts =
            [&(document.len() as u64).to_le_bytes(), document.as_slice(), &segment.to_bytes()];
        // Only time is lost with a cache, so the first reason is told and the work goes on.
        if let Err(error) = write(&path, &parts) {
            self.unkept.get_or_init(|| error);
        }
    }

    /// What a file is read as depends on its name's ending too, and on this version.
    fn path(&self, name: &str, digest: &Digest) -> Option<PathBuf> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let version = env!("CARGO_PKG_VERSION");
        let named = Digest::of_parts([version.as_bytes(), b"/", ending.as_bytes()]);
        let folder = self.folder.as_ref()?;
        let short = named.hex();
        Some(folder.join(format!("{}-{}", digest.hex(), short.get(..8)?)))
    }
}

/// Writes a file whole or not at all; it is what somebody's documents say, so nobody else reads it.
fn write(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let mut new = File::options();
    let written = new
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&part)
        .and_then(|mut file| parts.iter().try_for_each(|bytes| file.write_all(bytes)))
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        fs::remove_file(&part).unwrap_or_default();
    }
    written
}
