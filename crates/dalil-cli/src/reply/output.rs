//! Where an export goes: a file that appears when it is whole, or standard output.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf, is_separator};

use super::visible;
use crate::error::CliError;

/// Where an export goes. It is opened before anything is recorded, so that a place that cannot be
/// written to leaves no record.
#[derive(Debug)]
pub(crate) enum ExportTarget {
    /// Standard output, which is named `-`.
    Standard,
    /// A pipe or a device, which cannot be replaced by a whole file.
    Pipe(File),
    /// A file.
    Whole(UnfinishedFile),
}

/// The content of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportContent {
    /// Text, which a terminal can show.
    Text,
    /// Bytes, which no terminal can.
    Bytes,
}

impl ExportTarget {
    /// Opens the named output.
    ///
    /// # Errors
    /// A folder, a place that cannot be written to, or a terminal for bytes that it cannot show.
    pub(crate) fn open(out: &Path, content: ExportContent) -> Result<Self, CliError> {
        if out == Path::new(STANDARD_OUTPUT) {
            let unseen = content == ExportContent::Bytes && io::stdout().is_terminal();
            return if unseen { Err(CliError::Terminal) } else { Ok(Self::Standard) };
        }
        let failed = |error| CliError::NoFile { path: out.to_owned(), error };
        // A rename would replace a pipe or a device such as `/dev/null` by a file.
        if let Ok(found) = fs::metadata(out)
            && !found.is_dir()
            && !found.is_file()
        {
            return File::options().write(true).open(out).map(Self::Pipe).map_err(failed);
        }
        UnfinishedFile::create(out).map(Self::Whole).map_err(failed)
    }

    /// Whether the export takes the place of the reply.
    pub(crate) const fn is_standard(&self) -> bool {
        matches!(self, Self::Standard)
    }

    /// Writes the next bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            // Text of others must not steer the terminal. Programs get it unchanged.
            Self::Standard if io::stdout().is_terminal() => {
                io::stdout().lock().write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())
            }
            Self::Standard => io::stdout().lock().write_all(bytes),
            Self::Pipe(file) => file.write_all(bytes),
            Self::Whole(part) => part.file.write_all(bytes),
        }
    }

    /// Makes a file appear that was written whole.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        let done = match self {
            Self::Standard => io::stdout().lock().flush(),
            Self::Pipe(mut file) => file.flush(),
            Self::Whole(part) => part.finish(),
        };
        done.map_err(CliError::Write)
    }
}

/// A file that is not whole yet; it goes if it never becomes so.
#[derive(Debug)]
pub(crate) struct UnfinishedFile {
    path: PathBuf,
    out: PathBuf,
    file: BufWriter<File>,
}

impl UnfinishedFile {
    fn create(out: &Path) -> io::Result<Self> {
        let is_folder = out.is_dir() || out.to_string_lossy().ends_with(is_separator);
        let Some(name) = out.file_name().filter(|_| !is_folder) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let mut name = name.to_owned();
        name.push(".part");
        let path = out.with_file_name(name);
        let file = BufWriter::new(File::create(&path)?);
        Ok(Self { path, out: out.to_owned(), file })
    }

    fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        // Data before name: otherwise a crash could leave a short file under the name.
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, &self.out)
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        drop(fs::remove_file(&self.path));
    }
}

const STANDARD_OUTPUT: &str = "-";
