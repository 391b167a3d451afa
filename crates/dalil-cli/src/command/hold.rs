//! `dalil hold`: legal holds.

use clap::Subcommand;
use dalil::keep::hold;
use dalil_core::hold::{Hold, Scope};

use crate::failure::{Answer, Failure};
use crate::keeping::{Form, Keeping};
use crate::reply::Reply;

/// Place and lift legal holds: nothing under one may be erased
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Place a hold
    Place(Place),
    /// Lift a hold
    Lift(Lift),
    /// List the holds that are in place
    List(List),
}

#[derive(Debug, clap::Args)]
struct Place {
    /// The id of the hold, such as a case number
    hold_id: String,

    /// What it covers: `all`, `kind:` and a kind of record, or `subject:` and an id
    #[arg(long)]
    scope: Scope,

    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct Lift {
    /// The id of the hold
    hold_id: String,

    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,

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
    match &args.action {
        Action::Place(Place { hold_id, scope, reason, keeping }) => {
            let (hold_id, reason, scope) = (hold_id.clone(), reason.clone(), scope.clone());
            let (hold, deed) = (Hold { hold_id, reason, scope }, keeping.deed()?);
            reply.value(&keeping.write(async |tenant| hold::place(tenant, &hold, &deed).await)?)?;
        }
        Action::Lift(Lift { hold_id, reason, keeping }) => {
            let deed = keeping.deed()?;
            let lift = async |tenant: &_| hold::lift(tenant, hold_id, reason, &deed).await;
            reply.value(&keeping.write(lift)?)?;
        }
        Action::List(List { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| hold::list(tenant).await)?)?;
        }
    }
    Ok(Answer::Holds)
}
