//! Folders for tests, gone when the test is.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::corpus::{Corpus, CorpusCache, CorpusFailure};
use crate::sandbox::{SandboxLimits, SandboxReader};

/// A folder of its own.
pub(crate) struct TestCorpusFolder(PathBuf);

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

    /// The corpus under a name in it.
    pub(crate) fn corpus(&self, name: &str) -> Corpus {
        open(&[self.path(name)], &CorpusCache::none()).unwrap()
    }

    /// What was said, with `$` for the folder.
    pub(crate) fn hidden(&self, said: &str) -> String {
        said.replace(&*self.0.to_string_lossy(), "$")
    }
}

impl Drop for TestCorpusFolder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap_or_default();
    }
}

/// A corpus of plain files, for which no process is started.
pub(crate) fn open(paths: &[PathBuf], cache: &CorpusCache) -> Result<Corpus, CorpusFailure> {
    let reader =
        SandboxReader::new(Path::new("/no/such/program").to_owned(), SandboxLimits::usual());
    Corpus::open(paths, &[], &reader, cache, &|_| {})
}
