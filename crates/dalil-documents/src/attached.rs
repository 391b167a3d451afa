//! Evidence that is attached to a PDF: which of its files is verified.

use dalil_evidence::verify;
use dalil_phrasebook::file_check;
use dalil_proof::digest::Digest;
use dalil_proof::report::VerificationReport;

use crate::formats::{PdfAttachment, PdfAttachments};

/// Returns the attached pack or ledger, if there is exactly one; the report states which.
pub fn evidence<'f>(
    found: &'f PdfAttachments,
    report: &mut VerificationReport,
) -> Option<&'f PdfAttachment> {
    let is_evidence = |file: &&PdfAttachment| file.name == PACK_FILE || file.name == LEDGER_FILE;
    let evidence: Vec<&PdfAttachment> = found.files.iter().filter(is_evidence).collect();
    // With two of them a viewer could show one and a program verify the other.
    let [evidence] = evidence.as_slice() else {
        let message = file_check::not_one_attached_file(PACK_FILE, LEDGER_FILE, evidence.len());
        report.fail(ATTACHMENTS_PART, message);
        return None;
    };
    let message = file_check::several_attachments(found.files.len(), &evidence.name);
    report.pass(ATTACHMENTS_PART, message);
    Some(evidence)
}

/// The trail that the attached pack names as its own, unverified.
pub fn unverified_origin(found: &PdfAttachments) -> Option<String> {
    let pack = found.files.iter().find(|file| file.name == PACK_FILE)?;
    verify::unverified_origin(&pack.bytes)
}

/// The digest of the pack or the ledger that is attached, which nothing vouches for.
pub fn unverified_digest(found: &PdfAttachments) -> Option<Digest> {
    let is_evidence = |file: &&PdfAttachment| file.name == PACK_FILE || file.name == LEDGER_FILE;
    let evidence = found.files.iter().find(is_evidence)?;
    verify::unverified_digest(&evidence.bytes)
}

/// The name of the attached files in reports.
pub const ATTACHMENTS_PART: &str = "attachments";
const LEDGER_FILE: &str = "ledger.json";
const PACK_FILE: &str = "pack.json";
