//! The JSON export: a ledger for other programs, in the contract's shape.

use std::collections::BTreeMap;

use dalil_proof::id::Uuid;
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use serde::Serialize;

use super::confidence::ConfidenceBand;
use super::issue::ClaimIssue;
use super::passage::EvidencePassage;
use super::request::{CharOffsets, JudgeIdentity, LedgerDocument, NotClaim, VerdictJudge};
use super::summary::{AnyEvidenceCoverage, VerdictCounts};
use super::verdict::Verdict;
use super::{ClaimFinding, Ledger, risk};
use crate::claim::{ClaimImportance, ClaimKind};

/// A ledger as it is exported.
#[derive(Clone, Debug, Serialize)]
pub struct LedgerExport<'l> {
    ledger_id: Uuid,
    session_id: &'l str,
    generated_at: Time,
    summary: LedgerExportSummary,
    entries: Vec<LedgerExportEntry<'l>>,
    risk_flags: Vec<LedgerExportFlag<'l>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<&'l JudgeIdentity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<&'l [LedgerDocument]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_claims: Option<&'l [NotClaim]>,
}

#[derive(Clone, Debug, Serialize)]
struct LedgerExportSummary {
    total_claims: usize,
    evidence_coverage: Option<Score>,
    #[serde(skip_serializing_if = "AnyEvidenceCoverage::is_unstated")]
    coverage_any_evidence: AnyEvidenceCoverage,
    by_verdict: VerdictCounts,
}

#[derive(Clone, Debug, Serialize)]
struct LedgerExportEntry<'l> {
    claim_id: &'l str,
    claim_text: &'l str,
    claim_type: ClaimKind,
    importance: ClaimImportance,
    verdict: Verdict,
    confidence_score: Score,
    confidence_band: ConfidenceBand,
    #[serde(skip_serializing_if = "Option::is_none")]
    calculated_confidence: Option<Score>,
    evidence: LedgerExportEvidence<'l>,
    notes: &'l str,
    #[serde(skip_serializing_if = "<[ClaimIssue]>::is_empty")]
    findings: &'l [ClaimIssue],
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<&'l VerdictJudge>,
}

#[derive(Clone, Debug, Serialize)]
struct LedgerExportEvidence<'l> {
    chunk_ids: &'l [String],
    snippet: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offsets: Option<CharOffsets>,
    source: Option<LedgerExportSource<'l>>,
    #[serde(skip_serializing_if = "<[EvidencePassage]>::is_empty")]
    passages: &'l [EvidencePassage],
}

#[derive(Clone, Debug, Serialize)]
struct LedgerExportSource<'l> {
    document_id: &'l str,
    filename: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heading_path: Option<&'l [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'l str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metadata: &'l BTreeMap<String, Json<'static>>,
}

#[derive(Clone, Debug, Serialize)]
struct LedgerExportFlag<'l> {
    #[serde(rename = "type")]
    kind: risk::RiskKind,
    severity: risk::RiskSeverity,
    description: &'l str,
    affected_claims: &'l [String],
}

impl<'l> LedgerExport<'l> {
    /// Exports a ledger.
    pub fn of(ledger: &'l Ledger) -> Self {
        let content = &ledger.content;
        let flag = |flag: &'l risk::RiskFlag| LedgerExportFlag {
            kind: flag.risk.kind,
            severity: flag.risk.severity,
            description: &flag.risk.description,
            affected_claims: &flag.risk.affected_claim_ids,
        };
        Self {
            ledger_id: ledger.id,
            session_id: &content.session_id,
            generated_at: content.created_at,
            summary: LedgerExportSummary {
                total_claims: content.summary.total_claims,
                evidence_coverage: content.summary.evidence_coverage,
                coverage_any_evidence: content.summary.coverage_any_evidence,
                by_verdict: content.summary.by_verdict,
            },
            entries: content.entries.iter().map(|one| entry(&one.finding)).collect(),
            risk_flags: content.risk_flags.iter().map(flag).collect(),
            judge: content.judge.as_ref(),
            documents: content.documents.as_deref(),
            not_claims: content.not_claims.as_deref(),
        }
    }
}

fn entry(finding: &ClaimFinding) -> LedgerExportEntry<'_> {
    let source = finding.source_document.as_ref().map(|document| LedgerExportSource {
        document_id: &document.id,
        filename: &document.filename,
        page_number: document.page_number,
        heading_path: document.heading_path.as_deref(),
        uri: document.uri.as_deref(),
        metadata: &document.metadata,
    });
    LedgerExportEntry {
        claim_id: &finding.claim_id,
        claim_text: &finding.claim_text,
        claim_type: finding.claim_type,
        importance: finding.claim_importance,
        verdict: finding.verdict,
        confidence_score: finding.confidence_score,
        confidence_band: finding.confidence_band,
        calculated_confidence: finding.calculated_confidence,
        evidence: LedgerExportEvidence {
            chunk_ids: &finding.evidence_chunk_ids,
            snippet: &finding.evidence_snippet,
            offsets: finding.evidence_offsets,
            source,
            passages: &finding.evidence_passages,
        },
        notes: &finding.notes,
        findings: &finding.issues,
        judge: finding.judge.as_ref(),
    }
}
