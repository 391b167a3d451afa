//! `dalil session`: answers that were checked, and their ledgers.

use clap::Subcommand;
use dalil_service::session::{self, SessionSummary};

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::StoreArgs;
use crate::store_list::{ListColumns, StoreListArgs, minute};

/// Show checked and saved answers
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: SessionCommand,
}

#[derive(Debug, Subcommand)]
enum SessionCommand {
    /// List checked answers, the newest first
    List(StoreListArgs),
    /// Show a session: its ledgers, with the newest one in full
    Show {
        /// The id of the session, as `dalil check --save` names it
        session: String,

        #[command(flatten)]
        keeping: StoreArgs,
    },
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        SessionCommand::List(list) => {
            let range = list.range();
            let found = list.keeping.read(async |tenant| session::list(tenant, range).await)?;
            list.show(reply, found, SESSION_COLUMNS)?;
        }
        SessionCommand::Show { session, keeping } => {
            let shown = keeping.read(async |tenant| session::show(tenant, session).await)?;
            reply.value(&shown)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

const SESSION_COLUMNS: ListColumns<SessionSummary, 3> = ListColumns {
    heading: ["session", "opened", "question"],
    cells: |one| {
        let question = one.query.clone().unwrap_or_else(|| "-".to_owned());
        [one.session_id.clone(), minute(&one.created_at), question]
    },
};
