//! `dalil trail`: records, proofs, exports, witnesses and time stamps of a tenant.

use std::path::PathBuf;

use clap::Subcommand;
use dalil_proof::report::CheckStatus;
use dalil_proof::trust::Trust;
use dalil_service::trail;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreAccess, StoreArgs, block_on};

mod export;
mod timestamp;
mod witness;

/// Show, prove, export, witness, time-stamp and verify a trail
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: TrailCommand,
}

#[derive(Debug, Subcommand)]
enum TrailCommand {
    /// Show records, and the state of each field of their payloads
    ///
    /// A field is PRESENT, ERASED by a record, MISSING or ALTERED.
    Show(TrailShowArgs),
    /// Print the newest signed checkpoint, with its cosignatures and time stamps
    Checkpoint(TrailCheckpointArgs),
    /// Print the receipt of a record, or the proof that the trail only grew
    Prove(TrailProveArgs),
    /// Check every record of the store against a trust file
    ///
    /// Works as `dalil verify` does for an export. It also fails if the store does not reach a head
    /// in `seen`: the store was rolled back, or its newest checkpoint was replaced by an old one.
    Verify(TrailVerifyArgs),
    /// Export the trail to a file that anybody can verify
    ///
    /// The export is recorded first. The file names the previous export, with the proof that the
    /// trail only grew since. See spec/trail.md.
    Export(export::Args),
    /// Have a time-stamping authority (RFC 3161) stamp a checkpoint, and store its token
    ///
    /// The token is stored if it answers this query and verifies with the given certificates.
    /// Receipts, packs and exports under the checkpoint carry it from then on. See
    /// spec/timestamp.md.
    Timestamp(timestamp::Args),
    /// Add a witness's cosignature to a checkpoint, or cosign as a witness
    Witness(witness::Args),
}

#[derive(Debug, clap::Args)]
struct TrailShowArgs {
    /// The first record
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    from: u64,

    /// The maximum number of records
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    limit: u64,

    /// Only records of this subject, in order
    #[arg(long, value_name = "ID", conflicts_with_all = ["from", "limit"])]
    subject: Option<String>,

    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct TrailCheckpointArgs {
    /// The checkpoint of this size instead of the newest
    #[arg(long)]
    size: Option<u64>,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct TrailProveArgs {
    /// The record whose receipt to write
    #[arg(required_unless_present = "from", conflicts_with = "from")]
    index: Option<u64>,

    /// Prove that the trail of this size only grew
    #[arg(long, value_name = "SIZE")]
    from: Option<u64>,

    /// … to this size, instead of the newest
    // Both: what is required is not asked for beside what conflicts with it.
    #[arg(long, value_name = "SIZE", requires = "from", conflicts_with = "index")]
    to: Option<u64>,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct TrailVerifyArgs {
    /// The trust file: origin, keys, key history, witnesses, heads seen
    #[arg(long, value_name = "FILE")]
    trust: PathBuf,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        TrailCommand::Show(args) => show(args, reply),
        TrailCommand::Checkpoint(TrailCheckpointArgs { size, keeping }) => block_on(async {
            let (store, tenant) = keeping.open(StoreAccess::Read).await?;
            // To the last byte on a pipe: the signature is over this text.
            reply.prompt(&trail::checkpoint(&tenant, *size).await?.to_string())?;
            store.close().await?;
            Ok(CommandOutcome::Holds)
        }),
        TrailCommand::Prove(args) => prove(args, reply),
        TrailCommand::Verify(args) => verify(args, reply),
        TrailCommand::Export(args) => export::run(args, reply),
        TrailCommand::Timestamp(args) => timestamp::run(args, reply),
        TrailCommand::Witness(args) => witness::run(args, reply),
    }
}

fn show(args: &TrailShowArgs, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let TrailShowArgs { from, limit, subject, form, keeping } = args;
    block_on(async {
        let (store, tenant) = keeping.open(StoreAccess::Read).await?;
        let page = match subject {
            Some(subject) => trail::show_subject(&tenant, subject).await?,
            None => trail::show(&tenant, *from, *limit).await?,
        };
        form.show(reply, &page)?;
        store.close().await?;
        Ok(CommandOutcome::Holds)
    })
}

fn prove(args: &TrailProveArgs, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let TrailProveArgs { index, from, to, keeping } = args;
    block_on(async {
        let (store, tenant) = keeping.open(StoreAccess::Read).await?;
        match (index, from) {
            (Some(index), _) => {
                reply.prompt(&trail::receipt(&tenant, *index).await?.to_string())?;
            }
            (None, from) => {
                let old = from.unwrap_or(0);
                reply.value(&trail::consistency(&tenant, old, *to).await?)?;
            }
        }
        store.close().await?;
        Ok(CommandOutcome::Holds)
    })
}

fn verify(args: &TrailVerifyArgs, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let TrailVerifyArgs { trust, keeping } = args;
    let trust = Trust::parse(&input::bytes(trust)?)?;
    block_on(async {
        let (store, tenant) = keeping.open(StoreAccess::Read).await?;
        let report = trail::verify(&tenant, &trust, keeping.now()?).await?;
        reply.told(&report)?;
        store.close().await?;
        Ok(match report.verdict() {
            CheckStatus::Pass => CommandOutcome::Holds,
            CheckStatus::Fail => CommandOutcome::DoesNotHold,
            CheckStatus::Incomplete => CommandOutcome::Incomplete,
        })
    })
}
