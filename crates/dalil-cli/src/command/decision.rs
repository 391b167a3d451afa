//! `dalil decision`: what agents decide, recorded.

use std::path::PathBuf;

use clap::Subcommand;
use dalil::keep::decision;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::keeping::Keeping;
use crate::reply::Reply;

/// Record what an agent decided
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Record a decision, each once, and say whether it needs a pack
    ///
    /// The request is a decision as `dalil policy` takes it, with its `decision_id`.
    Record {
        /// The decision as JSON; `-` reads standard input
        decision: PathBuf,

        #[command(flatten)]
        keeping: Keeping,
    },
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let Action::Record { decision, keeping } = &args.action;
    let (request, deed) = (input::bytes(decision)?, keeping.deed()?);
    let decided = keeping.write(async |tenant| decision::record(tenant, &request, &deed).await)?;
    reply.value(&decided)?;
    Ok(Answer::Holds)
}
