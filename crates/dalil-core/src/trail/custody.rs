//! Custody: exports of one trail, each naming the one before.

use super::header::Header;
use crate::fault::quote;
use crate::report::Report;
use crate::tree::Head;

/// What an export says about its place among the exports of its trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The trail.
    pub origin: String,
    /// The index of its first record.
    pub first: u64,
    /// The size and root at its end.
    pub head: Head,
    /// The size and root of the export before it.
    pub previous: Option<Head>,
}

impl Link {
    /// What a header says, which nothing vouches for before the export is verified.
    pub fn of(header: &Header) -> Self {
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
pub fn check(exports: &[Link]) -> Report {
    let mut report = Report::default();
    let Some((first, later)) = exports.split_first() else { return report };
    origin(exports, first, &mut report);
    match first.previous {
        None => report.pass(CUSTODY, "the first export names none before it"),
        Some(Head { size, .. }) => {
            report.incomplete(CUSTODY, format!("the export before, of size {size}, is not here"));
        }
    }
    for (before, here) in exports.iter().zip(later) {
        follows(before, here, &mut report);
    }
    report
}

fn origin(exports: &[Link], first: &Link, report: &mut Report) {
    match exports.iter().find(|export| export.origin != first.origin) {
        None => {
            let (count, of) = (exports.len(), quote(&first.origin));
            report.pass(ORIGIN, format!("{count} exports of {of}"));
        }
        Some(other) => {
            let (expected, found) = (quote(&first.origin), quote(&other.origin));
            report.fail(ORIGIN, format!("expected exports of {expected}, found one of {found}"));
        }
    }
}

fn follows(before: &Link, here: &Link, report: &mut Report) {
    let Head { size, root } = before.head;
    let new = here.head.size;
    match here.previous {
        None => {
            report.incomplete(CUSTODY, format!("the export of size {new} names none before it"));
        }
        Some(previous) if previous == before.head => {
            report
                .pass(CUSTODY, format!("the export of size {new} follows the one of size {size}"));
        }
        Some(Head { size: other, root: found }) => report.fail(
            CUSTODY,
            format!(
                "expected the export of size {new} to name size {size} and root `{root}`, \
                 found {other} and `{found}`"
            ),
        ),
    }
    if here.first <= size {
        report.pass(RANGE, format!("starts at record {}, with no gap", here.first));
    } else {
        report.incomplete(RANGE, format!("records {size} to {} are in neither", here.first - 1));
    }
}

const ORIGIN: &str = "origin";
const CUSTODY: &str = "custody";
const RANGE: &str = "range";
