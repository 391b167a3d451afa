//! Files that are being written.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use dalil_proof::digest::hex;
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::enter;

/// A file of one writer; gone when dropped, unless it was given a name.
///
/// Its writer holds a lock on it, by which a sweep knows that it is no leftover.
#[derive(Debug)]
pub(super) struct ObjectTempFile {
    pub(super) file: File,
    folder: OwnedFd,
    /// Empty once the file has another name.
    name: String,
}

impl ObjectTempFile {
    /// Makes one in the lake's folder of parts.
    pub(super) fn create(root: &OwnedFd) -> io::Result<Self> {
        match rustix::fs::mkdirat(root, TEMP_FILES_FOLDER, Mode::from_raw_mode(0o700)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let folder = enter(root, TEMP_FILES_FOLDER)?;
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let name = hex(&random);
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // Read-only from the start: this descriptor may still write, and later ones may not.
        let file = rustix::fs::openat(&folder, name.as_str(), flags, Mode::from_raw_mode(0o400))?;
        let part = Self { file: File::from(file), folder, name };
        // A sweep between these two calls takes the part away; the move then
        // fails, and the put with it.
        rustix::fs::flock(&part.file, FlockOperation::NonBlockingLockExclusive)?;
        Ok(part)
    }

    /// Gives the file its name, unless something has it.
    pub(super) fn rename(mut self, above: &OwnedFd, name: &str) -> io::Result<()> {
        let from = self.name.as_str();
        // `NOREPLACE`: an object that is there is never overwritten, not even with its own bytes.
        rustix::fs::renameat_with(&self.folder, from, above, name, RenameFlags::NOREPLACE)?;
        self.name.clear();
        Ok(())
    }
}

impl Drop for ObjectTempFile {
    fn drop(&mut self) {
        if !self.name.is_empty() {
            // A leftover is swept later.
            rustix::fs::unlinkat(&self.folder, self.name.as_str(), AtFlags::empty())
                .unwrap_or_default();
        }
    }
}

/// Removes the parts that no writer has open.
pub(super) fn sweep(root: &OwnedFd) -> io::Result<u64> {
    let folder = match enter(root, TEMP_FILES_FOLDER) {
        Ok(folder) => folder,
        Err(Errno::NOENT) => return Ok(0),
        Err(error) => return Err(error.into()),
    };
    let mut swept = 0;
    for entry in rustix::fs::Dir::read_from(&folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        // A pipe here must not make the sweep wait.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        match rustix::fs::openat(&folder, name, flags, Mode::empty()) {
            Ok(file) if is_written(&file)? => continue,
            Err(Errno::NOENT) => continue,
            // An entry that cannot be opened, such as a link, is no writer's part.
            Ok(_) | Err(_) => rustix::fs::unlinkat(&folder, name, AtFlags::empty())?,
        }
        swept += 1;
    }
    rustix::fs::fsync(&folder)?;
    Ok(swept)
}

fn is_written(file: &OwnedFd) -> io::Result<bool> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(false),
        Err(Errno::WOULDBLOCK) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// No tenant has a name with a dot.
pub(super) const TEMP_FILES_FOLDER: &str = ".part";
