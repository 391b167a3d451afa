//! `dalil apikey`: keys for the API of a server.

use std::str::FromStr;

use clap::Subcommand;
use dalil::keep::apikey::{self, Order};
use dalil_core::apikey::{Pepper, Scope};
use dalil_core::record::Actor;
use dalil_core::time::Time;

use crate::failure::{Answer, Failure};
use crate::keeping::{Form, Keeping, named};
use crate::reply::Reply;

/// Give out keys for the API, list and revoke them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a key and print it; it cannot be shown again
    Add(Add),
    /// List the keys of a tenant, without what could open anything
    List(List),
    /// Revoke a key: it opens nothing from here on
    Revoke(Revoke),
}

#[derive(Debug, clap::Args)]
struct Add {
    /// Who acts when the key is used: `person:NAME` or `agent:NAME`
    #[arg(long = "for", value_name = "WHO", value_parser = owner)]
    owner: Actor,

    /// What it may be used for: `view`, `record`, `review`, `export`, `administer`; may be given
    /// more than once
    #[arg(long, value_name = "WORD", required = true, value_parser = scope)]
    scope: Vec<Scope>,

    /// When it stops opening anything
    #[arg(long, value_name = "TIME", value_parser = Time::from_str)]
    expires: Option<Time>,

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

#[derive(Debug, clap::Args)]
struct Revoke {
    /// The id of the key: 16 hex digits, as `dalil apikey list` shows them
    key_id: String,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::Add(Add { owner, scope, expires, keeping }) => {
            let pepper = Pepper::new(*keeping.vault(&keeping.place()?)?.derive("apikey"));
            let scopes = scope.iter().copied().collect();
            let order = Order { actor: owner.clone(), scopes, expires_at: *expires };
            let deed = keeping.deed()?;
            let add = async |tenant: &_| apikey::add(tenant, &order, &pepper, &deed).await;
            reply.value(&keeping.write(add)?)?;
        }
        Action::List(List { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| apikey::list(tenant).await)?)?;
        }
        Action::Revoke(Revoke { key_id, keeping }) => {
            let deed = keeping.deed()?;
            let revoke = async |tenant: &_| apikey::revoke(tenant, key_id, &deed).await;
            reply.value(&keeping.write(revoke)?)?;
        }
    }
    Ok(Answer::Holds)
}

fn owner(text: &str) -> Result<Actor, String> {
    apikey::actor(text).ok_or_else(|| "expected `person:NAME` or `agent:NAME`".to_owned())
}

fn scope(text: &str) -> Result<Scope, String> {
    named(text, Scope::WORDS)
}
