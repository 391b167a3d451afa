//! Verifying any file that Dalil makes: a pack, a PDF, an archive, a receipt, a checkpoint.
//!
//! ```text
//! PDF ─attachments─▶ pack.json ┐ (or ledger.json)
//! ZIP ─files─▶ archive ────────┴─▶ core's checks ─▶ + excerpts in documents, verdicts again
//! ```
//!
//! Core decides everything that follows from bytes and keys. What needs documents
//! to be read or a model to judge is added here. Trail exports, which may be larger
//! than memory, are [`trail::Verifier`](dalil_core::trail::Verifier)'s.

use dalil_core::archive;
use dalil_core::checkpoint::Checkpoint;
use dalil_core::note::UnverifiedNote;
use dalil_core::report::Report;
use dalil_core::say;
use dalil_core::time::Time;
use dalil_core::trust::Trust;
use dalil_core::verify::{self as core, Format};
use dalil_press::zip;

use crate::judges::JudgeModels;
use crate::reader::{Attachment, Reader, Source};

mod excerpts;
mod pages;
#[cfg(test)]
mod tests;
mod verdicts;

/// What a verification needs beside the file and the verifier's trust.
#[derive(Clone, Copy, Debug)]
pub struct Tools<'t> {
    /// Reads attached documents.
    pub reader: &'t Reader,
    /// The models, if a ledger is to be judged again.
    pub models: Option<&'t JudgeModels>,
    /// How many threads judge.
    pub threads: usize,
}

/// Verifies the bytes of a file.
pub fn file(bytes: &[u8], trust: &Trust, now: Time, tools: &Tools<'_>) -> Report {
    match core::format(bytes) {
        Format::Archive => archived(bytes, trust, now, tools),
        Format::Pdf => pdf(bytes, trust, now, tools),
        Format::Json | Format::Trail | Format::Receipt | Format::Note | Format::Unknown => {
            core::file(bytes, trust, now)
        }
    }
}

/// The trail that a file says it is under, which nothing vouches for.
pub fn unverified_origin(bytes: &[u8], tools: &Tools<'_>) -> Option<String> {
    match core::format(bytes) {
        Format::Archive => {
            let files = zip::read(bytes).ok()?;
            let note = UnverifiedNote::parse(files.get(CHECKPOINT)?).ok()?;
            let checkpoint = Checkpoint::parse(note.unverified_text()).ok()?;
            Some(checkpoint.origin().to_owned())
        }
        Format::Pdf => {
            let found = tools.reader.attachments(Source { name: PDF, bytes }).ok()?;
            let pack = found.files.iter().find(|file| file.name == PACK)?;
            core::unverified_origin(&pack.bytes)
        }
        Format::Json | Format::Trail | Format::Receipt | Format::Note | Format::Unknown => {
            core::unverified_origin(bytes)
        }
    }
}

/// Verifies an archive.
fn archived(bytes: &[u8], trust: &Trust, now: Time, tools: &Tools<'_>) -> Report {
    let files = match zip::read(bytes) {
        Ok(files) => files,
        Err(error) => {
            let mut report = Report::default();
            report.fail(ARCHIVE, &error);
            return report;
        }
    };
    let mut outcome = archive::verify(&files, trust, now);
    if let Some(pack) = &outcome.pack {
        excerpts::check(pack, &outcome.objects, tools.reader, &mut outcome.report);
        verdicts::check(pack, &outcome.objects, &outcome.sessions, tools, &mut outcome.report);
    }
    outcome.report
}

/// Verifies the pack or the ledger that is attached to a PDF, and its pages.
fn pdf(bytes: &[u8], trust: &Trust, now: Time, tools: &Tools<'_>) -> Report {
    let mut report = Report::default();
    let found = match tools.reader.attachments(Source { name: PDF, bytes }) {
        Ok(found) => found,
        Err(unread) => {
            let why = unread.why;
            let message = say!("{why}", "تعذر استخراج المرفقات من مستند PDF: {why}");
            report.fail(ATTACHMENTS, message);
            return report;
        }
    };
    let files = &found.files;
    let is_evidence = |file: &&Attachment| file.name == PACK || file.name == LEDGER;
    let evidence: Vec<&Attachment> = files.iter().filter(is_evidence).collect();
    let [evidence] = evidence.as_slice() else {
        let found = evidence.len();
        let message = say!(
            "expected one attached file `{PACK}` or `{LEDGER}`, found {found}",
            "المتوقع مرفق واحد باسم `{PACK}` أو `{LEDGER}`، والموجود {found}",
        );
        report.fail(ATTACHMENTS, message);
        return report;
    };
    let (count, name) = (files.len(), &evidence.name);
    let message = say!("{count}, `{name}` among them", "عددها {count}، وبينها `{name}`");
    report.pass(ATTACHMENTS, message);
    report.findings.extend(core::file(&evidence.bytes, trust, now).findings);
    pages::check(bytes, &found, &mut report);
    report
}

const ARCHIVE: &str = "archive";
const ATTACHMENTS: &str = "attachments";
const CHECKPOINT: &str = "data/checkpoint.txt";
const LEDGER: &str = "ledger.json";
const PACK: &str = "pack.json";
const PDF: &str = "document.pdf";
