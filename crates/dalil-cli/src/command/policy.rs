//! `dalil policy`: whether a decision needs a pack, and why.

use std::path::PathBuf;

use dalil_evidence::policy;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;

/// Say whether a decision needs a pack, who must approve it, and why
///
/// Reads a decision as JSON. Every field is optional, but a class that is
/// missing counts as the strictest, unless `action_type` names a known type of
/// action. Replies with the requirement (mandatory, recommended or skip), every
/// reason for it, the number of approvers, and every routing rule that applies.
/// See spec/pack.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The decision, as a JSON file; `-` reads standard input
    decision: PathBuf,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    reply.value(&policy::assess(&input::bytes(&args.decision)?)?)?;
    Ok(CommandOutcome::Holds)
}
