//! Corpora: the documents under some paths, read, split and indexed once.
//!
//! ```text
//! paths ─walk─▶ files ─parse─▶ ParsedDocument ─split─▶ chunks ─▶ IndexSegment ─▶ CorpusIndex
//!                 └── digest ──▶ cache ─────────────────────────────┘
//! ```
//!
//! Parsed files are stored in the [`cache`] under the digest of their
//! bytes, so that an unchanged file is not parsed again. A file that cannot
//! be read is part of the corpus, with the reason in place of its text.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use dalil_documents::document::ParsedDocument;
use dalil_documents::split::{self, DocumentChunk};
use dalil_evidence::anchor::Anchor;
use dalil_evidence::chunk_set::RetrievedChunk;
use dalil_evidence::ledger::request::LedgerDocument;
use dalil_judge::index::{CorpusIndex, DocumentName, IndexPassage, IndexSegment};
use dalil_judge::judge::{self, ChunkRef, ClaimQuery, IndexedCorpus, IndexedDocument};
use dalil_proof::digest::Digest;
use serde::Serialize;
use thiserror::Error;

use self::cache::CacheSession;
pub use self::cache::CorpusCache;
pub use self::chunk_set::CorpusChunkSet;
use self::cited::CitedChunkIndex;
pub(crate) use self::cited::named;
pub(crate) use self::title::DocumentTitle;
pub use self::walk::{FileIdentity, regular};
#[cfg(feature = "live-sql")]
pub(crate) use self::{
    cache::{READERS_VERSION, decoded, encoded},
    cited::digests,
};
use crate::sandbox::{self, SandboxReader};

mod cache;
mod chunk_set;
mod cited;
#[cfg(test)]
mod tests;
mod title;
mod walk;

/// The documents under some paths.
#[derive(Debug)]
pub struct Corpus {
    held: Vec<CorpusDocument>,
    sets: Vec<CorpusChunkSet>,
    unread: Vec<UnreadCorpusFile>,
    left_out: Vec<String>,
    paths: BTreeMap<String, PathBuf>,
    /// Every file of the corpus for the ledger, including files that are elsewhere.
    listed: Vec<LedgerDocument>,
    /// Of every document that has one, also those that are elsewhere.
    titles: Vec<DocumentTitle>,
    index: CorpusIndex,
    cited: OnceLock<CitedChunkIndex>,
}

/// A document that was read, or a chunk of one that an application retrieved.
#[derive(Debug)]
pub struct CorpusDocument {
    /// Its name: the path below the given one.
    pub name: String,
    /// The document.
    pub document: ParsedDocument,
    /// Its chunks.
    pub chunks: Vec<DocumentChunk>,
    /// The chunk of a set that this is the text of.
    pub retrieved: Option<RetrievedChunk>,
}

/// Data of a corpus that is stored elsewhere, beside the documents that are here.
#[cfg(feature = "live-sql")]
#[derive(Debug)]
pub(crate) struct CorpusContents {
    /// Every file of the corpus.
    pub(crate) listed: Vec<LedgerDocument>,
    /// Of every document that has one.
    pub(crate) titles: Vec<DocumentTitle>,
    /// The files that could not be read.
    pub(crate) unread: Vec<UnreadCorpusFile>,
    /// The names of the documents that were left out.
    pub(crate) left_out: Vec<String>,
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadCorpusFile {
    /// Its name.
    pub name: String,
    /// The digest of its bytes.
    #[serde(rename = "sha256")]
    pub digest: Digest,
    /// Why.
    pub message: String,
}

/// Why there is no corpus.
#[derive(Debug, Error)]
pub enum CorpusFailure {
    /// A path is not there, or is closed to this program.
    #[error("expected a file or folder, found {}: {error}", shown_path(path))]
    Walk {
        /// The path.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// There is nothing under the paths.
    #[error("expected documents, found none under {0}")]
    Empty(String),
    /// Only files to leave out are under the paths.
    #[error("expected documents, found only the answer itself under {0}")]
    LeftOut(String),
    /// Nothing could be read under the paths.
    #[error("expected a document with text that can be read, found none under {0}")]
    Unread(String),
}

/// The progress of opening a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorpusProgress {
    /// How many files are read.
    pub done: usize,
    /// How many there are.
    pub all: usize,
}

impl Corpus {
    /// Opens every file under `paths` that is not one of `apart`.
    ///
    /// # Errors
    /// A path that cannot be walked, and paths without a file. A file that
    /// cannot be read is no error: it is in the corpus as unread.
    pub fn open(
        paths: &[PathBuf],
        apart: &[FileIdentity],
        reader: &SandboxReader,
        cache: &CorpusCache,
        progress: &dyn Fn(CorpusProgress),
    ) -> Result<Self, CorpusFailure> {
        // Identity, not path: the answer may be named by a link or another spelling of its path.
        let is_apart = |file: &walk::WalkedFile| {
            let known = fs::metadata(&file.path).ok();
            known.is_some_and(|known| apart.contains(&FileIdentity::of(&known)))
        };
        let found = walked(paths)?;
        let (left_out, files): (Vec<_>, Vec<_>) = found.into_iter().partition(is_apart);
        match (files.is_empty(), left_out.is_empty()) {
            (true, true) => return Err(CorpusFailure::Empty(quoted(paths))),
            (true, false) => return Err(CorpusFailure::LeftOut(quoted(paths))),
            (false, _) => {}
        }
        // Lazy: a file is read for its batch, so the bytes of one batch at most are in memory.
        let mut rest = files.iter().map(|file| (file.name.clone(), bytes(&file.path)));
        let opened = every(&mut rest, files.len(), (reader, cache), progress);
        let left_out = left_out.into_iter().map(|file| file.name).collect();
        let paths = files.into_iter().map(|file| (file.name, file.path)).collect();
        Ok(Self::of(opened, left_out, paths))
    }

    /// Opens files that are kept elsewhere, each by its name; `all` is how many there are.
    pub fn of_kept(
        files: &mut dyn Iterator<Item = (String, io::Result<Vec<u8>>)>,
        all: usize,
        reader: &SandboxReader,
        cache: &CorpusCache,
        progress: &dyn Fn(CorpusProgress),
    ) -> Self {
        Self::of(every(files, all, (reader, cache), progress), Vec::new(), BTreeMap::new())
    }

    fn of(
        opened: Vec<CorpusFileResult>,
        left_out: Vec<String>,
        paths: BTreeMap<String, PathBuf>,
    ) -> Self {
        let (mut sets, mut unread) = (Vec::new(), Vec::new());
        let mut indexed: Vec<IndexedFile> = Vec::new();
        for one in opened {
            match one {
                Ok(OpenedFile::Document(document)) => indexed.push(*document),
                Ok(OpenedFile::Chunks(set, chunks)) => {
                    sets.push(set);
                    indexed.extend(chunks);
                }
                Err(one) => unread.push(one),
            }
        }
        let (held, segments): (Vec<CorpusDocument>, Vec<IndexSegment>) =
            indexed.into_iter().unzip();
        let named = |held: &CorpusDocument| DocumentName::of(&held.name, &held.document);
        let index = CorpusIndex::of(segments).with_names(held.iter().map(named).collect());
        let listed = listed(&held, &sets, &unread);
        let titles =
            held.iter().filter_map(|one| Some(DocumentTitle { id: one.id(), title: one.title()? }));
        let titles = titles.collect();
        // Only an answer with anchors needs their index, so the first lookup makes it.
        Self { held, sets, unread, left_out, paths, listed, titles, index, cited: OnceLock::new() }
    }

    /// Some documents of a corpus that is kept elsewhere, in the order of the index, which knows the
    /// others.
    #[cfg(feature = "live-sql")]
    pub(crate) fn selected(
        held: Vec<CorpusDocument>,
        index: CorpusIndex,
        contents: CorpusContents,
    ) -> Self {
        let CorpusContents { listed, titles, unread, left_out } = contents;
        let none = Self::of(Vec::new(), left_out, BTreeMap::new());
        Self { held, index, listed, titles, unread, ..none }
    }

    /// The documents in these files, in their order.
    pub fn of_files(files: &[sandbox::InputFile<'_>], reader: &SandboxReader) -> Self {
        let none = CorpusCache::none();
        let open = |source: &sandbox::InputFile<'_>| {
            let set = CorpusChunkSet::of_bytes(source.name, source.bytes);
            set.map(|set| Ok(set.opened())).unwrap_or_else(|| {
                let read = reader.read(*source).map(|document| {
                    OpenedFile::Document(Box::new(held(source.name, document, none.session())))
                });
                read.map_err(|error| UnreadCorpusFile {
                    name: source.name.to_owned(),
                    digest: Digest::of(source.bytes),
                    message: error.why.to_string(),
                })
            })
        };
        Self::of(parallel(files.iter().collect(), open), Vec::new(), BTreeMap::new())
    }

    /// The chunks that an application retrieved, and nothing else.
    pub fn of_chunks(set: CorpusChunkSet) -> Self {
        Self::of(vec![Ok(set.opened())], Vec::new(), BTreeMap::new())
    }

    /// The documents, in the order of the index.
    pub fn held(&self) -> &[CorpusDocument] {
        &self.held
    }

    /// The chunk sets among the files; each of their chunks is one of the documents.
    pub fn chunk_sets(&self) -> &[CorpusChunkSet] {
        &self.sets
    }

    /// What equal corpora have in common and others do not: the names and the bytes of the files, and
    /// which of them are here.
    pub(crate) fn fingerprint(&self) -> Digest {
        let line = |one: &LedgerDocument| format!("{} {}\n", one.sha256, one.filename);
        let here = |one: &CorpusDocument| format!("here {} {}\n", one.document.digest, one.name);
        let lines = self.listed.iter().map(line).chain(self.held.iter().map(here));
        Digest::of(lines.collect::<String>().as_bytes())
    }

    /// Every file of the corpus as a ledger lists it: documents, chunk sets, unreadable files.
    pub fn listed(&self) -> &[LedgerDocument] {
        &self.listed
    }

    /// The titles of the documents that have one, including documents that are elsewhere.
    pub(crate) fn titles(&self) -> &[DocumentTitle] {
        &self.titles
    }

    /// The files that could not be read.
    pub fn unread(&self) -> &[UnreadCorpusFile] {
        &self.unread
    }

    /// The names of the files that were left out.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// This corpus, if there is text in it; `paths` are those it was opened from.
    ///
    /// # Errors
    /// Nothing in it could be read.
    pub fn with_text(self, paths: &[PathBuf]) -> Result<Self, CorpusFailure> {
        let blank = self.held.iter().all(|held| held.chunks.is_empty());
        if blank { Err(CorpusFailure::Unread(quoted(paths))) } else { Ok(self) }
    }

    /// Where the file of a name is.
    pub fn path(&self, name: &str) -> Option<&Path> {
        self.paths.get(name).map(PathBuf::as_path)
    }

    /// The chunks that an anchor names: one, by its own words or by those of a sentence in it, or
    /// all those that a retrieved chunk was split into.
    pub fn cited(&self, anchor: &Anchor) -> Vec<ChunkRef> {
        self.cited.get_or_init(|| CitedChunkIndex::of(&self.held)).places(anchor)
    }

    /// The chunks to read for a claim: those it cites, then those that rank first.
    pub(crate) fn nearest(&self, question: &ClaimQuery, limit: usize) -> Vec<ChunkRef> {
        judge::candidates(&self.index, question, limit)
    }

    /// Those of some chunks that rank first for a claim.
    pub(crate) fn nearest_among(
        &self,
        question: &ClaimQuery,
        places: &[ChunkRef],
        limit: usize,
    ) -> Vec<ChunkRef> {
        let all = self.held.iter().map(|held| held.chunks.len()).sum();
        let ranked = self.nearest(question, all).into_iter();
        ranked.filter(|place| places.contains(place)).take(limit).collect()
    }

    /// The documents that a claim cites or its answer names, by their places.
    pub(crate) fn named(&self, question: &ClaimQuery) -> Vec<usize> {
        let mut named = self.index.named(&question.named);
        named.extend(question.cited.iter().map(|place| place.source));
        named
    }

    /// Calls `with` with the corpus as the judge sees it.
    pub fn with<T>(&self, with: impl FnOnce(&IndexedCorpus<'_>) -> T) -> T {
        let sources: Vec<IndexedDocument<'_>> = self
            .held
            .iter()
            .map(|held| IndexedDocument {
                name: &held.name,
                document: &held.document,
                chunks: &held.chunks,
            })
            .collect();
        with(&IndexedCorpus { sources: &sources, index: &self.index })
    }
}

impl CorpusDocument {
    /// Its title, in lower case and with single spaces.
    pub(crate) fn title(&self) -> Option<String> {
        title::title(&self.document)
    }

    /// The words of a chunk.
    pub fn words(&self, chunk: &DocumentChunk) -> &str {
        self.document.text.get(chunk.start..chunk.end).unwrap_or_default()
    }

    /// How a ledger lists it.
    pub(crate) fn listed(&self) -> LedgerDocument {
        LedgerDocument {
            id: self.id(),
            filename: self.name.clone(),
            sha256: self.document.digest,
            chunks: self.chunks.len() as u64,
            problems: self.document.problems.iter().map(ToString::to_string).collect(),
        }
    }

    /// The id of the document: its short digest; of a retrieved chunk, the application's id.
    pub fn id(&self) -> String {
        match &self.retrieved {
            Some(chunk) => chunk.document_id().to_owned(),
            None => id(&self.document.digest),
        }
    }
}

impl UnreadCorpusFile {
    /// How a ledger lists it: a claim may be not found because of it.
    pub(crate) fn listed(&self) -> LedgerDocument {
        LedgerDocument {
            id: self.id(),
            filename: self.name.clone(),
            sha256: self.digest,
            chunks: 0,
            problems: vec![self.message.clone()],
        }
    }

    /// What names the file: its digest, short.
    pub fn id(&self) -> String {
        id(&self.digest)
    }
}

/// What names a document: its digest, short.
pub fn id(digest: &Digest) -> String {
    format!("doc_{}", digest.hex().get(..16).unwrap_or_default())
}

/// The files of a corpus for the ledger.
fn listed(
    held: &[CorpusDocument],
    sets: &[CorpusChunkSet],
    unread: &[UnreadCorpusFile],
) -> Vec<LedgerDocument> {
    let documents = held.iter().filter(|held| held.retrieved.is_none()).map(CorpusDocument::listed);
    // A set represents its chunks: a verifier can look for its digest.
    let sets = sets.iter().map(|set| LedgerDocument {
        id: set.id(),
        filename: set.name.clone(),
        sha256: set.digest,
        chunks: set.len() as u64,
        problems: set.problems().to_vec(),
    });
    documents.chain(sets).chain(unread.iter().map(UnreadCorpusFile::listed)).collect()
}

/// A document and its part of the index.
pub(crate) type IndexedFile = (CorpusDocument, IndexSegment);

/// A file that was read: a document, or a set with a document for each of its chunks.
pub(crate) enum OpenedFile {
    Document(Box<IndexedFile>),
    Chunks(CorpusChunkSet, Vec<IndexedFile>),
}

pub(crate) type CorpusFileResult = Result<OpenedFile, UnreadCorpusFile>;

/// Files to open: their names and contents.
type CorpusFileIter<'f> = dyn Iterator<Item = (String, io::Result<Vec<u8>>)> + 'f;

/// Opens every file, as many at a time as fit in memory together.
fn every(
    files: &mut CorpusFileIter<'_>,
    all: usize,
    (reader, cache): (&SandboxReader, &CorpusCache),
    progress: &dyn Fn(CorpusProgress),
) -> Vec<CorpusFileResult> {
    let mut opened = Vec::with_capacity(all);
    // Before the first file is read, so that a later erasure clears what is cached here.
    let cache = cache.session();
    loop {
        let next = batch(files, reader, cache);
        if next.is_empty() {
            return opened;
        }
        opened.extend(next);
        progress(CorpusProgress { done: opened.len(), all });
    }
}

/// Opens every file under some paths and gives them to `take`, as many at a time as fit in memory
/// together.
#[cfg(feature = "live-sql")]
pub(crate) fn open_in_batches<E: From<CorpusFailure>>(
    paths: &[PathBuf],
    (reader, cache): (&SandboxReader, &CorpusCache),
    progress: &dyn Fn(CorpusProgress),
    take: &mut dyn FnMut(Vec<CorpusFileResult>) -> Result<(), E>,
) -> Result<(), E> {
    let files = walked(paths)?;
    if files.is_empty() {
        return Err(CorpusFailure::Empty(quoted(paths)).into());
    }
    let (all, cache) = (files.len(), cache.session());
    let mut rest = files.into_iter().map(|file| (file.name, bytes(&file.path)));
    let mut done = 0;
    loop {
        let next = batch(&mut rest, reader, cache);
        if next.is_empty() {
            return Ok(());
        }
        done += next.len();
        take(next)?;
        progress(CorpusProgress { done, all });
    }
}

fn walked(paths: &[PathBuf]) -> Result<Vec<walk::WalkedFile>, CorpusFailure> {
    let failed = |walk::WalkFailure { path, error }| CorpusFailure::Walk { path, error };
    walk::files(paths).map_err(failed)
}

/// Opens the next files; none when there are no more.
fn batch(
    files: &mut CorpusFileIter<'_>,
    reader: &SandboxReader,
    cache: CacheSession<'_>,
) -> Vec<CorpusFileResult> {
    let mut taken = Vec::new();
    let mut size = 0;
    for (name, bytes) in files {
        // Tested after a file is taken: one that is larger than a batch is a batch of its own.
        size += bytes.as_ref().map_or(0, Vec::len);
        taken.push((name, bytes));
        if size >= MAX_BATCH_BYTES || taken.len() >= MAX_BATCH_FILES {
            break;
        }
    }
    let known = parallel(taken, |(name, bytes)| match bytes {
        // A set is smaller than its cached form would be, and its parser is quick.
        Ok(bytes) => match CorpusChunkSet::of_bytes(&name, &bytes) {
            Some(set) => Ok(Ok(set.opened())),
            None => match cache.get(&name, &bytes) {
                Some(document) => Ok(Ok(OpenedFile::Document(Box::new(document)))),
                None => Err((name, bytes)),
            },
        },
        Err(error) => Ok(Err(UnreadCorpusFile {
            name,
            // There are no bytes to digest, and a ledger needs a digest for every file.
            digest: Digest::of(&[]),
            message: format!("expected a readable file, found {error}"),
        })),
    });
    let missing: Vec<sandbox::InputFile<'_>> = known
        .iter()
        .filter_map(|one| one.as_ref().err())
        .map(|(name, bytes)| sandbox::InputFile { name, bytes })
        .collect();
    let read = reader.read_all(&missing);
    let mut made = parallel(missing.into_iter().zip(read).collect(), |(source, read)| {
        let document = |document| Box::new(held(source.name, document, cache));
        read.map(|read| OpenedFile::Document(document(read))).map_err(|error| UnreadCorpusFile {
            name: source.name.to_owned(),
            digest: Digest::of(source.bytes),
            message: error.why.to_string(),
        })
    })
    .into_iter();
    // `known` and `made` have the same order, so each gap takes the next document that was made.
    known.into_iter().filter_map(|one| one.ok().or_else(|| made.next())).collect()
}

/// Splits and indexes a document, and caches the result.
fn held(name: &str, document: ParsedDocument, cache: CacheSession<'_>) -> IndexedFile {
    let (held, segment) = indexed(name, document, None);
    cache.put(&held, &segment);
    (held, segment)
}

/// Splits and indexes a document.
fn indexed(name: &str, document: ParsedDocument, retrieved: Option<RetrievedChunk>) -> IndexedFile {
    let chunks = split::chunks(&document);
    let held = CorpusDocument { name: name.to_owned(), document, chunks, retrieved };
    let passages = IndexPassage::all(&held.document, &held.chunks);
    let segment = IndexSegment::of_passages(held.document.digest, &passages);
    (held, segment)
}

/// Does the same with each, on two threads; the results keep the order.
fn parallel<T: Send, R: Send>(all: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let next = Mutex::new(all.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKER_THREADS {
            scope.spawn(|| {
                loop {
                    let taken = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((n, one)) = taken else { break };
                    let result = work(one);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((n, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}

pub(crate) fn quoted(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| shown_path(path)).collect::<Vec<_>>().join(", ")
}

/// A path for messages, in backticks. Of one that is written like the address of a server, which may
/// hold a password, the scheme alone is shown.
pub fn shown_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    match text.split_once("://") {
        Some((scheme, _)) => format!("`{scheme}://…`"),
        None => format!("`{text}`"),
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // The size in the metadata can change while the file is read, so the bytes are counted.
    regular(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::other(format!("more than {MAX_FILE_BYTES} bytes")));
    }
    Ok(bytes)
}

/// How much is read before it is worked on.
const MAX_BATCH_BYTES: usize = 64 << 20;
const MAX_BATCH_FILES: usize = 256;
/// The most that one file may hold.
const MAX_FILE_BYTES: u64 = 1 << 30;
const WORKER_THREADS: usize = 2;
