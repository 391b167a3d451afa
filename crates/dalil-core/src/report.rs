//! What a verification found: every part that was looked at, and its verdict.
//!
//! A report lists passes as well as failures, so that a reader can see what was
//! checked, and keeps "could not be told" apart from "wrong".

use std::fmt;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::fault::Refused;

#[cfg(test)]
mod tests;

/// The verdict about one part, or about the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Checked, and it holds.
    Pass,
    /// Checked, and it does not hold.
    Fail,
    /// Could not be checked with what was given.
    Incomplete,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Incomplete => "INCOMPLETE",
        })
    }
}

/// What was found about one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The part that was looked at, such as `inclusion`.
    pub part: &'static str,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why, in one sentence.
    pub message: String,
}

/// All findings of one verification, in the order of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Adds a part that holds.
    pub fn pass(&mut self, part: &'static str, message: impl Into<String>) {
        self.add(part, Verdict::Pass, message);
    }

    /// Adds a part that does not hold.
    pub fn fail(&mut self, part: &'static str, message: impl Into<String>) {
        self.add(part, Verdict::Fail, message);
    }

    /// Adds a part that could not be checked.
    pub fn incomplete(&mut self, part: &'static str, message: impl Into<String>) {
        self.add(part, Verdict::Incomplete, message);
    }

    /// Adds every fault of a part that was refused.
    pub fn refused(&mut self, part: &'static str, refused: &Refused) {
        for fault in &refused.refused {
            self.fail(part, format!("`{}`: {}", fault.path, fault.message));
        }
    }

    /// Adds a finding.
    pub fn add(&mut self, part: &'static str, verdict: Verdict, message: impl Into<String>) {
        self.findings.push(Finding { part, verdict, message: message.into() });
    }

    /// The worst that was found. A report that looked at nothing is incomplete.
    pub fn verdict(&self) -> Verdict {
        let any = |verdict| self.findings.iter().any(|finding| finding.verdict == verdict);
        if any(Verdict::Fail) {
            Verdict::Fail
        } else if any(Verdict::Incomplete) || self.findings.is_empty() {
            Verdict::Incomplete
        } else {
            Verdict::Pass
        }
    }
}

impl fmt::Display for Report {
    /// The verdict, then a line for every finding, as a person reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.verdict())?;
        self.findings.iter().try_for_each(|Finding { part, verdict, message }| {
            writeln!(f, "{verdict:<10} {part}: {message}")
        })
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { findings } = self;
        let mut fields = serializer.serialize_struct("Report", 2)?;
        fields.serialize_field("verdict", &self.verdict())?;
        fields.serialize_field("findings", findings)?;
        fields.end()
    }
}
