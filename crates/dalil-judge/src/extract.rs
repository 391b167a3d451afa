//! Extracting: the checkable statements of an answer, as spans of it.
//!
//! ```text
//! answer ─units─▶ Unit ─sentences─▶ sentence ─clauses─▶ Claim, or Skipped and why
//! ```
//!
//! An answer is Markdown as chat models write it. Headings, the words that open
//! a list, labels and header cells are not claims, but are context for claims.
//! Questions, greetings, refusals, offers and remarks are not claims either. A hedged
//! statement ("probably") is one, and marked so: it can be wrong. A sentence that
//! only expresses uncertainty is none. Pronouns are not resolved: a claim that
//! depends on other sentences has them as its context, beside the title and the
//! opening above it.

use dalil_evidence::anchor::{self, Anchor};
use dalil_evidence::claim::{ClaimImportance, ClaimKind};

pub use self::skip::SkipReason;

mod advice;
mod body;
mod clause;
mod context;
mod importance;
mod lean;
mod name;
mod phrase;
mod plain;
mod reading;
mod residue;
mod scope;
mod skip;
mod statement;
#[cfg(test)]
mod tests;
mod unit;
mod value;
mod verb;

/// One checkable statement of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractedClaim {
    /// Where it begins in the answer, in bytes.
    pub start: usize,
    /// Where it ends: before its citations and its final stop.
    pub end: usize,
    /// The kind of its statement.
    pub kind: ClaimKind,
    /// How much it matters to the question.
    pub importance: ClaimImportance,
    /// How sure the answer is of it.
    pub tone: ClaimTone,
    /// Its citations.
    pub anchors: Vec<Anchor>,
    /// Other words of the answer that it is read with, in order.
    pub leads: Vec<ContextSpan>,
}

/// How sure an answer is of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimTone {
    /// It states it.
    Plain,
    /// It states it with reserve: `probably`, `ربما`.
    Hedged,
}

/// Words of an answer that a claim elsewhere in it is read with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextSpan {
    /// Where they begin in the answer, in bytes.
    pub start: usize,
    /// Where they end.
    pub end: usize,
    /// Their role for the claim.
    pub role: ContextRole,
}

/// The role of a context sentence for its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextRole {
    /// A heading above it.
    Heading,
    /// The words that open its list: the claim continues them.
    Opening,
    /// The label before it, which names the topic.
    Label,
    /// The header of one of its cells, in order. An empty one keeps its place.
    Column,
    /// A title, an opening line or the first sentence of its paragraph, which names the
    /// topic of the claim. The claim does not state it.
    Scope,
    /// A sentence before it that it leans on.
    Before,
    /// The attribution of a quotation.
    Speaker,
}

/// Words of an answer that are no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedSpan {
    /// Where they begin in the answer, in bytes.
    pub start: usize,
    /// Where they end.
    pub end: usize,
    /// Why they are none.
    pub why: SkipReason,
}

/// All parts of an answer.
///
/// Claims and skipped words do not overlap, and together with markers,
/// punctuation and citations they are the whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimExtraction {
    /// Its claims, in order.
    pub claims: Vec<ExtractedClaim>,
    /// Text that is no claim, in order.
    pub skipped: Vec<SkippedSpan>,
}

/// Finds the claims of an answer, weighed by the question where it is known.
pub fn claims(answer: &str, question: Option<&str>) -> ClaimExtraction {
    let citations = anchor::citations(answer);
    let mut reading = reading::ClaimExtractor::of(answer, &citations);
    let units = unit::units(answer);
    for (n, unit) in units.iter().enumerate() {
        reading.unit(unit, units.get(n + 1));
    }
    let (mut claims, skipped) = reading.finish();
    let question = question.map(importance::QuestionStems::of);
    for (place, claim) in claims.iter_mut().enumerate() {
        let points = importance::points(claim, answer, question.as_ref());
        claim.importance = importance::importance(points, place);
    }
    // Last: it accounts for the words that all steps before it left over.
    let skipped = residue::cover(answer, &claims, skipped);
    ClaimExtraction { claims, skipped }
}

impl ExtractedClaim {
    /// Its words in the answer, marks included.
    pub fn text<'a>(&self, answer: &'a str) -> &'a str {
        answer.get(self.start..self.end).unwrap_or_default()
    }

    /// Its statement as a self-contained sentence: with the lead of its list or the heads of its
    /// cells, and without marks and citations.
    pub fn statement(&self, answer: &str) -> String {
        statement::statement(self, answer)
    }

    /// Search terms that it does not state: the title, headings and label above it and the
    /// sentences that it depends on, in at most 60 words. A value in it is no value of the claim.
    pub fn context(&self, answer: &str) -> Option<String> {
        statement::context(self, answer)
    }

    /// The search text: the statement with its headings, its label and the sentence before it.
    pub fn search(&self, answer: &str) -> String {
        statement::search(self, answer)
    }
}

impl ClaimExtraction {
    /// For each claim the words by which it or the answer around it names or cites a document,
    /// the nearest first: `Travel Policy`, the title of reference `[1]`, «نظام العمل السعودي».
    pub fn named_documents(&self, answer: &str) -> Vec<Vec<String>> {
        name::named(self, answer)
    }
}
