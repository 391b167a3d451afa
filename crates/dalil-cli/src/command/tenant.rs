//! `dalil tenant`: the owners of trails.

use clap::Subcommand;
use dalil_service::tenant;

use crate::error::{CliError, CommandOutcome};
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreAccess, StoreArgs, block_on};

/// Make tenants and show them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: TenantCommand,
}

#[derive(Debug, Subcommand)]
enum TenantCommand {
    /// Make a tenant with its first signing key
    ///
    /// Makes the store as well when there is none, and an identity that seals the signing keys:
    /// plain, or under a passphrase when one is given. Keep a copy of the identity elsewhere.
    Create(TenantCreateArgs),
    /// List the tenants of a store
    List(TenantListArgs),
    /// Show a tenant and the head of its trail
    Show(TenantListArgs),
}

#[derive(Debug, clap::Args)]
struct TenantCreateArgs {
    /// Its name: lower-case letters, digits and `-`
    name: String,

    /// The origin of its trail, by which verifiers know it: a name without a scheme, such as
    /// `dalil.example/acme`
    #[arg(long)]
    origin: String,

    /// Show the tenant, and change nothing, if it is there already
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
            TenantCommand::Create(TenantCreateArgs { name, origin, if_missing, keeping }) => {
                let deed = keeping.request_context()?;
                let store = keeping.make().await?;
                if *if_missing && store.tenants().await?.contains(name) {
                    reply.told(&tenant::show(&store.tenant(name).await?).await?)?;
                } else {
                    reply.told(&tenant::create(&store, name, origin, &deed).await?)?;
                }
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
