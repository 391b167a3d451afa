//! The program `dalil`: arguments in, answers out.
//!
//! [`cli`] says what can be typed, one file under `command` does each thing,
//! [`input`], [`lake`], [`corpus`] and [`reply`] are the only doors to files and terminal, [`view`]
//! shows ledgers, [`store_args`] opens stores, and [`error`] turns errors into messages and exit codes. The rules live in
//! `dalil-proof` and `dalil-evidence`.

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;

mod cli;
mod command;
mod corpus;
mod env;
mod error;
mod input;
mod lake;
#[cfg(feature = "live-sql")]
mod live;
mod progress;
mod reply;
mod store_args;
mod view;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return error::usage(&error),
    };
    let reply = reply::ReplyWriter::to_terminal(cli.json, cli.quiet);
    match cli.command.run(&reply) {
        Ok(answer) => answer.into(),
        Err(failure) => reply.failure(&failure),
    }
}
