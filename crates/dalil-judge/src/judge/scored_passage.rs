//! A passage with its probabilities: the lines of it that may be quoted, and the opinion about a claim.

use std::ops::Range;

use dalil_phrasebook::Language;
use dalil_proof::score::Score;

use super::combine::{LogOdds, RuleSignals, ValueMatch};
use super::corpus::{ChunkRef, ClaimQuery, IndexedCorpus};
use super::odds::{AnswerOdds, PassageReading};
use super::opinion::{
    ChunkJudgement, ChunkOpinion, ConflictingWords, ModelKind, find_conflicting_words,
};
use super::passage::{DeepPassage, LineRole, PassageLine};
use super::row::is_another_row;
use crate::index::WeightedQuery;
use crate::rule::{self, RuleOutcome};

#[cfg(test)]
mod tests;

/// A passage that is shown for a claim, with the model's probabilities.
#[derive(Debug)]
pub(super) struct ScoredPassage {
    pub(super) passage: DeepPassage,
    pub(super) odds: AnswerOdds,
    /// Whether it has every figure of the claim. Without one it supports in part at most.
    pub(super) holds_figures: bool,
}

/// The line of a passage that is quoted, with the model's probabilities for it alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuotedLine {
    pub(super) line: usize,
    pub(super) odds: AnswerOdds,
}

/// A line that may decide, and how much of the claim's words it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearLine {
    pub(super) line: usize,
    pub(super) overlap: f32,
}

/// The rule findings for a quoted line, unless its passage takes them back.
#[derive(Debug)]
struct LineFindings {
    findings: Vec<rule::RuleFinding>,
    values: ValueMatch,
}

/// A passage that was read, as an opinion and in the model's own figures.
#[derive(Debug)]
pub(super) struct JudgedPassage {
    pub(super) opinion: ChunkOpinion,
    pub(super) reading: PassageReading,
    /// The line that decided.
    pub(super) line: String,
}

impl JudgedPassage {
    /// Whether the model alone speaks against the claim: no rule has found words that conflict.
    pub(super) fn accuses_by_model_alone(&self) -> bool {
        let conflicts = |one: &rule::RuleFinding| one.outcome == RuleOutcome::Conflicts;
        let ChunkOpinion { judgement, findings, .. } = &self.opinion;
        judgement.contradicts && !judgement.is_ruled && !findings.iter().any(conflicts)
    }
}

impl ScoredPassage {
    pub(super) fn of(passage: DeepPassage, odds: AnswerOdds, statement: &str) -> Self {
        let holds_figures = rule::holds_figures(statement, &passage.text());
        Self { passage, odds, holds_figures }
    }

    pub(super) fn states_other_figures(&self, question: &ClaimQuery, line: usize) -> bool {
        let line = self.passage.lines.get(line);
        line.is_some_and(|line| rule::states_other_figures(&question.statement, &line.text))
    }

    /// The probability that it supports the claim; 0 where it lacks the claim's figures.
    pub(super) fn support(&self) -> f32 {
        if self.holds_figures { self.odds.supported } else { 0.0 }
    }

    /// The opinion about the claim, with the chosen line as its quotation. A passage
    /// whose lines were not scored ranks below others, and gives no opinion alone.
    pub(super) fn opinion(
        &self,
        corpus: &IndexedCorpus<'_>,
        question: &ClaimQuery,
        quoted: Option<QuotedLine>,
        model: ModelKind,
    ) -> Option<JudgedPassage> {
        let quoted = quoted?;
        let line = self.passage.lines.get(quoted.line)?;
        let mut reading = PassageReading::of(&self.odds, &quoted.odds);
        if !self.holds_figures || self.states_other_figures(question, quoted.line) {
            reading.supported = reading.supported.min(MAX_SUPPORT_WITHOUT_FIGURES_PROBABILITY);
        }
        let statement = question.statement.as_str();
        let query = WeightedQuery::of(statement, corpus.index);
        let overlap = query.overlap(&line.text);
        let (findings, mut judgement) = if model == ModelKind::Fast {
            let line_findings = LineFindings::of(statement, &line.text, &self.passage.text());
            let judgement = weighed(&reading, &line_findings, statement, &line.text, overlap);
            (line_findings.findings, judgement)
        } else {
            let findings = rule::compare(statement, &line.text);
            let judgement = reading.judgement(&findings);
            (findings, judgement)
        };
        let place = ChunkRef { source: self.passage.source, chunk: line.chunk };
        if judgement.contradicts && is_another_row(corpus, place, statement) {
            judgement.contradicts = false;
        }
        // A model alone that speaks against values which are equal and only written otherwise did not
        // recognise them: *July*, *تموز* and *يوليو*.
        let is_misread =
            model != ModelKind::Fast && !judgement.is_ruled && agree_otherwise(&findings);
        let reason =
            (judgement.contradicts && !is_misread).then(|| self.reason(statement, line, model));
        let span = self.passage.quoted_span(&query, quoted.line, overlap);
        let opinion = ChunkOpinion {
            place,
            start: span.start,
            end: span.end,
            judgement,
            overlap: Score::clamped(f64::from(overlap)),
            is_direct: overlap >= MIN_DIRECT_OVERLAP_SHARE,
            is_foreign: Language::of(statement) != Language::of(&line.text),
            hidden: corpus.hidden(place),
            reason: reason.flatten(),
            model,
            findings,
        };
        Some(JudgedPassage { opinion, reading, line: line.text.clone() })
    }

    /// The words that cannot both be true: those that differ in the same role or, where the model
    /// is sure and no such pair is found, the two sentences.
    fn reason(
        &self,
        statement: &str,
        line: &PassageLine,
        model: ModelKind,
    ) -> Option<ConflictingWords> {
        let sentences =
            || ConflictingWords { claim: statement.to_owned(), evidence: line.text.clone() };
        let sure = match model {
            ModelKind::Fast => MIN_SURE_FAST_CONTRADICTION_PROBABILITY,
            ModelKind::Deep | ModelKind::External => MIN_SURE_CONTRADICTION_PROBABILITY,
        };
        let is_sure = self.odds.contradicted >= sure;
        find_conflicting_words(statement, &line.text).or_else(|| is_sure.then(sentences))
    }
}

impl DeepPassage {
    /// The lines that may decide, those nearest to the claim in their words first.
    pub(super) fn nearest_lines(
        &self,
        query: &WeightedQuery<'_>,
        statement: &str,
    ) -> Vec<NearLine> {
        let language = Language::of(statement);
        let mut lines: Vec<(f32, usize)> = self
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.role != LineRole::Frame && !is_question(&line.text))
            .map(|(n, line)| (query.overlap(&line.text), n))
            .collect();
        let is_foreign = self.lines.iter().any(|line| Language::of(&line.text) != language);
        lines.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        // Lines in another language share no words, so more of them are asked about.
        lines.truncate(if is_foreign { MAX_FOREIGN_QUOTE_LINES } else { MAX_QUOTE_LINES });
        lines.into_iter().map(|(overlap, line)| NearLine { line, overlap }).collect()
    }

    /// The bytes that are quoted: a line, with the line beside it in the same chunk where that has
    /// words of the claim which the first lacks. A claim often joins the content of two sentences.
    fn quoted_span(&self, query: &WeightedQuery<'_>, n: usize, overlap: f32) -> Range<usize> {
        let Some(line) = self.lines.get(n) else { return 0..0 };
        let beside = [n.checked_sub(1), n.checked_add(1)].into_iter().flatten();
        let joined = beside.filter_map(|at| {
            let other = self.lines.get(at)?;
            let is_near = other.chunk == line.chunk && other.role == LineRole::Evidence;
            let span = line.start.min(other.start)..line.end.max(other.end);
            let gain = query.overlap(&format!("{} {}", line.text, other.text)) - overlap;
            let is_joined =
                is_near && gain >= MIN_JOINED_QUOTE_GAIN && span.len() <= MAX_JOINED_QUOTE_BYTES;
            is_joined.then_some((gain, span))
        });
        let best = joined.max_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(line.start..line.end, |(_, span)| span)
    }
}

impl LineFindings {
    /// A value that another line of the passage states is neither missing nor denied.
    fn of(statement: &str, line: &str, passage: &str) -> Self {
        let near = rule::compare(statement, line);
        if !near.iter().any(is_doubtful) {
            return Self { values: ValueMatch::of(&near), findings: near };
        }
        // The wider text may only take doubts back; its other lines must not add conflicts.
        let wide = rule::compare(statement, passage);
        let stated = |finding: &rule::RuleFinding| {
            let same = |other: &&rule::RuleFinding| other.claim == finding.claim;
            wide.iter().filter(same).any(|other| other.outcome == RuleOutcome::Agrees)
        };
        let (taken_back, findings): (Vec<_>, Vec<_>) =
            near.into_iter().partition(|finding| is_doubtful(finding) && stated(finding));
        // Without the value that was taken back, another value that agrees would look like the
        // only one.
        let values = if taken_back.iter().any(|one| one.outcome == RuleOutcome::Conflicts) {
            ValueMatch::Elsewhere
        } else {
            ValueMatch::of(&findings)
        };
        Self { findings, values }
    }
}

/// Whether a value of the claim was not found, or another in its place.
fn is_doubtful(finding: &rule::RuleFinding) -> bool {
    finding.kind.counted()
        && matches!(finding.outcome, RuleOutcome::Missing | RuleOutcome::Conflicts)
}

/// Whether all values of the claim are in the line, and one of them in another form.
fn agree_otherwise(findings: &[rule::RuleFinding]) -> bool {
    ValueMatch::of(findings) == ValueMatch::All
        && findings.iter().any(|one| one.kind.counted() && one.found.as_ref() != Some(&one.said))
}

/// Whether a line asks something. A question states nothing, so it is no evidence by itself.
fn is_question(line: &str) -> bool {
    line.trim_end_matches(['*', '_', '"', '”', '»', ')', ' ']).ends_with(['?', '؟'])
}

/// Combines the small model with the rules.
fn weighed(
    reading: &PassageReading,
    LineFindings { findings, values }: &LineFindings,
    statement: &str,
    line: &str,
    rarity_overlap: f32,
) -> ChunkJudgement {
    let overlap = f64::from(rule::overlap(statement, line)) / 10_000.0;
    let ruling = RuleSignals {
        effect: rule::effect(findings),
        values: *values,
        overlap,
        topic: overlap.max(f64::from(rarity_overlap)),
        is_one_language: Language::of(statement) == Language::of(line),
    };
    // A sentence without a word of the claim is about another topic, however much it shares with
    // the context of the claim in the answer.
    let is_near = ruling.topic >= MIN_PARTIAL_TOPIC_SHARE || !ruling.is_one_language;
    let partly = if is_near { reading.at_least_partly } else { 0.0 };
    let mut judgement =
        LogOdds::of(reading.supported, reading.contradicted).ruled(ruling).judgement(partly);
    // The small model alone accuses wrongly: it contradicts only where a rule has found words that
    // cannot both be true, or where it is very sure.
    let is_heard = judgement.is_ruled
        || reading.contradicted >= MIN_HEARD_CONTRADICTION_PROBABILITY
        || findings.iter().any(|finding| finding.outcome == RuleOutcome::Conflicts);
    judgement.contradicts &= is_heard;
    judgement
}

/// A sentence that holds this share of a claim states it nearly in its words.
const MIN_DIRECT_OVERLAP_SHARE: f32 = 0.8;
/// Lines that are asked about alone, to choose the quotation.
const MAX_QUOTE_LINES: usize = 3;
/// In another language the words of the claim do not help to choose, so that more are asked about.
const MAX_FOREIGN_QUOTE_LINES: usize = 5;
/// The share of the claim's words, the rarer counting more, that a line must add to be quoted
/// beside the line before or after it. With 0.1, 82.3 % of the quotations about real documents have
/// the right words, with 0.2 79.8, and with one line each 79.0.
const MIN_JOINED_QUOTE_GAIN: f32 = 0.1;
/// Two lines are quoted together up to this length, about two long sentences: longer quotations
/// show the place, but not the decisive words.
const MAX_JOINED_QUOTE_BYTES: usize = 800;
/// The remaining support where the passage lacks a figure of the claim, or the quoted line states
/// another.
const MAX_SUPPORT_WITHOUT_FIGURES_PROBABILITY: f32 = 0.3;
/// A model that is so sure of a contradiction needs no single pair of words. Chosen, not measured: of
/// 12 contradictions on real documents, the 9 above 0.9 were right and 2 of the 3 below were wrong.
const MIN_SURE_CONTRADICTION_PROBABILITY: f32 = 0.85;
/// The same for the small model, whose figures are lower.
const MIN_SURE_FAST_CONTRADICTION_PROBABILITY: f32 = 0.75;
/// The small model is heard against a claim by itself only from here on. With 0.5 it found no more
/// contradictions on real documents, and accused four more true claims (`docs/quality.md`).
const MIN_HEARD_CONTRADICTION_PROBABILITY: f32 = 0.6;
/// A sentence in the claim's language that holds a smaller share of its words supports no part of it
/// for the small model.
const MIN_PARTIAL_TOPIC_SHARE: f64 = 0.1;
