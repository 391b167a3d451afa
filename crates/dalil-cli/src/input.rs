//! Reading what a command was given: a file, or standard input for `-`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::AsFd as _;
use std::path::Path;

use dalil::corpus::{Identity, regular};

use crate::failure::Failure;

/// The most that one input may hold.
///
/// Far above any real request; it keeps an endless pipe from filling memory.
const LIMIT: u64 = 1 << 30;

/// All the bytes of `path`.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = |error| Failure::Read { path: path.to_owned(), error };
    if path.as_os_str() == "-" {
        drain(io::stdin().lock(), path)
    } else {
        drain(regular(path).map_err(read)?, path)
    }
}

/// Which file it is that a path names, or that standard input was opened from.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    let known = if path.as_os_str() == "-" {
        io::stdin().as_fd().try_clone_to_owned().and_then(|input| File::from(input).metadata())
    } else {
        fs::metadata(path)
    };
    known.ok().map(|known| Identity::of(&known))
}

fn drain(input: impl Read, path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let taken = input.take(LIMIT + 1).read_to_end(&mut bytes);
    let read = taken.map_err(|error| Failure::Read { path: path.to_owned(), error })?;
    if read as u64 > LIMIT {
        return Err(Failure::TooLarge { path: path.to_owned(), limit: LIMIT });
    }
    Ok(bytes)
}
