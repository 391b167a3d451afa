//! `dalil index`: documents into a database, to be checked against from anywhere.

use std::path::PathBuf;

use dalil::corpus::{CorpusCache, CorpusProgress};
use dalil::database_corpus::{self, CorpusAddress, UndroppedCorpus};
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil_proof::fault::quote;

use crate::env;
use crate::error::{CliError, CommandOutcome};
use crate::progress::ProgressBar;
use crate::reply::ReplyWriter;

/// Write a corpus to PostgreSQL, to check answers against it
///
/// Reads the documents as `dalil check` does, and writes their chunks, terms and vectors to a
/// database with the extension pgvector. A corpus of the same name is replaced once the new one is
/// complete; checks that already read the old one continue. Everything written can be rebuilt from
/// the documents. The password may come from `PGPASSWORD` or `~/.pgpass` instead of the address
/// (docs/corpora.md).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The documents, files or folders
    #[arg(required_unless_present = "remove", value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The destination: `postgres://USER@HOST/DATABASE#TENANT/CORPUS`
    #[arg(long, value_name = "ADDRESS")]
    into: String,

    /// Remove the corpus instead
    #[arg(long, conflicts_with = "paths")]
    remove: bool,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let address = CorpusAddress::parse(&args.into)?;
    if args.remove {
        tell(&database_corpus::remove(&address)?, reply);
        return Ok(CommandOutcome::Holds);
    }
    let progress = ProgressBar::new(reply);
    let reader = SandboxReader::new(env::itself()?, SandboxLimits::usual());
    let step = |step: CorpusProgress| progress.step("reading", step.done, step.all);
    // The text is in the database; a second copy here would have no use.
    let reading = (&reader, &CorpusCache::none());
    let written = database_corpus::index(&args.paths, &address, reading, &step);
    progress.end();
    let written = written?;
    for unread in &written.unread {
        reply.note(&format!("not read: {}: {}", quote(&unread.name), unread.message));
    }
    tell(&written.undropped, reply);
    reply.value(&written)?;
    Ok(CommandOutcome::Holds)
}

/// Reports tables that could not be dropped: the work is done, but they may still be there.
fn tell(undropped: &[UndroppedCorpus], reply: &ReplyWriter) {
    for UndroppedCorpus { number, message } in undropped {
        let which = match number {
            Some(number) => format!("the tables of corpus {number}"),
            None => "the tables of replaced corpora".to_owned(),
        };
        reply.note(&format!("not dropped: {which}, which the next writer drops: {message}"));
    }
}
