//! Opening the documents that a command was given.

use std::path::{Path, PathBuf};

use dalil::corpus::{self, Corpus, CorpusCache, FileIdentity};
#[cfg(feature = "live-sql")]
use dalil::database_corpus::{CorpusAddress, DatabaseCorpus};
use dalil::sandbox::{SandboxLimits, SandboxReader};

use crate::env;
use crate::error::CliError;
use crate::progress::ProgressBar;
use crate::reply::ReplyWriter;

/// The corpus that answers are checked against.
#[derive(Debug)]
pub(crate) enum CheckCorpus {
    /// Files, or the chunks that an application retrieved.
    Here(Box<Corpus>),
    /// A corpus in a database, of which each answer gets the chunks that may be about its claims.
    #[cfg(feature = "live-sql")]
    Database(Box<DatabaseCorpus>),
}

impl CheckCorpus {
    /// Does something with the documents for an answer.
    pub(crate) fn with<T>(
        &mut self,
        #[cfg_attr(not(feature = "live-sql"), expect(unused_variables, reason = "all are here"))]
        (answer, question): (&str, Option<&str>),
        work: impl FnOnce(&Corpus) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        match self {
            Self::Here(corpus) => work(corpus),
            #[cfg(feature = "live-sql")]
            Self::Database(corpus) => work(&corpus.select(answer, question)?),
        }
    }

    /// The documents, for an option that needs them all.
    pub(crate) fn here(
        &self,
        #[cfg_attr(not(feature = "live-sql"), expect(unused_variables, reason = "all are here"))]
        option: &'static str,
    ) -> Result<&Corpus, CliError> {
        match self {
            Self::Here(corpus) => Ok(corpus),
            #[cfg(feature = "live-sql")]
            Self::Database(_) => Err(CliError::NotHere { option }),
        }
    }

    /// Where the file of a document is.
    pub(crate) fn path(&self, name: &str) -> Option<&Path> {
        match self {
            Self::Here(corpus) => corpus.path(name),
            #[cfg(feature = "live-sql")]
            Self::Database(_) => None,
        }
    }
}

/// The corpus in a database that was given in place of files, if one was.
#[cfg(feature = "live-sql")]
pub(crate) fn database(paths: &[PathBuf]) -> Result<Option<CorpusAddress>, CliError> {
    let is_meant = |path: &PathBuf| path.to_str().is_some_and(CorpusAddress::is_meant);
    match paths {
        [only] if is_meant(only) => {
            // A path that is not text has no address in it.
            Ok(only.to_str().map(CorpusAddress::parse).transpose()?)
        }
        // Never shown: an address may hold a password.
        _ if paths.iter().any(is_meant) => Err(CliError::ManyCorpora),
        _ => Ok(None),
    }
}

/// The documents under some paths, without the files in `apart`; their text is cached below
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
