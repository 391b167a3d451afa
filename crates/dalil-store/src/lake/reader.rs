//! The bytes of an object on their way out.

use std::fs::File;
use std::io::Read as _;

use bytes::Bytes;
use dalil_proof::digest::Digest;
#[cfg(feature = "s3")]
use futures_util::StreamExt as _;
#[cfg(feature = "s3")]
use futures_util::stream::BoxStream;
use sha2::{Digest as _, Sha256};

use super::key::READ_OBJECT;
use super::object::LakeObjectState;
use crate::error::Error;

/// The bytes of an object, not checked before the last of them.
///
/// Do nothing with them that cannot be undone until [`UncheckedReader::next`] has returned `None`:
/// only then do they have the requested digest.
pub struct UncheckedReader {
    source: ObjectByteSource,
    hasher: Sha256,
    size: u64,
    expected: Digest,
    place: String,
}

/// Where the pieces come from.
pub(super) enum ObjectByteSource {
    File(Option<File>),
    #[cfg(feature = "s3")]
    Stream(BoxStream<'static, Result<Bytes, Error>>),
}

impl UncheckedReader {
    pub(super) fn new(source: ObjectByteSource, expected: Digest, place: String) -> Self {
        Self { source, hasher: Sha256::new(), size: 0, expected, place }
    }

    /// The next piece; `None` when all were given and had the right digest.
    ///
    /// # Errors
    /// Damaged: all were given, and they have another digest. Unavailable: the
    /// object cannot be read on.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        match self.pull().await? {
            Some(chunk) => Ok(Some(chunk)),
            None => match self.state() {
                LakeObjectState::Altered { found, size } => {
                    Err(Error::damaged(READ_OBJECT, &self.place)
                        .saw("bytes of that digest", format!("{size} bytes of `{found}`"))
                        .hint(RESTORE_HINT))
                }
                LakeObjectState::Whole { .. }
                | LakeObjectState::Missing
                | LakeObjectState::Strange => Ok(None),
            },
        }
    }

    async fn pull(&mut self) -> Result<Option<Bytes>, Error> {
        let chunk = match &mut self.source {
            ObjectByteSource::File(file) => read(file, &self.place).await?,
            #[cfg(feature = "s3")]
            ObjectByteSource::Stream(stream) => stream.next().await.transpose()?,
        };
        if let Some(chunk) = &chunk {
            self.hasher.update(chunk);
            self.size += chunk.len() as u64;
        }
        Ok(chunk)
    }

    /// The state of the object, once every piece was pulled.
    fn state(&self) -> LakeObjectState {
        // A copy, since `next` may be called again after the end.
        let found = Digest::from_bytes(self.hasher.clone().finalize().into());
        let size = self.size;
        if found == self.expected {
            LakeObjectState::Whole { size }
        } else {
            LakeObjectState::Altered { found, size }
        }
    }
}

impl std::fmt::Debug for UncheckedReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "UncheckedReader({})", self.place)
    }
}

/// The entry under an object's name.
pub(super) enum OpenedObject {
    Object(UncheckedReader),
    Missing,
    /// A link, a folder or a device.
    Strange,
}

impl OpenedObject {
    /// The object to read.
    pub(super) fn reader(self, place: String) -> Result<UncheckedReader, Error> {
        let found = match self {
            Self::Object(reader) => return Ok(reader),
            Self::Missing => "none",
            Self::Strange => "something that is no file",
        };
        Err(Error::damaged(READ_OBJECT, place).saw("an object", found).hint(RESTORE_HINT))
    }

    /// Reads all and returns the state of the object.
    pub(super) async fn state(self) -> Result<LakeObjectState, Error> {
        match self {
            Self::Object(mut reader) => {
                while reader.pull().await?.is_some() {}
                Ok(reader.state())
            }
            Self::Missing => Ok(LakeObjectState::Missing),
            Self::Strange => Ok(LakeObjectState::Strange),
        }
    }
}

/// Reads a piece in a thread that may wait, and gives the file back for the next.
async fn read(slot: &mut Option<File>, place: &str) -> Result<Option<Bytes>, Error> {
    let Some(mut file) = slot.take() else { return Ok(None) };
    let place = place.to_owned();
    let (file, chunk) = super::spool::blocking(READ_OBJECT, move || {
        let mut chunk = Vec::with_capacity(MAX_READ_CHUNK_BYTES);
        let read = (&mut file).take(MAX_READ_CHUNK_BYTES as u64).read_to_end(&mut chunk);
        read.map_err(|error| {
            Error::unavailable(READ_OBJECT, place).saw("a file that can be read", error)
        })?;
        Ok((file, chunk))
    })
    .await?;
    if chunk.is_empty() {
        return Ok(None);
    }
    *slot = Some(file);
    Ok(Some(chunk.into()))
}

const RESTORE_HINT: &str =
    "restore the object from a backup of the lake; `dalil fsck` lists every one";
/// How much of a file is read at once.
const MAX_READ_CHUNK_BYTES: usize = 1 << 20;
