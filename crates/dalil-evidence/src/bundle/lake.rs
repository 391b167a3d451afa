//! References into the lake: they stay inside it by construction.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use dalil_phrasebook::{Phrase, expected};
use dalil_proof::digest::Digest;
use serde::Serialize;

/// A path inside the lake: segments with `/` between them, none of which leads out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LakeUri(String);

impl LakeUri {
    /// What such a path looks like, for messages.
    pub const EXPECTED: Phrase = expected::lake_path();

    /// Where an artifact that is named by its digest lives.
    pub fn of_digest(digest: &Digest) -> Self {
        Self(format!("sha256/{}", digest.hex()))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text that is not a path inside the lake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", LakeUri::EXPECTED.english())]
pub struct NotInLake;

impl FromStr for LakeUri {
    type Err = NotInLake;

    fn from_str(text: &str) -> Result<Self, NotInLake> {
        // On Windows `\` separates and `C:x` names a drive; a lake URI means the same everywhere.
        let plain = |ch: char| !ch.is_control() && ch != '\\';
        let drive = text.as_bytes().get(1) == Some(&b':');
        // An empty segment refuses the empty text, `/etc` and `a//b` alike.
        let inside = text.len() <= MAX_LAKE_URI_BYTES
            && !drive
            && text.chars().all(plain)
            && text.split('/').all(|segment| !matches!(segment, "" | "." | ".."));
        inside.then(|| Self(text.to_owned())).ok_or(NotInLake)
    }
}

impl fmt::Display for LakeUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The result of the lake for each path that a request needs.
pub type FetchedArtifacts = BTreeMap<LakeUri, Result<Vec<u8>, ArtifactReadError>>;

/// Why an artifact could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArtifactReadError {
    /// There is no such artifact.
    Missing,
    /// A link leads out of the lake.
    OutsideLake,
    /// It is there, and could not be read.
    Unreadable(String),
    /// Its bytes are not UTF-8 text.
    NotUtf8(usize),
    /// It does not match the reference.
    Malformed(String),
}

impl ArtifactReadError {
    /// The kind of problem: a short, stable name.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::OutsideLake => "outside_lake",
            Self::Unreadable(_) => "unreadable",
            Self::NotUtf8(_) => "not_utf8",
            Self::Malformed(_) => "malformed",
        }
    }
}

impl fmt::Display for ArtifactReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("expected an artifact in the lake, found none"),
            Self::OutsideLake => {
                f.write_str("expected an artifact inside the lake, found a link that leads out")
            }
            Self::Unreadable(found) => write!(f, "expected a readable artifact, found {found}"),
            Self::NotUtf8(at) => {
                write!(f, "expected UTF-8 text, found a byte that is not at offset {at}")
            }
            Self::Malformed(message) => f.write_str(message),
        }
    }
}

/// Longer paths are refused; no file system takes them.
const MAX_LAKE_URI_BYTES: usize = 1024;
