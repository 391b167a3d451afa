//! The verification of one file, as far as bytes, keys and documents go.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dalil_documents::attached::{self, ATTACHMENTS_PART};
use dalil_documents::document::ParsedDocument;
use dalil_documents::{excerpts, formats};
use dalil_evidence::archive;
use dalil_evidence::completeness::{self, CompletenessVerifier};
use dalil_evidence::pack::PackDraft;
use dalil_evidence::verify::{self, EvidenceFileFormat};
use dalil_phrasebook::{Language, Phrase, file_check, found, precondition};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;
use dalil_proof::report::{CheckStatus, LocalizedReport, VerificationReport, part_name};
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use dalil_render::zip;
use serde::Serialize;

use crate::request::VerifyRequest;

/// The input of a host.
#[derive(Clone, Copy, Debug)]
pub struct VerifyInput<'b> {
    /// The request, as JSON.
    pub request: &'b [u8],
    /// The file.
    pub file: &'b [u8],
    /// A trail export in which a statement of completeness is looked up.
    pub trail: Option<&'b [u8]>,
    /// The list that a statement of completeness should be about, as JSON.
    pub expected: Option<&'b [u8]>,
}

/// A report with the names of its parts and verdicts.
#[derive(Debug)]
pub struct NamedReport {
    report: VerificationReport,
    language: Language,
    digest: Option<Digest>,
}

/// Verifies a file.
///
/// # Errors
/// Every fault of the request.
pub fn run(input: &VerifyInput<'_>) -> Result<NamedReport, Refused> {
    let VerifyRequest { trust, at, language } = VerifyRequest::parse(input.request)?;
    let trust = trust.resolve(|| unverified_origin(input.file))?;
    let statement = Json::parse(input.file).ok().filter(completeness::is_statement);
    let report = match statement {
        Some(statement) => stated(&statement, input, &trust, at)?,
        None => {
            let given = [("trail", input.trail), ("expected", input.expected)];
            if let Some((name, _)) = given.into_iter().find(|(_, bytes)| bytes.is_some()) {
                // A verdict without it would read as if it had been asked.
                let expected = precondition::a_statement_of_completeness();
                return Err(Fault::new("statement", name, expected, found::another_file()).into());
            }
            file(input.file, &trust, at)
        }
    };
    Ok(NamedReport { report, language, digest: unverified_digest(input.file) })
}

impl NamedReport {
    /// `{"digest"?,"findings","names","verdict"}` as JSON. Names are of parts and of verdicts; the
    /// digest is that of the pack or the ledger, to compare with the code on its pages.
    ///
    /// # Errors
    /// None that can happen: a report has no value without a form in JSON.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let Self { report, language, digest } = self;
        let parts = report.findings.iter().map(|finding| (finding.part, part_name(finding.part)));
        let verdicts = [CheckStatus::Pass, CheckStatus::Fail, CheckStatus::Incomplete];
        let verdicts = verdicts.map(|status| (word(status), status.label()));
        let names = parts.chain(verdicts);
        let names = names.map(|(word, name)| (word, name.into_text(*language))).collect();
        let (report, digest) = (report.localized(*language), digest.map(|one| one.to_string()));
        serde_json::to_vec(&NamedReportForm { report, names, digest })
    }
}

#[derive(Serialize)]
struct NamedReportForm<'r> {
    #[serde(flatten)]
    report: LocalizedReport<'r>,
    names: BTreeMap<&'static str, Cow<'static, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

const fn word(status: CheckStatus) -> &'static str {
    match status {
        CheckStatus::Pass => "pass",
        CheckStatus::Fail => "fail",
        CheckStatus::Incomplete => "incomplete",
    }
}

fn stated(
    statement: &Json<'_>,
    input: &VerifyInput<'_>,
    trust: &Trust,
    now: Time,
) -> Result<VerificationReport, Refused> {
    let mut verifier = CompletenessVerifier::new(statement, trust, now);
    if let Some(expected) = input.expected {
        verifier.expect(completeness::expected_ids(expected)?);
    }
    let lines = input.trail.map(|trail| trail.split_inclusive(|byte| *byte == b'\n'));
    lines.into_iter().flatten().for_each(|line| verifier.line(line));
    Ok(verifier.finish())
}

fn file(bytes: &[u8], trust: &Trust, now: Time) -> VerificationReport {
    match verify::format(bytes) {
        EvidenceFileFormat::Archive => archived(bytes, trust, now),
        EvidenceFileFormat::Pdf => pdf(bytes, trust, now),
        EvidenceFileFormat::Json
        | EvidenceFileFormat::Trail
        | EvidenceFileFormat::Receipt
        | EvidenceFileFormat::Note
        | EvidenceFileFormat::Unknown => verify::file(bytes, trust, now),
    }
}

fn archived(bytes: &[u8], trust: &Trust, now: Time) -> VerificationReport {
    let files = match zip::read(bytes) {
        Ok(files) => files,
        Err(error) => {
            let mut report = VerificationReport::default();
            report.fail(ARCHIVE_PART, &error);
            return report;
        }
    };
    let mut found = archive::verify(&files, trust, now);
    if let Some(pack) = &found.pack {
        excerpts::check(pack, &found.objects, &read, &mut found.report);
        not_judged_again(pack, &mut found.report);
    }
    found.report
}

/// Reports that the verdicts of a ledger were not judged again: there is no model here.
fn not_judged_again(pack: &PackDraft, report: &mut VerificationReport) {
    let Some(ledger) = &pack.ledger else { return };
    let message = match ledger.get("judge") {
        Some(_) => file_check::judge_model_not_here(),
        None => file_check::ledger_names_no_judge(),
    };
    report.incomplete(VERDICTS_PART, message);
}

fn pdf(bytes: &[u8], trust: &Trust, now: Time) -> VerificationReport {
    let mut report = VerificationReport::default();
    let found = match formats::attachments(bytes) {
        Ok(found) => found,
        Err(unread) => {
            report.fail(ATTACHMENTS_PART, file_check::attachments_not_extracted(unread.message));
            return report;
        }
    };
    let Some(evidence) = attached::evidence(&found, &mut report) else { return report };
    report.findings.extend(verify::file(&evidence.bytes, trust, now).findings);
    // People read the pages, and nothing here can check whether they are the pack's.
    report.incomplete(PAGES_PART, file_check::built_without_press());
    report
}

/// The trail that a file names as its own, unverified.
fn unverified_origin(bytes: &[u8]) -> Option<String> {
    match verify::format(bytes) {
        EvidenceFileFormat::Archive => archive::unverified_origin(&zip::read(bytes).ok()?),
        EvidenceFileFormat::Pdf => attached::unverified_origin(&formats::attachments(bytes).ok()?),
        EvidenceFileFormat::Json
        | EvidenceFileFormat::Trail
        | EvidenceFileFormat::Receipt
        | EvidenceFileFormat::Note
        | EvidenceFileFormat::Unknown => verify::unverified_origin(bytes),
    }
}

/// The digest of the pack or the ledger in a file, which nothing vouches for.
fn unverified_digest(bytes: &[u8]) -> Option<Digest> {
    match verify::format(bytes) {
        EvidenceFileFormat::Archive => archive::unverified_digest(&zip::read(bytes).ok()?),
        EvidenceFileFormat::Pdf => attached::unverified_digest(&formats::attachments(bytes).ok()?),
        EvidenceFileFormat::Json
        | EvidenceFileFormat::Trail
        | EvidenceFileFormat::Receipt
        | EvidenceFileFormat::Note
        | EvidenceFileFormat::Unknown => verify::unverified_digest(bytes),
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<ParsedDocument, Phrase> {
    formats::read(bytes, name).map_err(|unread| Phrase::verbatim(unread.message))
}

const ARCHIVE_PART: &str = "archive";
const PAGES_PART: &str = "pages";
const VERDICTS_PART: &str = "verdicts";
