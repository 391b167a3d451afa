//! The gate: whether a ledger is good enough to be used.

use dalil_phrasebook::ledger_check;
use dalil_proof::fault::quote;
use dalil_proof::report::{CheckStatus, VerificationReport};

use super::Ledger;
use super::request::LedgerGate;
use super::summary::{LedgerState, NonMinorCounts};
use super::verdict::Verdict;
use crate::claim::ClaimImportance;

/// Asks everything, and compares exactly: 0.84999 is not 0.85.
pub fn report(gate: &LedgerGate, ledger: &Ledger) -> VerificationReport {
    let entries = &ledger.content.entries;
    // Counted again, not read from the summary, whose shares are rounded.
    let counts = NonMinorCounts::of(entries);
    let contradicted: Vec<&str> = entries
        .iter()
        .map(|entry| &entry.finding)
        .filter(|one| one.verdict == Verdict::Contradicted)
        .filter(|one| one.claim_importance == ClaimImportance::Critical)
        .map(|one| one.claim_id.as_str())
        .collect();
    let mut report = VerificationReport::default();
    coverage(gate, &counts, ledger.content.summary.state, &mut report);
    unsupported(gate, &counts, &mut report);
    let (most, found, named) =
        (gate.max_contradicted_critical, contradicted.len(), named(&contradicted));
    let message = ledger_check::many_contradicted_claims(most, found, named);
    let passed = contradicted.len() <= gate.max_contradicted_critical;
    report.add("contradicted_critical", outcome(passed), message);
    report
}

fn coverage(
    gate: &LedgerGate,
    counts: &NonMinorCounts,
    state: LedgerState,
    report: &mut VerificationReport,
) {
    let NonMinorCounts { claims, supported, weak, unsupported: _ } = *counts;
    // halves / (2 × claims) ≥ minimum, multiplied out, so that nothing is rounded.
    let needed = u128::from(gate.min_coverage.units()) * 2 * claims as u128;
    let passed = counts.halves() as u128 * UNITS_PER_ONE >= needed;
    let (verdict, found) = match (state, claims) {
        // Nothing is wrong, but nothing was checked either.
        (LedgerState::NoCheckableClaim, _) => {
            (CheckStatus::Incomplete, ledger_check::no_checkable_claim())
        }
        (LedgerState::Checked, 0) => {
            (CheckStatus::Incomplete, ledger_check::no_critical_or_material_claim())
        }
        (LedgerState::Checked, _) => {
            let found = ledger_check::supported_and_weak_claims(supported, weak, claims);
            (outcome(passed), found)
        }
    };
    let least = gate.min_coverage;
    let message = ledger_check::low_coverage(least, found);
    report.add("evidence_coverage", verdict, message);
}

fn unsupported(gate: &LedgerGate, counts: &NonMinorCounts, report: &mut VerificationReport) {
    let NonMinorCounts { claims, unsupported, .. } = *counts;
    // Without claims both sides are 0 and this part passes; the coverage is incomplete then.
    let allowed = u128::from(gate.max_unsupported.units()) * claims as u128;
    let most = gate.max_unsupported;
    let message = ledger_check::high_unsupported_rate(most, unsupported, claims);
    report.add(
        "unsupported_rate",
        outcome(unsupported as u128 * UNITS_PER_ONE <= allowed),
        message,
    );
}

fn outcome(passed: bool) -> CheckStatus {
    if passed { CheckStatus::Pass } else { CheckStatus::Fail }
}

fn named(ids: &[&str]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| quote(id)).collect();
    if ids.is_empty() { String::new() } else { format!(": {}", ids.join(", ")) }
}

const UNITS_PER_ONE: u128 = 10_000;
