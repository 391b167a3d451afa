//! `dalil member`: who of a tenant may do what.

use clap::Subcommand;
use dalil::keep::member;
use dalil_core::access::{Member, Role, Title};

use crate::failure::{Answer, Failure};
use crate::keeping::{Form, Keeping, named};
use crate::reply::Reply;

/// Say who of a tenant may view, review, export and administer
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add a member; once there is an admin, only an admin may
    Add(Add),
    /// List the members of a tenant
    List(List),
    /// Remove a member; what the member approved stays approved
    Remove(Remove),
}

#[derive(Debug, clap::Args)]
struct Add {
    /// The member's name, opaque and without spaces around it
    name: String,

    /// What the member may do: `viewer` looks, `approver` also reviews packs and approves exports,
    /// `admin` also changes the members
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Role,

    /// What the member may approve; may be given more than once: `manager` (A1), `department_head`,
    /// `legal`, `finance` (A2), `executive`, `board` (A3)
    #[arg(long, value_name = "TITLE", value_parser = title)]
    title: Vec<Title>,

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
struct Remove {
    /// The member's name
    name: String,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::Add(Add { name, role, title, keeping }) => {
            let titles = title.iter().copied().collect();
            let member = Member { name: name.clone(), role: *role, titles };
            let deed = keeping.deed()?;
            reply
                .value(&keeping.write(async |tenant| member::add(tenant, &member, &deed).await)?)?;
        }
        Action::List(List { form, keeping }) => {
            form.show(reply, &keeping.read(async |tenant| member::list(tenant).await)?)?;
        }
        Action::Remove(Remove { name, keeping }) => {
            let deed = keeping.deed()?;
            reply
                .value(&keeping.write(async |tenant| member::remove(tenant, name, &deed).await)?)?;
        }
    }
    Ok(Answer::Holds)
}

fn role(text: &str) -> Result<Role, String> {
    named(text, Role::WORDS)
}

fn title(text: &str) -> Result<Title, String> {
    named(text, Title::WORDS)
}
