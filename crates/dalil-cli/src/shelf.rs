//! Opening the documents that a command was given.

use std::path::{Path, PathBuf};

use dalil::corpus::{self, Cache, Corpus, Identity};
use dalil::reader::{Limits, Reader};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::reply::Reply;

/// The documents under some paths, without the files in `apart`; what was read is kept below
/// `index`, if there is one.
pub(crate) fn open(
    paths: &[PathBuf],
    apart: &[Identity],
    index: Option<&Path>,
    reply: &Reply,
) -> Result<Corpus, Failure> {
    let progress = Progress::new(reply);
    let program = std::env::current_exe().map_err(Failure::Itself)?;
    let reader = Reader::new(program, Limits::usual());
    let cache = index.map_or_else(Cache::none, |folder| Cache::at(folder.join("index")));
    let step = |step: corpus::Progress| progress.step("reading", step.done, step.all);
    let opened = Corpus::open(paths, apart, &reader, &cache, &step);
    progress.end();
    if let (Some(index), Some(why)) = (index, cache.unkept()) {
        let folder = index.display();
        reply.note(&format!("warning: what was read could not be kept in `{folder}`: {why}"));
    }
    Ok(opened?)
}
