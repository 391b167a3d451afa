//! The sandbox: parses hostile formats in a child process, within limits.
//!
//! ```text
//! Reader ─frames─▶ `dalil read --wire BYTES` ─frames─▶ Document | Picture | Quoted | Unread
//! ```
//!
//! Text, Markdown and CSV are parsed here: their parsers are small, and these formats
//! have no compression, nesting or references. All other formats go to a child process of
//! the same program, which limits itself before it reads a byte, and which is
//! stopped when a file takes too long. A child reads many files, one after the
//! other, and is replaced when one crashes it. The child is not trusted: its replies
//! are bounded and checked.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use dalil_documents::document::ParsedDocument;
use dalil_documents::formats::{DetectedFormat, UnreadableFile, read};
pub use dalil_documents::formats::{PdfAttachment, PdfAttachments};
pub use dalil_documents::quotation::{PageQuotation, QuotedArea, QuotedPage};
use dalil_phrasebook::{Phrase, page_refusal};
use dalil_proof::fault::quote;
use thiserror::Error;

pub use child::SandboxExit;
use child::SandboxProcess;
pub(crate) use serve::confine;
pub use serve::serve;

mod child;
pub(crate) mod frame;
mod serve;
pub mod show;
#[cfg(test)]
mod tests;

/// How much a file may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// The memory of a child process, in bytes.
    pub memory: u64,
    /// How long a file may take.
    pub time: Duration,
    /// How much longer for each megabyte of it.
    pub time_per_megabyte: Duration,
    /// How many child processes there may be; a file that finds them all busy waits.
    pub processes: NonZeroUsize,
}

impl SandboxLimits {
    /// 1 GiB, 20 seconds and one for each megabyte, and two processes.
    pub fn usual() -> Self {
        Self {
            memory: 1 << 30,
            time: Duration::from_secs(20),
            time_per_megabyte: Duration::from_secs(1),
            processes: NonZeroUsize::MIN.saturating_add(1),
        }
    }

    fn time_for(&self, bytes: &[u8]) -> Duration {
        let megabytes = u32::try_from(bytes.len() >> 20).unwrap_or(u32::MAX);
        self.time.saturating_add(self.time_per_megabyte.saturating_mul(megabytes))
    }
}

/// A file to read.
#[derive(Clone, Copy, Debug)]
pub struct InputFile<'s> {
    /// Its name, whose extension decides the format where its content does not.
    pub name: &'s str,
    /// Its content.
    pub bytes: &'s [u8],
}

/// A file that could not be read, and why.
#[derive(Debug, Error)]
#[error("{}: {why}", quote(.name))]
pub struct FileReadFailure {
    /// The file.
    pub name: String,
    /// Why.
    #[source]
    pub why: FileReadCause,
}

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum FileReadCause {
    /// It is no document that can be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableFile),
    /// There is no process to read it.
    #[error("expected to start a process that reads it, found {0}")]
    NotStarted(#[source] std::io::Error),
    /// The process ended while it read.
    #[error("expected its reader to finish, found that it {0}")]
    Ended(SandboxExit),
    /// It took too long.
    #[error("expected to read it within {0:?}, found no end")]
    Slow(Duration),
    /// The reply of the process is no document.
    #[error("expected a document from its reader, found other bytes")]
    Garbage,
}

impl FileReadCause {
    /// The reason, in every language, for a reader of the page.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unreadable(unreadable) => unreadable.phrase(),
            Self::NotStarted(_) => Phrase::verbatim(self),
            Self::Ended(exit) => page_refusal::reader_ended(exit.phrase()),
            Self::Slow(limit) => page_refusal::reader_slow(format!("{limit:?}")),
            Self::Garbage => page_refusal::reader_wrote_other_bytes(),
        }
    }
}

impl FileReadFailure {
    /// The next step, when there is one.
    pub fn hint(&self) -> Option<&str> {
        match &self.why {
            FileReadCause::Unreadable(unreadable) => unreadable.hint.as_deref(),
            FileReadCause::Ended(_) | FileReadCause::Slow(_) | FileReadCause::Garbage => {
                Some("the file may be damaged or hostile: save it anew, or leave it out")
            }
            FileReadCause::NotStarted(_) => None,
        }
    }
}

/// How `dalil` is started again: a program, and the arguments before those of `dalil`.
///
/// For the program itself there are none. Where it is a module of an interpreter, the program is
/// the interpreter, and the arguments name the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCommand {
    /// The file that is executed.
    pub program: PathBuf,
    /// The first arguments.
    pub arguments: Vec<OsString>,
}

impl ProgramCommand {
    /// A process that is about to be started, to which arguments of `dalil` are added.
    pub(crate) fn process(&self) -> Command {
        let mut process = Command::new(&self.program);
        process.args(&self.arguments);
        process
    }
}

impl From<PathBuf> for ProgramCommand {
    fn from(program: PathBuf) -> Self {
        Self { program, arguments: Vec::new() }
    }
}

/// Reads files, hostile ones elsewhere.
#[derive(Debug)]
pub struct SandboxReader {
    program: ProgramCommand,
    limits: SandboxLimits,
    /// Children that wait for a file.
    idle: Mutex<Vec<SandboxProcess>>,
    /// How many files may still be given to a child, idle or not yet started.
    places: Mutex<usize>,
    left: Condvar,
}

/// The right to have one child work.
struct SandboxSlot<'r>(&'r SandboxReader);

impl Drop for SandboxSlot<'_> {
    fn drop(&mut self) {
        *self.0.places.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.left.notify_one();
    }
}

impl SandboxReader {
    /// Reads with children of `program`, which must be `dalil` itself.
    pub fn new(program: impl Into<ProgramCommand>, limits: SandboxLimits) -> Self {
        let places = Mutex::new(limits.processes.get());
        Self {
            program: program.into(),
            limits,
            idle: Mutex::default(),
            places,
            left: Condvar::new(),
        }
    }

    /// Reads one file.
    ///
    /// # Errors
    /// Anything that stops it, with the file's name.
    pub fn read(&self, source: InputFile<'_>) -> Result<ParsedDocument, FileReadFailure> {
        let InputFile { name, bytes } = source;
        let found = DetectedFormat::of(bytes, name).map_err(FileReadCause::from);
        let document = found.and_then(|found| {
            // These parsers are linear and unpack nothing, so they need no process of their own.
            if found.format.is_plain() {
                Ok(read(bytes, name)?)
            } else {
                self.apart(source, |child, limit| child.ask(source, limit))
            }
        });
        document.map_err(|why| FileReadFailure { name: name.to_owned(), why })
    }

    /// The attachments of a PDF, extracted in a child process.
    ///
    /// # Errors
    /// Anything that stops it, with the file's name.
    pub fn attachments(&self, source: InputFile<'_>) -> Result<PdfAttachments, FileReadFailure> {
        let _place = self.place();
        // One that waits makes way, so that there are never more than agreed.
        drop(self.idle.lock().ok().and_then(|mut idle| idle.pop()));
        let limit = self.limits.time_for(source.bytes);
        let start = SandboxProcess::start(&self.program, self.limits.memory)
            .map_err(FileReadCause::NotStarted);
        let found = start.and_then(|mut child| child.attachments(source, limit));
        found.map_err(|why| FileReadFailure { name: source.name.to_owned(), why })
    }

    /// A page of a PDF as a picture in PNG, drawn in a process of its own. Pages count from 1.
    ///
    /// # Errors
    /// Anything that stops it, with the file's name.
    pub fn picture(&self, source: InputFile<'_>, page: u32) -> Result<Vec<u8>, FileReadFailure> {
        let drawn = self.apart(source, |child, limit| child.picture(source, page, limit));
        drawn.map_err(|why| FileReadFailure { name: source.name.to_owned(), why })
    }

    /// The places of words on a page of a PDF, searched in a child process.
    ///
    /// # Errors
    /// Anything that stops it, with the file's name.
    pub fn quoted(
        &self,
        source: InputFile<'_>,
        wanted: &PageQuotation,
    ) -> Result<QuotedPage, FileReadFailure> {
        let found = self.apart(source, |child, limit| child.quoted(source, wanted, limit));
        found.map_err(|why| FileReadFailure { name: source.name.to_owned(), why })
    }

    /// Reads files side by side; the results are in the order of the files.
    pub fn read_all(
        &self,
        sources: &[InputFile<'_>],
    ) -> Vec<Result<ParsedDocument, FileReadFailure>> {
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut read = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(source) = sources.get(at) else { return read };
                read.push((at, self.read(*source)));
            }
        };
        let count = self.limits.processes.get().min(sources.len());
        let mut results = std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 1..count {
                workers.push(scope.spawn(worker));
            }
            let mut results = worker();
            for worker in workers {
                // Documents of a crashed worker would be missing silently.
                results.extend(worker.join().unwrap_or_else(|fault| resume_unwind(fault)));
            }
            results
        });
        results.sort_unstable_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Waits until a child may work.
    fn place(&self) -> SandboxSlot<'_> {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.left.wait_while(places, |places| *places == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        SandboxSlot(self)
    }

    /// Asks a child about a file; one that had other files before may have died of them, so a
    /// fresh one has the last word.
    fn apart<T>(
        &self,
        source: InputFile<'_>,
        ask: impl Fn(&mut SandboxProcess, Duration) -> Result<T, FileReadCause>,
    ) -> Result<T, FileReadCause> {
        let _place = self.place();
        let limit = self.limits.time_for(source.bytes);
        let used = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        if let Some(child) = used {
            // The file may be innocent: an earlier one may have damaged the child or used its time.
            match self.ask(child, |child| ask(child, limit)) {
                Err(FileReadCause::Ended(_) | FileReadCause::Garbage) => {}
                // A slow file is not tried again, or a hostile one would cost twice its time.
                answer => return answer,
            }
        }
        let child = SandboxProcess::start(&self.program, self.limits.memory)
            .map_err(FileReadCause::NotStarted)?;
        self.ask(child, |child| ask(child, limit))
    }

    fn ask<T>(
        &self,
        mut child: SandboxProcess,
        ask: impl FnOnce(&mut SandboxProcess) -> Result<T, FileReadCause>,
    ) -> Result<T, FileReadCause> {
        let answer = ask(&mut child);
        // A child in an unknown state is dropped, and its `Drop` kills it.
        let keep = matches!(answer, Ok(_) | Err(FileReadCause::Unreadable(_))) && !child.is_worn();
        if let Ok(mut idle) = self.idle.lock()
            && keep
        {
            idle.push(child);
        }
        answer
    }
}
