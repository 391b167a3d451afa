//! Verifying the files of an archive.

use std::collections::BTreeMap;

use dalil_proof::digest::Digest;
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trail::TrailLine;
use dalil_proof::trust::Trust;

use super::evidence::ArchiveEvidence;
use super::layout::ArchiveFiles;
use super::{bag, report};
use crate::pack::PackDraft;

/// The result of a verification, and the parts left to check with documents and a judge.
#[derive(Debug)]
pub struct ArchiveVerification<'f> {
    /// Every finding.
    pub report: VerificationReport,
    /// The content of the pack, to be trusted only if the report passes.
    pub pack: Option<PackDraft>,
    /// The objects, each with the right digest.
    pub objects: BTreeMap<Digest, &'f [u8]>,
    /// The records of the sessions whose answers were checked.
    pub sessions: Vec<TrailLine<'f>>,
}

/// Verifies the files of an archive.
pub fn verify<'f>(
    files: &'f ArchiveFiles<'_>,
    trust: &Trust,
    now: Time,
) -> ArchiveVerification<'f> {
    let evidence = ArchiveEvidence::read(files);
    let mut found = VerificationReport::default();
    // Without a file that must be there, the steps in between are left out (spec/archive.md,
    // verification, step 2): each would only repeat that it is missing.
    if bag::check(files, &evidence.about(), &mut found) {
        found.findings.extend(evidence.report(trust, now).findings);
        report::check(files, &evidence, &mut found);
    }
    let ArchiveEvidence { versions, records, objects, .. } = evidence;
    ArchiveVerification {
        report: found,
        pack: versions.into_newest(),
        objects: objects.held,
        sessions: records.sessions,
    }
}
