//! Obligation records in a store: append, list, find.

use std::io;
use std::path::{Path, PathBuf};

use clap::ArgGroup;
use dalil_proof::json::Json;
use dalil_proof::time::Time;
use dalil_service::bulk::{self, BulkLine, BulkOptions, BulkTally};
use dalil_service::{RequestContext, obligation};
use dalil_store::RecordTime;
use tokio::sync::{mpsc, oneshot};

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::{StoreAccess, StoreArgs, block_on};

/// Record obligations with their evidence, or a change of status
///
/// The request is that of `record package` or that of `record status`. Replies with the index of
/// each record in the trail, once it is durable. With `--lines`, every line of the input is
/// `{"kind":"package"|"status","request":{…},"key"?,"at"?}`: lines are appended in order, many at
/// once, and each gets a line of reply as soon as it is durable.
#[derive(Debug, clap::Args)]
pub(super) struct RecordAppendArgs {
    /// The request: a JSON file, or `-` for standard input
    file: PathBuf,

    /// Take one request from each line
    #[arg(long)]
    lines: bool,

    /// How many lines may wait for their reply at once
    #[arg(long, value_name = "N", requires = "lines", default_value = "256",
        value_parser = clap::value_parser!(u16).range(1..=2048))]
    in_flight: u16,

    #[command(flatten)]
    keeping: StoreArgs,
}

/// Show everything recorded about an obligation
#[derive(Debug, clap::Args)]
pub(super) struct RecordHistoryArgs {
    /// The id of the obligation
    obligation: String,

    /// Show the state at this time
    #[arg(long, value_name = "TIME")]
    as_of: Option<Time>,

    #[command(flatten)]
    keeping: StoreArgs,
}

/// List the expected obligations that have no evidence
///
/// The request is `{"expected_obligation_ids":[…]}`. Exits with 1 if any has none. With `--sign`
/// the reply is a statement over the newest checkpoint, signed with the trail's key, that
/// `dalil verify --trail --expected` verifies offline.
#[derive(Debug, clap::Args)]
pub(super) struct RecordMissingArgs {
    /// The request: a JSON file, or `-` for standard input
    file: PathBuf,

    /// Reply with a signed statement
    #[arg(long)]
    sign: bool,

    #[command(flatten)]
    keeping: StoreArgs,
}

/// A request about records: of the request itself, or of a store.
#[derive(Debug, clap::Args)]
#[command(group(stored_options()))]
pub(super) struct RecordStoredArgs {
    /// The request: a JSON file, or `-` for standard input
    pub(super) file: PathBuf,

    /// Use the records of a store
    #[arg(long)]
    pub(super) stored: bool,

    #[command(flatten)]
    keeping: StoreArgs,
}

/// The options of a store, which mean nothing without one.
fn stored_options() -> ArgGroup {
    let group = ArgGroup::new("of_store").multiple(true).requires("stored");
    group.args(["store", "tenant", "identity", "passphrase_file", "actor", "at", "key", "lake"])
}

pub(super) fn append(
    args: &RecordAppendArgs,
    reply: &ReplyWriter,
) -> Result<CommandOutcome, CliError> {
    let RecordAppendArgs { file, lines, in_flight, keeping } = args;
    if *lines {
        return block_on(stream(file, usize::from(*in_flight), keeping, reply));
    }
    let (request, request_context) = (input::bytes(file)?, keeping.request_context()?);
    if Json::parse(&request)?.get("obligation_id").is_some() {
        let work = async |tenant: &_| obligation::status(tenant, &request, &request_context).await;
        reply.value(&keeping.write(work)?)?;
    } else {
        let work = async |tenant: &_| obligation::package(tenant, &request, &request_context).await;
        let packaged = keeping.write(work)?;
        let skips = packaged.skipped.iter();
        let skips = skips.map(|skip| (skip.obligation_id.as_str(), &skip.reason));
        super::tell(reply, packaged.records.len(), skips);
        reply.value(&packaged)?;
    }
    Ok(CommandOutcome::Holds)
}

/// Appends the lines of a file, and prints an answer for each.
async fn stream(
    file: &Path,
    in_flight: usize,
    keeping: &StoreArgs,
    reply: &ReplyWriter,
) -> Result<CommandOutcome, CliError> {
    let (store, tenant) = keeping.open(StoreAccess::Write).await?;
    let (sender, mut lines) = mpsc::channel(in_flight);
    let (ended, end) = oneshot::channel();
    let path = file.to_owned();
    // A thread of its own: the command does not wait for input when the reply has no reader.
    std::thread::spawn(move || ended.send(read(&path, &sender)));
    let RequestContext { at, time_source, actor, .. } = keeping.request_context()?;
    let now = || RecordTime { at: keeping.now().unwrap_or(at), source: time_source };
    let setup = BulkOptions { actor, now: &now, in_flight };
    let told = bulk::append(&tenant, &mut lines, &setup, &mut |answer| reply.value(answer)).await;
    // Closes the channel, so a reader that waits to send a line ends.
    drop(lines);
    store.close().await?;
    let BulkTally { refused, failed, .. } = told?;
    end.await.unwrap_or_else(|error| Err(CliError::Runtime(io::Error::other(error))))?;
    Ok(match (refused, failed) {
        (0, 0) => CommandOutcome::Holds,
        (_, 0) => CommandOutcome::DoesNotHold,
        (_, _) => CommandOutcome::Incomplete,
    })
}

/// Sends every line that is not empty, until the receiver is gone.
fn read(path: &Path, lines: &mpsc::Sender<BulkLine>) -> Result<(), CliError> {
    let mut input = input::start(path, 0)?.lines(MAX_LINE_BYTES);
    let mut number = 0;
    while let Some(line) = input.read()? {
        number += 1;
        // The reader stops at the limit, so a line of this length may be longer.
        if line.len() == MAX_LINE_BYTES {
            return Err(CliError::TooLarge { path: path.to_owned(), limit: MAX_LINE_BYTES as u64 });
        }
        // Empty lines are skipped, but counted: replies name lines as an editor does.
        let is_empty = line.iter().all(u8::is_ascii_whitespace);
        let line = BulkLine { number, bytes: line.to_vec() };
        if !is_empty && lines.blocking_send(line).is_err() {
            break;
        }
    }
    Ok(())
}

pub(super) fn history(
    args: &RecordHistoryArgs,
    reply: &ReplyWriter,
) -> Result<CommandOutcome, CliError> {
    let RecordHistoryArgs { obligation, as_of, keeping } = args;
    reply.value(
        &keeping.read(async |tenant| obligation::history(tenant, obligation, *as_of).await)?,
    )?;
    Ok(CommandOutcome::Holds)
}

pub(super) fn resolve(
    args: &RecordStoredArgs,
    reply: &ReplyWriter,
) -> Result<CommandOutcome, CliError> {
    let request = input::bytes(&args.file)?;
    let resolved = args.keeping.read(async |tenant| obligation::resolve(tenant, &request).await)?;
    reply.value(&resolved)?;
    Ok(CommandOutcome::Holds)
}

pub(super) fn validate(
    args: &RecordStoredArgs,
    reply: &ReplyWriter,
) -> Result<CommandOutcome, CliError> {
    let request = input::bytes(&args.file)?;
    let found = args.keeping.read(async |tenant| obligation::validate(tenant, &request).await)?;
    reply.value(&found)?;
    Ok(if found.valid { CommandOutcome::Holds } else { CommandOutcome::DoesNotHold })
}

pub(super) fn missing(
    args: &RecordMissingArgs,
    reply: &ReplyWriter,
) -> Result<CommandOutcome, CliError> {
    let expected = obligation::expected(&input::bytes(&args.file)?)?;
    let missing = if args.sign {
        let request_context = args.keeping.request_context()?;
        let work =
            async |tenant: &_| obligation::completeness(tenant, &expected, &request_context).await;
        // Opened for writing: only then is the identity read that opens the signing keys.
        let (statement, envelope) = args.keeping.write(work)?;
        reply.value(&envelope)?;
        statement.missing().len()
    } else {
        let work = async |tenant: &_| obligation::missing(tenant, &expected).await;
        let coverage = args.keeping.read(work)?;
        reply.value(&coverage)?;
        coverage.missing.len()
    };
    Ok(if missing == 0 { CommandOutcome::Holds } else { CommandOutcome::DoesNotHold })
}

/// The most that one line may hold.
const MAX_LINE_BYTES: usize = 16 << 20;
