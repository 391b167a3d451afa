//! Whether a trail only grew: from the export before, and from heads that the verifier has seen.

use dalil_phrasebook::trail_check;

use super::header::PreviousExport;
use crate::digest::Digest;
use crate::report::VerificationReport;
use crate::tree::{TreeHead, proof};
use crate::trust::Trust;
use crate::trust::seen::{self, PART_CONSISTENCY};

/// Checks a signed head against the export before it and every head in the trust file.
///
/// `passed` gives the root at an earlier size, where the file has enough to compute it.
pub fn check(
    signed: &TreeHead,
    previous: Option<&PreviousExport>,
    trust: &Trust,
    passed: &dyn Fn(u64) -> Option<Digest>,
    report: &mut VerificationReport,
) {
    let proved = previous.filter(|previous| grew(previous, signed, report));
    let computed = |seen: &TreeHead| {
        let proved = proved.map(|previous| previous.head).filter(|head| head == seen);
        passed(seen.size).or(proved.map(|head| head.root))
    };
    seen::check(signed, trust, &computed, report);
}

/// Whether the trail only grew since the export before.
fn grew(previous: &PreviousExport, signed: &TreeHead, report: &mut VerificationReport) -> bool {
    let proved = proof::consistency(&previous.head, signed, &previous.proof);
    match &proved {
        Ok(()) => {
            let size = previous.head.size;
            let message = trail_check::adds_to_the_export_before(size);
            report.pass(PART_CONSISTENCY, message);
        }
        Err(error) => report.fail(PART_CONSISTENCY, error),
    }
    proved.is_ok()
}
