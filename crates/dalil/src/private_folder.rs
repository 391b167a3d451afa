//! A private folder of copies, which can be cleared while it is written to.
//!
//! Erased data must not come back: a writer that began before the folder was
//! cleared writes nothing to it any more.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[cfg(test)]
mod tests;

/// A folder, which is made when it is needed.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    path: PathBuf,
    /// How often it was cleared.
    clearings: Mutex<u64>,
}

/// How often a folder had been cleared when a reader began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FolderEpoch(u64);

impl PrivateFolder {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, clearings: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is now: to be asked for before anything is read that is written here.
    pub(crate) fn epoch(&self) -> FolderEpoch {
        FolderEpoch(*self.clearings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes a file whole or not at all; nothing where the folder was cleared since.
    pub(crate) fn write(&self, since: FolderEpoch, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        self.put(since, name, parts, |_| Ok(()))
    }

    /// As [`Self::write`]; when this returns, the file is on the disk.
    pub(crate) fn write_durably(
        &self,
        since: FolderEpoch,
        name: &str,
        bytes: &[u8],
    ) -> io::Result<()> {
        self.put(since, name, &[bytes], File::sync_all)
    }

    fn put(
        &self,
        since: FolderEpoch,
        name: &str,
        parts: &[&[u8]],
        end: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<()> {
        // Held while the file is written: a clearing waits, and removes it.
        let clearings = self.clearings.lock().unwrap_or_else(PoisonError::into_inner);
        if FolderEpoch(*clearings) != since {
            return Ok(());
        }
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path)?;
        let path = self.path.join(name);
        // Written elsewhere and renamed: a file under its name is always whole.
        let part = path.with_extension(format!("{}.part", std::process::id()));
        let mut new = File::options();
        let written = new
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&part)
            .and_then(|mut file| {
                parts.iter().try_for_each(|bytes| file.write_all(bytes))?;
                end(&file)
            })
            .and_then(|()| fs::rename(&part, path));
        if written.is_err() {
            drop(fs::remove_file(&part));
        }
        written
    }

    /// Deletes everything, and stops readers that have begun from writing theirs.
    ///
    /// # Errors
    /// The first file that cannot be removed; the others are.
    pub(crate) fn clear(&self) -> io::Result<()> {
        let mut clearings = self.clearings.lock().unwrap_or_else(PoisonError::into_inner);
        *clearings += 1;
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        let mut cleared = Ok(());
        for entry in entries {
            let removed = entry.and_then(|entry| fs::remove_file(entry.path()));
            cleared = cleared.and(removed);
        }
        cleared
    }
}
