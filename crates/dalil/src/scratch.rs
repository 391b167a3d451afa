//! Folders for tests, gone when the test is.

use std::path::{Path, PathBuf};

use crate::corpus::{Corpus, CorpusCache, CorpusFailure};
use crate::sandbox::{SandboxLimits, SandboxReader};

pub(crate) use self::folder::TestCorpusFolder;

mod folder;

impl TestCorpusFolder {
    /// The corpus under a name in it.
    pub(crate) fn corpus(&self, name: &str) -> Corpus {
        open(&[self.path(name)], &CorpusCache::none()).unwrap()
    }

    /// The text, with `$` for the folder.
    pub(crate) fn hidden(&self, said: &str) -> String {
        said.replace(&*self.0.to_string_lossy(), "$")
    }
}

/// A corpus of plain files, for which no process is started.
pub(crate) fn open(paths: &[PathBuf], cache: &CorpusCache) -> Result<Corpus, CorpusFailure> {
    let reader =
        SandboxReader::new(Path::new("/no/such/program").to_owned(), SandboxLimits::usual());
    Corpus::open(paths, &[], &reader, cache, &|_| {})
}
