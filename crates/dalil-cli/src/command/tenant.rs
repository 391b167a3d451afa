//! `dalil tenant`: the owners of trails.

use clap::Subcommand;
use dalil::keep::tenant;

use crate::failure::{Answer, Failure};
use crate::keeping::{Access, Form, Keeping, block_on};
use crate::reply::Reply;

/// Make tenants and show them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a tenant with its first signing key
    ///
    /// Makes the store as well when there is none, and an identity that seals the signing keys:
    /// plain, or under a passphrase when one is given. Keep a copy of the identity elsewhere.
    Create(Create),
    /// List the tenants of a store
    List(List),
    /// Show a tenant and the head of its trail
    Show(List),
}

#[derive(Debug, clap::Args)]
struct Create {
    /// Its name: lower-case letters, digits and `-`
    name: String,

    /// The origin of its trail, by which verifiers know it: a name without a scheme, such as
    /// `dalil.example/acme`
    #[arg(long)]
    origin: String,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct List {
    #[command(flatten)]
    form: Form,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    block_on(async {
        match &args.action {
            Action::Create(Create { name, origin, keeping }) => {
                let deed = keeping.deed()?;
                let store = keeping.make().await?;
                reply.told(&tenant::create(&store, name, origin, &deed).await?)?;
                store.close().await?;
            }
            Action::List(List { form, keeping }) => {
                let store = keeping.store(Access::Read).await?;
                form.show(reply, &tenant::list(&store).await?)?;
                store.close().await?;
            }
            Action::Show(List { form, keeping }) => {
                let (store, tenant) = keeping.open(Access::Read).await?;
                form.show(reply, &tenant::show(&tenant).await?)?;
                store.close().await?;
            }
        }
        Ok(Answer::Holds)
    })
}
