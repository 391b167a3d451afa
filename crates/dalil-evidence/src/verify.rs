//! Verifying a file: a pack, a ledger, a statement, a receipt, a checkpoint or a trail export.
//!
//! PDF documents and archives contain such files. Opening a PDF is left to the caller;
//! [`archive`](crate::archive) checks the files of an archive.

use dalil_phrasebook::file_check;
use dalil_proof::canon;
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::json::Json;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::receipt::{self, Receipt};
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trail;
use dalil_proof::trust::{Trust, checkpoint};

use crate::completeness;
use crate::ledger::{self, Ledger};
use crate::pack::UnverifiedPack;

#[cfg(test)]
mod tests;

/// The format of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceFileFormat {
    /// JSON: a sealed pack, an envelope, a pack, a ledger, a statement of completeness.
    Json,
    /// A trail export.
    Trail,
    /// A receipt.
    Receipt,
    /// A signed note: a checkpoint.
    Note,
    /// A PDF document, which may have a pack or a ledger attached.
    Pdf,
    /// An archive.
    Archive,
    /// Nothing known.
    Unknown,
}

/// Verifies the bytes of a file.
pub fn file(bytes: &[u8], trust: &Trust, now: Time) -> VerificationReport {
    let mut report = VerificationReport::default();
    match format(bytes) {
        EvidenceFileFormat::Json => match UnverifiedPack::parse(bytes) {
            Ok(pack) => {
                return pack.open(trust, now).map_or_else(|report| report, |(_, report)| report);
            }
            // A ledger is refused as a pack; of any other JSON the faults as a pack say most.
            Err(refused) => match Json::parse(bytes) {
                Ok(json) if ledger::verify::is_ledger(&json) => {
                    return ledger::verify::verify(&json, now);
                }
                Ok(json) if completeness::is_statement(&json) => {
                    return completeness::verify(&json, trust, now);
                }
                _ => report.refused(PART_FORMAT, &refused),
            },
        },
        EvidenceFileFormat::Trail => return trail::verify(bytes, trust, now).report,
        EvidenceFileFormat::Receipt => return receipt::verify(bytes, trust, now),
        EvidenceFileFormat::Note => return checkpoint::verify(bytes, trust, now),
        EvidenceFileFormat::Pdf | EvidenceFileFormat::Archive => {
            let message = file_check::container_file();
            report.incomplete(PART_FORMAT, message);
        }
        EvidenceFileFormat::Unknown => {
            let message = file_check::no_evidence_file();
            report.fail(PART_FORMAT, message);
        }
    }
    report
}

/// The trail that a file claims to be of, unverified.
pub fn unverified_origin(bytes: &[u8]) -> Option<String> {
    let checkpoint = match format(bytes) {
        EvidenceFileFormat::Json => match UnverifiedPack::parse(bytes) {
            Ok(pack) => return pack.unverified_origin(),
            Err(_) => return completeness::unverified_origin(&Json::parse(bytes).ok()?),
        },
        EvidenceFileFormat::Trail => {
            let header = bytes.split_inclusive(|byte| *byte == b'\n').next()?;
            return trail::TrailHeader::parse(header).ok().map(|header| header.origin().to_owned());
        }
        EvidenceFileFormat::Receipt => Receipt::parse(bytes).ok()?.unverified_checkpoint(),
        EvidenceFileFormat::Note => {
            let note = UnverifiedNote::parse(bytes).ok()?;
            Checkpoint::parse(note.unverified_text()).ok()
        }
        EvidenceFileFormat::Pdf | EvidenceFileFormat::Archive | EvidenceFileFormat::Unknown => None,
    };
    checkpoint.map(|checkpoint| checkpoint.origin().to_owned())
}

/// The digest of the pack or the ledger that a file is, as the code on its pages has it. Nothing
/// vouches for it.
pub fn unverified_digest(bytes: &[u8]) -> Option<Digest> {
    if format(bytes) != EvidenceFileFormat::Json {
        return None;
    }
    match UnverifiedPack::parse(bytes) {
        Ok(pack) => Some(Digest::of(pack.payload())),
        Err(_) => canon::digest(&Ledger::parse(bytes).ok()?).ok(),
    }
}

/// Returns the format of a file, by its first bytes.
pub fn format(bytes: &[u8]) -> EvidenceFileFormat {
    let contains = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    // An export is JSON as well, so it comes first. A
    // note has no mark at its start, so it comes last.
    match bytes.trim_ascii_start().first() {
        _ if bytes.starts_with(trail::TRAIL_EXPORT_PREFIX) => EvidenceFileFormat::Trail,
        Some(b'{') => EvidenceFileFormat::Json,
        _ if bytes.starts_with(b"c2sp.org/tlog-proof@") => EvidenceFileFormat::Receipt,
        _ if bytes.starts_with(b"%PDF-") => EvidenceFileFormat::Pdf,
        _ if bytes.starts_with(b"PK") => EvidenceFileFormat::Archive,
        _ if contains("\n\n\u{2014} ".as_bytes()) => EvidenceFileFormat::Note,
        _ => EvidenceFileFormat::Unknown,
    }
}

const PART_FORMAT: &str = "format";
