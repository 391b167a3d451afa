//! `dalil trail`: records, proofs, exports and witnesses of a tenant.

use std::path::PathBuf;

use clap::Subcommand;
use dalil::keep::trail;
use dalil_core::report::Verdict;
use dalil_core::trust::Trust;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::keeping::{Access, Form, Keeping, block_on};
use crate::reply::Reply;

mod export;
mod witness;

/// Show, prove, export, witness and verify a trail
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show records, and how each field of their payloads stands
    ///
    /// A field is PRESENT, ERASED by a record, MISSING or ALTERED.
    Show(Show),
    /// Write the newest signed checkpoint, with the cosignatures that came in
    Checkpoint(Checkpoint),
    /// Write the receipt of a record, or the proof that the trail only grew
    Prove(Prove),
    /// Check every record of the store against a trust file
    ///
    /// As `dalil verify` does for an export; besides, a head in `seen` that the store does not
    /// reach fails: the store was rolled back, or an old checkpoint was put in place of the newest.
    Verify(Verify),
    /// Write the trail to a file that a stranger can check
    ///
    /// A record says so first. The file names the export before it, with the proof that the trail only grew since. See
    /// spec/trail.md.
    Export(export::Args),
    /// Take another party's cosignature on a checkpoint, or give one
    Witness(witness::Args),
}

#[derive(Debug, clap::Args)]
struct Show {
    /// The first record
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    from: u64,

    /// How many records at most
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    limit: u64,

    /// The records of this subject, in their order
    #[arg(long, value_name = "ID", conflicts_with_all = ["from", "limit"])]
    subject: Option<String>,

    #[command(flatten)]
    form: Form,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct Checkpoint {
    /// The checkpoint of this size instead of the newest
    #[arg(long)]
    size: Option<u64>,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct Prove {
    /// The record whose receipt to write
    #[arg(required_unless_present = "from", conflicts_with = "from")]
    index: Option<u64>,

    /// Prove that the trail of this size only grew
    #[arg(long, value_name = "SIZE")]
    from: Option<u64>,

    /// … to this size, instead of the newest
    #[arg(long, value_name = "SIZE", requires = "from")]
    to: Option<u64>,

    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, clap::Args)]
struct Verify {
    /// What to believe: origin, keys, key history, witnesses, heads seen
    #[arg(long, value_name = "FILE")]
    trust: PathBuf,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    match &args.action {
        Action::Show(args) => show(args, reply),
        Action::Checkpoint(Checkpoint { size, keeping }) => block_on(async {
            let (store, tenant) = keeping.open(Access::Read).await?;
            reply.prompt(&trail::checkpoint(&tenant, *size).await?.to_string())?;
            store.close().await?;
            Ok(Answer::Holds)
        }),
        Action::Prove(args) => prove(args, reply),
        Action::Verify(args) => verify(args, reply),
        Action::Export(args) => export::run(args, reply),
        Action::Witness(args) => witness::run(args, reply),
    }
}

fn show(args: &Show, reply: &Reply) -> Result<Answer, Failure> {
    let Show { from, limit, subject, form, keeping } = args;
    block_on(async {
        let (store, tenant) = keeping.open(Access::Read).await?;
        let page = match subject {
            Some(subject) => trail::show_subject(&tenant, subject).await?,
            None => trail::show(&tenant, *from, *limit).await?,
        };
        form.show(reply, &page)?;
        store.close().await?;
        Ok(Answer::Holds)
    })
}

fn prove(args: &Prove, reply: &Reply) -> Result<Answer, Failure> {
    let Prove { index, from, to, keeping } = args;
    block_on(async {
        let (store, tenant) = keeping.open(Access::Read).await?;
        match (index, from) {
            (Some(index), _) => {
                reply.prompt(&trail::receipt(&tenant, *index).await?.to_string())?;
            }
            (None, from) => {
                let old = from.unwrap_or_default();
                reply.value(&trail::consistency(&tenant, old, *to).await?)?;
            }
        }
        store.close().await?;
        Ok(Answer::Holds)
    })
}

fn verify(args: &Verify, reply: &Reply) -> Result<Answer, Failure> {
    let Verify { trust, keeping } = args;
    let trust = Trust::parse(&input::bytes(trust)?)?;
    block_on(async {
        let (store, tenant) = keeping.open(Access::Read).await?;
        let report = trail::verify(&tenant, &trust, keeping.now()?).await?;
        reply.told(&report)?;
        store.close().await?;
        Ok(match report.verdict() {
            Verdict::Pass => Answer::Holds,
            Verdict::Fail => Answer::DoesNotHold,
            Verdict::Incomplete => Answer::Incomplete,
        })
    })
}
