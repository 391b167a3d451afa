//! Folders for tests, gone when the test is.

use std::path::{Path, PathBuf};

use dalil::corpus::{Corpus, CorpusCache};
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil_judge::deep::{DeepAdapter, import};

pub(crate) use self::folder::TestCorpusFolder;
use self::sample::{SampleAdapter, SampleGguf};

#[path = "../../dalil/src/scratch/folder.rs"]
mod folder;
#[path = "../../dalil-judge/src/deep/tests/sample.rs"]
#[expect(dead_code, reason = "the judge's tests use all of it")]
mod sample;

impl TestCorpusFolder {
    /// The corpus under a name in it, of plain files, for which no process is started.
    pub(crate) fn corpus(&self, name: &str) -> Corpus {
        let reader =
            SandboxReader::new(Path::new("/no/such/program").to_owned(), SandboxLimits::usual());
        let paths = [self.path(name)];
        Corpus::open(&paths, &[], &reader, &CorpusCache::none(), &|_| {}).unwrap()
    }
}

/// A deep model with random weights, in a folder.
pub(crate) fn deep_file(scratch: &TestCorpusFolder) -> PathBuf {
    let base = SampleGguf::new().bytes();
    let calibration = r#"{"temperature":1,"bias":[0,0,0,0]}"#;
    let adapter = SampleAdapter::of(&base).metadata("calibration", calibration);
    let adapter = DeepAdapter::parse(&adapter.bytes()).unwrap();
    let mut made = Vec::new();
    import(&base, &adapter, &mut made, &|_, _| ()).unwrap();
    scratch.put("judge-deep.model", &made);
    scratch.path("judge-deep.model")
}
