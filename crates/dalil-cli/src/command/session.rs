//! `dalil session`: answers that were checked, and their ledgers.

use clap::Subcommand;
use dalil_service::session;

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::StoreArgs;

/// Show answers that were checked and kept
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: SessionCommand,
}

#[derive(Debug, Subcommand)]
enum SessionCommand {
    /// Show a session: its ledgers, and the newest one whole
    Show {
        /// The session, as `dalil check --save` names it
        session: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let SessionCommand::Show { session, keeping } = &args.action;
    let shown = keeping.read(async |tenant| session::show(tenant, session).await)?;
    reply.value(&shown)?;
    Ok(CommandOutcome::Holds)
}
