//! The claims of a ledger, counted.

use dalil_proof::score::Score;
use serde::Serialize;

use super::LedgerEntry;
use super::verdict::Verdict;
use crate::claim::ClaimImportance;

/// The claims, counted. Coverage and unsupported rate count claims that are not minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerSummary {
    /// Whether there was anything to check.
    pub state: LedgerState,
    /// How many claims there are.
    pub total_claims: usize,
    /// How many of each verdict.
    pub by_verdict: VerdictCounts,
    /// How many of each importance.
    pub by_importance: ImportanceCounts,
    /// Supported claims and half of the weak ones, as a share; nothing when there are none to
    /// count.
    pub evidence_coverage: Option<Score>,
    /// Supported and weak claims, as the contract of ledgers counts them.
    #[serde(skip_serializing_if = "AnyEvidenceCoverage::is_unstated")]
    pub coverage_any_evidence: AnyEvidenceCoverage,
    /// Claims not found, as a share; 0 when there are none to count.
    pub unsupported_rate: Score,
}

/// The share of claims with any evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum AnyEvidenceCoverage {
    /// The share; nothing when there are no claims to count.
    Stated(Option<Score>),
    /// A ledger of the first edition, whose `evidence_coverage` is this share.
    Unstated,
}

impl AnyEvidenceCoverage {
    pub(super) const fn is_unstated(&self) -> bool {
        matches!(self, Self::Unstated)
    }
}

/// Whether an answer has claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerState {
    /// It has, and they were checked.
    Checked,
    /// It has none: a refusal, a greeting, a question.
    NoCheckableClaim,
}

/// How many of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerdictCounts {
    /// Supported.
    pub supported: usize,
    /// Weak.
    pub weak: usize,
    /// Contradicted.
    pub contradicted: usize,
    /// Not found.
    pub not_found: usize,
}

impl VerdictCounts {
    /// The count of one verdict.
    pub const fn count(&self, verdict: Verdict) -> usize {
        match verdict {
            Verdict::Supported => self.supported,
            Verdict::Weak => self.weak,
            Verdict::Contradicted => self.contradicted,
            Verdict::NotFound => self.not_found,
        }
    }

    fn of_entries(entries: &[LedgerEntry], weighty: impl Fn(ClaimImportance) -> bool) -> Self {
        let mut counts = Self::default();
        for entry in entries.iter().filter(|one| weighty(one.finding.claim_importance)) {
            *match entry.finding.verdict {
                Verdict::Supported => &mut counts.supported,
                Verdict::Weak => &mut counts.weak,
                Verdict::Contradicted => &mut counts.contradicted,
                Verdict::NotFound => &mut counts.not_found,
            } += 1;
        }
        counts
    }
}

/// How many of each importance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportanceCounts {
    /// Critical.
    pub critical: usize,
    /// Material.
    pub material: usize,
    /// Minor.
    pub minor: usize,
}

impl LedgerSummary {
    /// Counts entries.
    pub fn of(entries: &[LedgerEntry]) -> Self {
        let weighty = NonMinorCounts::of(entries);
        let of = |importance| {
            entries.iter().filter(|one| one.finding.claim_importance == importance).count()
        };
        Self {
            state: if entries.is_empty() {
                LedgerState::NoCheckableClaim
            } else {
                LedgerState::Checked
            },
            total_claims: entries.len(),
            by_verdict: VerdictCounts::of_entries(entries, |_| true),
            by_importance: ImportanceCounts {
                critical: of(ClaimImportance::Critical),
                material: of(ClaimImportance::Material),
                minor: of(ClaimImportance::Minor),
            },
            evidence_coverage: weighty.coverage(),
            coverage_any_evidence: AnyEvidenceCoverage::Stated(weighty.any_evidence()),
            unsupported_rate: Score::share(weighty.unsupported, weighty.claims)
                .unwrap_or(Score::ZERO),
        }
    }

    /// The coverage as a person reads it: `75%`, or a dash when there is none.
    pub fn coverage_label(&self) -> String {
        let percent = |score: Score| format!("{}%", score.percent());
        self.evidence_coverage.map_or_else(|| NO_SHARE_LABEL.to_owned(), percent)
    }

    /// Counts entries as ledgers of the first edition did: a weak claim counted whole, and
    /// nothing to count as 1.
    pub(super) fn of_first_edition(entries: &[LedgerEntry]) -> Self {
        let any = NonMinorCounts::of(entries).any_evidence().unwrap_or(Score::ONE);
        Self {
            evidence_coverage: Some(any),
            coverage_any_evidence: AnyEvidenceCoverage::Unstated,
            ..Self::of(entries)
        }
    }
}

/// The claims that are not minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NonMinorCounts {
    pub(super) claims: usize,
    pub(super) supported: usize,
    pub(super) weak: usize,
    pub(super) unsupported: usize,
}

impl NonMinorCounts {
    pub(super) fn of(entries: &[LedgerEntry]) -> Self {
        let counts =
            VerdictCounts::of_entries(entries, |importance| importance != ClaimImportance::Minor);
        let VerdictCounts { supported, weak, contradicted, not_found } = counts;
        let claims = supported + weak + contradicted + not_found;
        Self { claims, supported, weak, unsupported: not_found }
    }

    /// Twice the coverage that is above the line: a weak claim counts half.
    pub(super) const fn halves(&self) -> usize {
        2 * self.supported + self.weak
    }

    fn coverage(&self) -> Option<Score> {
        Score::share(self.halves(), 2 * self.claims)
    }

    fn any_evidence(&self) -> Option<Score> {
        Score::share(self.supported + self.weak, self.claims)
    }
}

/// The text where there is no share.
pub const NO_SHARE_LABEL: &str = "—";
