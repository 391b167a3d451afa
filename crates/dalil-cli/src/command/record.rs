//! `dalil record`: obligation records, their status changes and their checks.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use dalil_core::json::Json;
use dalil_core::obligation::{package, resolve, status, validate};

use crate::failure::{Answer, Failure};
use crate::input;
use crate::reply::Reply;

mod keep;

/// Package obligations as evidence records, keep them, and check them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Append(keep::Append),
    History(keep::History),
    Missing(keep::Missing),
    /// Make one evidence record for each obligation
    ///
    /// The request is `{"obligations":[…],"documents":{doc_id:…},"verifications":{obligation_id:…},
    /// "amendment_chains":{…}?}`. The reply holds the records in order, every obligation that was
    /// skipped with its reason, and findings.
    Package(File),
    /// Say how obligations stand after their amendments
    ///
    /// The request is `{"chains":{obligation_id:[amendment…]},"obligation_ids":[…]?}`. REPLACE
    /// gives SUPERSEDED; DELETE gives TERMINATED and ends the walk; MODIFY and UNCHANGED stay
    /// ACTIVE; a listed obligation without a chain is UNRESOLVED.
    Resolve(File),
    /// Record a change of status without touching what was recorded before
    ///
    /// The request is `{"obligation_id","old_status","new_status","reason","changed_by_doc_id"?}`.
    Status(File),
    /// Check evidence records for gaps and for missing obligations
    ///
    /// The request is `{"records":[…],"expected_obligation_ids":[…]?}`. Exits with 1 if anything is
    /// missing.
    Validate(File),
}

#[derive(Debug, clap::Args)]
struct File {
    /// The request: a JSON file, or `-` for standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::Append(args) => keep::append(args, reply),
        Action::History(args) => keep::history(args, reply),
        Action::Missing(args) => keep::missing(args, reply),
        Action::Package(File { file }) => read(file, |request| {
            reply.value(&package::package(request)?)?;
            Ok(Answer::Holds)
        }),
        Action::Resolve(File { file }) => read(file, |request| {
            reply.value(&resolve::resolve(request)?)?;
            Ok(Answer::Holds)
        }),
        Action::Status(File { file }) => read(file, |request| {
            reply.value(&status::change(request)?)?;
            Ok(Answer::Holds)
        }),
        Action::Validate(File { file }) => read(file, |request| {
            let validation = validate::validate(request)?;
            reply.value(&validation)?;
            Ok(if validation.valid { Answer::Holds } else { Answer::DoesNotHold })
        }),
    }
}

/// Reads a request and gives it to `act`; replies borrow from it.
fn read(
    file: &Path,
    act: impl FnOnce(&Json<'_>) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let bytes = input::bytes(file)?;
    act(&Json::parse(&bytes)?)
}
