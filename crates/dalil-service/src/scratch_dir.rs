//! The private folder of a server, for uploads and for caches of parsed documents.
//!
//! No other user of the machine can open it, its name is unpredictable, and the next server to
//! start deletes the leftovers of one that was killed.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dalil_proof::digest::hex;

#[cfg(test)]
mod tests;

/// A folder that lasts as long as this.
#[derive(Debug)]
pub struct ScratchDir {
    path: PathBuf,
    /// Locked as long as the process lives, however it ends.
    #[expect(dead_code, reason = "held for its lock")]
    lock: File,
}

impl ScratchDir {
    /// Makes a folder in another one, and removes those that dead servers left there.
    ///
    /// # Errors
    /// The folder cannot be made, or another user could exchange its content.
    pub fn make(parent: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(PRIVATE_DIR_MODE).create(parent)?;
        let about = fs::metadata(parent)?;
        if about.mode() & OTHERS_WRITE != 0 && about.mode() & STICKY == 0 {
            let parent = parent.display();
            return Err(io::Error::other(format!(
                "expected a scratch folder that only its owner can write to, found {parent}"
            )));
        }
        let mut name = [0; 16];
        getrandom::fill(&mut name).map_err(io::Error::other)?;
        let path = parent.join(format!("{SCRATCH_PREFIX}{}", hex(&name)));
        // An attacker who knew the name could have made it first: then it is refused.
        DirBuilder::new().mode(PRIVATE_DIR_MODE).create(&path)?;
        let own = fs::metadata(&path)?.uid();
        // The owner of a folder can exchange its content, whatever its mode; root can anyway.
        if ![own, ROOT_USER].contains(&about.uid()) {
            drop(fs::remove_dir_all(&path));
            let (parent, found) = (parent.display(), about.uid());
            return Err(io::Error::other(format!(
                "expected a scratch folder of this user, {own}, or of root, found {parent}, which \
                 is of user {found}"
            )));
        }
        let lock = lock(&path)?;
        sweep(parent, own);
        Ok(Self { path, lock })
    }

    /// Removes what dead servers left in a private folder.
    pub fn sweep(parent: &Path) {
        if let Ok(about) = fs::metadata(parent) {
            sweep(parent, about.uid());
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // Anything left behind is deleted when the next server starts.
        drop(fs::remove_dir_all(&self.path));
    }
}

/// Makes the lock of a folder: it is held before it has the name by which others look for it.
fn lock(folder: &Path) -> io::Result<File> {
    let new = folder.join(NEW_LOCK_FILE);
    let lock =
        OpenOptions::new().write(true).create_new(true).mode(PRIVATE_FILE_MODE).open(&new)?;
    lock.lock()?;
    fs::rename(new, folder.join(LOCK_FILE))?;
    Ok(lock)
}

/// Removes the folders of servers of this user that live no longer.
fn sweep(parent: &Path, user: u32) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().map(|name| name.to_string_lossy());
        let is_scratch = name.is_some_and(|name| name.starts_with(SCRATCH_PREFIX));
        // A folder of another user may hold anything, such as a lock that never opens.
        let about = fs::symlink_metadata(&path);
        let is_ours = about.is_ok_and(|about| {
            about.is_dir() && about.uid() == user && is_scratch && is_dead(&path, &about)
        });
        if is_ours {
            drop(fs::remove_dir_all(&path));
        }
    }
}

/// Whether no process holds the lock of a folder. One that has none yet is being made.
fn is_dead(path: &Path, about: &Metadata) -> bool {
    match File::open(path.join(LOCK_FILE)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(_) => {
            let age = about.modified().ok().and_then(|made| made.elapsed().ok());
            age.is_some_and(|age| age > MAX_SETUP_TIME)
        }
    }
}

const SCRATCH_PREFIX: &str = "dalil-serve-";
const LOCK_FILE: &str = "lock";
const NEW_LOCK_FILE: &str = "lock.new";
const ROOT_USER: u32 = 0;
/// A folder that only its owner can open.
pub const PRIVATE_DIR_MODE: u32 = 0o700;
/// A file that only its owner can open.
pub const PRIVATE_FILE_MODE: u32 = 0o600;
const OTHERS_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;
/// A folder gets its lock at once; a minute is more than any machine needs.
const MAX_SETUP_TIME: Duration = Duration::from_secs(60);
