//! The figures over several answers: how much is unsupported, and where.

use std::fmt;

use dalil_evidence::claim::ClaimImportance;
use dalil_evidence::ledger::summary::{AnyEvidenceCoverage, VerdictCounts};
use dalil_evidence::ledger::verdict::Verdict;
use dalil_proof::score::Score;
use serde::Serialize;

use crate::AnswerLedger;
use crate::claim_tally::ClaimTally;
use crate::footer::shown;

#[cfg(test)]
mod tests;

/// The figures over several answers.
#[derive(Clone, Debug, Serialize)]
pub struct Overview<'l> {
    answers: Vec<OverviewAnswer<'l>>,
    total: OverviewTotal,
    unsupported: Vec<OverviewClaim<'l>>,
}

/// The figures of one answer.
#[derive(Clone, Debug, Serialize)]
struct OverviewAnswer<'l> {
    answer: &'l str,
    total_claims: usize,
    by_verdict: VerdictCounts,
    evidence_coverage: Option<Score>,
    coverage_any_evidence: AnyEvidenceCoverage,
    unsupported_rate: Score,
}

/// The figures of all of them; shares count claims that are not minor.
#[derive(Clone, Copy, Debug, Serialize)]
struct OverviewTotal {
    answers: usize,
    total_claims: usize,
    by_verdict: VerdictCounts,
    evidence_coverage: Option<Score>,
    coverage_any_evidence: AnyEvidenceCoverage,
    unsupported_rate: Score,
}

/// A claim that no document supports.
#[derive(Clone, Debug, Serialize)]
struct OverviewClaim<'l> {
    answer: &'l str,
    claim_id: &'l str,
    claim_text: &'l str,
    importance: ClaimImportance,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_offset: Option<u64>,
}

impl<'l> Overview<'l> {
    /// Adds up some checked answers.
    pub fn of(checked: &[AnswerLedger<'l>]) -> Self {
        Self {
            answers: checked.iter().map(answer).collect(),
            total: total(checked),
            unsupported: checked.iter().flat_map(places).collect(),
        }
    }
}

fn answer<'l>(checked: &AnswerLedger<'l>) -> OverviewAnswer<'l> {
    let summary = &checked.ledger.content.summary;
    OverviewAnswer {
        answer: checked.name,
        total_claims: summary.total_claims,
        by_verdict: summary.by_verdict,
        evidence_coverage: summary.evidence_coverage,
        coverage_any_evidence: summary.coverage_any_evidence,
        unsupported_rate: summary.unsupported_rate,
    }
}

fn total(checked: &[AnswerLedger<'_>]) -> OverviewTotal {
    let mut tally = ClaimTally::default();
    for one in checked {
        tally.add(one.ledger);
    }
    OverviewTotal {
        answers: checked.len(),
        total_claims: tally.claims(),
        by_verdict: tally.by_verdict,
        evidence_coverage: tally.coverage(),
        coverage_any_evidence: AnyEvidenceCoverage::Stated(tally.any_evidence()),
        unsupported_rate: tally.unsupported(),
    }
}

fn places<'l>(checked: &AnswerLedger<'l>) -> Vec<OverviewClaim<'l>> {
    let fails = |verdict| matches!(verdict, Verdict::NotFound | Verdict::Contradicted);
    let entries = checked.ledger.content.entries.iter().map(|entry| &entry.finding);
    let place = |finding: &'l dalil_evidence::ledger::ClaimFinding| OverviewClaim {
        answer: checked.name,
        claim_id: &finding.claim_id,
        claim_text: &finding.claim_text,
        importance: finding.claim_importance,
        verdict: finding.verdict,
        start_offset: finding.start_offset,
        end_offset: finding.end_offset,
    };
    entries.filter(|finding| fails(finding.verdict)).map(place).collect()
}

impl fmt::Display for Overview<'_> {
    /// A line for each answer, a line for all, then each claim that no document supports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "claims  ✓ supported  ? weak  ✗ contradicted  ○ not found  unsupported  answer"
        )?;
        let mut line = |claims: usize, by: &VerdictCounts, rate: Score, name: &str| {
            writeln!(
                f,
                "{claims:>6}  {:>11}  {:>6}  {:>14}  {:>11}  {:>10}%  {name}",
                by.supported,
                by.weak,
                by.contradicted,
                by.not_found,
                rate.percent(),
            )
        };
        for one in &self.answers {
            line(one.total_claims, &one.by_verdict, one.unsupported_rate, &shown(one.answer))?;
        }
        let all = format!("all {} answers", self.total.answers);
        line(self.total.total_claims, &self.total.by_verdict, self.total.unsupported_rate, &all)?;
        for one in &self.unsupported {
            let (sign, label) = (one.verdict.sign(), one.verdict.label());
            let label = label.english();
            writeln!(f, "{sign} {label}: {}: {}", shown(one.answer), shown(one.claim_text))?;
        }
        Ok(())
    }
}
