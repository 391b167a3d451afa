//! `dalil record`: obligation records, their status changes and their checks.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use dalil_evidence::obligation::package::{self, ObligationSkipReason};
use dalil_evidence::obligation::{resolve, status, validate};
use dalil_proof::fault::quote;
use dalil_proof::json::Json;
use dalil_service::index::{self, ObligationSummary};
use dalil_service::obligation;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_list::{ListColumns, StoreListArgs, minute};

mod stored;

/// Package obligations as evidence records, store them, and check them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: RecordCommand,
}

#[derive(Debug, Subcommand)]
enum RecordCommand {
    Append(stored::RecordAppendArgs),
    History(stored::RecordHistoryArgs),
    /// List the recorded obligations, the newest first
    List(StoreListArgs),
    Missing(stored::RecordMissingArgs),
    /// Make one evidence record for each obligation
    ///
    /// The request is `{"obligations":[…],"documents":{doc_id:…},"verifications":{obligation_id:…},
    /// "amendment_chains":{…}?}`. The reply holds the records in order, every skipped obligation
    /// with the reason, and findings.
    Package(RecordFileArgs),
    /// Show the status of obligations after their amendments
    ///
    /// The request is `{"chains":{obligation_id:[amendment…]},"obligation_ids":[…]?}`. REPLACE
    /// gives SUPERSEDED; DELETE gives TERMINATED and ends the chain; MODIFY and UNCHANGED stay
    /// ACTIVE; a listed obligation without a chain is UNRESOLVED. With `--stored` the chains come
    /// from the newest evidence in a store, and the request is `{"obligation_ids":[…]?}`.
    Resolve(stored::RecordStoredArgs),
    /// Record a change of status without touching earlier records
    ///
    /// The request is `{"obligation_id","old_status","new_status","reason","changed_by_doc_id"?}`.
    Status(RecordFileArgs),
    /// Check evidence records for gaps and for missing obligations
    ///
    /// The request is `{"records":[…],"expected_obligation_ids":[…]?}`. Exits with 1 if anything is
    /// missing. With `--stored` the records come from a store, and the request is
    /// `{"expected_obligation_ids":[…]?}`.
    Validate(stored::RecordStoredArgs),
}

#[derive(Debug, clap::Args)]
struct RecordFileArgs {
    /// The request: a JSON file, or `-` for standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        RecordCommand::Append(args) => stored::append(args, reply),
        RecordCommand::History(args) => stored::history(args, reply),
        RecordCommand::List(list) => {
            let range = list.range();
            let found =
                list.keeping.read(async |tenant| index::obligations(tenant, range).await)?;
            list.show(reply, found, OBLIGATION_COLUMNS)?;
            Ok(CommandOutcome::Holds)
        }
        RecordCommand::Missing(args) => stored::missing(args, reply),
        RecordCommand::Package(RecordFileArgs { file }) => read(file, |request| {
            let package = package::package(request)?;
            let skips = package.skipped.iter();
            let skips = skips.map(|skip| (skip.obligation_id, &skip.reason));
            tell(reply, package.records.len(), skips);
            reply.value(&package)?;
            Ok(CommandOutcome::Holds)
        }),
        RecordCommand::Resolve(args) if args.stored => stored::resolve(args, reply),
        RecordCommand::Resolve(args) => read(&args.file, |request| {
            reply.value(&resolve::resolve(request)?)?;
            Ok(CommandOutcome::Holds)
        }),
        RecordCommand::Status(RecordFileArgs { file }) => read(file, |request| {
            reply.value(&status::change(request)?)?;
            Ok(CommandOutcome::Holds)
        }),
        RecordCommand::Validate(args) if args.stored => stored::validate(args, reply),
        RecordCommand::Validate(args) => read(&args.file, |request| {
            let validation = validate::validate(request)?;
            reply.value(&validation)?;
            Ok(if validation.valid { CommandOutcome::Holds } else { CommandOutcome::DoesNotHold })
        }),
    }
}

/// Reports how many obligations have no evidence, which ones, and why.
fn tell<'s, 'j: 's>(
    reply: &ReplyWriter,
    recorded: usize,
    skips: impl Iterator<Item = (&'s str, &'s ObligationSkipReason<'j>)> + Clone,
) {
    for (id, reason) in skips.clone() {
        reply.note(&format!("{}: {}", reason.event(), quote(id)));
    }
    reply.note(&obligation::tally(recorded, skips.map(|(_, reason)| reason)));
}

/// Reads a request and gives it to `act`; replies borrow from it.
fn read(
    file: &Path,
    act: impl FnOnce(&Json<'_>) -> Result<CommandOutcome, CliError>,
) -> Result<CommandOutcome, CliError> {
    let bytes = input::bytes(file)?;
    act(&Json::parse(&bytes)?)
}

const OBLIGATION_COLUMNS: ListColumns<ObligationSummary, 5> = ListColumns {
    heading: ["obligation", "recorded", "event", "result", "contract"],
    cells: |one| {
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let at = one.recorded_at.as_deref().map_or_else(|| "-".to_owned(), minute);
        let result = or_dash(&one.verification_result);
        [one.obligation_id.clone(), at, one.event.clone(), result, or_dash(&one.doc_filename)]
    },
};
