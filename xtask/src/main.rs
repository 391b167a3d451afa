//! Chores of the project: `cargo xtask tidy`, `survey`, `deny`, `sbom` and `numbers FILE`.
//!
//! [`tidy`] checks the house rules, [`survey`] counts names, comments and cycles,
//! [`deny`] checks the dependencies, [`sbom`] lists the contents
//! of the program, [`numbers`] writes the doubles that `spec/check/numbers.mjs` compares
//! with Node.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

mod defaults;
mod deny;
mod import_graph;
mod items;
mod licence;
mod localising;
mod numbers;
mod packages;
mod registry_index;
mod sbom;
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
        ["deny"] => deny_packages(),
        ["sbom"] => print_sbom(),
        ["numbers", file] => numbers::write(Path::new(file)).map(|()| ExitCode::SUCCESS),
        _ => Err(io::Error::other("expected `tidy`, `survey`, `deny`, `sbom` or `numbers FILE`")),
    };
    done.unwrap_or_else(|error| {
        // If standard error is closed, the error is dropped.
        writeln!(io::stderr().lock(), "error: {error}").ok();
        ExitCode::from(COULD_NOT_RUN)
    })
}

/// Prints every broken house rule; fails when there is one.
fn tidy_repository() -> io::Result<ExitCode> {
    print_problems(&tidy::problems(&tree::RepositoryTree::of_repository()?))
}

/// Prints every package that breaks a rule of `deny.toml`; fails when there is one.
fn deny_packages() -> io::Result<ExitCode> {
    let tree = tree::RepositoryTree::of_repository()?;
    let text = tree.text("deny.toml").unwrap_or_default();
    let rules =
        deny::rules(text).map_err(|error| io::Error::other(format!("deny.toml: {error}")))?;
    let graph = packages::PackageGraph::of_repository(&["--all-features"])?;
    let index = registry_index::yanked(&graph, &cargo_home()?)?;
    let (count, unknown) = (graph.packages.len(), index.unknown);
    writeln!(io::stdout().lock(), "{count} packages, {unknown} of them unknown to the index")?;
    print_problems(&[deny::problems(&graph, &rules), index.yanked].concat())
}

/// The folder of cargo: from its variable, or the default.
fn cargo_home() -> io::Result<std::path::PathBuf> {
    // `var_os` is read here, at the edge of a chore; the program reads its environment elsewhere.
    let home = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let usual = || std::env::home_dir().map(|home| home.join(".cargo"));
    home.or_else(usual).ok_or_else(|| io::Error::other("expected a home folder, found none"))
}

fn print_problems(problems: &[String]) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    for problem in problems {
        writeln!(out, "{problem}")?;
    }
    writeln!(out, "{} problems", problems.len())?;
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the bill of materials of the program.
fn print_sbom() -> io::Result<ExitCode> {
    let graph = packages::PackageGraph::of_repository(&[])?;
    let bytes = sbom::document(&graph, &tree::RepositoryTree::of_repository()?)?;
    io::stdout().lock().write_all(&bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the counts of the tree.
fn survey_repository() -> io::Result<ExitCode> {
    let tree = tree::RepositoryTree::of_repository()?;
    write!(io::stdout().lock(), "{}", survey::report(&tree))?;
    Ok(ExitCode::SUCCESS)
}

const COULD_NOT_RUN: u8 = 2;
