//! Claims of several ledgers, counted together.

use dalil_evidence::claim::ClaimImportance;
use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::summary::VerdictCounts;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_proof::score::Score;

/// How many claims of each verdict. Shares count claims that are not minor, over all ledgers
/// together: a mean of their shares would weigh the claims of short answers more.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClaimTally {
    /// All claims.
    pub(crate) by_verdict: VerdictCounts,
    weighty: VerdictCounts,
}

impl ClaimTally {
    /// Counts the claims of one more ledger.
    pub(crate) fn add(&mut self, ledger: &Ledger) {
        for entry in &ledger.content.entries {
            let finding = &entry.finding;
            *counter(&mut self.by_verdict, finding.verdict) += 1;
            if finding.claim_importance != ClaimImportance::Minor {
                *counter(&mut self.weighty, finding.verdict) += 1;
            }
        }
    }

    /// How many claims there are.
    pub(crate) const fn claims(&self) -> usize {
        total(&self.by_verdict)
    }

    /// Supported claims and half of the weak ones, as a share.
    pub(crate) fn coverage(&self) -> Option<Score> {
        let VerdictCounts { supported, weak, .. } = self.weighty;
        Score::share(2 * supported + weak, 2 * total(&self.weighty))
    }

    /// Supported and weak claims, as a share.
    pub(crate) fn any_evidence(&self) -> Option<Score> {
        let VerdictCounts { supported, weak, .. } = self.weighty;
        Score::share(supported + weak, total(&self.weighty))
    }

    /// Claims not found, as a share; 0 when there are none to count.
    pub(crate) fn unsupported(&self) -> Score {
        Score::share(self.weighty.not_found, total(&self.weighty)).unwrap_or(Score::ZERO)
    }
}

const fn counter(counts: &mut VerdictCounts, verdict: Verdict) -> &mut usize {
    match verdict {
        Verdict::Supported => &mut counts.supported,
        Verdict::Weak => &mut counts.weak,
        Verdict::Contradicted => &mut counts.contradicted,
        Verdict::NotFound => &mut counts.not_found,
    }
}

const fn total(counts: &VerdictCounts) -> usize {
    let VerdictCounts { supported, weak, contradicted, not_found } = *counts;
    supported + weak + contradicted + not_found
}
