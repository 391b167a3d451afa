//! `dalil decision`: records decisions of agents.

use std::path::PathBuf;

use clap::Subcommand;
use dalil_service::decision;
use dalil_service::index::{self, DecisionSummary};

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::StoreArgs;
use crate::store_list::{ListColumns, StoreListArgs, minute};

/// Record decisions of agents, and show recorded ones
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: DecisionCommand,
}

#[derive(Debug, Subcommand)]
enum DecisionCommand {
    /// List recorded decisions, the newest first
    List(StoreListArgs),
    /// Record a decision once, and reply whether it needs a pack
    ///
    /// The request is a decision as `dalil policy` takes it, with its `decision_id`.
    Record {
        /// The decision as JSON; `-` reads standard input
        decision: PathBuf,

        #[command(flatten)]
        keeping: StoreArgs,
    },
    /// Show a recorded decision
    Show {
        /// The id of the decision
        decision: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        DecisionCommand::List(list) => {
            let range = list.range();
            let found = list.keeping.read(async |tenant| index::decisions(tenant, range).await)?;
            list.show(reply, found, DECISION_COLUMNS)?;
        }
        DecisionCommand::Record { decision, keeping } => {
            let (request, request_context) = (input::bytes(decision)?, keeping.request_context()?);
            let decided = keeping
                .write(async |tenant| decision::record(tenant, &request, &request_context).await)?;
            reply.value(&decided)?;
        }
        DecisionCommand::Show { decision, keeping } => {
            let shown = keeping.read(async |tenant| decision::stated(tenant, decision).await)?;
            reply.value(&shown)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

const DECISION_COLUMNS: ListColumns<DecisionSummary, 5> = ListColumns {
    heading: ["decision", "recorded", "classes", "pack", "action"],
    cells: |one| {
        let action = one.action.clone().unwrap_or_else(|| "-".to_owned());
        let classes = one.classes.join(" ");
        let at = minute(&one.created_at);
        [one.decision_id.clone(), at, classes, one.requirement.clone(), action]
    },
};
