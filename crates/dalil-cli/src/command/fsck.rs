//! `dalil fsck`: everything that a store says, derived again from its bytes.

use std::sync::Mutex;

use dalil::keep::fsck;
use dalil::store::fsck::{Finding, Fsck, Said, Verdict};
use dalil::store::{Options, Store, Vault};
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::keeping::{Keeping, block_on};
use crate::progress::Progress;
use crate::reply::Reply;

/// Check a whole store: database, trails, payloads, rows, keys and lake
///
/// Believes no column and repairs nothing. Every finding is a line: `{"part","verdict","tenant"?,
/// "index"?,"message"}`, the verdict one of pass, note, incomplete and fail. Exits with 1 if
/// anything is not what it was, and with 2 if nothing is wrong but not everything could be
/// checked. What was cut off or rolled back whole is found by heads that were seen elsewhere: see
/// `dalil trail verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Remove what crashed writers left, and objects of erased records; nobody may be writing
    #[arg(long)]
    sweep: bool,

    #[command(flatten)]
    keeping: Keeping,
}

/// Everything that was found.
#[derive(Debug, Serialize)]
struct Findings {
    verdict: Verdict,
    findings: Vec<Finding>,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let Args { sweep, keeping } = args;
    let progress = Progress::new(reply);
    let findings = Mutex::new(Vec::new());
    let mut tell = |said| match said {
        Said::Finding(finding) => {
            findings.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(finding);
        }
        Said::Progress { tenant, done, all } => {
            let number = |count| usize::try_from(count).unwrap_or(usize::MAX);
            progress.step(&format!("checking {tenant}"), number(done), number(all));
        }
    };
    let verdict = block_on(async {
        let place = keeping.place()?;
        let vault = keeping.vault(&place);
        let secrets = vault.is_ok();
        let vault = vault.unwrap_or_else(|_| Vault::of([0; 32]));
        let now = crate::surroundings::now()?;
        let options = if *sweep { Options::writing(now) } else { Options::reading(now) };
        let opened = Store::open(&place, vault, options).await;
        Ok(fsck::fsck(opened, Fsck { sweep: *sweep, secrets }, &mut tell).await?)
    });
    progress.end();
    let verdict = verdict?;
    let findings = findings.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    reply.told(&Findings { verdict, findings })?;
    Ok(match verdict {
        Verdict::Pass | Verdict::Note => Answer::Holds,
        Verdict::Incomplete => Answer::Incomplete,
        Verdict::Fail => Answer::DoesNotHold,
    })
}

impl std::fmt::Display for Findings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.verdict)?;
        self.findings.iter().try_for_each(|finding| writeln!(f, "{finding}"))
    }
}
