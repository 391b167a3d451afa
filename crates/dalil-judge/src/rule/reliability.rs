//! Reliability: which findings may decide a verdict, and which only advise.

use super::finding::{RuleFinding, RuleKind, RuleOutcome};

#[cfg(test)]
mod tests;

/// The effect that a finding may have on a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleReliability {
    /// It contradicts or confirms alone.
    Decides,
    /// It is a feature beside the model's answer.
    Advises,
}

impl RuleFinding {
    /// Whether this finding may decide.
    pub fn reliability(&self) -> RuleReliability {
        let decides = match self.outcome {
            RuleOutcome::Conflicts => self.kind.contradicts_alone() && self.is_tight,
            RuleOutcome::Agrees => false,
            RuleOutcome::Narrower | RuleOutcome::Wider | RuleOutcome::Missing => false,
        };
        if decides { RuleReliability::Decides } else { RuleReliability::Advises }
    }
}

impl RuleKind {
    /// Whether a conflict of this kind contradicts alone, where [`RuleFinding::is_tight`] holds.
    ///
    /// Measured, right of all that decided, on pairs of a claim and the sentence of its passage with
    /// the largest overlap: 6,975 hand-written pairs and 304 of real documents, then 9,091 of public
    /// sets for inference and 4,000 of one of them more, in which another topic is *neutral*:
    ///
    /// | kind | written and real | public |
    /// |---|---|---|
    /// | duration | 11 of 11 | 2 of 2 |
    /// | number | 7 of 7 | 9 of 12 |
    /// | percent | 5 of 5 | |
    /// | frequency | 5 of 5 | |
    /// | money | 4 of 4 | 4 of 4 |
    /// | unit | 3 of 4 | 1 of 1 |
    /// | date | 1 of 1 | 6 of 8 |
    /// | modality | 2 of 2 | |
    /// | negation | | 459 of 480 |
    /// | quantifier | | 2 of 2 |
    /// | name | | 6 of 8 |
    /// | all | 38 of 39 | 489 of 517 |
    ///
    /// Before the two sentences had to be alike, 42 in 100 were right. Of the 28 public pairs that
    /// are wrong 4 are supported; the others are neutral there. Order, party, time, condition and
    /// frame were not seen: they decide only where nothing else of two equal sentences differs, or
    /// by the meaning of a frame. Ordinals were right about half of the time and do not decide.
    /// Nothing confirms alone: of the claims whose values all agree 41 in 100 are supported.
    fn contradicts_alone(self) -> bool {
        match self {
            Self::Number
            | Self::Percent
            | Self::Money
            | Self::Unit
            | Self::Duration
            | Self::Date
            | Self::Time
            | Self::Frequency
            | Self::Quantifier
            | Self::Negation
            | Self::Modality
            | Self::Condition
            | Self::Name
            | Self::Order
            | Self::Party
            | Self::Frame => true,
            Self::Ordinal => false,
        }
    }

    /// Whether it is a value that is compared with one value.
    pub(super) fn is_value(self) -> bool {
        self.counted() || self == Self::Ordinal
    }
}
