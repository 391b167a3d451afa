//! Parses a stored ledger, so that it can be shown in another form.

use dalil_phrasebook::{expected, found};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::id::Uuid;
use dalil_proof::json::{Json, MAX_INTEGER};
use dalil_proof::time::Time;

use super::document::document;
use super::{chunk, context, matching};
use crate::anchor::Anchor;
use crate::claim::{ClaimImportance, ClaimKind};
use crate::ledger::citation::CitationResolution;
use crate::ledger::confidence::ConfidenceBand;
use crate::ledger::issue::{ClaimIssue, IssueKind};
use crate::ledger::passage::EvidencePassage;
use crate::ledger::risk::{self, LedgerRisk, RiskFlag, RiskSeverity};
use crate::ledger::summary::LedgerSummary;
use crate::ledger::verdict::{ConflictRuling, Stance, Verdict};
use crate::ledger::{ClaimFinding, Ledger, LedgerContent, LedgerEntry};

impl Ledger {
    /// Parses a ledger, and computes its derived fields again: its sums and its ids.
    ///
    /// # Errors
    /// Every fault in it; a ledger whose derived fields are wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        Self::of(&Json::parse(bytes)?)
    }

    /// The same of a value that was read.
    ///
    /// # Errors
    /// As those of [`Ledger::parse`].
    pub fn of(json: &Json<'_>) -> Result<Self, Refused> {
        let ledger = decode::value(json, ledger)?;
        // Sums and ids were computed, not read, so one comparison shows each that is stated
        // otherwise. Parsed JSON has a canonical form, so two `None` never meet here.
        if canon::digest(&ledger).ok() == canon::digest(json).ok() {
            return Ok(ledger);
        }
        let expected = expected::sums_and_ids_that_follow_from_its_claims();
        Err(Fault::new("ledger", "$", expected, found::others()).into())
    }
}

impl EvidencePassage {
    /// Reads a passage of a ledger or of its export.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(json: &Json<'_>) -> Result<Self, Refused> {
        decode::value(json, passage)
    }
}

impl ClaimIssue {
    /// Reads a finding of a ledger or of its export.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(json: &Json<'_>) -> Result<Self, Refused> {
        decode::value(json, issue)
    }
}

fn ledger(reader: JsonReader<'_, '_>) -> Option<Ledger> {
    let mut fields = reader.object()?;
    // Computed below; `of` compares them with the file.
    fields.ignored(&["id", "updated_at", "summary"]);
    let summary = reader.json.get("summary");
    // spec/ledger.md, "Summary": readers must take
    // ledgers of the first edition, which lack the field.
    let is_first_edition = summary.is_some_and(|one| one.get("coverage_any_evidence").is_none());
    let session_id = fields.required("session_id", decode::owned);
    let created_at = fields.required("created_at", decode::time);
    let previous_ledger_id = fields.optional("previous_ledger_id", decode::owned);
    let findings = fields.required("entries", |list| list.list(finding));
    let risks = fields.required("risk_flags", |list| list.list(one_risk));
    let follow_up_questions =
        fields.required("follow_up_questions", |list| list.list(decode::owned));
    let judge = fields.optional("judge", context::judge);
    let documents = fields.optional("documents", |list| list.list(context::consulted));
    let not_claims = fields.optional("not_claims", |list| list.list(context::not_claim));
    let citations = fields.optional("citations", |list| list.list(resolution));
    fields.done()?;
    let (session_id, created_at, previous) = (session_id?, created_at?, previous_ledger_id?);
    let named =
        LedgerIdInputs { session_id: &session_id, created_at, previous: previous.as_deref() };
    let entry =
        |finding: ClaimFinding| Some(LedgerEntry { id: named.part("entry", &finding)?, finding });
    let flag = |risk: LedgerRisk| Some(RiskFlag { id: named.part("flag", &risk)?, risk });
    let entries = findings?.into_iter().map(entry).collect::<Option<Vec<_>>>()?;
    let risk_flags = risks?.into_iter().map(flag).collect::<Option<Vec<_>>>()?;
    let content = LedgerContent {
        created_at,
        updated_at: created_at,
        summary: if is_first_edition {
            LedgerSummary::of_first_edition(&entries)
        } else {
            LedgerSummary::of(&entries)
        },
        entries,
        risk_flags,
        follow_up_questions: follow_up_questions?,
        judge: judge?,
        documents: documents?,
        not_claims: not_claims?,
        citations: citations?,
        previous_ledger_id: previous.clone(),
        session_id: session_id.clone(),
    };
    Some(Ledger { id: Uuid::from_digest(&canon::digest(&content).ok()?), content })
}

/// The inputs of the ids of a ledger's parts.
struct LedgerIdInputs<'l> {
    session_id: &'l str,
    created_at: Time,
    previous: Option<&'l str>,
}

impl LedgerIdInputs<'_> {
    fn part(&self, name: &str, part: &impl serde::Serialize) -> Option<Uuid> {
        let named = (self.session_id, self.created_at, self.previous, name, part);
        canon::digest(&named).ok().map(|digest| Uuid::from_digest(&digest))
    }
}

fn finding(reader: JsonReader<'_, '_>) -> Option<ClaimFinding> {
    let mut fields = reader.object()?;
    fields.ignored(&["id", "confidence_band"]);
    let offset = |offset: JsonReader<'_, '_>| offset.whole(0..=MAX_INTEGER);
    let claim_id = fields.required("claim_id", decode::owned);
    let claim_text = fields.required("claim_text", decode::owned);
    let claim_type = fields.required("claim_type", |word| word.choice(&ClaimKind::WIRE_NAMES));
    let importance =
        fields.required("claim_importance", |word| word.choice(&ClaimImportance::WIRE_NAMES));
    let start_offset = fields.optional("start_offset", offset);
    let end_offset = fields.optional("end_offset", offset);
    let requires_citation = fields.optional("requires_citation", decode::flag);
    let verdict = fields.required("verdict", |word| word.choice(&VERDICT_WIRE_NAMES));
    let confidence_score = fields.required("confidence_score", decode::score);
    let calculated_confidence = fields.optional("calculated_confidence", decode::score);
    let chunk_ids = fields.required("evidence_chunk_ids", |list| list.list(decode::owned));
    let evidence_snippet = fields.required("evidence_snippet", decode::owned);
    let evidence_offsets = fields.optional("evidence_offsets", context::offsets);
    let source_document = fields.optional("source_document", document);
    let notes = fields.required("notes", decode::owned);
    let passages = fields.or("evidence_passages", Vec::new(), |list| list.list(passage));
    let issues = fields.or("findings", Vec::new(), |list| list.list(issue));
    let judge = fields.optional("judge", matching::verdict_judge);
    fields.done()?;
    let confidence_score = confidence_score?;
    Some(ClaimFinding {
        claim_id: claim_id?,
        claim_text: claim_text?,
        claim_type: claim_type?,
        claim_importance: importance?,
        start_offset: start_offset?,
        end_offset: end_offset?,
        requires_citation: requires_citation?,
        verdict: verdict?,
        confidence_score,
        confidence_band: ConfidenceBand::of(confidence_score),
        calculated_confidence: calculated_confidence?,
        evidence_chunk_ids: chunk_ids?,
        evidence_snippet: evidence_snippet?,
        evidence_offsets: evidence_offsets?,
        source_document: source_document?,
        notes: notes?,
        evidence_passages: passages?,
        issues: issues?,
        judge: judge?,
    })
}

fn passage(reader: JsonReader<'_, '_>) -> Option<EvidencePassage> {
    let mut fields = reader.object()?;
    let chunk_id = fields.required("chunk_id", decode::owned);
    let document = fields.required("document", document);
    let snippet = fields.required("snippet", decode::owned);
    let offsets = fields.optional("offsets", context::offsets);
    let similarity = fields.required("similarity", decode::score);
    let stance = fields.required("stance", |word| word.choice(&Stance::WIRE_NAMES));
    let reason = fields.optional("reason", matching::conflict_reason);
    let missing = fields.optional("missing", decode::owned);
    let hidden = fields.optional("hidden", decode::owned);
    let named = fields.or("named", false, decode::flag);
    let amends = fields.or("amends", Vec::new(), |list| list.list(decode::owned));
    let judge = fields.optional("judge", matching::verdict_judge);
    fields.done()?;
    Some(EvidencePassage {
        chunk_id: chunk_id?,
        document: document?,
        snippet: snippet?,
        offsets: offsets?,
        similarity: similarity?,
        stance: stance?,
        reason: reason?,
        missing: missing?,
        hidden: hidden?,
        named: named?,
        amends: amends?,
        judge: judge?,
    })
}

/// The message follows from the rest.
fn issue(reader: JsonReader<'_, '_>) -> Option<ClaimIssue> {
    let mut fields = reader.object()?;
    fields.ignored(&["message"]);
    let kind = fields.required("type", |word| word.choice(&IssueKind::WIRE_NAMES));
    let citation = fields.optional("citation", |one| one.parsed("anchor", Anchor::EXPECTED));
    let document = fields.optional("document", document);
    let stance = fields.optional("stance", |word| word.choice(&Stance::WIRE_NAMES));
    let ruling = fields.optional("ruling", |word| word.choice(&ConflictRuling::WIRE_NAMES));
    let detail = fields.optional("detail", decode::owned);
    fields.done()?;
    let (citation, document, stance) = (citation?, document?, stance?);
    let (ruling, detail) = (ruling?, detail?);
    let issue = ClaimIssue { citation, document, stance, ruling, detail, ..ClaimIssue::new(kind?) };
    Some(issue.worded())
}

fn one_risk(reader: JsonReader<'_, '_>) -> Option<LedgerRisk> {
    let mut fields = reader.object()?;
    fields.ignored(&["id", "mitigation"]);
    let kind = fields.required("type", |word| word.choice(&risk::RiskKind::WIRE_NAMES));
    let severity = fields.required("severity", |word| word.choice(&SEVERITY_WIRE_NAMES));
    let description = fields.required("description", decode::owned);
    let claims = fields.required("affected_claim_ids", |list| list.list(decode::owned));
    fields.done()?;
    let kind = kind?;
    let mitigation = kind.mitigation();
    let (severity, affected_claim_ids) = (severity?, claims?);
    Some(LedgerRisk { kind, severity, description: description?, affected_claim_ids, mitigation })
}

fn resolution(reader: JsonReader<'_, '_>) -> Option<CitationResolution> {
    let mut fields = reader.object()?;
    let chunk_hash = fields.required("chunk_hash", |hash| hash.parsed("anchor", Anchor::EXPECTED));
    let position = fields.optional("position", |place| place.whole(0..=MAX_INTEGER));
    let claim_id = fields.optional("claim_id", decode::owned);
    let resolved = fields.required("resolved", decode::flag);
    let chunk = fields.optional("chunk", chunk);
    let error = fields.optional("error", decode::owned);
    fields.done()?;
    Some(CitationResolution {
        chunk_hash: chunk_hash?,
        position: position?.and_then(|place| usize::try_from(place).ok()),
        claim_id: claim_id?,
        resolved: resolved?,
        chunk: chunk?,
        error: error?,
    })
}

const VERDICT_WIRE_NAMES: [(&str, Verdict); 4] = [
    ("supported", Verdict::Supported),
    ("weak", Verdict::Weak),
    ("contradicted", Verdict::Contradicted),
    ("not_found", Verdict::NotFound),
];
const SEVERITY_WIRE_NAMES: [(&str, RiskSeverity); 3] =
    [("high", RiskSeverity::High), ("medium", RiskSeverity::Medium), ("low", RiskSeverity::Low)];
