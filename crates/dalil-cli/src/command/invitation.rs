//! `dalil invitation`: one-time links that make a person a member and sign them in.

use std::str::FromStr;

use clap::Subcommand;
use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_proof::time::Time;
use dalil_service::invitation::{self, NewInvitation};

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreArgs, parse_word};

/// Create, list and withdraw invitations: links that sign a person in once
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: InvitationCommand,
}

#[derive(Debug, Subcommand)]
enum InvitationCommand {
    /// Create an invitation and print it; it cannot be shown again
    ///
    /// The link is the address of the server, `/invitation?token=` and the `token` of the reply.
    Add(InvitationAddArgs),
    /// List the invitations of a tenant with their states, without their tokens
    List(InvitationListArgs),
    /// Withdraw an invitation: its link no longer works
    Withdraw(InvitationWithdrawArgs),
}

#[derive(Debug, clap::Args)]
struct InvitationAddArgs {
    /// The name of the invited person: a new one; with `--actor system`, also that of a member who
    /// cannot sign in
    name: String,

    /// The role of the person: `viewer`, `approver` or `admin`
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: MemberRole,

    /// What the person may approve; may be given more than once: `manager` (A1),
    /// `department_head`, `legal`, `finance` (A2), `executive`, `board` (A3)
    #[arg(long, value_name = "TITLE", value_parser = title)]
    title: Vec<MemberTitle>,

    /// When the invitation expires, at most thirty days from now; by default after a week
    #[arg(long, value_name = "TIME", value_parser = Time::from_str)]
    expires: Option<Time>,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct InvitationListArgs {
    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct InvitationWithdrawArgs {
    /// The id of the invitation: `inv_` and 16 hex digits, as `dalil invitation list` shows them
    invitation_id: String,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    match &args.action {
        InvitationCommand::Add(InvitationAddArgs { name, role, title, expires, keeping }) => {
            let titles = title.iter().copied().collect();
            let member = Member { name: name.clone(), role: *role, titles };
            let order = NewInvitation { member, expires_at: *expires };
            let request_context = keeping.request_context()?;
            let make = async |tenant: &_| invitation::make(tenant, &order, &request_context).await;
            reply.value(&keeping.write(make)?)?;
        }
        InvitationCommand::List(InvitationListArgs { form, keeping }) => {
            let now = keeping.request_context()?.at;
            form.show(reply, &keeping.read(async |tenant| invitation::list(tenant, now).await)?)?;
        }
        InvitationCommand::Withdraw(InvitationWithdrawArgs { invitation_id, keeping }) => {
            let request_context = keeping.request_context()?;
            let withdraw = async |tenant: &_| {
                invitation::withdraw(tenant, invitation_id, &request_context).await
            };
            reply.value(&keeping.write(withdraw)?)?;
        }
    }
    Ok(CommandOutcome::Holds)
}

fn role(text: &str) -> Result<MemberRole, String> {
    parse_word(text, MemberRole::WIRE_NAMES)
}

fn title(text: &str) -> Result<MemberTitle, String> {
    parse_word(text, MemberTitle::WIRE_NAMES)
}
