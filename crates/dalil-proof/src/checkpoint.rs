//! Checkpoints (C2SP `tlog-checkpoint`): a signed statement of a trail's size and root.
//!
//! ```text
//! dalil.example/acme                                the origin: which trail
//! 3                                                 its size
//! Wqx3HImawpLnS/Gv4ubjAvi1WIOy0b8Ze0amvqbavKk=      its root
//!
//! — dalil.example/acme mfDqBA24jAYshDwF…            the signer and the signature
//! ```

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Phrase, error};

use crate::digest::Digest;
use crate::fault::quote;
use crate::key::{PublicKey, SecretKey};
use crate::note::{self, NotANote, UnverifiedNote};
use crate::tree::TreeHead;

#[cfg(test)]
mod tests;

/// A trail's size and root at one moment.
///
/// Invariant: the origin and every extension is one line that is not empty, so
/// that text and value are one to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    origin: String,
    head: TreeHead,
    extensions: Vec<String>,
}

impl Checkpoint {
    /// States the head of the trail `origin`.
    ///
    /// # Errors
    /// An origin that is not one line of text.
    pub fn new(origin: &str, head: TreeHead) -> Result<Self, NotACheckpoint> {
        let origin = origin.to_owned();
        let is_line = !origin.is_empty() && !origin.contains(char::is_control);
        is_line.then_some(Self { origin, head, extensions: Vec::new() }).ok_or(NotACheckpoint)
    }

    /// Reads the text of a checkpoint, in its one spelling.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse(text: &str) -> Result<Self, NotACheckpoint> {
        let mut lines = text.strip_suffix('\n').ok_or(NotACheckpoint)?.split('\n');
        let mut line = || lines.next().ok_or(NotACheckpoint);
        let (origin, size, root) = (line()?, line()?, line()?);
        let size = size.parse().map_err(|_| NotACheckpoint)?;
        let root = STANDARD.decode(root).ok().and_then(|bytes| bytes.try_into().ok());
        let root = Digest::from_bytes(root.ok_or(NotACheckpoint)?);
        let mut checkpoint = Self::new(origin, TreeHead { size, root })?;
        checkpoint.extensions = lines.map(str::to_owned).collect();
        // `+7` and `007` are numbers, but not sizes; an empty line is no extension.
        let canonical = checkpoint.to_string() == text
            && checkpoint.extensions.iter().all(|extension| !extension.is_empty());
        canonical.then_some(checkpoint).ok_or(NotACheckpoint)
    }

    /// Which trail.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Its size and root.
    pub fn head(&self) -> &TreeHead {
        &self.head
    }

    /// Further lines, kept and not understood.
    pub fn extensions(&self) -> &[String] {
        &self.extensions
    }

    /// Signs this checkpoint.
    ///
    /// # Errors
    /// No keys, or too many.
    pub fn sign(&self, keys: &[&SecretKey]) -> Result<UnverifiedNote, NotANote> {
        note::sign(&self.to_string(), keys)
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, head: TreeHead { size, root }, extensions } = self;
        writeln!(f, "{origin}\n{size}\n{}", STANDARD.encode(root.as_bytes()))?;
        extensions.iter().try_for_each(|extension| writeln!(f, "{extension}"))
    }
}

/// Opens a signed checkpoint of the trail `origin` with the keys that may sign for it.
///
/// # Errors
/// Bytes that are no checkpoint, another trail's, or not signed by one of `keys`.
pub fn open(
    origin: &str,
    keys: &[PublicKey],
    bytes: &[u8],
) -> Result<Checkpoint, CheckpointOpenError> {
    let note = UnverifiedNote::parse(bytes)?;
    // The text is read only after a known key has signed it.
    let checkpoint = Checkpoint::parse(note.open(keys)?.text)?;
    // A key may sign for several trails, so a good signature does not say which one this is.
    checkpoint.check_origin(origin)?;
    Ok(checkpoint)
}

impl Checkpoint {
    /// Checks that this is a checkpoint of the trail `origin`.
    ///
    /// # Errors
    /// It is another trail's.
    pub fn check_origin(&self, origin: &str) -> Result<(), CheckpointOpenError> {
        if self.origin == origin {
            return Ok(());
        }
        Err(CheckpointOpenError::Origin { expected: origin.to_owned(), found: self.origin.clone() })
    }
}

/// Text that is not a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACheckpoint;

impl NotACheckpoint {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        error::not_a_checkpoint()
    }
}

dalil_phrasebook::spoken_error!(NotACheckpoint);

/// Why a checkpoint cannot be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointOpenError {
    /// The bytes are not a signed note.
    Note(NotANote),
    /// The signatures do not hold.
    Signature(note::NoteOpenError),
    /// The note is not a checkpoint.
    Text(NotACheckpoint),
    /// It is about another trail.
    Origin {
        /// The trail that was asked about.
        expected: String,
        /// The trail that it is about.
        found: String,
    },
}

impl CheckpointOpenError {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Note(error) => error.phrase(),
            Self::Signature(error) => error.phrase(),
            Self::Text(error) => error.phrase(),
            Self::Origin { expected, found } => {
                error::checkpoint_of_another_trail(quote(expected), quote(found))
            }
        }
    }
}

dalil_phrasebook::spoken_error!(CheckpointOpenError);

impl From<NotANote> for CheckpointOpenError {
    fn from(error: NotANote) -> Self {
        Self::Note(error)
    }
}

impl From<note::NoteOpenError> for CheckpointOpenError {
    fn from(error: note::NoteOpenError) -> Self {
        Self::Signature(error)
    }
}

impl From<NotACheckpoint> for CheckpointOpenError {
    fn from(error: NotACheckpoint) -> Self {
        Self::Text(error)
    }
}
