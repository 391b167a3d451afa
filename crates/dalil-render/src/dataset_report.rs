//! The report over a data set: one HTML file, the wrong claims first, in English and in Arabic.
//!
//! Everything is in the file: no script, no font and no picture is loaded, and its policy lets a
//! browser load none. Which language is shown is a choice of the reader, by style alone. Equal rows
//! give equal bytes.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use askama::Template as _;
use dalil_evidence::ledger::dataset::{DatasetOutcome, DatasetRow};
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{Ledger, LedgerContent};
use dalil_phrasebook::{Language, Phrase, dataset_report, proof_check};
use dalil_proof::time::Time;
use thiserror::Error;

use self::page::DatasetPage;
use crate::claim_tally::ClaimTally;
use crate::ledger::problems::problems;

mod page;
#[cfg(test)]
mod tests;

/// A report that grows row by row. It keeps the worst answers and counts the rest, so that a data
/// set of millions needs no more memory than one of thousands.
#[derive(Debug)]
pub struct DatasetReport {
    title: Option<String>,
    first_language: Language,
    answers: usize,
    tally: ClaimTally,
    unchecked: ShownLines,
    problems: BTreeSet<String>,
    more_problems: usize,
    judges: BTreeSet<String>,
    times: Option<(Time, Time)>,
    kept: Vec<KeptAnswer>,
    left_out: LeftOutAnswers,
}

/// A page that could not be written: a fault of this program.
#[derive(Debug, Error)]
#[error("the page of the report could not be written: {0}")]
pub struct UnwrittenPage(#[from] askama::Error);

/// An answer that is shown, with its place in the data set, from 1.
#[derive(Debug)]
struct KeptAnswer {
    number: usize,
    name: String,
    question: Option<String>,
    answer: Option<String>,
    ledger: Box<Ledger>,
}

/// The first lines of a list that may be long, and how many more there were.
#[derive(Debug, Default)]
struct ShownLines {
    lines: Vec<(String, String)>,
    more: usize,
}

/// Answers that are counted and not shown.
#[derive(Clone, Copy, Debug, Default)]
struct LeftOutAnswers {
    answers: usize,
    wrong_claims: usize,
}

impl DatasetReport {
    /// An empty report. Without a title it has the usual one; the language is the one that is shown
    /// when the file is opened.
    pub fn new(title: Option<String>, first_language: Language) -> Self {
        Self {
            title,
            first_language,
            answers: 0,
            tally: ClaimTally::default(),
            unchecked: ShownLines::default(),
            problems: BTreeSet::new(),
            more_problems: 0,
            judges: BTreeSet::new(),
            times: None,
            kept: Vec::new(),
            left_out: LeftOutAnswers::default(),
        }
    }

    /// Adds an answer.
    pub fn add(&mut self, row: DatasetRow) {
        self.answers += 1;
        let DatasetRow { name, question, answer, outcome } = row;
        let ledger = match outcome {
            DatasetOutcome::Checked(ledger) => ledger,
            DatasetOutcome::Unchecked(why) => {
                self.unchecked.push(name, why);
                return;
            }
        };
        self.tally.add(&ledger);
        self.note(&ledger.content);
        self.kept.push(KeptAnswer { number: self.answers, name, question, answer, ledger });
        if self.kept.len() >= 2 * MAX_SHOWN_ANSWERS {
            self.keep_the_worst();
        }
    }

    /// Whether every answer was checked.
    pub const fn is_complete(&self) -> bool {
        self.unchecked.lines.is_empty()
    }

    /// The file.
    ///
    /// # Errors
    /// None: a text takes everything that is written to it.
    pub fn html(mut self) -> Result<String, UnwrittenPage> {
        self.keep_the_worst();
        Ok(DatasetPage::of(&self).render()?)
    }

    /// Collects the problems of documents, the judge and the time from a ledger.
    fn note(&mut self, content: &LedgerContent) {
        for problem in problems(content) {
            let line = format!("{}: {}", problem.filename, problem.problem);
            if self.problems.len() < MAX_SHOWN_LINES || self.problems.contains(&line) {
                self.problems.insert(line);
            } else {
                self.more_problems += 1;
            }
        }
        if let Some(judge) = &content.judge
            && self.judges.len() < MAX_SHOWN_LINES
        {
            self.judges.insert(match judge.model_sha256 {
                Some(digest) => format!("{} {digest}", judge.model),
                None => judge.model.clone(),
            });
        }
        let at = content.created_at;
        let (first, last) = self.times.unwrap_or((at, at));
        self.times = Some((first.min(at), last.max(at)));
    }

    /// Sorts the answers, the worst first, and counts those that come after the last that is shown.
    fn keep_the_worst(&mut self) {
        self.kept.sort_by_key(|one| (Reverse(one.badness()), one.number));
        for one in self.kept.drain(self.kept.len().min(MAX_SHOWN_ANSWERS)..) {
            let [contradicted, not_found, _] = one.badness();
            self.left_out.answers += 1;
            self.left_out.wrong_claims += contradicted + not_found;
        }
    }

    /// When the answers were checked.
    fn checked_at(&self) -> Option<Phrase> {
        let (first, last) = self.times?;
        Some(if first == last {
            dataset_report::checked_at(first)
        } else {
            dataset_report::checked_between(first, last)
        })
    }

    /// Who judged.
    fn judged_by(&self) -> Option<Phrase> {
        let judges = self.judges.iter().map(Phrase::verbatim);
        (!self.judges.is_empty()).then(|| Phrase::fold(judges, proof_check::list))
    }
}

impl KeptAnswer {
    /// The sort key of an answer: its contradicted, not found and weak claims.
    fn badness(&self) -> [usize; 3] {
        let counts = &self.ledger.content.summary.by_verdict;
        [Verdict::Contradicted, Verdict::NotFound, Verdict::Weak].map(|one| counts.count(one))
    }
}

impl ShownLines {
    fn push(&mut self, name: String, line: String) {
        if self.lines.len() < MAX_SHOWN_LINES {
            self.lines.push((name, line));
        } else {
            self.more += 1;
        }
    }
}

/// How many answers have their claims in the file: with ten claims each it has some ten megabytes,
/// which a browser opens in a second.
const MAX_SHOWN_ANSWERS: usize = 1_000;
/// How many lines a list beside the claims has.
const MAX_SHOWN_LINES: usize = 100;
