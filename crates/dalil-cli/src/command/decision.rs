//! `dalil decision`: what agents decide, recorded.

use std::path::PathBuf;

use clap::Subcommand;
use dalil_service::decision;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::StoreArgs;

/// Record what an agent decided
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: DecisionCommand,
}

#[derive(Debug, Subcommand)]
enum DecisionCommand {
    /// Record a decision, each once, and say whether it needs a pack
    ///
    /// The request is a decision as `dalil policy` takes it, with its `decision_id`.
    Record {
        /// The decision as JSON; `-` reads standard input
        decision: PathBuf,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let DecisionCommand::Record { decision, keeping } = &args.action;
    let (request, deed) = (input::bytes(decision)?, keeping.request_context()?);
    let decided = keeping.write(async |tenant| decision::record(tenant, &request, &deed).await)?;
    reply.value(&decided)?;
    Ok(CommandOutcome::Holds)
}
