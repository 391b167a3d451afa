//! `dalil tool`: what agents did, before and after.

use std::path::PathBuf;

use clap::Subcommand;
use dalil::keep::decision;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::keeping::Keeping;
use crate::reply::Reply;

/// Record what an agent is about to do with a tool, and what it did
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Record that a tool is about to be used, or what became of it
    ///
    /// The request is `{"phase":"intended","tool_call_id","tool_name","intended_action",
    /// "decision_id"?,"agent_name"?,"inputs"?}` before, and `{"phase":"reported","tool_call_id",
    /// "actual_action","outcome","outputs"?,"side_effects"?}` after.
    Record {
        /// The request as JSON; `-` reads standard input
        call: PathBuf,

        #[command(flatten)]
        keeping: Keeping,
    },
    /// Show the calls of a decision as `dalil pack assemble` takes them, failures included
    List {
        /// The decision
        decision: String,

        #[command(flatten)]
        keeping: Keeping,
    },
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::Record { call, keeping } => {
            let (request, deed) = (input::bytes(call)?, keeping.deed()?);
            let called =
                keeping.write(async |tenant| decision::tool(tenant, &request, &deed).await)?;
            reply.value(&called)?;
        }
        Action::List { decision, keeping } => {
            let calls = keeping.read(async |tenant| decision::calls(tenant, decision).await)?;
            reply.value(&calls)?;
        }
    }
    Ok(Answer::Holds)
}
