//! Chores of the project: `cargo xtask tidy`, `cargo xtask survey`, `cargo xtask numbers FILE`.
//!
//! [`tidy`] holds the house rules that a machine can check, [`survey`] counts what
//! the rules are about, [`numbers`] writes the doubles that `spec/check/numbers.mjs`
//! compares with Node.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

mod defaults;
mod import_graph;
mod items;
mod numbers;
mod source;
mod survey;
mod tidy;
mod tree;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["tidy"] => tidy_repository(),
        ["survey"] => survey_repository(),
        ["numbers", file] => numbers::write(Path::new(file)).map(|()| ExitCode::SUCCESS),
        _ => Err(io::Error::other("expected `tidy`, `survey` or `numbers FILE`")),
    };
    done.unwrap_or_else(|error| {
        // Whoever closed standard error does not want to know.
        writeln!(io::stderr().lock(), "error: {error}").ok();
        ExitCode::from(COULD_NOT_RUN)
    })
}

/// Prints every broken house rule; fails when there is one.
fn tidy_repository() -> io::Result<ExitCode> {
    let problems = tidy::problems(&tree::RepositoryTree::of_repository()?);
    let mut out = io::stdout().lock();
    for problem in &problems {
        writeln!(out, "{problem}")?;
    }
    writeln!(out, "{} problems", problems.len())?;
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the counts of the tree.
fn survey_repository() -> io::Result<ExitCode> {
    let tree = tree::RepositoryTree::of_repository()?;
    write!(io::stdout().lock(), "{}", survey::report(&tree))?;
    Ok(ExitCode::SUCCESS)
}

const COULD_NOT_RUN: u8 = 2;
