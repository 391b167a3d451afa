//! Whether a trail only grew: from the export before, and from heads that the verifier has seen.

use super::header::PreviousExport;
use crate::digest::Digest;
use crate::report::VerificationReport;
use crate::say;
use crate::tree::{TreeHead, proof};
use crate::trust::{Trust, TrustedHead};

/// Checks a signed head against the export before it and every head in the trust file.
///
/// `passed` gives the root at an earlier size, where the file says enough to compute it.
pub(crate) fn check(
    signed: &TreeHead,
    previous: Option<&PreviousExport>,
    trust: &Trust,
    passed: &dyn Fn(u64) -> Option<Digest>,
    report: &mut VerificationReport,
) {
    let proved = previous.filter(|previous| grew(previous, signed, report));
    for seen in &trust.seen {
        // Three ways to the root at a size that was seen: signed, computed on the way, or proved.
        let found = if seen.head.size == signed.size {
            Some(signed.root)
        } else {
            let proved = proved.map(|previous| previous.head).filter(|head| *head == seen.head);
            passed(seen.head.size).or(proved.map(|head| head.root))
        };
        compare(seen, signed, found, report);
    }
}

fn compare(
    seen: &TrustedHead,
    signed: &TreeHead,
    found: Option<Digest>,
    report: &mut VerificationReport,
) {
    let TrustedHead { head: TreeHead { size, root: expected }, at } = *seen;
    let end = signed.size;
    // An old copy and a trail that was rolled back look the same here.
    if size > end {
        let message = say!(
            "size {size} was seen at {at}, and this ends at {end}: older, or cut; export it again to compare",
            "شوهد الحجم {size} في {at}، وهذا ينتهي عند {end}: أقدم، أو مقطوع؛ استخرجه ثانية للمقارنة",
        );
        return report.incomplete(PART_CONSISTENCY, message);
    }
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
            let message = say!(
                "the root at size {size}, seen at {at}, cannot be computed from this file",
                "الجذر عند الحجم {size}، الذي شوهد في {at}، لا يُحسب من هذا الملف",
            );
            report.incomplete(PART_CONSISTENCY, message);
        }
    }
}

/// Whether the trail only grew since the export before.
fn grew(previous: &PreviousExport, signed: &TreeHead, report: &mut VerificationReport) -> bool {
    let proved = proof::consistency(&previous.head, signed, &previous.proof);
    match &proved {
        Ok(()) => {
            let size = previous.head.size;
            let message = say!(
                "adds to the export of size {size} before it",
                "يزيد على المستخرج السابق بحجم {size}",
            );
            report.pass(PART_CONSISTENCY, message);
        }
        Err(error) => report.fail(PART_CONSISTENCY, error),
    }
    proved.is_ok()
}

const PART_CONSISTENCY: &str = "consistency";
