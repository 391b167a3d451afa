//! Writing an export, a line at a time.

use thiserror::Error;

use super::custody::CustodyLink;
use super::header::TrailHeader;
use super::line::MAX_LINE_BYTES;
use super::line::{self, RecordPayload};
use crate::digest::{Digest, DigestHasher};
use crate::record::Record;

/// An export that is being written. Each call appends whole lines to `out`.
#[derive(Clone, Debug)]
pub struct TrailWriter {
    digest: DigestHasher,
    link: CustodyLink,
    next: u64,
}

impl TrailWriter {
    /// Appends the header.
    pub fn begin(header: &TrailHeader, out: &mut Vec<u8>) -> Self {
        let mut digest = DigestHasher::default();
        let line = header.line();
        digest.update(&line);
        out.extend_from_slice(&line);
        Self { digest, link: CustodyLink::of(header), next: header.first() }
    }

    /// Appends the next record. A field that is in no state is left out of `payload`.
    ///
    /// # Errors
    /// More records than the checkpoint has, a field that the record does not commit to, a line
    /// that is too long; nothing is appended then.
    pub fn record(
        &mut self,
        record: &Record,
        payload: &RecordPayload<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), TrailWriteError> {
        let (index, size) = (self.next, self.link.head.size);
        if index >= size {
            return Err(TrailWriteError::Full { size });
        }
        let commitments = &record.envelope().commitments;
        if let Some(name) = payload.keys().find(|name| !commitments.contains_key(**name)) {
            return Err(TrailWriteError::Uncommitted { index, name: (*name).to_owned() });
        }
        let start = out.len();
        line::write(record, index, payload, out);
        let line = out.get(start..).unwrap_or_default();
        if line.len() > MAX_LINE_BYTES {
            // The caller may have sent `out` already; it must end with a whole line.
            out.truncate(start);
            return Err(TrailWriteError::Size { index });
        }
        self.digest.update(line);
        self.next += 1;
        Ok(())
    }

    /// Appends the closing line and gives the digest of the whole file.
    ///
    /// # Errors
    /// Fewer records than the checkpoint has.
    pub fn end(mut self, out: &mut Vec<u8>) -> Result<Digest, TrailWriteError> {
        let (next, size) = (self.next, self.link.head.size);
        if next != size {
            return Err(TrailWriteError::Short { next, size });
        }
        let line = closing(next - self.link.first, self.digest.clone().digest());
        self.digest.update(line.as_bytes());
        out.extend_from_slice(line.as_bytes());
        Ok(self.digest.digest())
    }
}

/// The closing line.
pub(super) fn closing(records: u64, digest: Digest) -> String {
    format!("{{\"end\":{{\"records\":{records},\"sha256\":\"{digest}\"}}}}\n")
}

/// Why a line was not written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrailWriteError {
    /// Every record is there.
    #[error("expected no more records than the checkpoint's {size}, found one more")]
    Full {
        /// The checkpoint's size.
        size: u64,
    },
    /// Records are missing.
    #[error("expected record {next} of {size}, found the end")]
    Short {
        /// The index of the record that is missing.
        next: u64,
        /// The checkpoint's size.
        size: u64,
    },
    /// A field that is none of the record's.
    #[error("expected fields that record {index} commits to, found `{name}`")]
    Uncommitted {
        /// The record.
        index: u64,
        /// The field.
        name: String,
    },
    /// The payload is too large for a line.
    #[error(
        "expected a line of at most {MAX_LINE_BYTES} bytes for record {index}, found a longer one"
    )]
    Size {
        /// The record.
        index: u64,
    },
}
