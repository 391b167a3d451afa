//! A folder of a test.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;

/// A folder of its own, gone when the test is.
pub(crate) struct TestCorpusFolder(pub(super) PathBuf);

impl TestCorpusFolder {
    /// A folder with these files.
    #[track_caller]
    pub(crate) fn with(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = std::env::temp_dir().join(format!("dalil-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let scratch = Self(folder.canonicalize().unwrap());
        for (name, bytes) in files {
            scratch.put(name, bytes);
        }
        scratch
    }

    #[track_caller]
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TestCorpusFolder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap_or_default();
    }
}
