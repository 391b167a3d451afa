//! The checks of a receipt, in order; each adds its findings and none stops the others.

use super::Receipt;
use crate::checkpoint::Checkpoint;
use crate::fault::quote;
use crate::keyring::Signed;
use crate::record::Record;
use crate::report::{Report, Verdict};
use crate::time::Time;
use crate::tree::proof;
use crate::trust::Trust;
use crate::witness::Cosignature;

pub(super) fn receipt(receipt: &Receipt, trust: &Trust, now: Time) -> Report {
    let mut report = Report::default();
    report.pass(FORMAT, "a receipt in its canonical form");
    let record = record(receipt, now, &mut report);
    let checkpoint = checkpoint(receipt, trust, &mut report);
    if let Some(checkpoint) = &checkpoint {
        inclusion(receipt, checkpoint, &mut report);
    }
    let cosignatures = witnesses(receipt, trust, now, &mut report);
    let seen = trusted_time(checkpoint.as_ref(), &cosignatures, trust);
    signature(
        receipt,
        trust,
        record.map(|record| Signed { claimed: record.envelope().at, seen }),
        &mut report,
    );
    report
}

/// When somebody trusted had seen the checkpoint, found again for whoever needs only that.
pub(super) fn seen(receipt: &Receipt, trust: &Trust, now: Time) -> Option<Time> {
    let mut unread = Report::default();
    let cosignatures = witnesses(receipt, trust, now, &mut unread);
    trusted_time(receipt.unverified_checkpoint().as_ref(), &cosignatures, trust)
}

fn record(receipt: &Receipt, now: Time, report: &mut Report) -> Option<Record> {
    match receipt.unverified_record() {
        Ok(record) => {
            let envelope = record.envelope();
            let message = format!("`{}`, `{}` of {}", envelope.id, envelope.kind, envelope.at);
            if envelope.at > now {
                report.incomplete(RECORD, format!("{message}, which is later than now, {now}"));
            } else {
                report.pass(RECORD, message);
            }
            Some(record)
        }
        Err(refused) => {
            for fault in refused.refused {
                report.fail(RECORD, format!("`{}`: {}", fault.path, fault.message));
            }
            None
        }
    }
}

fn checkpoint(receipt: &Receipt, trust: &Trust, report: &mut Report) -> Option<Checkpoint> {
    let checkpoint = match Checkpoint::parse(receipt.checkpoint.unverified_text()) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            report.fail(CHECKPOINT, error.to_string());
            return None;
        }
    };
    match checkpoint.of(&trust.origin) {
        Ok(()) => {
            let size = checkpoint.head().size;
            report.pass(CHECKPOINT, format!("of {} at size {size}", quote(&trust.origin)));
        }
        Err(error) => report.fail(CHECKPOINT, error.to_string()),
    }
    Some(checkpoint)
}

fn inclusion(receipt: &Receipt, checkpoint: &Checkpoint, report: &mut Report) {
    let head = checkpoint.head();
    match proof::inclusion(&receipt.leaf(), receipt.index, &receipt.path, head) {
        Ok(()) => {
            report.pass(INCLUSION, format!("record {} is under the root", receipt.index));
        }
        Err(error) => report.fail(INCLUSION, error.to_string()),
    }
}

/// The cosignatures of pinned witnesses that are not from the future.
fn witnesses(receipt: &Receipt, trust: &Trust, now: Time, report: &mut Report) -> Vec<Cosignature> {
    let policy = &trust.witnesses;
    let mut found = match policy.cosignatures(&receipt.checkpoint) {
        Ok(found) => found,
        Err(forged) => {
            report.fail(WITNESSES, forged.to_string());
            return Vec::new();
        }
    };
    found.retain(|cosignature| cosignature.at <= now);
    if policy.quorum() > 0 {
        let (count, quorum) = (found.len(), policy.quorum());
        let verdict = if count >= quorum { Verdict::Pass } else { Verdict::Incomplete };
        report.add(WITNESSES, verdict, format!("{count} cosigned, {quorum} needed"));
    }
    found
}

/// A moment by which somebody the verifier trusts had seen this checkpoint.
///
/// For witnesses that is the time by which a quorum had cosigned, so that fewer
/// cannot date it back. A cosignature is dated in whole seconds, rounded down;
/// its last millisecond is taken, so that a revocation within that second does
/// not count as later.
fn trusted_time(
    checkpoint: Option<&Checkpoint>,
    cosignatures: &[Cosignature],
    trust: &Trust,
) -> Option<Time> {
    let last = |one: &Cosignature| Time::from_millis(one.at.millis().checked_add(999)?);
    let mut cosigned: Vec<Time> = cosignatures.iter().filter_map(last).collect();
    cosigned.sort_unstable();
    let quorum = cosigned.into_iter().nth(trust.witnesses.quorum().saturating_sub(1));
    let head = checkpoint?.head();
    let seen = trust.seen.iter().filter(|seen| seen.head == *head).map(|seen| seen.at);
    quorum.into_iter().chain(seen).min()
}

fn signature(receipt: &Receipt, trust: &Trust, signed: Option<Signed>, report: &mut Report) {
    if trust.keyring.keys().is_empty() {
        report.incomplete(SIGNATURE, "no key of this trail is pinned to check it with");
        return;
    }
    let note = match receipt.checkpoint.open(trust.keyring.keys()) {
        Ok(note) => note,
        Err(error) => return report.fail(SIGNATURE, error.to_string()),
    };
    let names: Vec<String> =
        note.verified.iter().map(|(key, _)| format!("`{}`", key.name())).collect();
    report.pass(SIGNATURE, format!("signed by {}", names.join(" and ")));
    let Some(signed) = signed else {
        return report.incomplete(KEY, "the record is unreadable, so its time is not known");
    };
    let standings = note.verified.iter().map(|(key, _)| trust.keyring.standing(key, signed));
    // One good key is enough; the others can add nothing and take nothing away.
    let best = standings.min_by_key(|(verdict, _)| match verdict {
        Verdict::Pass => 0,
        Verdict::Incomplete => 1,
        Verdict::Fail => 2,
    });
    if let Some((verdict, message)) = best {
        report.add(KEY, verdict, message);
    }
}

pub(super) const FORMAT: &str = "format";
const RECORD: &str = "record";
const CHECKPOINT: &str = "checkpoint";
const INCLUSION: &str = "inclusion";
const WITNESSES: &str = "witnesses";
const SIGNATURE: &str = "checkpoint signature";
const KEY: &str = "key status";
