//! `dalil keys`: the signing keys of a trail.

use clap::Subcommand;
use dalil::keep::keys;

use crate::failure::{Answer, Failure};
use crate::keeping::{Form, Keeping};
use crate::reply::Reply;

/// Add, retire and revoke signing keys, and write what a verifier needs
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List every change of keys, from the beginning
    List(List),
    /// Draw a new key, which signs beside the others from here on
    Add(Add),
    /// Put a key away: what it signed stays good
    Retire(End),
    /// Declare a key lost: what it signed is good only where it was seen before
    Revoke(End),
    /// Write the trust file that `dalil verify --trust` reads
    Trust(Trust),
}

#[derive(Debug, clap::Args)]
struct List {
    #[command(flatten)]
    form: Form,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct Add {
    /// The name of the key; by default the origin of the trail
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct End {
    /// The id of the key: eight hex digits, as `dalil keys list` shows them
    key_id: String,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct Trust {
    /// Add the head of the trail as it is, seen at this time: a later rollback shows
    #[arg(long)]
    seen: bool,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::List(List { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| keys::list(tenant).await)?)?;
        }
        Action::Add(Add { name, keeping }) => {
            let deed = keeping.deed()?;
            let add = async |tenant: &_| keys::add(tenant, name.as_deref(), &deed).await;
            reply.value(&keeping.write(add)?)?;
        }
        Action::Retire(End { key_id, keeping }) => {
            let deed = keeping.deed()?;
            reply
                .value(&keeping.write(async |tenant| keys::retire(tenant, key_id, &deed).await)?)?;
        }
        Action::Revoke(End { key_id, keeping }) => {
            let deed = keeping.deed()?;
            reply
                .value(&keeping.write(async |tenant| keys::revoke(tenant, key_id, &deed).await)?)?;
        }
        Action::Trust(Trust { seen, keeping }) => {
            let seen = if *seen { Some(keeping.now()?) } else { None };
            reply.value(&keeping.read(async |tenant| keys::trust(tenant, seen).await)?)?;
        }
    }
    Ok(Answer::Holds)
}
