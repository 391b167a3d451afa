//! The tree over the file: its root, and earlier heads that it passed on the way.

use std::collections::BTreeMap;

use super::header::{Header, Previous};
use crate::digest::Digest;
use crate::report::Report;
use crate::tree::{Frontier, Head, proof};
use crate::trust::{Seen, Trust};

/// The tree so far, and the roots that somebody will ask for.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    frontier: Frontier,
    /// Sizes that the verifier has seen, with the root that the file gives them.
    passed: BTreeMap<u64, Option<Digest>>,
}

impl Roots {
    pub(super) fn new(header: &Header, trust: &Trust) -> Self {
        let sizes = trust.seen.iter().map(|seen| (seen.head.size, None));
        let mut roots = Self { frontier: header.frontier().clone(), passed: sizes.collect() };
        roots.pass();
        roots
    }

    pub(super) fn push(&mut self, leaf: Digest) {
        self.frontier.push(leaf);
        self.pass();
    }

    fn pass(&mut self) {
        if let Some(root) = self.passed.get_mut(&self.frontier.size()) {
            *root = Some(self.frontier.head().root);
        }
    }

    /// Checks the root and every head that the verifier or the header knows.
    pub(super) fn report(&self, header: &Header, trust: &Trust, unread: u64, report: &mut Report) {
        let signed = header.head();
        let here = self.frontier.head();
        let whole = unread == 0 && here == *signed;
        if unread > 0 {
            report.incomplete(ROOT, format!("not computed, as {unread} lines could not be read"));
        } else if whole {
            report.pass(ROOT, format!("the records give the root at size {}", here.size));
        } else {
            let (expected, found) = (signed.root, here.root);
            report.fail(ROOT, format!("expected root `{expected}`, found `{found}`"));
        }
        let proved = header.previous().filter(|previous| grew(previous, signed, report));
        for seen in &trust.seen {
            self.seen(seen, header, (whole, proved), report);
        }
    }

    fn seen(
        &self,
        seen: &Seen,
        header: &Header,
        (whole, proved): (bool, Option<&Previous>),
        report: &mut Report,
    ) {
        let Seen { head: Head { size, root: expected }, at } = *seen;
        let signed = header.head();
        let passed = self.passed.get(&size).copied().flatten().filter(|_| whole);
        if size > signed.size {
            let end = signed.size;
            return report.incomplete(
                CONSISTENCY,
                format!(
                    "size {size} was seen at {at}, and this ends at {end}: an older one, or cut"
                ),
            );
        }
        let found = match (size == signed.size, passed) {
            (true, _) => Some(signed.root),
            (false, Some(root)) => Some(root),
            (false, None) => proved
                .map(|previous| previous.head)
                .filter(|head| *head == seen.head)
                .map(|head| head.root),
        };
        match found {
            Some(found) if found == expected => {
                report
                    .pass(CONSISTENCY, format!("the head seen at {at}, of size {size}, is in it"));
            }
            Some(found) => report.fail(
                CONSISTENCY,
                format!(
                    "expected root `{expected}` at size {size}, as seen at {at}, found `{found}`"
                ),
            ),
            None => report.incomplete(
                CONSISTENCY,
                format!("the root at size {size}, seen at {at}, cannot be computed from this file"),
            ),
        }
    }
}

/// Whether the trail only grew since the export before.
fn grew(previous: &Previous, signed: &Head, report: &mut Report) -> bool {
    let proved = proof::consistency(&previous.head, signed, &previous.proof);
    match &proved {
        Ok(()) => {
            let size = previous.head.size;
            report.pass(CONSISTENCY, format!("adds to the export of size {size} before it"));
        }
        Err(error) => report.fail(CONSISTENCY, error.to_string()),
    }
    proved.is_ok()
}

const ROOT: &str = "root";
const CONSISTENCY: &str = "consistency";
