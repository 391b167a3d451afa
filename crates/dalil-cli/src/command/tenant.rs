//! `dalil tenant`: the owners of trails.

use clap::Subcommand;
use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_service::member;
use dalil_service::tenant::{self, TenantSummary};
use dalil_store::Store;

use crate::command::member::title as member_title;
use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreAccess, StoreArgs, block_on};

/// Create tenants and show them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: TenantCommand,
}

#[derive(Debug, Subcommand)]
enum TenantCommand {
    /// Create a tenant with its first signing key
    ///
    /// Also creates the store if there is none, and an identity that encrypts the signing keys:
    /// plain, or protected by a passphrase if one is given. Keep a copy of the identity elsewhere.
    Create(TenantCreateArgs),
    /// List the tenants of a store
    List(TenantListArgs),
    /// Show a tenant and the head of its trail
    Show(TenantListArgs),
}

#[derive(Debug, clap::Args)]
struct TenantCreateArgs {
    /// The name of the tenant: lower-case letters, digits and `-`
    name: String,

    /// The origin of its trail, which identifies it to verifiers: a name without a scheme, such as
    /// `dalil.example/acme`
    #[arg(long)]
    origin: String,

    /// Add this person as the first member: an admin, who may do everything that does not need
    /// another person
    #[arg(long, value_name = "NAME")]
    admin: Option<String>,

    /// What the admin may approve; may be given more than once: `manager` (A1), `department_head`,
    /// `legal`, `finance` (A2), `executive`, `board` (A3)
    #[arg(long, value_name = "TITLE", value_parser = member_title, requires = "admin")]
    title: Vec<MemberTitle>,

    /// If the tenant exists, show it and change nothing
    #[arg(long)]
    if_missing: bool,

    #[command(flatten)]
    keeping: StoreArgs,
}

#[derive(Debug, clap::Args)]
struct TenantListArgs {
    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    block_on(async {
        match &args.action {
            TenantCommand::Create(order) => {
                let store = order.keeping.make().await?;
                reply.told(&order.made(&store).await?)?;
                store.close().await?;
            }
            TenantCommand::List(TenantListArgs { form, keeping }) => {
                let store = keeping.store(StoreAccess::Read).await?;
                form.show(reply, &tenant::list(&store).await?)?;
                store.close().await?;
            }
            TenantCommand::Show(TenantListArgs { form, keeping }) => {
                let (store, tenant) = keeping.open(StoreAccess::Read).await?;
                form.show(reply, &tenant::show(&tenant).await?)?;
                store.close().await?;
            }
        }
        Ok(CommandOutcome::Holds)
    })
}

impl TenantCreateArgs {
    /// The tenant, with its admin.
    async fn made(&self, store: &Store) -> Result<TenantSummary, CliError> {
        let Self { name, origin, admin, title, if_missing, keeping } = self;
        let request_context = keeping.request_context()?;
        if *if_missing && store.tenants().await?.contains(name) {
            return Ok(tenant::show(&store.tenant(name).await?).await?);
        }
        let titles = title.iter().copied().collect();
        let member = admin.clone().map(|name| Member { name, role: MemberRole::Admin, titles });
        // Before anything is made: a name that cannot be must not leave a tenant without an admin.
        member.as_ref().map(Member::bytes).transpose()?;
        let made = tenant::create(store, name, origin, &request_context).await?;
        let Some(member) = member else { return Ok(made) };
        let tenant = store.tenant(name).await?;
        member::add(&tenant, &member, &request_context).await?;
        Ok(tenant::show(&tenant).await?)
    }
}
