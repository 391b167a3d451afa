//! Verifying a file: a pack, a ledger, a receipt, a checkpoint or a trail export.
//!
//! PDF documents and archives hold such files. Taking them apart is somebody else's work: what
//! comes out of an archive is checked by [`archive`](crate::archive).

use crate::checkpoint::Checkpoint;
use crate::json::Json;
use crate::ledger::verify as ledger;
use crate::note::UnverifiedNote;
use crate::pack::UnverifiedPack;
use crate::receipt::{self, Receipt};
use crate::report::Report;
use crate::say;
use crate::time::Time;
use crate::trail;
use crate::trust::{Trust, checkpoint};

#[cfg(test)]
mod tests;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON: a sealed pack, an envelope, a pack, a ledger.
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
pub fn file(bytes: &[u8], trust: &Trust, now: Time) -> Report {
    let mut report = Report::default();
    match format(bytes) {
        Format::Json => match UnverifiedPack::parse(bytes) {
            Ok(pack) => {
                return pack.open(trust, now).map_or_else(|report| report, |(_, report)| report);
            }
            Err(refused) => match Json::parse(bytes) {
                Ok(json) if ledger::is_ledger(&json) => return ledger::verify(&json, now),
                _ => report.refused(FORMAT, &refused),
            },
        },
        Format::Trail => return trail::verify(bytes, trust, now).report,
        Format::Receipt => return receipt::verify(bytes, trust, now),
        Format::Note => return checkpoint::verify(bytes, trust, now),
        Format::Pdf | Format::Archive => {
            let message = say!(
                "a file that holds others, which are to be taken out first",
                "ملف يضم ملفات أخرى، تُستخرج منه أولًا",
            );
            report.incomplete(FORMAT, message);
        }
        Format::Unknown => {
            let message = say!(
                "expected a pack, a ledger, a PDF document, an archive, a receipt, a checkpoint or \
                 a trail export, found something else",
                "المتوقع حزمة أو سجل ادعاءات أو مستند PDF أو أرشيف أو إيصال أو نقطة تحقق أو مستخرج من المسار، \
                 والموجود شيء آخر",
            );
            report.fail(FORMAT, message);
        }
    }
    report
}

/// The trail that a file says it is under, which nothing vouches for.
pub fn unverified_origin(bytes: &[u8]) -> Option<String> {
    let checkpoint = match format(bytes) {
        Format::Json => {
            UnverifiedPack::parse(bytes).ok()?.unverified_receipt()?.unverified_checkpoint()
        }
        Format::Trail => {
            let header = bytes.split_inclusive(|byte| *byte == b'\n').next()?;
            return trail::Header::parse(header).ok().map(|header| header.origin().to_owned());
        }
        Format::Receipt => Receipt::parse(bytes).ok()?.unverified_checkpoint(),
        Format::Note => {
            let note = UnverifiedNote::parse(bytes).ok()?;
            Checkpoint::parse(note.unverified_text()).ok()
        }
        Format::Pdf | Format::Archive | Format::Unknown => None,
    };
    checkpoint.map(|checkpoint| checkpoint.origin().to_owned())
}

/// What a file is, by its first bytes.
pub fn format(bytes: &[u8]) -> Format {
    let contains = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    match bytes.trim_ascii_start().first() {
        _ if bytes.starts_with(trail::START) => Format::Trail,
        Some(b'{') => Format::Json,
        _ if bytes.starts_with(b"c2sp.org/tlog-proof@") => Format::Receipt,
        _ if bytes.starts_with(b"%PDF-") => Format::Pdf,
        _ if bytes.starts_with(b"PK") => Format::Archive,
        _ if contains("\n\n\u{2014} ".as_bytes()) => Format::Note,
        _ => Format::Unknown,
    }
}

const FORMAT: &str = "format";
