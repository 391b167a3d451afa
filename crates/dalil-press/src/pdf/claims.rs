//! The claims of a ledger as the pages show them.
//!
//! A pack keeps its ledger as it came: the ledger itself, or its export. What
//! is missing is not shown, and a word that is not known stands as it is.

use std::collections::BTreeMap;

use dalil_core::claim::{Importance, Kind};
use dalil_core::json::{Json, integer};
use dalil_core::ledger::confidence::Band;
use dalil_core::ledger::issue::ClaimIssue;
use dalil_core::ledger::passage::EvidencePassage;
use dalil_core::ledger::remark::quoted;
use dalil_core::ledger::request::Language;
use dalil_core::ledger::risk;
use dalil_core::ledger::summary::NO_SHARE;
use dalil_core::ledger::verdict::Verdict;
use dalil_core::score::Score;
use serde::Serialize;

use super::pen::{Pen, Text};

/// A ledger as the pages show it.
#[derive(Debug, Serialize)]
pub(super) struct Claims {
    id: Option<Text>,
    session: Option<Text>,
    at: Option<String>,
    total: String,
    counts: Vec<Count>,
    coverage: Option<String>,
    unsupported: Option<String>,
    entries: Vec<Entry>,
    flags: Vec<Flag>,
    questions: Vec<Text>,
    judge: Option<Judge>,
    documents: Vec<Document>,
}

#[derive(Debug, Serialize)]
struct Count {
    verdict: &'static str,
    label: &'static str,
    count: String,
}

#[derive(Debug, Serialize)]
struct Entry {
    number: String,
    claim: Text,
    kind: String,
    importance: String,
    /// The published word, which the badge is chosen by.
    verdict: String,
    label: String,
    confidence: Option<String>,
    band: Option<BandMark>,
    source: Option<Text>,
    page: Option<String>,
    section: Option<Text>,
    snippet: Option<Text>,
    notes: Option<Text>,
    /// The words that cannot both be true.
    reason: Option<Text>,
    /// The passages that say otherwise.
    others: Vec<Text>,
    /// What is wrong with the evidence or the citations.
    findings: Vec<Text>,
    judge: Option<Text>,
    /// Whether it may go over the end of a page.
    long: bool,
}

/// How sure a verdict is: a word, and how many of five signs are full.
#[derive(Debug, Serialize)]
struct BandMark {
    label: &'static str,
    full: u8,
}

#[derive(Debug, Serialize)]
struct Flag {
    label: String,
    severity: String,
    description: Option<Text>,
    /// The numbers of the claims.
    claims: Vec<String>,
    mitigation: Option<Text>,
}

#[derive(Debug, Serialize)]
struct Judge {
    engine: Option<Text>,
    model: Option<Text>,
    digest: Option<String>,
}

#[derive(Debug, Serialize)]
struct Document {
    name: Text,
    digest: Option<String>,
    chunks: Option<String>,
    problems: Vec<Text>,
}

/// The claims of a ledger.
pub(super) fn of(ledger: &Json<'_>, pen: &Pen) -> Claims {
    let entries = list(ledger.get("entries"));
    let numbers: BTreeMap<&str, u64> =
        entries.iter().zip(1..).filter_map(|(one, n)| Some((text(one, "claim_id")?, n))).collect();
    let summary = ledger.get("summary").unwrap_or(&Json::Null);
    let counted = |verdict: Verdict| Count {
        verdict: word(verdict),
        label: verdict.label_in(pen.language),
        count: pen
            .number(entries.iter().filter(|one| is(one, "verdict", word(verdict))).count() as u64),
    };
    let judge = ledger.get("judge").map(|judge| Judge {
        engine: text(judge, "engine").map(|engine| pen.line(engine)),
        model: text(judge, "model").map(|model| pen.line(model)),
        digest: text(judge, "model_sha256").map(|digest| pen.line(digest).t),
    });
    Claims {
        id: text(ledger, "id").or_else(|| text(ledger, "ledger_id")).map(|id| pen.line(id)),
        session: text(ledger, "session_id").map(|id| pen.line(id)),
        at: time(ledger, "created_at", pen).or_else(|| time(ledger, "generated_at", pen)),
        total: pen.number(entries.len() as u64),
        counts: Verdict::ALL.into_iter().map(counted).collect(),
        coverage: coverage(summary, pen),
        unsupported: share(summary, "unsupported_rate", pen),
        entries: entries.iter().zip(1..).map(|(one, n)| entry(one, n, pen)).collect(),
        flags: list(ledger.get("risk_flags")).iter().map(|one| flag(one, &numbers, pen)).collect(),
        questions: texts(ledger.get("follow_up_questions"), pen),
        judge,
        documents: list(ledger.get("documents")).iter().map(|one| document(one, pen)).collect(),
    }
}

fn entry(entry: &Json<'_>, number: u64, pen: &Pen) -> Entry {
    let language = pen.language;
    // The export keeps the evidence together; the ledger keeps it beside the rest.
    let evidence = entry.get("evidence").unwrap_or(entry);
    let document = evidence.get("source").or_else(|| entry.get("source_document"));
    let snippet = text(evidence, "snippet").or_else(|| text(entry, "evidence_snippet"));
    let verdict = text(entry, "verdict").unwrap_or_default();
    let label = Verdict::ALL.into_iter().find(|one| word(*one) == verdict);
    let kind = text(entry, "claim_type").unwrap_or_default();
    let importance =
        text(entry, "claim_importance").or_else(|| text(entry, "importance")).unwrap_or_default();
    let headings = document.map(|document| list(document.get("heading_path"))).unwrap_or_default();
    let section = headings.last().and_then(string);
    let notes =
        text(entry, "notes").and_then(|notes| pen.notes(notes, snippet.unwrap_or_default()));
    let passages = evidence.get("passages").or_else(|| entry.get("evidence_passages"));
    let passages: Vec<EvidencePassage> =
        list(passages).iter().filter_map(|one| EvidencePassage::parse(one).ok()).collect();
    let own = passages.first().map(|best| best.stance.is_for());
    let others = passages.iter().filter(|one| Some(one.stance.is_for()) != own);
    let reason = passages.first().and_then(|best| best.reason.as_ref());
    let findings = list(entry.get("findings")).iter().filter_map(|one| {
        let told = ClaimIssue::parse(one).ok().map(|issue| issue.told(language));
        told.or_else(|| text(one, "message").map(str::to_owned))
    });
    let mut shown = Entry {
        long: false,
        number: pen.number(number),
        claim: pen.wide(text(entry, "claim_text").unwrap_or("-")),
        kind: known(&Kind::WORDS, kind)
            .map_or_else(|| pen.cell(kind).t, |one| one.label_in(language).to_owned()),
        importance: known(&Importance::WORDS, importance)
            .map_or_else(|| pen.cell(importance).t, |one| one.label_in(language).to_owned()),
        verdict: label.map_or("other", word).to_owned(),
        label: label.map_or_else(|| pen.cell(verdict).t, |one| one.label_in(language).to_owned()),
        confidence: share(entry, "confidence_score", pen),
        band: band(entry, language),
        source: document.and_then(|document| text(document, "filename")).map(|name| pen.cell(name)),
        page: document.and_then(|document| whole(document, "page_number", pen)),
        section: section
            .map(|heading| pen.cell(heading.strip_prefix("Section ").unwrap_or(heading))),
        snippet: snippet.filter(|words| !words.trim().is_empty()).map(|words| pen.wide(words)),
        notes: notes.map(|notes| pen.wide(&notes)),
        reason: reason.map(|reason| pen.wide(&reason.told(language))),
        others: others.map(|one| pen.wide(&quoted(one, language))).collect(),
        findings: findings.map(|words| pen.wide(&words)).collect(),
        judge: entry.get("judge").and_then(|judge| judge_label(judge, pen)),
    };
    shown.long = shown.bytes() > LONG;
    shown
}

impl Entry {
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

/// The coverage, a dash where the ledger says that there is none.
fn coverage(summary: &Json<'_>, pen: &Pen) -> Option<String> {
    match summary.get("evidence_coverage") {
        Some(Json::Null) => Some(NO_SHARE.to_owned()),
        _ => share(summary, "evidence_coverage", pen),
    }
}

/// The band of a confidence, which every edition of a ledger states.
fn band(entry: &Json<'_>, language: Language) -> Option<BandMark> {
    let Some(Json::Number(number)) = entry.get("confidence_score") else { return None };
    let band = Band::of(Score::new(*number)?);
    let full = match band {
        Band::High => 5,
        Band::Good => 4,
        Band::Moderate => 3,
        Band::Low => 2,
        Band::VeryLow => 1,
    };
    Some(BandMark { label: band.label_in(language), full })
}

/// `deep, dalil-judge/2`.
fn judge_label(judge: &Json<'_>, pen: &Pen) -> Option<Text> {
    let (kind, name) = (text(judge, "kind")?, text(judge, "name")?);
    Some(pen.cell(&format!("{kind}, {name}")))
}

fn flag(flag: &Json<'_>, numbers: &BTreeMap<&str, u64>, pen: &Pen) -> Flag {
    let language = pen.language;
    let kind = text(flag, "type").unwrap_or_default();
    let severity = text(flag, "severity").unwrap_or_default();
    let touched = flag.get("affected_claim_ids").or_else(|| flag.get("affected_claims"));
    let claims = list(touched).iter().filter_map(|id| numbers.get(string(id)?));
    let known = risk::Kind::WORDS.into_iter().find(|(word, _)| *word == kind).map(|(_, kind)| kind);
    let level = SEVERITIES.into_iter().find(|(word, _)| *word == severity).map(|(_, one)| one);
    let described = text(flag, "description").filter(|_| language.pick("en", "ar") == "en");
    Flag {
        label: known.map_or_else(|| pen.line(kind).t, |kind| kind.label_in(language).to_owned()),
        severity: level
            .map_or_else(|| pen.line(severity).t, |one| one.label_in(language).to_owned()),
        description: described.map(|words| pen.line(words)),
        claims: claims.map(|number| pen.number(*number)).collect(),
        mitigation: known.map(|kind| pen.line(kind.mitigation_in(language))),
    }
}

fn document(document: &Json<'_>, pen: &Pen) -> Document {
    Document {
        name: pen.cell(text(document, "filename").unwrap_or("-")),
        digest: text(document, "sha256").map(|digest| pen.cell(digest).t),
        chunks: whole(document, "chunks", pen),
        problems: texts(document.get("problems"), pen),
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

fn texts(json: Option<&Json<'_>>, pen: &Pen) -> Vec<Text> {
    list(json).iter().filter_map(string).map(|one| pen.line(one)).collect()
}

fn is(json: &Json<'_>, name: &str, word: &str) -> bool {
    text(json, name) == Some(word)
}

fn share(json: &Json<'_>, name: &str, pen: &Pen) -> Option<String> {
    match json.get(name) {
        Some(Json::Number(number)) => Score::new(*number).map(|score| pen.percent(score)),
        _ => None,
    }
}

fn whole(json: &Json<'_>, name: &str, pen: &Pen) -> Option<String> {
    match json.get(name) {
        Some(Json::Number(number)) => {
            integer(*number).and_then(|number| u64::try_from(number).ok()).map(|n| pen.number(n))
        }
        _ => None,
    }
}

fn time(json: &Json<'_>, name: &str, pen: &Pen) -> Option<String> {
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
const LONG: usize = 2_000;

const SEVERITIES: [(&str, risk::Severity); 3] = [
    ("high", risk::Severity::High),
    ("medium", risk::Severity::Medium),
    ("low", risk::Severity::Low),
];
