//! The checks of a checkpoint, in order; each adds its findings and none stops the others.

use dalil_phrasebook::{Phrase, found, proof_check};

use crate::checkpoint::Checkpoint;
use crate::fault::quote;
use crate::key::PublicKey;
use crate::keyring::SigningTime;
use crate::note::UnverifiedNote;
use crate::report::{CheckStatus, VerificationReport};
use crate::time::Time;
use crate::timestamp::Timestamp;
use crate::tree::{self, TreeHead};
use crate::trust::{Trust, seen};
use crate::witness::Cosignature;

/// Verifies bytes that should be a signed checkpoint.
pub fn verify(bytes: &[u8], trust: &Trust, now: Time) -> VerificationReport {
    let mut report = VerificationReport::default();
    match UnverifiedNote::parse(bytes) {
        Ok(note) => {
            report.pass(PART_FORMAT, proof_check::canonical_note());
            if let Some(checkpoint) = text(&note, trust, &mut report) {
                compare(&checkpoint, trust, &mut report);
            }
            signers(&note, None, trust, now, &mut report);
        }
        Err(error) => report.fail(PART_FORMAT, &error),
    }
    report
}

/// Checks that a note is a checkpoint of the trusted trail.
pub fn text(
    note: &UnverifiedNote,
    trust: &Trust,
    report: &mut VerificationReport,
) -> Option<Checkpoint> {
    let checkpoint = match Checkpoint::parse(note.unverified_text()) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            report.fail(PART_CHECKPOINT, &error);
            return None;
        }
    };
    let TreeHead { size, root } = *checkpoint.head();
    match checkpoint.check_origin(&trust.origin) {
        Ok(()) if size == 0 && root != tree::empty() => {
            let message = proof_check::root_of_empty_tree();
            report.fail(PART_CHECKPOINT, message);
        }
        Ok(()) => {
            let origin = quote(&trust.origin);
            let message = proof_check::checkpoint_at_size(origin, size);
            report.pass(PART_CHECKPOINT, message);
        }
        Err(error) => report.fail(PART_CHECKPOINT, &error),
    }
    // Also of another trail, so that the parts that need its head are still checked.
    Some(checkpoint)
}

/// Compares a checkpoint with the heads that the verifier has seen of its trail.
pub fn compare(checkpoint: &Checkpoint, trust: &Trust, report: &mut VerificationReport) {
    seen::check(checkpoint.head(), trust, &|_| None, report);
}

/// Checks the signatures and cosignatures, and the state of their keys.
///
/// `claimed` is the time of the record that is to be proved, when there is one.
pub fn signers(
    note: &UnverifiedNote,
    claimed: Option<Time>,
    trust: &Trust,
    now: Time,
    report: &mut VerificationReport,
) {
    let cosignatures = witnesses(note, trust, now, report);
    let stamps = timestamps(note, claimed, trust, now, report);
    let seen = trusted_time(note, &cosignatures, &stamps, trust);
    signature(note, trust, (SigningTime { claimed, seen }, now), report);
}

/// A moment by which a party that the verifier trusts had seen a checkpoint.
pub fn seen(note: &UnverifiedNote, trust: &Trust, now: Time) -> Option<Time> {
    // For findings, callers use `signers`; here only the time is needed.
    let mut unread = VerificationReport::default();
    let cosignatures = witnesses(note, trust, now, &mut unread);
    let stamps = timestamps(note, None, trust, now, &mut unread);
    trusted_time(note, &cosignatures, &stamps, trust)
}

/// The cosignatures of pinned witnesses that are not from the future.
fn witnesses(
    note: &UnverifiedNote,
    trust: &Trust,
    now: Time,
    report: &mut VerificationReport,
) -> Vec<Cosignature> {
    let policy = &trust.witnesses;
    let mut found = match policy.cosignatures(note) {
        Ok(found) => found,
        Err(forged) => {
            // With one forged line, no cosignature of this file counts.
            report.fail(PART_WITNESSES, &forged);
            return Vec::new();
        }
    };
    // A cosignature from a time that has not come vouches for nothing.
    found.retain(|cosignature| cosignature.at <= now);
    if policy.quorum() > 0 {
        let (count, quorum) = (found.len(), policy.quorum());
        let verdict = if count >= quorum { CheckStatus::Pass } else { CheckStatus::Incomplete };
        let message = proof_check::cosigned_of_quorum(count, quorum);
        report.add(PART_WITNESSES, verdict, message);
    }
    found
}

/// The stamps of trusted authorities that are not from the future, one for each: the earliest.
fn timestamps(
    note: &UnverifiedNote,
    claimed: Option<Time>,
    trust: &Trust,
    now: Time,
    report: &mut VerificationReport,
) -> Vec<Timestamp> {
    let (mut found, mut is_wrong) = (Vec::new(), false);
    let mut undecided = None;
    for authority in &trust.timestamp_authorities {
        let mut own = Vec::new();
        for stamp in authority.stamps(note) {
            match stamp {
                Ok(stamp) if stamp.latest <= now => own.push(stamp),
                Ok(_) => {}
                Err(fault) if fault.is_undecided() => {
                    undecided = Some(fault.phrase().about(quote(authority.name())));
                }
                Err(fault) => {
                    is_wrong = true;
                    report.fail(PART_TIMESTAMPS, fault.phrase().about(quote(authority.name())));
                }
            }
        }
        found.extend(own.into_iter().min_by_key(|stamp| stamp.latest));
    }
    for stamp in &found {
        // The records of a checkpoint were there before it was stamped.
        if let Some(claimed) = claimed.filter(|claimed| *claimed > stamp.latest) {
            let (name, at) = (quote(&stamp.authority), stamp.latest);
            is_wrong = true;
            report.fail(PART_TIMESTAMPS, proof_check::record_after_its_stamp(claimed, name, at));
        }
    }
    if is_wrong {
        // With one wrong line, no stamp of this file counts.
        return Vec::new();
    }
    if !found.is_empty() {
        let one = |stamp: &Timestamp| proof_check::stamp_at(quote(&stamp.authority), stamp.at);
        let all = Phrase::fold(found.iter().map(one), proof_check::and);
        report.pass(PART_TIMESTAMPS, proof_check::stamped_by(all));
    } else if !trust.timestamp_authorities.is_empty() {
        let message = undecided.unwrap_or_else(proof_check::no_trusted_stamp);
        report.incomplete(PART_TIMESTAMPS, message);
    }
    found
}

/// A moment by which a party that the verifier trusts had seen this checkpoint.
///
/// For witnesses that is the time by which a quorum had cosigned, so that fewer cannot date it
/// back. A cosignature is dated in whole seconds, rounded down; its last millisecond is taken, so
/// that a revocation within that second does not count as later. One time stamp is enough: a
/// verifier that names an authority trusts it.
fn trusted_time(
    note: &UnverifiedNote,
    cosignatures: &[Cosignature],
    stamps: &[Timestamp],
    trust: &Trust,
) -> Option<Time> {
    let last = |one: &Cosignature| Time::from_millis(one.at.millis().checked_add(999)?);
    let mut cosigned: Vec<Time> = cosignatures.iter().filter_map(last).collect();
    cosigned.sort_unstable();
    // In order, the n-th is the first time by which n had cosigned. Without a quorum one is enough.
    let quorum = cosigned.into_iter().nth(trust.witnesses.quorum().saturating_sub(1));
    let checkpoint = Checkpoint::parse(note.unverified_text()).ok()?;
    let head = checkpoint.head();
    let seen = trust.seen.iter().filter(|seen| seen.head == *head).map(|seen| seen.at);
    let stamped = stamps.iter().map(|stamp| stamp.latest);
    quorum.into_iter().chain(stamped).chain(seen).min()
}

fn signature(
    note: &UnverifiedNote,
    trust: &Trust,
    (signed, now): (SigningTime, Time),
    report: &mut VerificationReport,
) {
    if trust.keyring.keys().is_empty() {
        let message = proof_check::no_pinned_key();
        return report.incomplete(PART_CHECKPOINT_SIGNATURE, message);
    }
    let note = match note.open(trust.keyring.keys()) {
        Ok(note) => note,
        Err(error) => return report.fail(PART_CHECKPOINT_SIGNATURE, &error),
    };
    let names = note.verified.iter().map(|(key, _)| found::value(key.name()));
    let names = Phrase::fold(names, proof_check::and);
    report.pass(PART_CHECKPOINT_SIGNATURE, proof_check::signed_by(names));
    let keyring = &trust.keyring;
    let is_early = |key: &PublicKey| keyring.added(key).is_some_and(|added| added > now);
    let signers = || note.verified.iter().map(|(key, _)| *key);
    match keyring.best_standing(signers().filter(|key| !is_early(key)), signed) {
        Some((verdict, message)) => report.add(PART_KEY_STATUS, verdict, message),
        None => {
            let Some(name) = signers().next().map(|key| quote(key.name())) else {
                let message = proof_check::not_signed();
                return report.fail(PART_KEY_STATUS, message);
            };
            let message = proof_check::key_added_after_now(name, now);
            report.incomplete(PART_KEY_STATUS, message);
        }
    }
}

const PART_FORMAT: &str = "format";
const PART_CHECKPOINT: &str = "checkpoint";
const PART_WITNESSES: &str = "witnesses";
const PART_TIMESTAMPS: &str = "timestamps";
const PART_CHECKPOINT_SIGNATURE: &str = "checkpoint signature";
const PART_KEY_STATUS: &str = "key status";
