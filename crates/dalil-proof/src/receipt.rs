//! Receipts (C2SP `tlog-proof`): proof that a record is under a checkpoint.
//!
//! ```text
//! c2sp.org/tlog-proof@v1
//! extra eyJhY3RvciI6…            the record's canonical bytes, so that nothing else is needed
//! index 1                        its place in the trail
//! hq1Y2C0o…                      the inclusion path, from the leaf up
//!
//! dalil.example/acme             the checkpoint, verbatim
//! …
//! ```
//!
//! Nothing in a receipt is to be believed before [`Receipt::verify`].

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Phrase, error};

use crate::checkpoint::Checkpoint;
use crate::digest::Digest;
use crate::fault::Refused;
use crate::note::{NotANote, UnverifiedNote};
use crate::record::Record;
use crate::report::VerificationReport;
use crate::time::Time;
use crate::tree;
use crate::trust::{Trust, checkpoint};

#[cfg(test)]
mod tests;
mod verify;

/// A record, its place and path, and a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The record's bytes.
    record: Vec<u8>,
    /// Its claimed index.
    index: u64,
    /// Siblings from the leaf up.
    path: Vec<Digest>,
    /// The checkpoint.
    checkpoint: UnverifiedNote,
}

impl Receipt {
    /// Puts a receipt together.
    ///
    /// # Errors
    /// A path longer than any tree is high.
    pub fn new(
        record: &Record,
        index: u64,
        path: Vec<Digest>,
        checkpoint: UnverifiedNote,
    ) -> Result<Self, NotAReceipt> {
        let fits = path.len() <= MAX_PATH_HASHES;
        let receipt = Self { record: record.bytes().to_vec(), index, path, checkpoint };
        fits.then_some(receipt).ok_or(NotAReceipt::Path)
    }

    /// Reads a receipt, in its one spelling.
    ///
    /// # Errors
    /// The first rule of the format that the bytes break.
    pub fn parse(bytes: &[u8]) -> Result<Self, NotAReceipt> {
        if bytes.len() > MAX_RECEIPT_BYTES {
            return Err(NotAReceipt::Size);
        }
        let whole = std::str::from_utf8(bytes).map_err(|_| NotAReceipt::Utf8)?;
        // The head has no blank line, so the first one ends it; a note divides at its last.
        let (head, checkpoint) = whole.split_once("\n\n").ok_or(NotAReceipt::Blank)?;
        let mut lines = head.split('\n');
        if lines.next() != Some(RECEIPT_VERSION_LINE) {
            return Err(NotAReceipt::Version);
        }
        let mut field = |name| lines.next().and_then(|line| line.strip_prefix(name));
        let record = field("extra ").and_then(|text| STANDARD.decode(text).ok());
        let record = record.ok_or(NotAReceipt::Extra)?;
        let index = field("index ").and_then(|text| text.parse().ok()).ok_or(NotAReceipt::Index)?;
        // One hash beyond the limit is read, to refuse it; a million lines cost no more.
        let path = lines.take(MAX_PATH_HASHES + 1).map(hash).collect::<Option<Vec<_>>>();
        let path = path.filter(|path| path.len() <= MAX_PATH_HASHES).ok_or(NotAReceipt::Path)?;
        let checkpoint = UnverifiedNote::parse(checkpoint.as_bytes())?;
        let receipt = Self { record, index, path, checkpoint };
        // `+1` and `01` are numbers, but not indices.
        if receipt.to_string() == whole { Ok(receipt) } else { Err(NotAReceipt::Index) }
    }

    /// The record, which nothing vouches for before the receipt is verified.
    ///
    /// # Errors
    /// Every fault of the envelope.
    pub fn unverified_record(&self) -> Result<Record, Refused> {
        Record::parse(&self.record)
    }

    /// The checkpoint, which nothing vouches for before the receipt is verified.
    pub fn unverified_checkpoint(&self) -> Option<Checkpoint> {
        Checkpoint::parse(self.checkpoint.unverified_text()).ok()
    }

    /// Its place in the trail, which nothing vouches for before the receipt is verified.
    pub fn unverified_index(&self) -> u64 {
        self.index
    }

    /// The checkpoint with its signatures, as it was signed.
    pub fn note(&self) -> &UnverifiedNote {
        &self.checkpoint
    }

    /// Checks every part of this receipt against the verifier's trust.
    pub fn verify(&self, trust: &Trust, now: Time) -> VerificationReport {
        verify::receipt(self, trust, now)
    }

    /// A moment by which a party that the verifier trusts had seen the checkpoint.
    pub fn seen(&self, trust: &Trust, now: Time) -> Option<Time> {
        checkpoint::seen(&self.checkpoint, trust, now)
    }

    fn leaf(&self) -> Digest {
        tree::leaf(&self.record)
    }
}

/// The inclusion path of a receipt that must be about this record, here, under this checkpoint.
///
/// `None` for any other bytes: a receipt has one spelling, so all of it but the path is known.
pub fn path(receipt: &[u8], record: &Record, index: u64, checkpoint: &[u8]) -> Option<Vec<Digest>> {
    // Compared from both ends, so that neither record nor checkpoint is parsed for each receipt.
    let extra = STANDARD.encode(record.bytes());
    let start = format!("{RECEIPT_VERSION_LINE}\nextra {extra}\nindex {index}\n");
    let rest = receipt.strip_prefix(start.as_bytes())?;
    let lines = rest.strip_suffix(checkpoint)?.strip_suffix(b"\n")?;
    let hash = |line: &[u8]| {
        let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
        hash(line)
    };
    let path: Option<Vec<_>> = lines.split_inclusive(|byte| *byte == b'\n').map(hash).collect();
    path.filter(|path| path.len() <= MAX_PATH_HASHES)
}

/// Verifies bytes that should be a receipt.
pub fn verify(bytes: &[u8], trust: &Trust, now: Time) -> VerificationReport {
    match Receipt::parse(bytes) {
        Ok(receipt) => receipt.verify(trust, now),
        Err(error) => {
            let mut report = VerificationReport::default();
            report.fail(verify::PART_FORMAT, &error);
            report
        }
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { record, index, path, checkpoint } = self;
        writeln!(f, "{RECEIPT_VERSION_LINE}\nextra {}\nindex {index}", STANDARD.encode(record))?;
        for hash in path {
            writeln!(f, "{}", STANDARD.encode(hash.as_bytes()))?;
        }
        write!(f, "\n{checkpoint}")
    }
}

/// Why bytes are not a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAReceipt {
    /// Larger than any receipt need be.
    Size,
    /// Not UTF-8.
    Utf8,
    /// Another first line.
    Version,
    /// No record.
    Extra,
    /// No index.
    Index,
    /// A line of the path is no hash, or there are too many.
    Path,
    /// No checkpoint.
    Blank,
    /// The checkpoint is not a signed note.
    Checkpoint(NotANote),
}

impl NotAReceipt {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Size => error::long_receipt(MAX_RECEIPT_BYTES),
            Self::Utf8 => error::not_utf_8(),
            Self::Version => error::receipt_version(RECEIPT_VERSION_LINE),
            Self::Extra => error::receipt_extra(),
            Self::Index => error::receipt_index(),
            Self::Path => error::receipt_path(MAX_PATH_HASHES),
            Self::Blank => error::no_blank_line_before_checkpoint(),
            Self::Checkpoint(why) => error::in_the_checkpoint(why.phrase()),
        }
    }
}

dalil_phrasebook::spoken_error!(NotAReceipt);

impl From<NotANote> for NotAReceipt {
    fn from(error: NotANote) -> Self {
        Self::Checkpoint(error)
    }
}

fn hash(line: &str) -> Option<Digest> {
    // One byte more than a hash: the decoder asks for it before it knows how many there are.
    let mut bytes = [0; 33];
    let (hash, _) = match STANDARD.decode_slice(line, &mut bytes) {
        Ok(32) => bytes.split_first_chunk()?,
        Ok(_) | Err(_) => return None,
    };
    Some(Digest::from_bytes(*hash))
}

const RECEIPT_VERSION_LINE: &str = "c2sp.org/tlog-proof@v1";
/// A tree of 2^64 leaves is 64 high.
const MAX_PATH_HASHES: usize = 64;
/// A note of the largest size and the rest of a receipt.
const MAX_RECEIPT_BYTES: usize = (1 << 20) + (1 << 14);
