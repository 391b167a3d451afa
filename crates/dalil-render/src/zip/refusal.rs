//! Why bytes are not an archive.

use dalil_phrasebook::{Phrase, archive_check, proof_check};
use dalil_proof::fault::quote;
use thiserror::Error;

/// Bytes that are no archive, and where that shows first.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at byte {at}: {}", .why.message().english())]
pub struct NotAnArchive {
    /// How many bytes are before the entry or the byte that is wrong.
    pub at: u64,
    /// The fault.
    pub why: ZipRefusal,
}

/// The fault of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZipRefusal {
    /// A name that leads elsewhere, or that systems read differently.
    Name(String),
    /// The same name twice, or a file before one that it should follow.
    Order(String),
    /// An encrypted file.
    Encrypted,
    /// A file that would have to be unpacked.
    Packed,
    /// An extra field.
    Extra,
    /// Another time.
    Time,
    /// Sizes beyond those of a plain ZIP.
    Zip64,
    /// Too much for a plain ZIP.
    Large,
    /// Too many files for a plain ZIP.
    Many,
    /// Bytes that do not match their checksum.
    Checksum(String),
    /// Another header than the file has.
    Header(String),
    /// The end is missing.
    Cut,
    /// Bytes after the end.
    After,
    /// A directory that does not list these files.
    Directory,
}

impl ZipRefusal {
    /// The sentence that people read.
    pub fn message(&self) -> Phrase {
        match self {
            Self::Name(name) => {
                let name = quote(name);
                archive_check::zip_name(name)
            }
            Self::Order(name) => {
                let name = quote(name);
                archive_check::zip_name_order(name)
            }
            Self::Encrypted => archive_check::zip_encrypted(),
            Self::Packed => archive_check::zip_packed(),
            Self::Extra => archive_check::zip_extra_field(),
            Self::Time => archive_check::zip_time(),
            Self::Zip64 => archive_check::zip_large_sizes(),
            Self::Large => archive_check::zip_too_large(),
            Self::Many => archive_check::zip_too_many_files(),
            Self::Checksum(name) => {
                let name = quote(name);
                archive_check::zip_checksum(name)
            }
            Self::Header(name) => {
                let name = quote(name);
                archive_check::zip_header(name)
            }
            Self::Cut => archive_check::zip_cut(),
            Self::After => archive_check::zip_more_bytes(),
            Self::Directory => archive_check::zip_directory(),
        }
    }
}

impl From<&NotAnArchive> for Phrase {
    fn from(NotAnArchive { at, why }: &NotAnArchive) -> Self {
        why.message().about(proof_check::at_byte(at))
    }
}
