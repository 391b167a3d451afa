//! `dalil completions`: a completion script for a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell that will read the script
    shell: Shell,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "dalil", &mut script);
    reply.bytes(&script)?;
    Ok(CommandOutcome::Holds)
}
