//! `dalil pack`: the evidence of one decision.

use std::path::PathBuf;

use clap::Subcommand;
use dalil_core::pack;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::reply::Reply;

/// Put together the evidence of a decision
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Assemble(Assemble),
}

/// Assemble a pack from a decision, its tool calls, its prompts and a memo
///
/// Reads `{"decision": {…}, "tool_calls": […], "prompts": […], "memo": {…},
/// "ledger"?, "pack_id", "created_at", …}` and prints the pack, unsigned. If a
/// rule is broken, prints every fault with its path and exits with 1. See
/// spec/pack.md.
#[derive(Debug, clap::Args)]
struct Assemble {
    /// The request, as a JSON file; `-` reads standard input
    request: PathBuf,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.command {
        Command::Assemble(Assemble { request }) => {
            reply.value(&pack::assemble(&input::bytes(request)?)?)?;
            Ok(Answer::Holds)
        }
    }
}
