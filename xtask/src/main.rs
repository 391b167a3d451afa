//! Chores of the project: `cargo xtask tidy`, `cargo xtask numbers FILE`.
//!
//! [`tidy`] holds the house rules that a machine can check, [`numbers`] writes
//! the doubles that `spec/check/numbers.mjs` compares with Node.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

mod numbers;
mod source;
mod tidy;
mod tree;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["tidy"] => tidy_repository(),
        ["numbers", file] => numbers::write(Path::new(file)).map(|()| ExitCode::SUCCESS),
        _ => Err(io::Error::other("expected `tidy` or `numbers FILE`")),
    };
    done.unwrap_or_else(|error| {
        writeln!(io::stderr().lock(), "error: {error}").unwrap_or_default();
        ExitCode::from(COULD_NOT_RUN)
    })
}

/// Prints every broken house rule; fails when there is one.
fn tidy_repository() -> io::Result<ExitCode> {
    let problems = tidy::problems(&tree::Tree::of_repository()?);
    let mut out = io::stdout().lock();
    for problem in &problems {
        writeln!(out, "{problem}")?;
    }
    writeln!(out, "{} problems", problems.len())?;
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const COULD_NOT_RUN: u8 = 2;
