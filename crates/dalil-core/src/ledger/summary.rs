//! The claims of a ledger, counted.

use serde::Serialize;

use super::Entry;
use super::verdict::Verdict;
use crate::claim::Importance;
use crate::score::Score;

/// The claims, counted. Coverage and unsupported rate count claims that are not minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Whether there was anything to check.
    pub state: State,
    /// How many claims there are.
    pub total_claims: usize,
    /// How many of each verdict.
    pub by_verdict: ByVerdict,
    /// How many of each importance.
    pub by_importance: ByImportance,
    /// Supported and weak claims, as a share; 1 when there are none to count.
    pub evidence_coverage: Score,
    /// Claims not found, as a share; 0 when there are none to count.
    pub unsupported_rate: Score,
}

/// Whether an answer has claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It has, and they were checked.
    Checked,
    /// It has none: a refusal, a greeting, a question.
    NoCheckableClaim,
}

/// How many of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ByVerdict {
    /// Supported.
    pub supported: usize,
    /// Weak.
    pub weak: usize,
    /// Contradicted.
    pub contradicted: usize,
    /// Not found.
    pub not_found: usize,
}

impl ByVerdict {
    /// The count of one verdict.
    pub const fn of(&self, verdict: Verdict) -> usize {
        match verdict {
            Verdict::Supported => self.supported,
            Verdict::Weak => self.weak,
            Verdict::Contradicted => self.contradicted,
            Verdict::NotFound => self.not_found,
        }
    }

    fn count(entries: &[Entry], weighty: impl Fn(Importance) -> bool) -> Self {
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
pub struct ByImportance {
    /// Critical.
    pub critical: usize,
    /// Material.
    pub material: usize,
    /// Minor.
    pub minor: usize,
}

impl Summary {
    /// Counts entries.
    pub fn of(entries: &[Entry]) -> Self {
        let Weighty { claims, covered, unsupported } = Weighty::of(entries);
        let of = |importance| {
            entries.iter().filter(|one| one.finding.claim_importance == importance).count()
        };
        Self {
            state: if entries.is_empty() { State::NoCheckableClaim } else { State::Checked },
            total_claims: entries.len(),
            by_verdict: ByVerdict::count(entries, |_| true),
            by_importance: ByImportance {
                critical: of(Importance::Critical),
                material: of(Importance::Material),
                minor: of(Importance::Minor),
            },
            evidence_coverage: Score::share(covered, claims).unwrap_or(Score::ONE),
            unsupported_rate: Score::share(unsupported, claims).unwrap_or(Score::ZERO),
        }
    }
}

/// The claims that are not minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weighty {
    pub(super) claims: usize,
    pub(super) covered: usize,
    pub(super) unsupported: usize,
}

impl Weighty {
    pub(super) fn of(entries: &[Entry]) -> Self {
        let counts = ByVerdict::count(entries, |importance| importance != Importance::Minor);
        let covered = counts.supported + counts.weak;
        let unsupported = counts.not_found;
        Self { claims: covered + unsupported + counts.contradicted, covered, unsupported }
    }
}
