//! Custody: exports of one trail, each naming the one before.

use super::header::TrailHeader;
use crate::fault::quote;
use crate::report::VerificationReport;
use crate::say;
use crate::tree::TreeHead;

/// What an export says about its place among the exports of its trail.
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
    /// What a header says, which nothing vouches for before the export is verified.
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
            let message =
                say!("the first export names none before it", "المستخرج الأول لا يسمّي مستخرجًا قبله",);
            report.pass(PART_CUSTODY, message);
        }
        Some(TreeHead { size, .. }) => {
            let message = say!(
                "the export before, of size {size}, is not here",
                "المستخرج السابق بحجم {size} ليس هنا",
            );
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
            report.pass(PART_ORIGIN, say!("{count} exports of {of}", "{count} من مستخرجات {of}"));
        }
        Some(other) => {
            let (expected, found) = (quote(&first.origin), quote(&other.origin));
            let message = say!(
                "expected exports of {expected}, found one of {found}",
                "المتوقع مستخرجات من {expected}، والموجود واحد من {found}",
            );
            report.fail(PART_ORIGIN, message);
        }
    }
}

fn follows(before: &CustodyLink, here: &CustodyLink, report: &mut VerificationReport) {
    let TreeHead { size, root } = before.head;
    let new = here.head.size;
    match here.previous {
        None => {
            let message = say!(
                "the export of size {new} names none before it",
                "المستخرج بحجم {new} لا يسمّي مستخرجًا قبله",
            );
            report.incomplete(PART_CUSTODY, message);
        }
        Some(previous) if previous == before.head => {
            let message = say!(
                "the export of size {new} follows the one of size {size}",
                "المستخرج بحجم {new} يلي المستخرج بحجم {size}",
            );
            report.pass(PART_CUSTODY, message);
        }
        Some(TreeHead { size: other, root: found }) => {
            let message = say!(
                "expected the export of size {new} to name size {size} and root `{root}`, \
                 found {other} and `{found}`",
                "المتوقع أن يسمّي المستخرج بحجم {new} الحجم {size} والجذر `{root}`، \
                 والموجود {other} و`{found}`",
            );
            report.fail(PART_CUSTODY, message);
        }
    }
    // Exports may overlap: each proves its own records.
    if here.first <= size {
        let first = here.first;
        let message =
            say!("starts at record {first}, with no gap", "يبدأ عند القيد {first} بلا فجوة");
        report.pass(PART_RANGE, message);
    } else {
        let last = here.first - 1;
        let message = say!(
            "records {size} to {last} are in neither",
            "القيود من {size} إلى {last} ليست في أي منهما",
        );
        report.incomplete(PART_RANGE, message);
    }
}

const PART_ORIGIN: &str = "origin";
const PART_CUSTODY: &str = "custody";
const PART_RANGE: &str = "range";
