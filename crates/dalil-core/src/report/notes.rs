//! Findings about one part, of which a hostile file can make very many.

use super::{Message, Report, Verdict};
use crate::say;

/// The first findings about a part, and how many more there were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    kept: Vec<(Verdict, Message)>,
    more: u64,
    worst: Option<Verdict>,
}

impl Notes {
    /// Adds a part that does not hold; worded only if it is kept.
    pub(crate) fn fail(&mut self, message: impl FnOnce() -> Message) {
        self.add(Verdict::Fail, message);
    }

    pub(crate) fn add(&mut self, verdict: Verdict, message: impl FnOnce() -> Message) {
        self.worst = Some(worse(self.worst.unwrap_or(Verdict::Pass), verdict));
        if self.kept.len() < SHOWN {
            self.kept.push((verdict, message()));
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Moves everything into a report.
    pub(crate) fn report(self, part: &'static str, report: &mut Report) {
        for (verdict, message) in self.kept {
            report.add(part, verdict, message);
        }
        if let (Some(worst), true) = (self.worst, self.more > 0) {
            let more = self.more;
            report.add(part, worst, say!("{more} more than are listed", "و{more} غير المذكورة"));
        }
    }
}

fn worse(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        (Verdict::Fail, _) | (_, Verdict::Fail) => Verdict::Fail,
        (Verdict::Incomplete, _) | (_, Verdict::Incomplete) => Verdict::Incomplete,
        (Verdict::Pass, Verdict::Pass) => Verdict::Pass,
    }
}

const SHOWN: usize = 20;
