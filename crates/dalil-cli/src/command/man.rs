//! `dalil man`: the manual pages.

use std::path::PathBuf;

use clap::CommandFactory as _;

use crate::cli::Cli;
use crate::error::{CliError, CommandOutcome};

/// Write the manual pages to a folder, one for each command
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder, created if it is missing; for example `/usr/local/share/man/man1`
    folder: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<CommandOutcome, CliError> {
    // The same command that parses: the pages have the text of `--help`.
    std::fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder))
        .map_err(CliError::Write)?;
    Ok(CommandOutcome::Holds)
}
