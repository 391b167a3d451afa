//! Verifying the files of an archive.

use std::collections::BTreeMap;

use super::evidence::Evidence;
use super::{Files, bag, report};
use crate::digest::Digest;
use crate::pack::Draft;
use crate::report::Report;
use crate::time::Time;
use crate::trail::Line;
use crate::trust::Trust;

/// What a verification found, and what is left to check with documents and a judge.
#[derive(Debug)]
pub struct Outcome<'f> {
    /// Every finding.
    pub report: Report,
    /// What the pack says, to be believed only if the report passes.
    pub pack: Option<Draft>,
    /// The objects, each as its digest says.
    pub objects: BTreeMap<Digest, &'f [u8]>,
    /// The records of the sessions whose answers were checked.
    pub sessions: Vec<Line<'f>>,
}

/// Verifies the files of an archive.
pub fn verify<'f>(files: &'f Files<'_>, trust: &Trust, now: Time) -> Outcome<'f> {
    let evidence = Evidence::read(files);
    let mut found = Report::default();
    if bag::check(files, &evidence.about(), &mut found) {
        found.findings.extend(evidence.report(trust, now).findings);
        report::check(files, &evidence, &mut found);
    }
    let Evidence { versions, records, objects, .. } = evidence;
    Outcome {
        report: found,
        pack: versions.into_newest(),
        objects: objects.held,
        sessions: records.sessions,
    }
}
