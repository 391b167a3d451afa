//! Bytes of unknown length go to a file and are digested on the way.

use std::fs::File;
use std::io::Write as _;

use dalil_proof::digest::Digest;
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::key::PUT_OBJECT;
use crate::error::Error;

/// Copies a reader into a file, a piece at a time; gives the file back with digest and size.
pub(super) async fn fill(
    mut file: File,
    mut source: impl AsyncRead + Unpin,
    place: &str,
) -> Result<(File, Digest, u64), Error> {
    let (mut hasher, mut size) = (Sha256::new(), 0);
    loop {
        let mut piece = Vec::with_capacity(MAX_SPOOL_CHUNK_BYTES);
        (&mut source).take(MAX_SPOOL_CHUNK_BYTES as u64).read_to_end(&mut piece).await.map_err(
            |error| {
                Error::unavailable(PUT_OBJECT, place)
                    .saw("bytes to keep", error)
                    .hint("nothing was kept")
            },
        )?;
        if piece.is_empty() {
            return Ok((file, Digest::from_bytes(hasher.finalize().into()), size));
        }
        size += piece.len() as u64;
        let place = place.to_owned();
        (file, hasher) = blocking(PUT_OBJECT, move || {
            // Hashed in the same thread: a megabyte of SHA-256 is too long for an async task.
            hasher.update(&piece);
            file.write_all(&piece).map_err(|error| unwritten(&place, &error))?;
            Ok((file, hasher))
        })
        .await?;
    }
}

/// Runs blocking work, such as disk access, in a thread where it may block.
pub(super) async fn blocking<T: Send + 'static>(
    what: &'static str,
    job: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let ended = |error| Error::unavailable(what, "a thread of the program").saw("its end", error);
    tokio::task::spawn_blocking(job).await.map_err(ended)?
}

/// A file that could not be written.
pub(super) fn unwritten(place: &str, error: &std::io::Error) -> Error {
    use std::io::ErrorKind;
    let hint = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space and do it again",
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            "let the user that runs the program write there"
        }
        _ => "look at the disk; nothing was kept, and doing it again is safe",
    };
    Error::unavailable(PUT_OBJECT, place).saw("a place that can be written", error).hint(hint)
}

/// How much is in memory at once.
const MAX_SPOOL_CHUNK_BYTES: usize = 1 << 20;
