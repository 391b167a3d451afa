//! Opening the documents that a command was given.

use std::path::{Path, PathBuf};

use dalil::corpus::{self, Cache, Corpus};
use dalil::reader::{Limits, Reader};

use crate::failure::Failure;
use crate::progress::Progress;

/// The documents under some paths; what was read is kept below `index`, if there is one.
pub(crate) fn open(
    paths: &[PathBuf],
    index: Option<&Path>,
    progress: &Progress,
) -> Result<Corpus, Failure> {
    let program = std::env::current_exe().map_err(Failure::Itself)?;
    let reader = Reader::new(program, Limits::usual());
    let cache = index.map_or_else(Cache::none, |folder| Cache::at(folder.join("index")));
    let step = |step: corpus::Progress| progress.step("reading", step.done, step.all);
    Ok(Corpus::open(paths, &reader, &cache, &step)?)
}
