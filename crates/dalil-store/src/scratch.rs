//! Folders for tests, gone when the test is.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A folder of its own.
pub(crate) struct StoreTestDir(PathBuf);

impl StoreTestDir {
    #[track_caller]
    pub(crate) fn new() -> Self {
        let mut random = [0; 8];
        getrandom::fill(&mut random).unwrap();
        let name = format!("dalil-store-{}", dalil_proof::digest::hex(&random));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The text, with `$` for the folder.
    pub(crate) fn hidden(&self, said: &str) -> String {
        said.replace(&*self.0.to_string_lossy(), "$")
    }
}

impl Drop for StoreTestDir {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap_or_default();
    }
}

/// Writes a file, and the folders above it.
#[track_caller]
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    File::create(path).unwrap().write_all(bytes).unwrap();
}
