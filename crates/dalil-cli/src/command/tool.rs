//! `dalil tool`: tool calls of agents, before and after execution.

use std::path::PathBuf;

use clap::Subcommand;
use dalil_service::decision;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::StoreArgs;

/// Record tool calls of agents, before and after execution
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: ToolCommand,
}

#[derive(Debug, Subcommand)]
enum ToolCommand {
    /// Record an intended tool call, or its result
    ///
    /// The request is `{"phase":"intended","tool_call_id","tool_name","intended_action",
    /// "decision_id"?,"agent_name"?,"inputs"?}` before, and `{"phase":"reported","tool_call_id",
    /// "actual_action","outcome","outputs"?,"side_effects"?}` after.
    Record {
        /// The request as JSON; `-` reads standard input
        call: PathBuf,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// Show the calls of a decision in the form that `dalil pack assemble` takes, failures included
    List {
        /// The id of the decision
        decision: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        ToolCommand::Record { call, keeping } => {
            let (request, request_context) = (input::bytes(call)?, keeping.request_context()?);
            let called = keeping
                .write(async |tenant| decision::tool(tenant, &request, &request_context).await)?;
            reply.value(&called)?;
        }
        ToolCommand::List { decision, keeping } => {
            let calls = keeping.read(async |tenant| decision::calls(tenant, decision).await)?;
            reply.value(&calls)?;
        }
    }
    Ok(CommandOutcome::Holds)
}
