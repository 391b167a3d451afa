//! The pack of an archive and the versions before it.

use std::collections::BTreeMap;

use dalil_phrasebook::{archive_check, expected, found, proof_check};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused, quote};
use dalil_proof::json::Json;
use dalil_proof::report::{CheckStatus, VerificationReport, part_name};
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use dalil_proof::trust::seen::PART_CONSISTENCY;

use super::layout::{ArchiveFileRole, ArchiveFiles, PACK_PATH};
use super::records::ArchiveRecords;
use crate::pack::{PackDraft, UnverifiedPack};

/// Every version of the pack up to the newest, which the archive is about.
#[derive(Debug)]
pub(super) struct ArchivePackVersions {
    /// With the number in its name; the last one has none.
    all: Vec<(Option<u64>, Result<UnverifiedPack, Refused>)>,
    /// The content of each, where it can be read.
    said: Vec<Option<PackDraft>>,
    /// Whether the trail has a record of each that it was sealed.
    recorded: Vec<bool>,
    /// The packs whose records say that they were erased, and by which record.
    erased: BTreeMap<String, u64>,
    /// The digest of the decision, as the trail recorded it.
    decision: Option<Digest>,
}

impl ArchivePackVersions {
    pub(super) fn read(files: &ArchiveFiles<'_>, records: &ArchiveRecords<'_>) -> Self {
        // Numbers in names have eight digits, so the order of names is that of the versions.
        let mut all = Vec::new();
        for (name, file) in files {
            match ArchiveFileRole::of(name) {
                Some(ArchiveFileRole::Version(n)) => all.push((Some(n), sealed(file))),
                Some(
                    ArchiveFileRole::Fixed
                    | ArchiveFileRole::Receipt(_)
                    | ArchiveFileRole::Object(_),
                )
                | None => {}
            }
        }
        let newest = files.get(PACK_PATH).map_or(&[][..], |file| file);
        all.push((None, sealed(newest)));
        let said: Vec<Option<PackDraft>> =
            all.iter().map(|(_, pack)| pack.as_ref().ok()?.unverified_draft().ok()).collect();
        let is_sealed = |draft: &PackDraft| records.sealed.contains_key(draft.pack_id.as_str());
        let recorded = said.iter().map(|draft| draft.as_ref().is_some_and(is_sealed)).collect();
        let newest = said.last().and_then(Option::as_ref);
        let decision = newest.and_then(|pack| records.decisions.get(pack.decision_id.as_str()));
        let decision = decision.copied();
        let erased = records.erased.clone();
        Self { all, said, recorded, erased, decision }
    }

    /// The content of the pack, unverified before the report passes.
    pub(super) fn newest(&self) -> Option<&PackDraft> {
        self.said.last().and_then(Option::as_ref)
    }

    /// Returns the content of the pack.
    pub(super) fn into_newest(mut self) -> Option<PackDraft> {
        self.said.pop().flatten()
    }

    /// The receipts of all versions that have one.
    pub(super) fn receipts(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter_map(|(_, pack)| pack.as_ref().ok()?.receipt_text())
    }

    pub(super) fn report(&self, trust: &Trust, now: Time, report: &mut VerificationReport) {
        if let Some((_, pack)) = self.all.last() {
            match pack {
                Ok(pack) => report.findings.extend(examined(pack, trust, now).findings),
                Err(refused) => report.refused("format", refused),
            }
        }
        // No finding from here on means that every version holds: sound ones add none.
        let before = report.findings.len();
        let mut last = 0;
        for (place, (stated, pack)) in self.all.iter().enumerate() {
            let n = self.number(place, last, report);
            if let (Some(_), Ok(pack)) = (stated, pack) {
                earlier(n, &examined(pack, trust, now), report);
            } else if let (Some(_), Err(refused)) = (stated, pack) {
                report.refused(PART_VERSIONS, refused);
            }
            self.follows(place, n, n > last + 1, report);
            last = n;
        }
        if report.findings.len() == before {
            let count = self.all.len();
            let message = archive_check::versions_in_order(count);
            report.pass(PART_VERSIONS, message);
        }
        self.decided(report);
    }

    /// The number that a version must have after `last`: the next, or its own where the one
    /// that it supersedes was erased.
    fn number(&self, place: usize, last: u64, report: &mut VerificationReport) -> u64 {
        let next = last + 1;
        let Some(Some(pack)) = self.said.get(place) else { return next };
        let before = pack.supersedes.as_ref();
        // A gap is excused only by a record that the pack before it was `erased`. That record is
        // checked with the payloads.
        let by = before.and_then(|id| self.erased.get(id.as_str()));
        match (before, by) {
            (Some(id), Some(by)) if pack.version > next => {
                let (erased, id) = (pack.version - 1, quote(id.as_str()));
                if erased > next {
                    let until = erased - 1;
                    let message = archive_check::versions_not_here(next, until);
                    report.incomplete(PART_VERSIONS, message);
                }
                let message = archive_check::version_erased(erased, id, by);
                report.incomplete(PART_VERSIONS, message);
                pack.version
            }
            _ => next,
        }
    }

    /// Checks that a version is in its place: its number, the one before if that was not
    /// erased, and its record.
    fn follows(&self, place: usize, n: u64, erased: bool, report: &mut VerificationReport) {
        let Some(Some(pack)) = self.said.get(place) else { return };
        let stated = self.all.get(place).and_then(|(stated, _)| *stated);
        let before = place.checked_sub(1).and_then(|place| self.said.get(place)?.as_ref());
        let same = before.is_none_or(|before| {
            before.decision_id == pack.decision_id && before.tenant_id == pack.tenant_id
        });
        // The first version has nothing before it and must supersede nothing: both are `None`.
        let named = erased || pack.supersedes.as_ref() == before.map(|before| &before.pack_id);
        let version = pack.version;
        if stated.is_some_and(|stated| stated != n) || version != n || !same || !named {
            let id = quote(pack.pack_id.as_str());
            let message = archive_check::version_out_of_order(n, id, version);
            report.fail(PART_VERSIONS, message);
        }
        if self.recorded.get(place) == Some(&false) {
            let id = quote(pack.pack_id.as_str());
            let message = archive_check::no_record_of_seal(id);
            report.fail(PART_VERSIONS, message);
        }
    }

    /// Checks that the decision is the one that the trail recorded.
    fn decided(&self, report: &mut VerificationReport) {
        let Some(pack) = self.newest() else { return };
        let id = quote(pack.decision_id.as_str());
        match self.decision {
            Some(digest) if digest == pack.decision_hash => {
                let message = archive_check::decision_as_recorded(id);
                report.pass(PART_DECISION, message);
            }
            Some(digest) => {
                let expected = pack.decision_hash;
                let message = archive_check::decision_differs_from_record(expected, digest);
                report.fail(PART_DECISION, message);
            }
            None => {
                let message = archive_check::no_record_of_decision(id);
                report.incomplete(PART_DECISION, message);
            }
        }
    }
}

/// The findings about a version by itself. Its receipt is under the archive's own checkpoint, which
/// is compared with the heads in the trust, with every proof that the archive has.
fn examined(pack: &UnverifiedPack, trust: &Trust, now: Time) -> VerificationReport {
    let (_, mut report) = pack.examine(trust, now);
    report.findings.retain(|one| one.part != PART_CONSISTENCY);
    report
}

/// Adds the faults of an earlier version.
fn earlier(n: u64, found: &VerificationReport, report: &mut VerificationReport) {
    for finding in found.findings.iter().filter(|one| one.verdict != CheckStatus::Pass) {
        let part = proof_check::part_of_version(n, part_name(finding.part));
        report.add(PART_VERSIONS, finding.verdict, finding.message.about(part));
    }
}

/// Reads a sealed pack in its one spelling.
fn sealed(bytes: &[u8]) -> Result<UnverifiedPack, Refused> {
    let json = Json::parse(bytes)?;
    // `UnverifiedPack` reads a bare pack too; in an archive it must be sealed.
    if json.get("envelope").is_none() {
        return Err(Fault::new(
            "format",
            "$",
            expected::a_sealed_pack(),
            found::another_json_value(),
        )
        .into());
    }
    if canon::bytes(&json).ok().as_deref() != Some(bytes) {
        let expected = expected::canonical_json_rfc_8785();
        return Err(Fault::new("canonical", "$", expected, found::another_spelling()).into());
    }
    UnverifiedPack::parse(bytes)
}

const PART_VERSIONS: &str = "versions";
const PART_DECISION: &str = "decision";
