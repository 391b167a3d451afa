//! Findings about one part, of which a hostile file can make very many.

use dalil_phrasebook::{Phrase, proof_check};

use super::{CheckStatus, VerificationReport};

/// The first findings about a part, and how many more there were.
#[derive(Clone, Debug, Default)]
pub struct CheckNotes {
    kept: Vec<(CheckStatus, Phrase)>,
    more: u64,
    worst: Option<CheckStatus>,
}

impl CheckNotes {
    /// Adds a part that does not hold; worded only if it is kept.
    pub fn fail(&mut self, message: impl FnOnce() -> Phrase) {
        self.add(CheckStatus::Fail, message);
    }

    /// Adds a finding; worded only if it is kept.
    pub fn add(&mut self, verdict: CheckStatus, message: impl FnOnce() -> Phrase) {
        self.worst = Some(worse(self.worst.unwrap_or(CheckStatus::Pass), verdict));
        if self.kept.len() < MAX_NOTES {
            self.kept.push((verdict, message()));
        } else {
            self.more += 1;
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Moves everything into a report.
    pub fn report(self, part: &'static str, report: &mut VerificationReport) {
        for (verdict, message) in self.kept {
            report.add(part, verdict, message);
        }
        if let (Some(worst), true) = (self.worst, self.more > 0) {
            // The verdict of the whole must not depend on which findings were kept.
            let more = self.more;
            report.add(part, worst, proof_check::more_than_are_listed(more));
        }
    }
}

fn worse(one: CheckStatus, other: CheckStatus) -> CheckStatus {
    match (one, other) {
        (CheckStatus::Fail, _) | (_, CheckStatus::Fail) => CheckStatus::Fail,
        (CheckStatus::Incomplete, _) | (_, CheckStatus::Incomplete) => CheckStatus::Incomplete,
        (CheckStatus::Pass, CheckStatus::Pass) => CheckStatus::Pass,
    }
}

const MAX_NOTES: usize = 20;
