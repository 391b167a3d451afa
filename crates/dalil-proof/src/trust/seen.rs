//! Heads that the verifier has seen, against a signed one: two roots at one size are two histories.

use dalil_phrasebook::proof_check;

use crate::digest::Digest;
use crate::report::VerificationReport;
use crate::tree::TreeHead;
use crate::trust::{Trust, TrustedHead};

/// Compares a signed head with every head in the trust file.
///
/// `computed` gives the root at an earlier size, where the file has enough to compute it; for other
/// sizes, a proof in the trust may help.
pub(crate) fn check(
    signed: &TreeHead,
    trust: &Trust,
    computed: &dyn Fn(&TreeHead) -> Option<Digest>,
    report: &mut VerificationReport,
) {
    let related = trust.heads_related_to(signed);
    for seen in &trust.seen {
        if seen.head.size > signed.size {
            later(seen, signed, &related, report);
            continue;
        }
        let found = if seen.head.size == signed.size {
            Some(signed.root)
        } else {
            let proved = related.contains(&seen.head).then_some(seen.head.root);
            computed(&seen.head).or(proved)
        };
        earlier(seen, signed, found, report);
    }
}

/// A head that was seen and is larger: only a proof relates the two.
fn later(
    seen: &TrustedHead,
    signed: &TreeHead,
    related: &[TreeHead],
    report: &mut VerificationReport,
) {
    let TrustedHead { head: TreeHead { size, .. }, at } = *seen;
    let end = signed.size;
    if related.contains(&seen.head) {
        let message = proof_check::seen_head_adds(at, size);
        return report.pass(PART_CONSISTENCY, message);
    }
    let message = proof_check::seen_head_is_larger(size, at, end);
    report.incomplete(PART_CONSISTENCY, message);
}

fn earlier(
    seen: &TrustedHead,
    signed: &TreeHead,
    found: Option<Digest>,
    report: &mut VerificationReport,
) {
    let TrustedHead { head: TreeHead { size, root: expected }, at } = *seen;
    match found {
        Some(found) if found == expected => {
            let message = proof_check::seen_head_is_in_it(at, size);
            report.pass(PART_CONSISTENCY, message);
        }
        Some(found) => {
            let message = proof_check::seen_root_differs(expected, size, at, found);
            report.fail(PART_CONSISTENCY, message);
        }
        None => {
            let end = signed.size;
            let message = proof_check::seen_root_not_computable(size, at, end);
            report.incomplete(PART_CONSISTENCY, message);
        }
    }
}

/// The part of a report that compares heads.
pub const PART_CONSISTENCY: &str = "consistency";
