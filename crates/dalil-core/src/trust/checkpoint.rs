//! The checks of a checkpoint, in order; each adds its findings and none stops the others.

use crate::checkpoint::Checkpoint;
use crate::fault::quote;
use crate::keyring::Signed;
use crate::note::UnverifiedNote;
use crate::report::{Report, Verdict};
use crate::say;
use crate::time::Time;
use crate::tree::{self, Head};
use crate::trust::Trust;
use crate::witness::Cosignature;

/// Verifies bytes that should be a signed checkpoint.
pub fn verify(bytes: &[u8], trust: &Trust, now: Time) -> Report {
    let mut report = Report::default();
    match UnverifiedNote::parse(bytes) {
        Ok(note) => {
            report.pass(
                FORMAT,
                say!("a signed note in its canonical form", "مذكرة موقعة بصيغتها المعتمدة"),
            );
            text(&note, trust, &mut report);
            signers(&note, None, trust, now, &mut report);
        }
        Err(error) => report.fail(FORMAT, &error),
    }
    report
}

/// Checks that a note is a checkpoint of the trusted trail.
pub(crate) fn text(
    note: &UnverifiedNote,
    trust: &Trust,
    report: &mut Report,
) -> Option<Checkpoint> {
    let checkpoint = match Checkpoint::parse(note.unverified_text()) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            report.fail(CHECKPOINT, &error);
            return None;
        }
    };
    let Head { size, root } = *checkpoint.head();
    match checkpoint.of(&trust.origin) {
        Ok(()) if size == 0 && root != tree::empty() => {
            let message = say!(
                "expected the root of the empty tree at size 0, found another",
                "المتوقع جذر الشجرة الفارغة عند الحجم 0، والموجود غيره",
            );
            report.fail(CHECKPOINT, message);
        }
        Ok(()) => {
            let origin = quote(&trust.origin);
            let message = say!("of {origin} at size {size}", "للمسار {origin} عند الحجم {size}");
            report.pass(CHECKPOINT, message);
        }
        Err(error) => report.fail(CHECKPOINT, &error),
    }
    Some(checkpoint)
}

/// Checks who signed and cosigned, and how their keys stand.
///
/// `claimed` is the time of the record that is to be proved, when there is one.
pub(crate) fn signers(
    note: &UnverifiedNote,
    claimed: Option<Time>,
    trust: &Trust,
    now: Time,
    report: &mut Report,
) {
    let cosignatures = witnesses(note, trust, now, report);
    let checkpoint = Checkpoint::parse(note.unverified_text()).ok();
    let seen = trusted_time(checkpoint.as_ref(), &cosignatures, trust);
    signature(note, trust, Signed { claimed, seen }, report);
}

/// A moment by which somebody the verifier trusts had seen a checkpoint.
pub(crate) fn seen(note: &UnverifiedNote, trust: &Trust, now: Time) -> Option<Time> {
    let mut unread = Report::default();
    let cosignatures = witnesses(note, trust, now, &mut unread);
    let checkpoint = Checkpoint::parse(note.unverified_text()).ok();
    trusted_time(checkpoint.as_ref(), &cosignatures, trust)
}

/// The cosignatures of pinned witnesses that are not from the future.
fn witnesses(
    note: &UnverifiedNote,
    trust: &Trust,
    now: Time,
    report: &mut Report,
) -> Vec<Cosignature> {
    let policy = &trust.witnesses;
    let mut found = match policy.cosignatures(note) {
        Ok(found) => found,
        Err(forged) => {
            report.fail(WITNESSES, &forged);
            return Vec::new();
        }
    };
    found.retain(|cosignature| cosignature.at <= now);
    if policy.quorum() > 0 {
        let (count, quorum) = (found.len(), policy.quorum());
        let verdict = if count >= quorum { Verdict::Pass } else { Verdict::Incomplete };
        let message =
            say!("{count} cosigned, {quorum} needed", "وقّع {count} من الشهود، والمطلوب {quorum}");
        report.add(WITNESSES, verdict, message);
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

fn signature(note: &UnverifiedNote, trust: &Trust, signed: Signed, report: &mut Report) {
    if trust.keyring.keys().is_empty() {
        let message = say!(
            "no key of this trail is pinned to check it with",
            "لا مفتاح موثوق لهذا المسار للتحقق به",
        );
        return report.incomplete(SIGNATURE, message);
    }
    let note = match note.open(trust.keyring.keys()) {
        Ok(note) => note,
        Err(error) => return report.fail(SIGNATURE, &error),
    };
    let names: Vec<String> =
        note.verified.iter().map(|(key, _)| format!("`{}`", key.name())).collect();
    let (names, arabic) = (names.join(" and "), names.join(" و"));
    report.pass(SIGNATURE, say!("signed by {names}", "وقّعه {arabic}"));
    let best = trust.keyring.best_standing(note.verified.iter().map(|(key, _)| *key), signed);
    if let Some((verdict, message)) = best {
        report.add(KEY, verdict, message);
    }
}

const FORMAT: &str = "format";
const CHECKPOINT: &str = "checkpoint";
const WITNESSES: &str = "witnesses";
const SIGNATURE: &str = "checkpoint signature";
const KEY: &str = "key status";
