//! The parent's side: a child process, its pipes, and the time it is given.

use std::fmt;
use std::io::{BufReader, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use dalil_documents::document::ParsedDocument;
use dalil_documents::formats::{PdfAttachment, PdfAttachments, UnreadableFile};
use dalil_documents::page_refusal::PageRefusal;
use dalil_documents::quotation::{PageQuotation, QuotedPage};
use dalil_phrasebook::{Phrase, page_refusal};

use super::frame::{self, SandboxFrameKind};
use super::{FileReadCause, InputFile, ProgramCommand};

/// How a child ended before it had read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxExit {
    status: Option<ExitStatus>,
    memory: u64,
}

impl SandboxExit {
    /// How a child with `memory` bytes of memory ended.
    pub(crate) fn of(status: Option<ExitStatus>, memory: u64) -> Self {
        Self { status, memory }
    }
}

impl SandboxExit {
    /// How it ended, after a subject.
    pub fn phrase(self) -> Phrase {
        let mebibytes = self.memory >> 20;
        match (self.status.and_then(|status| status.signal()), self.status) {
            // Rust aborts when an allocation fails; a stack that cannot grow is a fault.
            (Some(SIGABRT | SIGSEGV), _) => page_refusal::reader_out_of_memory(mebibytes),
            (Some(SIGXCPU), _) => page_refusal::reader_out_of_time(),
            (Some(signal), _) => page_refusal::reader_stopped(signal),
            (None, Some(status)) if status.success() => page_refusal::reader_left(),
            (None, Some(_)) => page_refusal::reader_failed(mebibytes),
            (None, None) => page_refusal::reader_lost(),
        }
    }
}

impl fmt::Display for SandboxExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase().english())
    }
}

/// A process that reads files.
#[derive(Debug)]
pub(super) struct SandboxProcess {
    process: std::process::Child,
    requests: Option<Sender<Vec<u8>>>,
    replies: Receiver<Option<(SandboxFrameKind, Vec<u8>)>>,
    memory: u64,
    files: usize,
}

impl SandboxProcess {
    pub(super) fn start(program: &ProgramCommand, memory: u64) -> std::io::Result<Self> {
        let mut process = program
            .process()
            .args(["read", "--wire", &memory.to_string()])
            // Keys and passwords in the parent's environment are not there to be stolen.
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A hostile file must not write to the user's terminal.
            .stderr(Stdio::null())
            .spawn()?;
        let (requests, to_write) = channel::<Vec<u8>>();
        let (to_reply, replies) = channel();
        if let Some(mut stdin) = process.stdin.take() {
            // A child that does not read must not hold up the one that waits for it.
            std::thread::spawn(move || {
                while let Ok(bytes) = to_write.recv() {
                    if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = process.stdout.take() {
            std::thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                loop {
                    // After a frame that cannot be read no length can be trusted.
                    let frame = frame::read(&mut stdout).ok().flatten();
                    let last = frame.is_none();
                    if to_reply.send(frame).is_err() || last {
                        break;
                    }
                }
            });
        }
        Ok(Self { process, requests: Some(requests), replies, memory, files: 0 })
    }

    /// Has a file read, and stops the process if it takes longer than `limit`.
    pub(super) fn ask(
        &mut self,
        source: InputFile<'_>,
        limit: Duration,
    ) -> Result<ParsedDocument, FileReadCause> {
        self.send((SandboxFrameKind::Name, source.name.as_bytes()), source.bytes)?;
        match self.reply(limit)? {
            (SandboxFrameKind::Document, bytes) => {
                ParsedDocument::from_bytes(&bytes).map_err(|_| FileReadCause::Garbage)
            }
            _ => Err(FileReadCause::Garbage),
        }
    }

    /// Has a page of a file drawn, in PNG.
    pub(super) fn picture(
        &mut self,
        source: InputFile<'_>,
        page: u32,
        limit: Duration,
    ) -> Result<Vec<u8>, FileReadCause> {
        self.send((SandboxFrameKind::Page, page.to_string().as_bytes()), source.bytes)?;
        match self.reply(limit)? {
            (SandboxFrameKind::Picture, png) if is_picture(&png) => Ok(png),
            _ => Err(FileReadCause::Garbage),
        }
    }

    /// Has words looked for on a page of a file.
    pub(super) fn quoted(
        &mut self,
        source: InputFile<'_>,
        wanted: &PageQuotation,
        limit: Duration,
    ) -> Result<QuotedPage, FileReadCause> {
        self.send((SandboxFrameKind::Quotation, &wanted.to_bytes()), source.bytes)?;
        match self.reply(limit)? {
            (SandboxFrameKind::Quoted, said) => {
                QuotedPage::from_bytes(&said).ok_or(FileReadCause::Garbage)
            }
            _ => Err(FileReadCause::Garbage),
        }
    }

    /// Has the attachments of a file taken out, each within `limit`.
    pub(super) fn attachments(
        &mut self,
        source: InputFile<'_>,
        limit: Duration,
    ) -> Result<PdfAttachments, FileReadCause> {
        self.send((SandboxFrameKind::Holder, source.name.as_bytes()), source.bytes)?;
        let mut files = Vec::new();
        loop {
            match self.reply(limit)? {
                (SandboxFrameKind::Attached, said) => {
                    let said = String::from_utf8(said).map_err(|_| FileReadCause::Garbage)?;
                    let (language, creator) =
                        said.split_once('\n').ok_or(FileReadCause::Garbage)?;
                    let (language, creator) = (language.to_owned(), creator.to_owned());
                    return Ok(PdfAttachments { files, creator, language });
                }
                // The child may be controlled by the file, so the parent counts by itself.
                (SandboxFrameKind::Name, name) if files.len() < MAX_ATTACHMENTS => {
                    let name = String::from_utf8(name).map_err(|_| FileReadCause::Garbage)?;
                    let (SandboxFrameKind::Bytes, bytes) = self.reply(limit)? else {
                        return Err(FileReadCause::Garbage);
                    };
                    files.push(PdfAttachment { name, bytes });
                }
                _ => return Err(FileReadCause::Garbage),
            }
        }
    }

    fn send(
        &mut self,
        (kind, asked): (SandboxFrameKind, &[u8]),
        bytes: &[u8],
    ) -> Result<(), FileReadCause> {
        self.files += 1;
        let mut request = Vec::with_capacity(bytes.len() + asked.len() + 18);
        let framed = frame::write(&mut request, kind, asked)
            .and_then(|()| frame::write(&mut request, SandboxFrameKind::Bytes, bytes));
        framed.map_err(FileReadCause::NotStarted)?;
        let sent = self.requests.as_ref().is_some_and(|requests| requests.send(request).is_ok());
        if sent { Ok(()) } else { Err(self.ended()) }
    }

    /// The next frame of an answer.
    fn reply(&mut self, limit: Duration) -> Result<(SandboxFrameKind, Vec<u8>), FileReadCause> {
        match self.replies.recv_timeout(limit) {
            Ok(Some((SandboxFrameKind::Unreadable, said))) => Err(unreadable(&said).into()),
            Ok(Some(frame)) => Ok(frame),
            Err(RecvTimeoutError::Timeout) => Err(FileReadCause::Slow(limit)),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Whether it has read enough files to be replaced by a fresh one.
    pub(super) fn is_worn(&self) -> bool {
        self.files >= MAX_FILES_PER_PROCESS
    }

    /// How the process ended, once its pipe has; one that closed its pipe and lives is stopped.
    fn ended(&mut self) -> FileReadCause {
        let status = match self.process.try_wait() {
            Ok(Some(status)) => Some(status),
            // The pipe can be closed a moment before the system knows the exit status.
            Ok(None) | Err(_) => {
                std::thread::sleep(MAX_EXIT_WAIT);
                self.process.try_wait().ok().flatten()
            }
        };
        match status {
            Some(_) => FileReadCause::Ended(SandboxExit { status, memory: self.memory }),
            None => FileReadCause::Garbage,
        }
    }
}

impl Drop for SandboxProcess {
    fn drop(&mut self) {
        self.requests = None;
        // One that has ended cannot be killed, and then there is nothing to do.
        drop(self.process.kill());
        // Without `wait` the child would stay as a zombie as long as the parent lives.
        drop(self.process.wait());
    }
}

/// Whether bytes are a PNG of a size that a page has. Its pixels are the browser's to read.
fn is_picture(png: &[u8]) -> bool {
    // The signature, and the length and the name of the first chunk (PNG, 5.2 and 11.2.1).
    let Some(rest) = png.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") else { return false };
    let Some((width, rest)) = rest.split_first_chunk() else { return false };
    let Some((height, _)) = rest.split_first_chunk() else { return false };
    let pixels = u64::from(u32::from_be_bytes(*width)) * u64::from(u32::from_be_bytes(*height));
    (1..=MAX_PICTURE_PIXELS).contains(&pixels) && png.len() <= MAX_PICTURE_BYTES
}

fn unreadable(said: &[u8]) -> UnreadableFile {
    let said = String::from_utf8_lossy(said);
    let mut lines = said.splitn(3, '\n').map(str::to_owned);
    let message = lines.next().unwrap_or_default();
    let hint = lines.next().filter(|hint| !hint.is_empty());
    let page = lines.next().as_deref().and_then(PageRefusal::from_line);
    UnreadableFile { message, hint, page }
}

const MAX_FILES_PER_PROCESS: usize = 500;
/// No file that is verified has more attached.
const MAX_ATTACHMENTS: usize = 100;
/// The most pixels that a picture of a page has; the child draws smaller ones.
const MAX_PICTURE_PIXELS: u64 = 8_000_000;
const MAX_PICTURE_BYTES: usize = 32 << 20;
const MAX_EXIT_WAIT: Duration = Duration::from_millis(200);
const SIGABRT: i32 = 6;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;
