//! Ledgers for people and for other tools.
//!
//! One or more answers with their ledgers go in; [`sarif`] gives a log for code
//! scanners, [`junit`] a report for continuous integration, [`overview`] the
//! figures over all of them, [`dataset_report`] a page over a data set, and `pdf` pages for
//! people, of packs as well. [`ledger`] has the views of a single ledger. [`zip`] puts the files
//! of an archive into one.

use dalil_evidence::ledger::{ClaimFinding, Ledger};

pub mod answer_segment;
mod claim_tally;
pub mod dataset_report;
pub mod footer;
pub mod junit;
pub mod ledger;
pub mod markup;
pub mod overview;
pub mod pack;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod plain_table;
pub mod report_table;
pub mod sarif;
#[cfg(test)]
mod tests;
pub mod zip;

/// An answer and its ledger.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLedger<'l> {
    /// The name of the answer: a path with `/`, or anything else.
    pub name: &'l str,
    /// The answer.
    pub text: &'l str,
    /// Every claim of it with its verdict.
    pub ledger: &'l Ledger,
}

/// The issues of a claim's evidence, and both passages where documents disagree, in English
/// for tools.
pub(crate) fn remarks(finding: &ClaimFinding) -> Vec<String> {
    ledger::remark::remarks(finding).iter().map(|line| line.english().to_owned()).collect()
}
