//! What a verification found: every part that was looked at, and its verdict.
//!
//! A report lists passes as well as failures, so that a reader can see what was
//! checked, and keeps "could not be told" apart from "wrong". Every message is
//! said in English and in Arabic, in the place where it is found.

use std::fmt;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::fault::Refused;
use crate::language::Language;
use crate::say;

mod arabic;
mod message;
pub mod notes;
#[cfg(test)]
mod tests;

pub use message::BilingualMessage;

/// The verdict about one part, or about the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// Checked, and it holds.
    Pass,
    /// Checked, and it does not hold.
    Fail,
    /// Could not be checked with what was given.
    Incomplete,
}

impl CheckStatus {
    /// How people read it.
    pub const fn label_in(self, language: Language) -> &'static str {
        match self {
            Self::Pass => language.pick("PASS", "صحيح"),
            Self::Fail => language.pick("FAIL", "غير صحيح"),
            Self::Incomplete => language.pick("INCOMPLETE", "غير مكتمل"),
        }
    }
}

impl fmt::Display for CheckStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label_in(Language::English))
    }
}

/// What was found about one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerificationCheck {
    /// The part that was looked at, such as `inclusion`.
    pub part: &'static str,
    /// Whether it holds.
    pub verdict: CheckStatus,
    /// Why, in one sentence.
    pub message: BilingualMessage,
}

/// All findings of one verification, in the order of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerificationReport {
    /// The findings.
    pub findings: Vec<VerificationCheck>,
}

impl VerificationReport {
    /// Adds a part that holds.
    pub fn pass(&mut self, part: &'static str, message: impl Into<BilingualMessage>) {
        self.add(part, CheckStatus::Pass, message);
    }

    /// Adds a part that does not hold.
    pub fn fail(&mut self, part: &'static str, message: impl Into<BilingualMessage>) {
        self.add(part, CheckStatus::Fail, message);
    }

    /// Adds a part that could not be checked.
    pub fn incomplete(&mut self, part: &'static str, message: impl Into<BilingualMessage>) {
        self.add(part, CheckStatus::Incomplete, message);
    }

    /// Adds every fault of a part that was refused.
    pub fn refused(&mut self, part: &'static str, refused: &Refused) {
        for fault in &refused.refused {
            // Messages of faults are in English only; in Arabic the rule stands for them.
            let (path, why, rule) = (&fault.path, &fault.message, fault.rule);
            self.fail(part, say!("`{path}`: {why}", "`{path}`: لم تُستوفَ القاعدة `{rule}`"));
        }
    }

    /// Adds a finding.
    pub fn add(
        &mut self,
        part: &'static str,
        verdict: CheckStatus,
        message: impl Into<BilingualMessage>,
    ) {
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
            let message = message.pick(*language);
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
        writeln!(f, "{}", report.verdict().label_in(language))?;
        report.findings.iter().try_for_each(|VerificationCheck { part, verdict, message }| {
            let (verdict, part) = (verdict.label_in(language), part_in(part, language));
            writeln!(f, "{verdict:<10} {part}: {}", message.pick(language))
        })
    }
}

/// What people call a part.
pub fn part_in(part: &str, language: Language) -> &str {
    match language {
        Language::English => part,
        Language::Arabic => arabic::PART_NAMES_AR
            .iter()
            .find(|(own, _)| *own == part)
            .map_or(part, |(_, arabic)| arabic),
    }
}
