//! Reads the input of a command: a file, or standard input for `-`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::os::fd::AsFd as _;
use std::path::Path;

use dalil::corpus::{FileIdentity, regular};

use crate::error::CliError;

/// The most that one input may hold.
///
/// Far above any real request; it keeps an endless pipe from filling memory.
const MAX_INPUT_BYTES: u64 = 1 << 30;

/// All the bytes of `path`.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    drain(open(path)?, path)
}

/// The first line of a file that holds a secret, without the space around it.
#[cfg(feature = "serve")]
pub(crate) fn first_line(path: &Path) -> Result<String, CliError> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|error| CliError::Read { path: path.to_owned(), error })?;
    Ok(text.lines().next().unwrap_or("").trim().to_owned())
}

/// An input whose first bytes are known.
pub(crate) struct PeekedInput<'p> {
    path: &'p Path,
    start: Vec<u8>,
    rest: Box<dyn Read>,
}

/// Opens `path` and reads its first `length` bytes, which tell its kind.
pub(crate) fn start(path: &Path, length: usize) -> Result<PeekedInput<'_>, CliError> {
    let (mut rest, mut start) = (open(path)?, Vec::with_capacity(length));
    let taken = rest.by_ref().take(length as u64).read_to_end(&mut start);
    taken.map_err(|error| CliError::Read { path: path.to_owned(), error })?;
    Ok(PeekedInput { path, start, rest })
}

impl<'p> PeekedInput<'p> {
    /// The first bytes.
    pub(crate) fn first(&self) -> &[u8] {
        &self.start
    }

    /// All the bytes.
    pub(crate) fn bytes(self) -> Result<Vec<u8>, CliError> {
        drain(Cursor::new(self.start).chain(self.rest), self.path)
    }

    /// The lines, each with its line end; a longer one than `limit` comes in parts.
    pub(crate) fn lines(self, limit: usize) -> InputLines<'p> {
        let reader: Box<dyn Read> = Box::new(Cursor::new(self.start).chain(self.rest));
        InputLines {
            path: self.path,
            reader: BufReader::with_capacity(READ_BUFFER_BYTES, reader),
            limit,
            line: Vec::new(),
        }
    }
}

/// The lines of an input, of which one at a time is in memory.
pub(crate) struct InputLines<'p> {
    path: &'p Path,
    reader: BufReader<Box<dyn Read>>,
    limit: usize,
    line: Vec<u8>,
}

impl InputLines<'_> {
    /// The next line; `None` at the end.
    pub(crate) fn read(&mut self) -> Result<Option<&[u8]>, CliError> {
        self.line.clear();
        // A hostile file may have no line end at all.
        let taken = self.reader.by_ref().take(self.limit as u64).read_until(b'\n', &mut self.line);
        taken.map_err(|error| CliError::Read { path: self.path.to_owned(), error })?;
        Ok((!self.line.is_empty()).then_some(self.line.as_slice()))
    }
}

fn open(path: &Path) -> Result<Box<dyn Read>, CliError> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let file = regular(path).map_err(|error| CliError::Read { path: path.to_owned(), error })?;
    Ok(Box::new(file))
}

/// Which file it is that a path names, or that standard input was opened from.
pub(crate) fn identity(path: &Path) -> Option<FileIdentity> {
    let known = if path.as_os_str() == "-" {
        // A duplicate of the descriptor: dropping the file must not close standard input.
        io::stdin().as_fd().try_clone_to_owned().and_then(|input| File::from(input).metadata())
    } else {
        fs::metadata(path)
    };
    known.ok().map(|known| FileIdentity::of(&known))
}

fn drain(input: impl Read, path: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let taken = input.take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes);
    let read = taken.map_err(|error| CliError::Read { path: path.to_owned(), error })?;
    if read as u64 > MAX_INPUT_BYTES {
        return Err(CliError::TooLarge { path: path.to_owned(), limit: MAX_INPUT_BYTES });
    }
    Ok(bytes)
}

/// How much of an input is read at once.
const READ_BUFFER_BYTES: usize = 1 << 17;
