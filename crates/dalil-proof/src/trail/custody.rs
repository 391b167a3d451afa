//! Custody: exports of one trail, each naming the one before.

use dalil_phrasebook::trail_check;

use super::header::TrailHeader;
use crate::fault::quote;
use crate::report::VerificationReport;
use crate::tree::TreeHead;

/// The claimed place of an export among the exports of its trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustodyLink {
    /// The trail.
    pub origin: String,
    /// The index of its first record.
    pub first: u64,
    /// The size and root at its end.
    pub head: TreeHead,
    /// The size and root of the export before it.
    pub previous: Option<TreeHead>,
}

impl CustodyLink {
    /// The claim of a header, unverified before the export is verified.
    pub fn of(header: &TrailHeader) -> Self {
        Self {
            origin: header.origin().to_owned(),
            first: header.first(),
            head: *header.head(),
            previous: header.previous().map(|previous| previous.head),
        }
    }
}

/// Checks that verified exports, oldest first, are one chain without a gap.
///
/// That each export adds to the one that it names is part of its own verification.
pub fn check(exports: &[CustodyLink]) -> VerificationReport {
    let mut report = VerificationReport::default();
    let Some((first, later)) = exports.split_first() else { return report };
    origin(exports, first, &mut report);
    match first.previous {
        None => {
            let message = trail_check::first_export_names_none();
            report.pass(PART_CUSTODY, message);
        }
        Some(TreeHead { size, .. }) => {
            let message = trail_check::export_before_not_here(size);
            report.incomplete(PART_CUSTODY, message);
        }
    }
    for (before, here) in exports.iter().zip(later) {
        follows(before, here, &mut report);
    }
    report
}

fn origin(exports: &[CustodyLink], first: &CustodyLink, report: &mut VerificationReport) {
    match exports.iter().find(|export| export.origin != first.origin) {
        None => {
            let (count, of) = (exports.len(), quote(&first.origin));
            report.pass(PART_ORIGIN, trail_check::count_of_exports(count, of));
        }
        Some(other) => {
            let (expected, found) = (quote(&first.origin), quote(&other.origin));
            let message = trail_check::export_of_another_trail(expected, found);
            report.fail(PART_ORIGIN, message);
        }
    }
}

fn follows(before: &CustodyLink, here: &CustodyLink, report: &mut VerificationReport) {
    let TreeHead { size, root } = before.head;
    let new = here.head.size;
    match here.previous {
        None => {
            let message = trail_check::export_names_none_before(new);
            report.incomplete(PART_CUSTODY, message);
        }
        Some(previous) if previous == before.head => {
            let message = trail_check::export_follows(new, size);
            report.pass(PART_CUSTODY, message);
        }
        Some(TreeHead { size: other, root: found }) => {
            let message = trail_check::export_names_another(new, size, root, other, found);
            report.fail(PART_CUSTODY, message);
        }
    }
    // Exports may overlap: each proves its own records.
    if here.first <= size {
        let first = here.first;
        let message = trail_check::starts_without_gap(first);
        report.pass(PART_RANGE, message);
    } else {
        let last = here.first - 1;
        let message = trail_check::records_in_neither(size, last);
        report.incomplete(PART_RANGE, message);
    }
}

const PART_ORIGIN: &str = "origin";
const PART_CUSTODY: &str = "custody";
const PART_RANGE: &str = "range";
