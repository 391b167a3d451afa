//! `dalil fsck`: recomputes everything in a store from its bytes.

use std::sync::Mutex;

use dalil_service::fsck;
use dalil_store::fsck::{FsckEvent, FsckFinding, FsckOptions, FsckStatus};
use dalil_store::{Store, StoreOptions, Vault};
use serde::Serialize;

use crate::error::{CliError, CommandOutcome};
use crate::progress::ProgressBar;
use crate::reply::ReplyWriter;
use crate::store_args::{StoreArgs, block_on};

/// Check a whole store: database, trails, payloads, rows, keys and lake
///
/// Recomputes everything from the stored bytes, and repairs nothing. Every finding is a line:
/// `{"part","verdict","tenant"?, "index"?,"message"}`, with a verdict of pass, note, incomplete or
/// fail. Exits with 1 if anything was altered or lost, and with 2 if nothing is wrong but not
/// everything could be checked. A truncated trail or a rollback of the whole store is detected only
/// with heads that were seen elsewhere: see `dalil trail verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Remove leftovers of crashed writers and objects of erased records; only while nothing writes
    /// to the store
    #[arg(long)]
    sweep: bool,

    #[command(flatten)]
    keeping: StoreArgs,
}

/// Everything that was found.
#[derive(Debug, Serialize)]
struct FsckOutput {
    verdict: FsckStatus,
    findings: Vec<FsckFinding>,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let Args { sweep, keeping } = args;
    let progress = ProgressBar::new(reply);
    let findings = Mutex::new(Vec::new());
    let mut tell = |said| match said {
        FsckEvent::Finding(finding) => {
            findings.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(finding);
        }
        FsckEvent::Progress { tenant, done, all } => {
            let number = |count| usize::try_from(count).unwrap_or(usize::MAX);
            progress.step(&format!("checking {tenant}"), number(done), number(all));
        }
    };
    let verdict = block_on(async {
        let place = keeping.place()?;
        let vault = keeping.vault(&place);
        let secrets = vault.is_ok();
        // Everything but the sealed keys can be checked without the identity.
        let vault = vault.unwrap_or_else(|_| Vault::of([0; 32]));
        let now = crate::env::now()?;
        let options = if *sweep { StoreOptions::writing(now) } else { StoreOptions::reading(now) };
        let opened = Store::open(&place, vault, options).await;
        Ok(fsck::fsck(opened, FsckOptions { sweep: *sweep, secrets }, &mut tell).await?)
    });
    // Before an error is returned, or its message would follow the bar on the same line.
    progress.end();
    let verdict = verdict?;
    let findings = findings.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    reply.told(&FsckOutput { verdict, findings })?;
    Ok(match verdict {
        FsckStatus::Pass | FsckStatus::Note => CommandOutcome::Holds,
        FsckStatus::Incomplete => CommandOutcome::Incomplete,
        FsckStatus::Fail => CommandOutcome::DoesNotHold,
    })
}

impl std::fmt::Display for FsckOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.verdict)?;
        self.findings.iter().try_for_each(|finding| writeln!(f, "{finding}"))
    }
}
