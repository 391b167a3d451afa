//! The tree over the file: its root, and earlier heads that it passed on the way.

use std::collections::BTreeMap;

use dalil_phrasebook::trail_check;

use super::consistency;
use super::header::TrailHeader;
use crate::digest::Digest;
use crate::report::VerificationReport;
use crate::tree::Frontier;
use crate::trust::Trust;

/// The tree so far, and the roots that will be asked for.
#[derive(Clone, Debug)]
pub(super) struct RootTracker {
    frontier: Frontier,
    /// Sizes that the verifier has seen, with the root that the file gives them.
    passed: BTreeMap<u64, Option<Digest>>,
}

impl RootTracker {
    pub(super) fn new(header: &TrailHeader, trust: &Trust) -> Self {
        let sizes = trust.seen.iter().map(|seen| (seen.head.size, None));
        let mut roots = Self { frontier: header.frontier().clone(), passed: sizes.collect() };
        // The verifier may have seen the very size at which this file begins.
        roots.pass();
        roots
    }

    pub(super) fn push(&mut self, leaf: Digest) {
        self.frontier.push(leaf);
        self.pass();
    }

    fn pass(&mut self) {
        // At requested sizes only: a root costs a hash for each level.
        if let Some(root) = self.passed.get_mut(&self.frontier.size()) {
            *root = Some(self.frontier.head().root);
        }
    }

    /// Checks the root and every head that the verifier or the header knows.
    pub(super) fn report(
        &self,
        header: &TrailHeader,
        trust: &Trust,
        unread: u64,
        report: &mut VerificationReport,
    ) {
        let signed = header.head();
        let here = self.frontier.head();
        let whole = unread == 0 && here == *signed;
        if unread > 0 {
            let message = trail_check::root_not_computed(unread);
            report.incomplete(PART_ROOT, message);
        } else if whole {
            let size = here.size;
            let message = trail_check::records_give_the_root(size);
            report.pass(PART_ROOT, message);
        } else {
            let (expected, found) = (signed.root, here.root);
            let message = trail_check::root_differs(expected, found);
            report.fail(PART_ROOT, message);
        }
        // Roots on the way prove nothing unless the last one is the signed one.
        let passed = |size: u64| self.passed.get(&size).copied().flatten().filter(|_| whole);
        consistency::check(signed, header.previous(), trust, &passed, report);
    }
}

const PART_ROOT: &str = "root";
