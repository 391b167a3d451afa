//! The cache of parsed files, by the digest of their bytes.
//!
//! A file of the cache is a convenience. One that is missing, damaged or of
//! another version is made again, and a folder that cannot be written to costs
//! time and nothing else.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use dalil_documents::document::ParsedDocument;
use dalil_documents::split;
use dalil_judge::index::IndexSegment;
use dalil_proof::digest::Digest;

use super::{CorpusDocument, IndexedFile};
use crate::private_folder::{FolderEpoch, PrivateFolder};

/// A folder of files, or nothing.
#[derive(Debug)]
pub struct CorpusCache {
    folder: Option<PrivateFolder>,
    /// Why something could not be kept, the first time.
    unkept: OnceLock<io::Error>,
}

impl CorpusCache {
    /// A cache in a folder, which is made when it is needed.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Some(PrivateFolder::new(folder)), unkept: OnceLock::new() }
    }

    /// A cache that keeps nothing.
    pub fn none() -> Self {
        Self { folder: None, unkept: OnceLock::new() }
    }

    /// Clears the cache, so that it has no copy of data that was erased elsewhere: neither entries
    /// nor those that current readers would add.
    ///
    /// # Errors
    /// The first file that cannot be removed; the others are.
    pub fn clear(&self) -> io::Result<()> {
        self.folder.as_ref().map_or(Ok(()), PrivateFolder::clear)
    }

    /// The cache for a reader that begins now.
    pub(super) fn session(&self) -> CacheSession<'_> {
        CacheSession { cache: self, since: self.folder.as_ref().map(PrivateFolder::epoch) }
    }

    /// Why something could not be kept, if anything.
    pub fn unkept(&self) -> Option<&io::Error> {
        self.unkept.get()
    }

    /// The parsed form of a file depends on its name's extension too, and on this version.
    fn file(name: &str, digest: &Digest) -> Option<String> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let named = Digest::of_parts([READERS_VERSION.as_bytes(), b"/", ending.as_bytes()]);
        Some(format!("{}-{}", digest.hex(), named.hex().get(..8)?))
    }
}

/// Raised with every change in the readers' output, so that no parsed form of before is used, in a
/// cache or in a database: one that marks fewer words as hidden would pass as read.
pub(crate) const READERS_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/3");

/// A cache, and when its reader began.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheSession<'c> {
    cache: &'c CorpusCache,
    since: Option<FolderEpoch>,
}

impl CacheSession<'_> {
    /// The parsed form of these bytes under such a name.
    pub(super) fn get(&self, name: &str, bytes: &[u8]) -> Option<IndexedFile> {
        let digest = Digest::of(bytes);
        let folder = self.cache.folder.as_ref()?;
        let kept = fs::read(folder.path().join(CorpusCache::file(name, &digest)?)).ok()?;
        decoded(name, digest, &kept)
    }

    /// Stores a parsed file.
    pub(super) fn put(&self, held: &CorpusDocument, segment: &IndexSegment) {
        let Some((folder, since)) = self.cache.folder.as_ref().zip(self.since) else { return };
        let Some(file) = CorpusCache::file(&held.name, &held.document.digest) else { return };
        // Only time is lost without a cache, so the first error is reported and the work continues.
        if let Err(error) = folder.write(since, &file, &[&encoded(held, segment)]) {
            self.cache.unkept.get_or_init(|| error);
        }
    }
}

/// A parsed file, as bytes: the length of the document (8, little-endian), the
/// document, its segment.
pub(crate) fn encoded(held: &CorpusDocument, segment: &IndexSegment) -> Vec<u8> {
    let document = held.document.to_bytes();
    let mut bytes = (document.len() as u64).to_le_bytes().to_vec();
    bytes.extend(document);
    bytes.extend(segment.to_bytes());
    bytes
}

/// The parsed file of this name and digest.
pub(crate) fn decoded(name: &str, digest: Digest, bytes: &[u8]) -> Option<IndexedFile> {
    let (size, rest) = bytes.split_first_chunk::<8>()?;
    let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
    let (document, segment) = rest.split_at_checked(size)?;
    let document = ParsedDocument::from_bytes(document).ok()?;
    let segment = IndexSegment::from_bytes(segment).ok()?;
    let chunks = split::chunks(&document);
    // A stored file may be damaged or renamed. Its content must belong to the file's bytes.
    let same =
        document.digest == digest && segment.digest() == digest && segment.len() == chunks.len();
    let name = name.to_owned();
    same.then_some((CorpusDocument { name, document, chunks, retrieved: None }, segment))
}
