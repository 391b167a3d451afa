//! The program `dalil`: arguments in, answers out.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(dalil_cli::run(std::env::args_os()))
}
