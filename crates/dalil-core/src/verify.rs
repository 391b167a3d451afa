//! Verifying a file, whatever it is: a pack, a receipt, a checkpoint or a trail export.

use crate::checkpoint::Checkpoint;
use crate::note::UnverifiedNote;
use crate::pack::UnverifiedPack;
use crate::receipt::{self, Receipt};
use crate::report::Report;
use crate::time::Time;
use crate::trail;
use crate::trust::{Trust, checkpoint};

#[cfg(test)]
mod tests;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// JSON: a sealed pack, an envelope, a pack.
    Json,
    /// A trail export.
    Trail,
    /// A receipt.
    Receipt,
    /// A signed note: a checkpoint.
    Note,
    /// Something that can hold a pack, but that this version does not open.
    Container(&'static str),
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
            Err(refused) => report.refused(FORMAT, &refused),
        },
        Format::Trail => return trail::verify(bytes, trust, now).report,
        Format::Receipt => return receipt::verify(bytes, trust, now),
        Format::Note => return checkpoint::verify(bytes, trust, now),
        Format::Container(name) => {
            report.incomplete(FORMAT, format!("{name}, a kind that this version does not verify"));
        }
        Format::Unknown => {
            let expected = "a pack, a receipt, a checkpoint or a trail export";
            report.fail(FORMAT, format!("expected {expected}, found something else"));
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
        Format::Container(_) | Format::Unknown => None,
    };
    checkpoint.map(|checkpoint| checkpoint.origin().to_owned())
}

fn format(bytes: &[u8]) -> Format {
    let contains = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    match bytes.trim_ascii_start().first() {
        _ if bytes.starts_with(trail::START) => Format::Trail,
        Some(b'{') => Format::Json,
        _ if bytes.starts_with(b"c2sp.org/tlog-proof@") => Format::Receipt,
        _ if bytes.starts_with(b"%PDF-") => Format::Container("a PDF document"),
        _ if bytes.starts_with(b"PK\x03\x04") => Format::Container("an archive"),
        _ if contains("\n\n\u{2014} ".as_bytes()) => Format::Note,
        _ => Format::Unknown,
    }
}

const FORMAT: &str = "format";
