//! Opening the documents that a command was given.

use std::path::{Path, PathBuf};

use dalil::corpus::{self, Corpus, CorpusCache, FileIdentity};
use dalil::sandbox::{SandboxLimits, SandboxReader};

use crate::env;
use crate::error::CliError;
use crate::progress::ProgressBar;
use crate::reply::ReplyWriter;

/// The documents under some paths, without the files in `apart`; what was read is kept below
/// `index`, if there is one.
pub(crate) fn open(
    paths: &[PathBuf],
    apart: &[FileIdentity],
    index: Option<&Path>,
    reply: &ReplyWriter,
) -> Result<Corpus, CliError> {
    let progress = ProgressBar::new(reply);
    let reader = SandboxReader::new(env::itself()?, SandboxLimits::usual());
    let cache =
        index.map_or_else(CorpusCache::none, |folder| CorpusCache::at(folder.join("index")));
    let step = |step: corpus::CorpusProgress| progress.step("reading", step.done, step.all);
    let opened = Corpus::open(paths, apart, &reader, &cache, &step);
    // Before notes and errors are written, or they would follow the bar on the same line.
    progress.end();
    if let (Some(index), Some(why)) = (index, cache.unkept()) {
        let folder = index.display();
        reply.note(&format!("warning: what was read could not be kept in `{folder}`: {why}"));
    }
    Ok(opened?)
}
