//! The claims of a ledger as the pages show them.
//!
//! A pack keeps its ledger as it came: the ledger itself, or its export. Missing
//! fields are not shown, and an unknown word is shown as it is.

use std::collections::BTreeMap;

use dalil_evidence::claim::{ClaimImportance, ClaimKind};
use dalil_evidence::ledger::confidence::ConfidenceBand;
use dalil_evidence::ledger::issue::ClaimIssue;
use dalil_evidence::ledger::passage::EvidencePassage;
use dalil_evidence::ledger::risk;
use dalil_evidence::ledger::summary::NO_SHARE_LABEL;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_phrasebook::{Language, document_note};
use dalil_proof::json::{Json, integer};
use dalil_proof::score::Score;
use serde::Serialize;

use super::glyphs::{PageTextWriter, PrintableText};
use crate::ledger::remark::quoted;

/// A ledger as the pages show it.
#[derive(Debug, Serialize)]
pub(super) struct PdfClaimsView {
    id: Option<PrintableText>,
    session: Option<PrintableText>,
    at: Option<String>,
    total: String,
    counts: Vec<PdfVerdictCountView>,
    coverage: Option<String>,
    unsupported: Option<String>,
    entries: Vec<PdfClaimView>,
    flags: Vec<PdfRiskFlagView>,
    questions: Vec<PrintableText>,
    judge: Option<PdfJudgeView>,
    documents: Vec<PdfDocumentView>,
}

#[derive(Debug, Serialize)]
struct PdfVerdictCountView {
    verdict: &'static str,
    label: String,
    count: String,
}

#[derive(Debug, Serialize)]
struct PdfClaimView {
    number: String,
    claim: PrintableText,
    kind: String,
    importance: String,
    /// The published word, which the badge is chosen by.
    verdict: String,
    label: String,
    confidence: Option<String>,
    /// The confidence that the contract's formula gives.
    calculated: Option<String>,
    band: Option<BandMark>,
    source: Option<PrintableText>,
    page: Option<String>,
    section: Option<PrintableText>,
    snippet: Option<PrintableText>,
    notes: Option<PrintableText>,
    /// The words that cannot both be true.
    reason: Option<PrintableText>,
    /// The opposing passages.
    others: Vec<PrintableText>,
    /// The issues of the evidence or the citations.
    findings: Vec<PrintableText>,
    judge: Option<PrintableText>,
    /// Whether it may go over the end of a page.
    long: bool,
}

/// How sure a verdict is: a word, and how many of five signs are full.
#[derive(Debug, Serialize)]
struct BandMark {
    /// The published word, which the colours are chosen by.
    word: &'static str,
    label: String,
    full: u8,
}

#[derive(Debug, Serialize)]
struct PdfRiskFlagView {
    label: String,
    severity: String,
    description: Option<PrintableText>,
    /// The numbers of the claims.
    claims: Vec<String>,
    mitigation: Option<PrintableText>,
}

#[derive(Debug, Serialize)]
struct PdfJudgeView {
    engine: Option<PrintableText>,
    model: Option<PrintableText>,
    digest: Option<String>,
}

#[derive(Debug, Serialize)]
struct PdfDocumentView {
    name: PrintableText,
    digest: Option<String>,
    chunks: Option<String>,
    problems: Vec<PrintableText>,
}

/// The claims of a ledger.
pub(super) fn of(ledger: &Json<'_>, pen: &PageTextWriter) -> PdfClaimsView {
    let entries = list(ledger.get("entries"));
    // Flags name claims by their ids, the pages by their numbers.
    let numbers: BTreeMap<&str, u64> =
        entries.iter().zip(1..).filter_map(|(one, n)| Some((text(one, "claim_id")?, n))).collect();
    let summary = ledger.get("summary").unwrap_or(&Json::Null);
    let counted = |verdict: Verdict| PdfVerdictCountView {
        verdict: word(verdict),
        label: pen.label(verdict.label()),
        count: pen
            .number(entries.iter().filter(|one| is(one, "verdict", word(verdict))).count() as u64),
    };
    let judge = ledger.get("judge").map(|judge| PdfJudgeView {
        engine: text(judge, "engine").map(|engine| pen.line(engine)),
        model: text(judge, "model").map(|model| pen.line(model)),
        digest: text(judge, "model_sha256").map(|digest| pen.line(digest).t),
    });
    PdfClaimsView {
        id: text(ledger, "id").or_else(|| text(ledger, "ledger_id")).map(|id| pen.line(id)),
        session: text(ledger, "session_id").map(|id| pen.line(id)),
        at: time(ledger, "created_at", pen).or_else(|| time(ledger, "generated_at", pen)),
        total: pen.number(entries.len() as u64),
        counts: Verdict::ALL.into_iter().map(counted).collect(),
        coverage: coverage(summary, pen),
        unsupported: share(summary, "unsupported_rate", pen),
        entries: entries.iter().zip(1..).map(|(one, n)| entry(one, n, pen)).collect(),
        flags: list(ledger.get("risk_flags"))
            .iter()
            .map(|one| flag(one, ledger, &numbers, pen))
            .collect(),
        questions: texts(ledger.get("follow_up_questions"), pen),
        judge,
        documents: list(ledger.get("documents")).iter().map(|one| document(one, pen)).collect(),
    }
}

fn entry(entry: &Json<'_>, number: u64, pen: &PageTextWriter) -> PdfClaimView {
    let language = pen.language;
    // The export keeps the evidence together; the ledger keeps it beside the rest.
    let evidence = entry.get("evidence").unwrap_or(entry);
    let document = evidence.get("source").or_else(|| entry.get("source_document"));
    let snippet = text(evidence, "snippet").or_else(|| text(entry, "evidence_snippet"));
    let verdict = text(entry, "verdict");
    let label = Verdict::ALL.into_iter().find(|one| Some(word(*one)) == verdict);
    let kind = text(entry, "claim_type");
    let importance = text(entry, "claim_importance").or_else(|| text(entry, "importance"));
    let headings = list(document.and_then(|document| document.get("heading_path")));
    let section = headings.last().and_then(string);
    let notes =
        text(entry, "notes").and_then(|notes| pen.notes(notes, snippet.unwrap_or_default()));
    let passages = evidence.get("passages").or_else(|| entry.get("evidence_passages"));
    let passages: Vec<EvidencePassage> =
        list(passages).iter().filter_map(|one| EvidencePassage::parse(one).ok()).collect();
    let own = passages.first().map(|best| best.stance.is_for());
    let others = passages.iter().filter(|one| Some(one.stance.is_for()) != own);
    let reason = passages.first().and_then(|best| best.reason.as_ref());
    // A finding that cannot be read here is shown by its own message, not left out.
    let findings = list(entry.get("findings")).iter().filter_map(|one| {
        let told = ClaimIssue::parse(one).ok().map(|issue| pen.said(issue.phrase()));
        told.or_else(|| text(one, "message").map(str::to_owned))
    });
    let mut shown = PdfClaimView {
        long: false,
        number: pen.number(number),
        claim: pen.wide(text(entry, "claim_text").unwrap_or("-")),
        kind: label_of(
            kind.and_then(|kind| known(&ClaimKind::WIRE_NAMES, kind))
                .map(|one| pen.label(one.label())),
            kind.map(|kind| pen.cell(kind)),
        ),
        importance: label_of(
            importance
                .and_then(|importance| known(&ClaimImportance::WIRE_NAMES, importance))
                .map(|one| pen.label(one.label())),
            importance.map(|importance| pen.cell(importance)),
        ),
        verdict: label.map_or("other", word).to_owned(),
        label: label_of(
            label.map(|one| pen.label(one.label())),
            verdict.map(|verdict| pen.cell(verdict)),
        ),
        confidence: share(entry, "confidence_score", pen),
        calculated: share(entry, "calculated_confidence", pen),
        band: band(entry, pen),
        source: document.and_then(|document| text(document, "filename")).map(|name| pen.cell(name)),
        page: document.and_then(|document| whole(document, "page_number", pen)),
        section: section
            .map(|heading| pen.cell(heading.strip_prefix("Section ").unwrap_or(heading))),
        snippet: snippet.filter(|words| !words.trim().is_empty()).map(|words| pen.wide(words)),
        notes: notes.map(|notes| pen.wide(&notes)),
        reason: reason.map(|reason| pen.wide(reason.phrase().text(language))),
        others: others.map(|one| pen.wide(quoted(one).text(language))).collect(),
        findings: findings.map(|words| pen.wide(&words)).collect(),
        judge: entry.get("judge").and_then(|judge| judge_label(judge, pen)),
    };
    // Short claims are kept on one page; a claim higher than a page must be split.
    shown.long = shown.bytes() > MAX_UNSPLIT_CLAIM_BYTES;
    shown
}

impl PdfClaimView {
    /// How much is shown of it, in every column.
    fn bytes(&self) -> usize {
        let Self { claim, source, section, snippet, notes, reason, others, findings, .. } = self;
        let texts = [Some(claim), source.as_ref(), section.as_ref(), snippet.as_ref()];
        let texts = texts.into_iter().chain([notes.as_ref(), reason.as_ref()]);
        let lists = others.iter().chain(findings).map(Some);
        let words = [&self.kind, &self.importance, &self.label];
        let texts = texts.chain(lists).flatten().map(|text| text.t.len()).sum::<usize>();
        texts + words.into_iter().map(String::len).sum::<usize>()
    }
}

/// The coverage, a dash where the ledger states that there is none.
fn coverage(summary: &Json<'_>, pen: &PageTextWriter) -> Option<String> {
    match summary.get("evidence_coverage") {
        Some(Json::Null) => Some(NO_SHARE_LABEL.to_owned()),
        _ => share(summary, "evidence_coverage", pen),
    }
}

/// The band of a confidence, which every edition of a ledger states.
fn band(entry: &Json<'_>, pen: &PageTextWriter) -> Option<BandMark> {
    let Some(Json::Number(number)) = entry.get("confidence_score") else { return None };
    let band = ConfidenceBand::of(Score::new(*number)?);
    let (word, full) = match band {
        ConfidenceBand::High => ("high", 5),
        ConfidenceBand::Good => ("good", 4),
        ConfidenceBand::Moderate => ("moderate", 3),
        ConfidenceBand::Low => ("low", 2),
        ConfidenceBand::VeryLow => ("very_low", 1),
    };
    Some(BandMark { word, label: pen.label(band.label()), full })
}

/// `deep, dalil-judge/2`.
fn judge_label(judge: &Json<'_>, pen: &PageTextWriter) -> Option<PrintableText> {
    let (kind, name) = (text(judge, "kind")?, text(judge, "name")?);
    Some(pen.cell(&format!("{kind}, {name}")))
}

fn flag(
    flag: &Json<'_>,
    ledger: &Json<'_>,
    numbers: &BTreeMap<&str, u64>,
    pen: &PageTextWriter,
) -> PdfRiskFlagView {
    let language = pen.language;
    let kind = text(flag, "type");
    let severity = text(flag, "severity");
    let touched = flag.get("affected_claim_ids").or_else(|| flag.get("affected_claims"));
    let claims = list(touched).iter().filter_map(|id| numbers.get(string(id)?));
    let known = risk::RiskKind::WIRE_NAMES
        .into_iter()
        .find(|(word, _)| Some(*word) == kind)
        .map(|(_, kind)| kind);
    let level =
        SEVERITIES.into_iter().find(|(word, _)| Some(*word) == severity).map(|(_, one)| one);
    // Ledgers state descriptions in English only; in Arabic the label and the claims say it, or
    // the citations, where they belong to no claim.
    let described = match language {
        Language::English => text(flag, "description").map(str::to_owned),
        Language::Arabic if list(touched).is_empty() => citations_in_arabic(ledger),
        Language::Arabic => None,
    };
    PdfRiskFlagView {
        label: label_of(known.map(|kind| pen.label(kind.label())), kind.map(|kind| pen.line(kind))),
        severity: label_of(
            level.map(|one| pen.label(one.label())),
            severity.map(|severity| pen.line(severity)),
        ),
        description: described.map(|words| pen.line(&words)),
        claims: claims.map(|number| pen.number(*number)).collect(),
        mitigation: known.map(|kind| pen.line(kind.mitigation().text(language))),
    }
}

/// The sentence about the citations of a ledger that name nothing, if there are any.
fn citations_in_arabic(ledger: &Json<'_>) -> Option<String> {
    let open = list(ledger.get("citations"))
        .iter()
        .filter(|one| one.get("resolved") == Some(&Json::Bool(false)));
    let anchors: Vec<&str> = open.filter_map(|one| text(one, "chunk_hash")).collect();
    let phrase = risk::unresolved_citations(anchors.iter().copied());
    (!anchors.is_empty()).then(|| phrase.text(Language::Arabic).to_owned())
}

fn document(document: &Json<'_>, pen: &PageTextWriter) -> PdfDocumentView {
    let problems = list(document.get("problems")).iter().filter_map(string);
    PdfDocumentView {
        name: pen.cell(text(document, "filename").unwrap_or("-")),
        digest: text(document, "sha256").map(|digest| pen.cell(digest).t),
        chunks: whole(document, "chunks", pen),
        problems: problems
            .map(|one| pen.line(document_note::told(one).text(pen.language)))
            .collect(),
    }
}

/// The words for a value of a ledger: the label of a known value, or else its own words; none
/// where it is absent.
fn label_of(known: Option<String>, stated: Option<PrintableText>) -> String {
    match (known, stated) {
        (Some(known), _) => known,
        (None, Some(stated)) => stated.t,
        (None, None) => String::new(),
    }
}

fn list<'l>(json: Option<&'l Json<'l>>) -> &'l [Json<'l>] {
    match json {
        Some(Json::List(items)) => items,
        _ => &[],
    }
}

fn string<'l>(json: &'l Json<'_>) -> Option<&'l str> {
    match json {
        Json::Text(text) => Some(text),
        _ => None,
    }
}

fn text<'l>(json: &'l Json<'_>, name: &str) -> Option<&'l str> {
    json.get(name).and_then(string)
}

fn texts(json: Option<&Json<'_>>, pen: &PageTextWriter) -> Vec<PrintableText> {
    list(json).iter().filter_map(string).map(|one| pen.line(one)).collect()
}

fn is(json: &Json<'_>, name: &str, word: &str) -> bool {
    text(json, name) == Some(word)
}

fn share(json: &Json<'_>, name: &str, pen: &PageTextWriter) -> Option<String> {
    match json.get(name) {
        Some(Json::Number(number)) => Score::new(*number).map(|score| pen.percent(score)),
        _ => None,
    }
}

fn whole(json: &Json<'_>, name: &str, pen: &PageTextWriter) -> Option<String> {
    match json.get(name) {
        Some(Json::Number(number)) => {
            integer(*number).and_then(|number| u64::try_from(number).ok()).map(|n| pen.number(n))
        }
        _ => None,
    }
}

fn time(json: &Json<'_>, name: &str, pen: &PageTextWriter) -> Option<String> {
    text(json, name).and_then(|time| time.parse().ok()).map(|time| pen.time(time))
}

fn known<T: Copy>(words: &[(&str, T)], word: &str) -> Option<T> {
    words.iter().find(|(one, _)| *one == word).map(|(_, value)| *value)
}

/// The published word of a verdict.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Weak => "weak",
        Verdict::Contradicted => "contradicted",
        Verdict::NotFound => "not_found",
    }
}

/// A claim with more bytes than these, as they are shown, may be parted between pages.
const MAX_UNSPLIT_CLAIM_BYTES: usize = 2_000;

const SEVERITIES: [(&str, risk::RiskSeverity); 3] = [
    ("high", risk::RiskSeverity::High),
    ("medium", risk::RiskSeverity::Medium),
    ("low", risk::RiskSeverity::Low),
];
