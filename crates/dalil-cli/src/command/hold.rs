//! `dalil hold`: legal holds.

use clap::Subcommand;
use dalil_proof::hold::{Hold, RecordScope};
use dalil_service::hold;

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreArgs};

/// Place and lift legal holds, which prevent erasure
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: HoldCommand,
}

#[derive(Debug, Subcommand)]
enum HoldCommand {
    /// Place a hold
    Place(HoldPlaceArgs),
    /// Lift a hold
    Lift(HoldLiftArgs),
    /// List the holds in place
    List(HoldListArgs),
}

#[derive(Debug, clap::Args)]
struct HoldPlaceArgs {
    /// The id of the hold, such as a case number
    hold_id: String,

    /// The records that it covers: `all`, `kind:` and a kind of record, or `subject:` and an id
    #[arg(long)]
    scope: RecordScope,

    /// The reason
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct HoldLiftArgs {
    /// The id of the hold
    hold_id: String,

    /// The reason
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct HoldListArgs {
    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        HoldCommand::Place(HoldPlaceArgs { hold_id, scope, reason, keeping }) => {
            let (hold_id, reason, scope) = (hold_id.clone(), reason.clone(), scope.clone());
            let (hold, request_context) =
                (Hold { hold_id, reason, scope }, keeping.request_context()?);
            reply.value(
                &keeping
                    .write(async |tenant| hold::place(tenant, &hold, &request_context).await)?,
            )?;
        }
        HoldCommand::Lift(HoldLiftArgs { hold_id, reason, keeping }) => {
            let request_context = keeping.request_context()?;
            let lift =
                async |tenant: &_| hold::lift(tenant, hold_id, reason, &request_context).await;
            reply.value(&keeping.write(lift)?)?;
        }
        HoldCommand::List(HoldListArgs { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| hold::list(tenant).await)?)?;
        }
    }
    Ok(CommandOutcome::Holds)
}
