//! Folders for tests, gone when the test is.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use dalil::corpus::{Corpus, CorpusCache};
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil_judge::deep::{DeepAdapter, import};

use self::sample::{SampleAdapter, SampleGguf};

#[path = "../../dalil-judge/src/deep/tests/sample.rs"]
#[expect(dead_code, reason = "the judge's tests use all of it")]
mod sample;

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

    /// The corpus under a name in it, of plain files, for which no process is started.
    pub(crate) fn corpus(&self, name: &str) -> Corpus {
        let reader =
            SandboxReader::new(Path::new("/no/such/program").to_owned(), SandboxLimits::usual());
        let paths = [self.path(name)];
        Corpus::open(&paths, &[], &reader, &CorpusCache::none(), &|_| {}).unwrap()
    }
}

impl Drop for TestCorpusFolder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap_or_default();
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
