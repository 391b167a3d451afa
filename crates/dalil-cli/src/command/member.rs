//! `dalil member`: the members of a tenant and their permissions.

use clap::Subcommand;
use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_service::member;

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreArgs, parse_word};

/// Manage the members of a tenant: who may view, review, export and administer
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: MemberCommand,
}

#[derive(Debug, Subcommand)]
enum MemberCommand {
    /// Add a member; once there is an admin, only an admin may
    Add(MemberAddArgs),
    /// List the members of a tenant
    List(MemberListArgs),
    /// Remove a member; their approvals stay valid
    Remove(MemberRemoveArgs),
}

#[derive(Debug, clap::Args)]
struct MemberAddArgs {
    /// The member's name, opaque and without spaces around it
    name: String,

    /// What the member may do: `viewer` views, `approver` also reviews packs and approves exports,
    /// `admin` also changes the members
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: MemberRole,

    /// What the member may approve; may be given more than once: `manager` (A1), `department_head`,
    /// `legal`, `finance` (A2), `executive`, `board` (A3)
    #[arg(long, value_name = "TITLE", value_parser = title)]
    title: Vec<MemberTitle>,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct MemberListArgs {
    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct MemberRemoveArgs {
    /// The member's name
    name: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        MemberCommand::Add(MemberAddArgs { name, role, title, keeping }) => {
            let titles = title.iter().copied().collect();
            let member = Member { name: name.clone(), role: *role, titles };
            let request_context = keeping.request_context()?;
            reply
                .value(&keeping.write(async |tenant| {
                    member::add(tenant, &member, &request_context).await
                })?)?;
        }
        MemberCommand::List(MemberListArgs { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| member::list(tenant).await)?)?;
        }
        MemberCommand::Remove(MemberRemoveArgs { name, keeping }) => {
            let request_context = keeping.request_context()?;
            reply
                .value(&keeping.write(async |tenant| {
                    member::remove(tenant, name, &request_context).await
                })?)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

fn role(text: &str) -> Result<MemberRole, String> {
    parse_word(text, MemberRole::WIRE_NAMES)
}

pub(crate) fn title(text: &str) -> Result<MemberTitle, String> {
    parse_word(text, MemberTitle::WIRE_NAMES)
}
