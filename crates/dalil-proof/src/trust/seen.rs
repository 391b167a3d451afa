//! Heads that the verifier has seen, against a signed one: two roots at one size are two histories.

use crate::digest::Digest;
use crate::report::VerificationReport;
use crate::say;
use crate::tree::TreeHead;
use crate::trust::{Trust, TrustedHead};

/// Compares a signed head with every head in the trust file.
///
/// `computed` gives the root at an earlier size, where the file says enough to compute it; what
/// it cannot tell, a proof in the trust may.
pub(crate) fn check(
    signed: &TreeHead,
    trust: &Trust,
    computed: &dyn Fn(&TreeHead) -> Option<Digest>,
    report: &mut VerificationReport,
) {
    for seen in &trust.seen {
        if seen.head.size > signed.size {
            later(seen, signed, trust, report);
            continue;
        }
        let found = if seen.head.size == signed.size {
            Some(signed.root)
        } else {
            let proved = trust.has_grown(&seen.head, signed).then_some(seen.head.root);
            computed(&seen.head).or(proved)
        };
        earlier(seen, signed, found, report);
    }
}

/// A head that was seen and is larger: only a proof relates the two.
fn later(seen: &TrustedHead, signed: &TreeHead, trust: &Trust, report: &mut VerificationReport) {
    let TrustedHead { head: TreeHead { size, .. }, at } = *seen;
    let end = signed.size;
    if trust.has_grown(signed, &seen.head) {
        let message = say!(
            "the head seen at {at}, of size {size}, only adds to it",
            "الرأس الذي شوهد في {at} بحجم {size} لا يفعل إلا أن يزيد عليه",
        );
        return report.pass(PART_CONSISTENCY, message);
    }
    let message = say!(
        "size {size} was seen at {at}, and this ends at {end}: older, or cut; \
         `dalil trail prove --from {end} --to {size}` gives the proof that relates them",
        "شوهد الحجم {size} في {at}، وهذا ينتهي عند {end}: أقدم، أو مقطوع؛ \
         والبرهان الذي يربط بينهما يعطيه `dalil trail prove --from {end} --to {size}`",
    );
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
            let message = say!(
                "the head seen at {at}, of size {size}, is in it",
                "الرأس الذي شوهد في {at} بحجم {size} داخل فيه",
            );
            report.pass(PART_CONSISTENCY, message);
        }
        Some(found) => {
            let message = say!(
                "expected root `{expected}` at size {size}, as seen at {at}, found `{found}`",
                "الجذر المتوقع `{expected}` عند الحجم {size} كما شوهد في {at}، والموجود `{found}`",
            );
            report.fail(PART_CONSISTENCY, message);
        }
        None => {
            let end = signed.size;
            let message = say!(
                "the root at size {size}, seen at {at}, cannot be computed from this file; \
                 `dalil trail prove --from {size} --to {end}` gives the proof that relates them",
                "الجذر عند الحجم {size}، الذي شوهد في {at}، لا يُحسب من هذا الملف؛ \
                 والبرهان الذي يربط بينهما يعطيه `dalil trail prove --from {size} --to {end}`",
            );
            report.incomplete(PART_CONSISTENCY, message);
        }
    }
}

/// The part of a report that compares heads.
pub const PART_CONSISTENCY: &str = "consistency";
