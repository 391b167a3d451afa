//! The JSON export: a ledger for other programs, in the seed's shape.

use serde::Serialize;

use super::confidence::Band;
use super::issue::ClaimIssue;
use super::passage::EvidencePassage;
use super::request::{Consulted, Judge, NotClaim, Offsets, VerdictJudge};
use super::summary::{ByVerdict, FoundersCoverage};
use super::verdict::Verdict;
use super::{Finding, Ledger, risk};
use crate::claim::{Importance, Kind};
use crate::id::Uuid;
use crate::score::Score;
use crate::time::Time;

/// A ledger as it is exported.
#[derive(Clone, Debug, Serialize)]
pub struct Export<'l> {
    ledger_id: Uuid,
    session_id: &'l str,
    generated_at: Time,
    summary: Summary,
    entries: Vec<Entry<'l>>,
    risk_flags: Vec<Flag<'l>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<&'l Judge>,
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<&'l [Consulted]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_claims: Option<&'l [NotClaim]>,
}

#[derive(Clone, Debug, Serialize)]
struct Summary {
    total_claims: usize,
    evidence_coverage: Option<Score>,
    #[serde(skip_serializing_if = "FoundersCoverage::is_unstated")]
    coverage_any_evidence: FoundersCoverage,
    by_verdict: ByVerdict,
}

#[derive(Clone, Debug, Serialize)]
struct Entry<'l> {
    claim_id: &'l str,
    claim_text: &'l str,
    claim_type: Kind,
    importance: Importance,
    verdict: Verdict,
    confidence_score: Score,
    confidence_band: Band,
    evidence: Evidence<'l>,
    notes: &'l str,
    #[serde(skip_serializing_if = "<[ClaimIssue]>::is_empty")]
    findings: &'l [ClaimIssue],
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<&'l VerdictJudge>,
}

#[derive(Clone, Debug, Serialize)]
struct Evidence<'l> {
    chunk_ids: &'l [String],
    snippet: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offsets: Option<Offsets>,
    source: Option<Origin<'l>>,
    #[serde(skip_serializing_if = "<[EvidencePassage]>::is_empty")]
    passages: &'l [EvidencePassage],
}

#[derive(Clone, Debug, Serialize)]
struct Origin<'l> {
    document_id: &'l str,
    filename: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heading_path: Option<&'l [String]>,
}

#[derive(Clone, Debug, Serialize)]
struct Flag<'l> {
    #[serde(rename = "type")]
    kind: risk::Kind,
    severity: risk::Severity,
    description: &'l str,
    affected_claims: &'l [String],
}

impl<'l> Export<'l> {
    /// Exports a ledger.
    pub fn of(ledger: &'l Ledger) -> Self {
        let content = &ledger.content;
        let flag = |flag: &'l risk::Flag| Flag {
            kind: flag.risk.kind,
            severity: flag.risk.severity,
            description: &flag.risk.description,
            affected_claims: &flag.risk.affected_claim_ids,
        };
        Self {
            ledger_id: ledger.id,
            session_id: &content.session_id,
            generated_at: content.created_at,
            summary: Summary {
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

fn entry(finding: &Finding) -> Entry<'_> {
    let source = finding.source_document.as_ref().map(|document| Origin {
        document_id: &document.id,
        filename: &document.filename,
        page_number: document.page_number,
        heading_path: document.heading_path.as_deref(),
    });
    Entry {
        claim_id: &finding.claim_id,
        claim_text: &finding.claim_text,
        claim_type: finding.claim_type,
        importance: finding.claim_importance,
        verdict: finding.verdict,
        confidence_score: finding.confidence_score,
        confidence_band: finding.confidence_band,
        evidence: Evidence {
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
