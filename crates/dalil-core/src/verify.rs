//! Verifying a file, whatever it is: a pack, a receipt or a checkpoint.

use crate::checkpoint::Checkpoint;
use crate::fault::Refused;
use crate::note::UnverifiedNote;
use crate::pack::UnverifiedPack;
use crate::receipt::{self, Receipt};
use crate::report::{Report, Verdict};
use crate::time::Time;
use crate::trust::Trust;

#[cfg(test)]
mod tests;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// JSON: a sealed pack, an envelope, a pack.
    Json,
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
            Err(refused) => unreadable(&refused, &mut report),
        },
        Format::Receipt => return receipt::verify(bytes, trust, now),
        Format::Note => checkpoint(bytes, trust, now, &mut report),
        Format::Container(name) => {
            report.incomplete(FORMAT, format!("{name}, a kind that this version does not verify"));
        }
        Format::Unknown => {
            report.fail(FORMAT, "expected a pack, a receipt or a checkpoint, found something else");
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
        Some(b'{') => Format::Json,
        _ if bytes.starts_with(b"c2sp.org/tlog-proof@") => Format::Receipt,
        _ if bytes.starts_with(b"%PDF-") => Format::Container("a PDF document"),
        _ if bytes.starts_with(b"PK\x03\x04") => Format::Container("an archive"),
        _ if contains("\n\n\u{2014} ".as_bytes()) => Format::Note,
        _ => Format::Unknown,
    }
}

fn checkpoint(bytes: &[u8], trust: &Trust, now: Time, report: &mut Report) {
    let note = match UnverifiedNote::parse(bytes) {
        Ok(note) => note,
        Err(error) => return report.fail(FORMAT, error.to_string()),
    };
    let checkpoint = match Checkpoint::parse(note.unverified_text()) {
        Ok(checkpoint) => checkpoint,
        Err(error) => return report.fail(FORMAT, error.to_string()),
    };
    report.pass(FORMAT, "a signed checkpoint");
    match checkpoint.of(&trust.origin) {
        Ok(()) => report.pass(CHECKPOINT, format!("size {}", checkpoint.head().size)),
        Err(error) => report.fail(CHECKPOINT, error.to_string()),
    }
    if trust.keyring.keys().is_empty() {
        report.incomplete(SIGNATURE, "no key of this trail is pinned to check it with");
    } else {
        match note.open(trust.keyring.keys()) {
            Ok(_) => report.pass(SIGNATURE, "signed by a key of this trail"),
            Err(error) => report.fail(SIGNATURE, error.to_string()),
        }
    }
    witnesses(&note, trust, now, report);
}

fn witnesses(note: &UnverifiedNote, trust: &Trust, now: Time, report: &mut Report) {
    let quorum = trust.witnesses.quorum();
    match trust.witnesses.cosignatures(note) {
        Ok(found) => {
            let count = found.iter().filter(|cosignature| cosignature.at <= now).count();
            let verdict = if count >= quorum { Verdict::Pass } else { Verdict::Incomplete };
            if quorum > 0 {
                report.add(WITNESSES, verdict, format!("{count} cosigned, {quorum} needed"));
            }
        }
        Err(forged) => report.fail(WITNESSES, forged.to_string()),
    }
}

fn unreadable(refused: &Refused, report: &mut Report) {
    for fault in &refused.refused {
        report.fail(FORMAT, format!("`{}`: {}", fault.path, fault.message));
    }
}

const FORMAT: &str = "format";
const CHECKPOINT: &str = "checkpoint";
const SIGNATURE: &str = "checkpoint signature";
const WITNESSES: &str = "witnesses";
