//! The report in an archive: the result of its maker's verification, for people without a verifier.

use dalil_phrasebook::{Language, archive_check};
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::json::Json;
use dalil_proof::report::{LocalizedReport, VerificationReport};
use dalil_proof::time::Time;
use serde::Serialize;

use super::evidence::ArchiveEvidence;
use super::layout::{ArchiveFiles, REPORT_AR_PATH, REPORT_EN_PATH, REPORT_PATH};

#[derive(Serialize)]
struct ArchiveReportFile<'r> {
    ar: LocalizedReport<'r>,
    at: Option<Time>,
    en: LocalizedReport<'r>,
    verifier: &'static str,
}

/// The report as of the latest record, against the keys that the archive itself names.
pub(super) fn write(
    evidence: &ArchiveEvidence<'_>,
) -> Result<[(&'static str, Vec<u8>); 3], NotCanonical> {
    // As of the latest record and not of the clock: the same evidence gives the same report, and
    // a verifier can make it again.
    let at = evidence.records.latest;
    let report = at.map(|at| evidence.report(&evidence.own_trust(), at)).unwrap_or_default();
    let told = |language| report.localized(language);
    let (en, ar) = (told(Language::English), told(Language::Arabic));
    let json = canon::bytes(&ArchiveReportFile { ar, at, en, verifier: VERIFIER_NAME })?;
    let text = |language, told: LocalizedReport<'_>| {
        let at = at.map(|at| at.to_string()).unwrap_or_default();
        let (head, warning) = (archive_check::report_title(), archive_check::report_warning());
        let (head, warning) = (head.text(language), warning.text(language));
        format!("{head}\n{VERIFIER_NAME}, {at}\n{warning}\n\n{told}").into_bytes()
    };
    let (en, ar) = (text(Language::English, en), text(Language::Arabic, ar));
    Ok([(REPORT_AR_PATH, ar), (REPORT_EN_PATH, en), (REPORT_PATH, json)])
}

/// Checks that the report states the findings that its maker must have had.
pub(super) fn check(
    files: &ArchiveFiles<'_>,
    evidence: &ArchiveEvidence<'_>,
    report: &mut VerificationReport,
) {
    let is_here =
        |(name, bytes): &(&str, Vec<u8>)| files.get(*name).is_some_and(|found| **found == **bytes);
    let same = write(evidence).is_ok_and(|expected| expected.iter().all(is_here));
    if same {
        let message = archive_check::report_says_what_was_found();
        return report.pass(PART_REPORT, message);
    }
    let json = files.get(REPORT_PATH).and_then(|file| Json::parse(file).ok());
    let maker = match json.as_ref().and_then(|json| json.get("verifier")) {
        Some(Json::Text(maker)) => dalil_proof::fault::quote(maker),
        _ => "``".to_owned(),
    };
    // Another version may word the same findings otherwise, so from it a difference proves
    // nothing. From this one it does.
    if maker == format!("`{VERIFIER_NAME}`") {
        let message = archive_check::report_differs_from_evidence();
        report.fail(PART_REPORT, message);
    } else {
        let message = archive_check::report_of_another_maker(maker);
        report.incomplete(PART_REPORT, message);
    }
}

const VERIFIER_NAME: &str = concat!("dalil-core ", env!("CARGO_PKG_VERSION"));
const PART_REPORT: &str = "report";
