//! The child's side: limits first, then one file after the other.

use std::io::{self, Read, Write};

use dalil_documents::formats::{
    PdfAttachment, PdfAttachments, UnreadableFile, attachments, page_picture, quoted_page, read,
};
use dalil_documents::page_refusal::PageRefusal;
use dalil_documents::quotation::PageQuotation;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::frame::{self, SandboxFrameKind};

/// Limits this process for good, then reads what `input` brings until it ends.
///
/// # Errors
/// Limits that cannot be set, or pipes that break.
pub fn serve(memory: u64, mut input: impl Read, mut out: impl Write) -> io::Result<()> {
    confine(memory, MAX_OPEN_FILES)?;
    while let Some((kind, asked)) = frame::read(&mut input)? {
        let Some((_, bytes)) = frame::read(&mut input)? else { return Ok(()) };
        let answered = match kind {
            SandboxFrameKind::Holder => attachments(&bytes).map(|found| attached(&found, &mut out)),
            SandboxFrameKind::Page => {
                let page = std::str::from_utf8(&asked).ok().and_then(|page| page.parse().ok());
                let page = page.ok_or(io::ErrorKind::InvalidData)?;
                let picture = page_picture(&bytes, page);
                picture.map(|png| frame::write(&mut out, SandboxFrameKind::Picture, &png))
            }
            SandboxFrameKind::Quotation => {
                let wanted = PageQuotation::from_bytes(&asked).ok_or(io::ErrorKind::InvalidData)?;
                let found = quoted_page(&bytes, &wanted);
                found.map(|page| frame::write(&mut out, SandboxFrameKind::Quoted, &page.to_bytes()))
            }
            SandboxFrameKind::Name
            | SandboxFrameKind::Bytes
            | SandboxFrameKind::Document
            | SandboxFrameKind::Attached
            | SandboxFrameKind::Picture
            | SandboxFrameKind::Quoted
            | SandboxFrameKind::Unreadable => {
                let document = read(&bytes, &String::from_utf8_lossy(&asked));
                document.map(|document| {
                    frame::write(&mut out, SandboxFrameKind::Document, &document.to_bytes())
                })
            }
        };
        match answered {
            Ok(written) => written?,
            Err(UnreadableFile { message, hint, page }) => {
                let page = page.map(PageRefusal::to_line).unwrap_or_default();
                let said = format!("{message}\n{}\n{page}", hint.as_deref().unwrap_or(""));
                frame::write(&mut out, SandboxFrameKind::Unreadable, said.as_bytes())?;
            }
        }
    }
    Ok(())
}

fn attached(found: &PdfAttachments, out: &mut impl Write) -> io::Result<()> {
    let PdfAttachments { files, creator, language } = found;
    for PdfAttachment { name, bytes } in files {
        frame::write(out, SandboxFrameKind::Name, name.as_bytes())?;
        frame::write(out, SandboxFrameKind::Bytes, bytes)?;
    }
    frame::write(out, SandboxFrameKind::Attached, format!("{language}\n{creator}").as_bytes())
}

/// No more memory, time and open files than agreed, no file written, no trace of a crash.
pub(crate) fn confine(memory: u64, open_files: u64) -> io::Result<()> {
    let limits = [
        (Resource::As, address_space(memory)),
        (Resource::Cpu, MAX_CPU_SECONDS),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, open_files),
    ];
    for (resource, most) in limits {
        // A process that verifies starts one that reads, and has limits itself: a limit that is
        // higher than the hard one is refused, and what is mapped differs from process to process.
        let hard = getrlimit(resource).maximum;
        let most = Some(hard.map_or(most, |hard| hard.min(most)));
        // Both limits: with a higher hard one the process could raise the soft one again.
        setrlimit(resource, Rlimit { current: most, maximum: most })?;
    }
    Ok(())
}

/// The address space of a process that may hold so much memory.
///
/// The program is mapped whole, weights and typefaces included, and few of its pages are ever in
/// memory. Counted like memory they would leave a small limit nothing to parse with.
fn address_space(memory: u64) -> u64 {
    let rest = memory.saturating_sub(MAX_RESIDENT_PROGRAM_BYTES).max(memory / 4);
    let mapped = mapped_bytes().map(|mapped| mapped.saturating_add(rest));
    mapped.unwrap_or(memory).max(memory)
}

/// The mapped bytes of this process, where the system reports them.
fn mapped_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The most memory that the program itself takes when it has parsed every format.
const MAX_RESIDENT_PROGRAM_BYTES: u64 = 64 << 20;
/// Seconds of a processor for all the files of one child: stops it when no parent can.
const MAX_CPU_SECONDS: u64 = 600;
/// Input, output and errors are open; nothing else can be.
const MAX_OPEN_FILES: u64 = 3;
