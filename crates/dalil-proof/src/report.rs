//! The result of a verification: every check with its status.
//!
//! A report lists passes as well as failures, so that a reader can see which
//! checks were made, and distinguishes "could not be checked" from "wrong". Every message
//! is worded in English and in Arabic, where the check is made.

use std::fmt;

use dalil_phrasebook::{Language, Phrase, fault, part, proof_check};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::fault::Refused;

pub mod notes;
#[cfg(test)]
mod tests;

/// The verdict about one part, or about the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// Checked, and it holds.
    Pass,
    /// Checked, and it does not hold.
    Fail,
    /// Could not be checked with the given data.
    Incomplete,
}

impl CheckStatus {
    /// How people read it.
    pub const fn label(self) -> Phrase {
        match self {
            Self::Pass => proof_check::pass(),
            Self::Fail => proof_check::fail(),
            Self::Incomplete => proof_check::incomplete(),
        }
    }
}

impl fmt::Display for CheckStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label().english())
    }
}

/// The finding about one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerificationCheck {
    /// The part that was looked at, such as `inclusion`.
    pub part: &'static str,
    /// Whether it holds.
    pub verdict: CheckStatus,
    /// Why, in one sentence.
    pub message: Phrase,
}

/// All findings of one verification, in the order of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerificationReport {
    /// The findings.
    pub findings: Vec<VerificationCheck>,
}

impl VerificationReport {
    /// Adds a part that holds.
    pub fn pass(&mut self, part: &'static str, message: impl Into<Phrase>) {
        self.add(part, CheckStatus::Pass, message);
    }

    /// Adds a part that does not hold.
    pub fn fail(&mut self, part: &'static str, message: impl Into<Phrase>) {
        self.add(part, CheckStatus::Fail, message);
    }

    /// Adds a part that could not be checked.
    pub fn incomplete(&mut self, part: &'static str, message: impl Into<Phrase>) {
        self.add(part, CheckStatus::Incomplete, message);
    }

    /// Adds every fault of a part that was refused.
    pub fn refused(&mut self, part: &'static str, refused: &Refused) {
        for fault in &refused.refused {
            self.fail(part, fault::at(&fault.path, &fault.message));
        }
    }

    /// Adds a finding.
    pub fn add(&mut self, part: &'static str, verdict: CheckStatus, message: impl Into<Phrase>) {
        self.findings.push(VerificationCheck { part, verdict, message: message.into() });
    }

    /// The worst that was found. A report that looked at nothing is incomplete.
    pub fn verdict(&self) -> CheckStatus {
        let any = |verdict| self.findings.iter().any(|finding| finding.verdict == verdict);
        if any(CheckStatus::Fail) {
            CheckStatus::Fail
        } else if any(CheckStatus::Incomplete) || self.findings.is_empty() {
            CheckStatus::Incomplete
        } else {
            CheckStatus::Pass
        }
    }

    /// The report in a language, as JSON or as lines.
    pub fn localized(&self, language: Language) -> LocalizedReport<'_> {
        LocalizedReport { report: self, language }
    }
}

impl fmt::Display for VerificationReport {
    /// The verdict, then a line for every finding, as a person reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.localized(Language::English).fmt(f)
    }
}

impl Serialize for VerificationReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.localized(Language::English).serialize(serializer)
    }
}

/// A report in one language. The names of parts and verdicts in JSON are the same in all.
#[derive(Clone, Copy, Debug)]
pub struct LocalizedReport<'r> {
    report: &'r VerificationReport,
    language: Language,
}

#[derive(Serialize)]
struct LocalizedCheck<'r> {
    part: &'r str,
    verdict: CheckStatus,
    message: &'r str,
}

impl Serialize for LocalizedReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { report, language } = self;
        let mut findings = Vec::with_capacity(report.findings.len());
        for VerificationCheck { part, verdict, message } in &report.findings {
            let message = message.text(*language);
            findings.push(LocalizedCheck { part, verdict: *verdict, message });
        }
        let mut fields = serializer.serialize_struct("Report", 2)?;
        fields.serialize_field("verdict", &report.verdict())?;
        fields.serialize_field("findings", &findings)?;
        fields.end()
    }
}

impl fmt::Display for LocalizedReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { report, language } = *self;
        writeln!(f, "{}", report.verdict().label().text(language))?;
        report.findings.iter().try_for_each(|VerificationCheck { part, verdict, message }| {
            let (verdict, part) = (verdict.label(), part_name(part));
            let (verdict, part) = (verdict.text(language), part.text(language));
            writeln!(f, "{verdict:<10} {part}: {}", message.text(language))
        })
    }
}

/// What people call a part.
pub fn part_name(part: &str) -> Phrase {
    part::part(part).unwrap_or_else(|| Phrase::verbatim(part))
}
