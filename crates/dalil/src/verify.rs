//! Verifying any file that Dalil makes: a pack, a PDF, an archive, a receipt, a checkpoint.
//!
//! ```text
//! PDF ─attachments─▶ pack.json ┐ (or ledger.json)
//! ZIP ─files─▶ archive ────────┴─▶ the checks ─▶ + excerpts in documents, verdicts again
//! ```
//!
//! `dalil-evidence` makes all checks of bytes and keys. Checks that need to parse documents or to
//! run a model are added here. [`TrailVerifier`](dalil_proof::trail::TrailVerifier) checks trail
//! exports, which may be larger than memory.

use dalil_documents::attached::{self, ATTACHMENTS_PART};
use dalil_documents::excerpts;
use dalil_evidence::archive;
use dalil_evidence::verify::EvidenceFileFormat;
use dalil_phrasebook::{Phrase, file_check};
use dalil_proof::keyring::Keyring;
use dalil_proof::report::{CheckStatus, VerificationReport};
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use dalil_proof::witness::WitnessPolicy;
use dalil_render::zip;

use crate::judges::JudgeModels;
use crate::sandbox::{InputFile, SandboxReader};

pub mod confined;
mod pages;
#[cfg(test)]
mod tests;
mod verdicts;

/// The inputs of a verification beside the file and the verifier's trust.
#[derive(Clone, Copy, Debug)]
pub struct VerifyTools<'t> {
    /// Reads attached documents.
    pub reader: &'t SandboxReader,
    /// The models, if a ledger is to be judged again.
    pub models: Option<&'t JudgeModels>,
    /// How many threads judge.
    pub threads: usize,
    /// Its scope.
    pub scope: VerifyScope,
}

/// The scope of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyScope {
    /// The most claims of a ledger that are judged again.
    pub claims: usize,
    /// Which documents are read.
    pub documents: DocumentReading,
}

/// Which documents of an archive are read, and whose ledger is judged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentReading {
    /// All of them.
    Always,
    /// Those of an archive whose signatures, receipts and files hold under a key that is trusted:
    /// reading and judging cost much, and any attacker can write another archive.
    WhenVouchedFor,
}

impl VerifyScope {
    /// Everything, whatever the cost.
    pub const WHOLE: Self = Self { claims: usize::MAX, documents: DocumentReading::Always };

    /// Whether documents are read, after a report on everything else.
    fn reads(self, trust: &Trust, report: &VerificationReport) -> bool {
        let is_vouched_for =
            !trust.keyring.keys().is_empty() && report.verdict() != CheckStatus::Fail;
        self.documents == DocumentReading::Always || is_vouched_for
    }
}

/// Whether a file costs more than its size to verify: documents to read, claims to judge, pages
/// to press.
pub fn is_costly(bytes: &[u8]) -> bool {
    let format = dalil_evidence::verify::format(bytes);
    matches!(format, EvidenceFileFormat::Archive | EvidenceFileFormat::Pdf)
}

/// The parties that the verifier of a file trusts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifierTrust<T> {
    /// None.
    Nobody,
    /// The trust that they chose for this file.
    Chosen(T),
    /// The keys of their own trail, for a file from another party: it may be of another trail,
    /// about which these keys prove nothing. A file from the verifier's own store is checked with
    /// them whatever trail it names: then they are [`Self::Chosen`].
    Own(T),
}

impl<T> VerifierTrust<T> {
    /// The same, with the trust in another form.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn try_map<U, E>(
        self,
        change: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<VerifierTrust<U>, E> {
        Ok(match self {
            Self::Nobody => VerifierTrust::Nobody,
            Self::Chosen(trust) => VerifierTrust::Chosen(change(trust)?),
            Self::Own(trust) => VerifierTrust::Own(change(trust)?),
        })
    }
}

impl<T: AsRef<[u8]>> VerifierTrust<T> {
    /// The same, with the bytes of a trust file.
    pub fn as_bytes(&self) -> VerifierTrust<&[u8]> {
        match self {
            Self::Nobody => VerifierTrust::Nobody,
            Self::Chosen(trust) => VerifierTrust::Chosen(trust.as_ref()),
            Self::Own(trust) => VerifierTrust::Own(trust.as_ref()),
        }
    }
}

impl VerifierTrust<Trust> {
    /// Returns the trust that a file is verified with. The own keys decide nothing about a file of
    /// another trail, so that one is verified with no trust.
    pub fn about(self, bytes: &[u8], tools: &VerifyTools<'_>) -> Option<Trust> {
        let own = match self {
            Self::Nobody => return trust_in_nobody(bytes, tools),
            Self::Chosen(trust) => return Some(trust),
            Self::Own(own) => own,
        };
        match unverified_origin(bytes, tools) {
            Some(origin) if origin != own.origin => trust_in_nobody(bytes, tools),
            _ => Some(own),
        }
    }
}

/// Trust in no key: nothing passes, and every other fault is still found.
pub fn trust_in_nobody(bytes: &[u8], tools: &VerifyTools<'_>) -> Option<Trust> {
    let keyring = Keyring::new(Vec::new(), &[]).ok()?;
    let origin = unverified_origin(bytes, tools).unwrap_or_default();
    Some(Trust::in_keys(origin, keyring, WitnessPolicy::NONE))
}

/// Verifies the bytes of a file.
pub fn file(bytes: &[u8], trust: &Trust, now: Time, tools: &VerifyTools<'_>) -> VerificationReport {
    // By content, not by name: the sender of the file chooses its name.
    match dalil_evidence::verify::format(bytes) {
        EvidenceFileFormat::Archive => archived(bytes, trust, now, tools),
        EvidenceFileFormat::Pdf => pdf(bytes, trust, now, tools),
        EvidenceFileFormat::Json
        | EvidenceFileFormat::Trail
        | EvidenceFileFormat::Receipt
        | EvidenceFileFormat::Note
        | EvidenceFileFormat::Unknown => dalil_evidence::verify::file(bytes, trust, now),
    }
}

/// The trail that a file claims to be of, unverified.
pub fn unverified_origin(bytes: &[u8], tools: &VerifyTools<'_>) -> Option<String> {
    match dalil_evidence::verify::format(bytes) {
        EvidenceFileFormat::Archive => {
            // Nothing is verified here: the caller only learns which trail to look up.
            archive::unverified_origin(&zip::read(bytes).ok()?)
        }
        EvidenceFileFormat::Pdf => {
            let found = tools.reader.attachments(InputFile { name: PDF_FILE, bytes }).ok()?;
            attached::unverified_origin(&found)
        }
        EvidenceFileFormat::Json
        | EvidenceFileFormat::Trail
        | EvidenceFileFormat::Receipt
        | EvidenceFileFormat::Note
        | EvidenceFileFormat::Unknown => dalil_evidence::verify::unverified_origin(bytes),
    }
}

/// Verifies an archive.
fn archived(bytes: &[u8], trust: &Trust, now: Time, tools: &VerifyTools<'_>) -> VerificationReport {
    // The reader accepts one spelling of an archive, so nothing can hide between its files.
    let files = match zip::read(bytes) {
        Ok(files) => files,
        Err(error) => {
            let mut report = VerificationReport::default();
            report.fail(ARCHIVE_PART, &error);
            return report;
        }
    };
    let mut outcome = archive::verify(&files, trust, now);
    let reads = tools.scope.reads(trust, &outcome.report);
    if let Some(pack) = outcome.pack.as_ref().filter(|_| reads) {
        let read = |name: &str, bytes: &[u8]| {
            let read = tools.reader.read(InputFile { name, bytes });
            read.map_err(|unread| Phrase::verbatim(unread.why))
        };
        excerpts::check(pack, &outcome.objects, &read, &mut outcome.report);
        verdicts::check(pack, &outcome.objects, &outcome.sessions, tools, &mut outcome.report);
    } else if outcome.pack.is_some() {
        let message = file_check::not_judged_again_not_vouched_for();
        outcome.report.incomplete(EXCERPTS_PART, message);
    }
    outcome.report
}

/// Verifies the pack or the ledger that is attached to a PDF, and its pages.
fn pdf(bytes: &[u8], trust: &Trust, now: Time, tools: &VerifyTools<'_>) -> VerificationReport {
    let mut report = VerificationReport::default();
    let found = match tools.reader.attachments(InputFile { name: PDF_FILE, bytes }) {
        Ok(found) => found,
        Err(unread) => {
            let why = unread.why;
            let message = file_check::attachments_not_extracted(why);
            report.fail(ATTACHMENTS_PART, message);
            return report;
        }
    };
    let Some(evidence) = attached::evidence(&found, &mut report) else { return report };
    report.findings.extend(dalil_evidence::verify::file(&evidence.bytes, trust, now).findings);
    // Signatures are over the attachment. The pages are what people read, so they are compared too.
    pages::check(bytes, &found, &mut report);
    report
}

const ARCHIVE_PART: &str = "archive";
const EXCERPTS_PART: &str = "excerpts";
const PDF_FILE: &str = "document.pdf";
