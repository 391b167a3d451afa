//! `dalil doctor`: whether a store can be worked with as it is set up.

use dalil::keep::doctor::{Check, Health, Mark, examine};
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::keeping::{Keeping, block_on};
use crate::reply::Reply;

/// Check how a store is set up
///
/// Whether it can be reached and written, is durable, has room and the right time. Looks at
/// settings, not at evidence; for that there is `dalil fsck`. Exits with 1 if something
/// stands in the way of work.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    keeping: Keeping,
}

/// Everything that was looked at.
#[derive(Debug, Serialize)]
struct Checks {
    checks: Vec<Check>,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let keeping = &args.keeping;
    let checks = block_on(async {
        let place = keeping.place()?;
        let vault = keeping.vault(&place);
        let vault = vault.map_err(|failure| failure.to_string());
        let health = Health { place: &place, vault, now: keeping.now()? };
        Ok(examine(health).await)
    })?;
    let checks = Checks { checks };
    reply.told(&checks)?;
    let failed = checks.checks.iter().any(|check| check.mark == Mark::Fail);
    Ok(if failed { Answer::DoesNotHold } else { Answer::Holds })
}

impl std::fmt::Display for Checks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.checks.iter().try_for_each(|check| writeln!(f, "{check}"))
    }
}
