//! Compressed packages of files, unpacked no further than a document can need.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use super::encoding::decode;
use super::format::UnreadableFile;

/// A package whose files can be read until they unpack to too many bytes.
#[derive(Debug)]
pub(super) struct OfficePackage<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    left: u64,
}

impl<'b> OfficePackage<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, UnreadableFile> {
        let damaged = |_| {
            let found = "expected a sound package, found one whose list of files is damaged";
            UnreadableFile::new(found, Some("copy the file again, or save it anew"))
        };
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        if zip.len() > MAX_FILES {
            let found = format!("expected at most {MAX_FILES} files in it, found {}", zip.len());
            return Err(UnreadableFile::new(found, None));
        }
        Ok(Self { zip, left: MAX_UNPACKED_TOTAL_BYTES })
    }

    /// The text of a file; nothing when there is no such file.
    ///
    /// # Errors
    /// A file that is damaged, or unpacks to more than a document can need.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, UnreadableFile> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let mut bytes = Vec::new();
        self.unpack(index, &mut bytes)?;
        Ok(Some(decode(&bytes).text))
    }

    /// Unpacks every file and forgets it, so that another parser can be let in. A sheet may have
    /// the name of a picture, so that a name does not tell which files the parser will unpack.
    pub(super) fn measure(mut self) -> Result<(), UnreadableFile> {
        for index in 0..self.zip.len() {
            self.unpack(index, &mut Vec::new())?;
        }
        Ok(())
    }

    fn unpack(&mut self, index: usize, bytes: &mut Vec<u8>) -> Result<(), UnreadableFile> {
        let file = self.zip.by_index(index).map_err(|error| damaged(&error.to_string()))?;
        let packed = file.compressed_size();
        // A declared size may be false, so the unpacked bytes are counted.
        let most = MAX_UNPACKED_FILE_BYTES
            .min(self.left)
            .min(MIN_UNPACK_ALLOWANCE_BYTES.max(packed.saturating_mul(MAX_COMPRESSION_RATIO)));
        // One byte more than allowed distinguishes a file at its limit from one beyond it.
        let taken = file.take(most + 1).read_to_end(bytes);
        let size = bytes.len() as u64;
        // Also for a file that is refused below: its bytes were unpacked all the same.
        self.left = self.left.saturating_sub(size);
        if size > most {
            let found = format!("expected a file that unpacks to at most {most} bytes, found more");
            return Err(UnreadableFile::new(found, Some("it may be made to exhaust memory")));
        }
        taken.map(drop).map_err(|error| damaged(&error.to_string()))
    }
}

fn damaged(error: &str) -> UnreadableFile {
    let found = format!("expected a sound package, found one with a damaged file: {error}");
    UnreadableFile::new(found, Some("copy the file again, or save it anew"))
}

const MAX_FILES: usize = 10_000;
const MAX_UNPACKED_FILE_BYTES: u64 = 128 << 20;
const MAX_UNPACKED_TOTAL_BYTES: u64 = 256 << 20;
/// Markup packs to a fiftieth at most times; a bomb to a thousandth.
const MAX_COMPRESSION_RATIO: u64 = 250;
/// The size that every file may unpack to, whatever its ratio.
const MIN_UNPACK_ALLOWANCE_BYTES: u64 = 4 << 20;
