//! `dalil session`: answers that were checked, and their ledgers.

use clap::Subcommand;
use dalil::keep::session;

use crate::failure::{Answer, Failure};
use crate::keeping::Keeping;
use crate::reply::Reply;

/// Show answers that were checked and kept
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show a session: its ledgers, and the newest one whole
    Show {
        /// The session, as `dalil check --save` names it
        session: String,

        #[command(flatten)]
        keeping: Keeping,
    },
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let Action::Show { session, keeping } = &args.action;
    let shown = keeping.read(async |tenant| session::show(tenant, session).await)?;
    reply.value(&shown)?;
    Ok(Answer::Holds)
}
