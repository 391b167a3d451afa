//! The commands of `dalil`: arguments in, answers out.
//!
//! [`cli`] declares the commands, one file under `command` implements each,
//! [`input`], [`lake`], [`corpus`] and [`reply`] are the only modules that touch files and the
//! terminal, [`view`] shows ledgers, [`store_args`] opens stores, and [`error`] turns errors into
//! messages and exit codes. The rules live in
//! `dalil-proof` and `dalil-evidence`.
//!
//! The program is [`run`]; the Python package has it too, and shares [`library`] with the commands.

use std::ffi::OsString;

use dalil::sandbox::ProgramCommand;

pub use crate::error::CliError;

mod cli;
mod command;
mod corpus;
mod env;
mod error;
mod help;
mod input;
mod lake;
pub mod library;
#[cfg(feature = "live-sql")]
mod live;
mod progress;
mod reply;
mod right_to_left;
mod store_args;
mod store_list;
mod view;

/// Runs a command to its end and returns the exit code; the first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match help::parse(arguments) {
        Ok(cli) => cli,
        Err(error) => return error::usage(&error),
    };
    let reply = reply::ReplyWriter::to_terminal(cli.json, cli.quiet);
    match cli.command.run(&reply) {
        Ok(answer) => answer.into(),
        Err(failure) => reply.failure(&failure),
    }
}

/// Sets the command that starts `dalil` again, where it is not the executable of this process.
///
/// Hostile files are read in processes of their own. The first call decides.
pub fn set_program(command: ProgramCommand) {
    env::set_itself(command);
}
