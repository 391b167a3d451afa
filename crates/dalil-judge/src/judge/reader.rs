//! Reading: a model reads passages about each claim.
//!
//! ```text
//! claim ─candidates─▶ chunks ─passages─▶ prompts ─model─▶ four probabilities ─▶ Opinion
//!                                          └─ lines of the telling passages ─▶ the quotation
//! ```
//!
//! Claims that are asked about one passage share the work for it. The quotation
//! is the line that gives the passage's answer most clearly by itself.

use std::collections::BTreeMap;

use super::corpus::{ClaimQuery, IndexedCorpus, candidates};
use super::odds::{AnswerCalibration, AnswerOdds, PassageAnswer};
use super::opinion::{ChunkOpinion, ModelKind};
use super::passage::{DeepPassage, passages};
use super::passage_model::PassageModel;
use super::scored_passage::{JudgedPassage, NearLine, QuotedLine, ScoredPassage};
use super::settle::settled;
use crate::deep::DeepModel;
use crate::index::WeightedQuery;
use crate::model::{FastModel, ModelFileError};
use crate::rule::{self, RuleFinding, RuleOutcome};

#[cfg(test)]
mod tests;

/// A model that reads passages, and how its scores are read.
#[derive(Clone, Copy, Debug)]
pub struct PassageJudge<'m> {
    model: PassageModel<'m>,
    calibration: AnswerCalibration,
    threads: usize,
}

/// How near the words of a text are to those of a claim.
#[derive(Clone, Copy, Debug, Default)]
struct NearWords {
    /// Whether a line has nearly all words of the claim.
    are_the_claims: bool,
    /// Whether a line has most of them, and a word or value that conflicts with the claim's.
    conflict: bool,
}

impl<'m> PassageJudge<'m> {
    /// A small model as a judge, on at most this many threads; their number changes no opinion.
    ///
    /// # Errors
    /// A model whose file does not say how its scores become probabilities.
    pub fn fast(model: &'m FastModel, threads: usize) -> Result<Self, ModelFileError> {
        let calibration = AnswerCalibration::parse(model.metadata("calibration"))?;
        Ok(Self { model: PassageModel::Fast(model), calibration, threads: threads.max(1) })
    }

    /// A large model as a judge, on at most this many threads; their number changes no opinion.
    ///
    /// # Errors
    /// A model whose file does not say how its scores become probabilities, or that does not give
    /// four of them.
    pub fn deep(model: &'m DeepModel, threads: usize) -> Result<Self, ModelFileError> {
        if model.answers() != 4 {
            return Err(ModelFileError::new("head", "4 answers", model.answers().to_string()));
        }
        let calibration = AnswerCalibration::parse(model.metadata("calibration"))?;
        Ok(Self { model: PassageModel::Deep(model), calibration, threads: threads.max(1) })
    }

    /// Judges claims; for each the opinions, the most telling first. `progress` hears how many
    /// claims are judged.
    pub fn judge(
        &self,
        corpus: &IndexedCorpus<'_>,
        questions: &[ClaimQuery],
        progress: &dyn Fn(usize),
    ) -> Vec<Vec<ChunkOpinion>> {
        let mut opinions = Vec::with_capacity(questions.len());
        for some in questions.chunks(MAX_CLAIMS_PER_BATCH) {
            opinions.extend(self.judge_some(corpus, some));
            progress(opinions.len());
        }
        opinions
    }

    fn judge_some(
        &self,
        corpus: &IndexedCorpus<'_>,
        questions: &[ClaimQuery],
    ) -> Vec<Vec<ChunkOpinion>> {
        let shown: Vec<Vec<DeepPassage>> = questions
            .iter()
            .map(|question| {
                // There is no opinion on a claim without a word.
                if !question.statement.chars().any(char::is_alphanumeric) {
                    return Vec::new();
                }
                let places = candidates(corpus.index, question, MAX_CANDIDATE_CHUNKS);
                passages(corpus.sources, places, self.model.limits())
            })
            .collect();
        let asked = questions.iter().zip(&shown).enumerate().flat_map(|(n, (_, some))| {
            some.iter().enumerate().map(move |(k, passage)| ((n, k), passage.text()))
        });
        let odds = self.ask(questions, &asked.collect::<Vec<_>>());
        let shown: Vec<Vec<ScoredPassage>> = shown
            .into_iter()
            .enumerate()
            .map(|(n, some)| {
                let statement = questions.get(n).map_or("", |question| &question.statement);
                let odds = |k| odds.get(&(n, k)).copied().unwrap_or_default();
                let with = some.into_iter().enumerate();
                with.map(|(k, passage)| ScoredPassage::of(passage, odds(k), statement)).collect()
            })
            .collect();
        let lines = self.lines(corpus, questions, &shown);
        let judged = questions.iter().zip(&shown).enumerate().map(|(n, (question, shown))| {
            let opinion = |(k, one): (usize, &ScoredPassage)| {
                one.opinion(corpus, question, lines.get(&(n, k)).copied(), self.model.kind())
            };
            shown.iter().enumerate().filter_map(opinion).collect()
        });
        let mut judged: Vec<Vec<JudgedPassage>> = judged.collect();
        self.reconsider(questions, &mut judged);
        judged.into_iter().map(settled).collect()
    }

    /// Removes the reason of a contradiction that only the model found, where its answer differs when
    /// it reads the two sentences by themselves: the line as evidence of the claim and, for the small
    /// model, the claim as evidence of the line. Sentences that cannot both be true deny each other
    /// both ways; a paraphrase that the small model did not know often supports its line.
    fn reconsider(&self, questions: &[ClaimQuery], judged: &mut [Vec<JudgedPassage>]) {
        let is_fast = self.model.kind() == ModelKind::Fast;
        let alone = |text: &str| ClaimQuery { statement: text.to_owned(), ..ClaimQuery::default() };
        // Without a reason there is nothing to remove, and the readings are spared.
        let is_doubtful =
            |one: &&mut JudgedPassage| one.opinion.reason.is_some() && one.accuses_by_model_alone();
        let mut doubtful = Vec::new();
        for (question, some) in questions.iter().zip(judged) {
            for one in some.iter_mut().filter(is_doubtful) {
                let pair = (alone(&question.statement), alone(&one.line));
                doubtful.push((&mut one.opinion, pair));
            }
        }
        let asked: Vec<(&str, Vec<&ClaimQuery>)> = doubtful
            .iter()
            .flat_map(|(_, (claim, line))| {
                let back = is_fast.then(|| (claim.statement.as_str(), vec![line]));
                std::iter::once((line.statement.as_str(), vec![claim])).chain(back)
            })
            .collect();
        let scored = self.model.score(&asked, self.threads);
        let mut odds = scored.iter().flatten().map(|logits| self.calibration.odds(logits));
        for (opinion, _) in doubtful {
            let supports =
                odds.next().is_some_and(|line| line.supported >= MIN_LINE_SUPPORT_PROBABILITY);
            let bears_out = is_fast && odds.next().is_some_and(|claim| claim.bears_out());
            if supports || bears_out {
                opinion.reason = None;
            }
        }
    }

    /// The probabilities of each text for the claim of its question.
    fn ask(
        &self,
        questions: &[ClaimQuery],
        asked: &[((usize, usize), String)],
    ) -> BTreeMap<(usize, usize), AnswerOdds> {
        let mut odds = self.scored(questions, asked);
        if self.model.kind() != ModelKind::Fast {
            return odds;
        }
        // Words before a claim can turn the small model away from a line that has the very words of
        // the claim, or other words in their place. It is asked about these without them too.
        let near = |(n, _): &(usize, usize), text: &str| {
            let question = questions.get(*n).filter(|question| question.context.is_some());
            question.map(|question| NearWords::of(&question.statement, text)).unwrap_or_default()
        };
        let again: Vec<(NearWords, _)> = asked
            .iter()
            .map(|(key, text)| (near(key, text), (*key, text.clone())))
            .filter(|(near, _)| near.are_the_claims || near.conflict)
            .collect();
        let alone = |question: &ClaimQuery| ClaimQuery { context: None, ..question.clone() };
        let alone: Vec<ClaimQuery> = questions.iter().map(alone).collect();
        let texts: Vec<_> = again.iter().map(|(_, asked)| asked.clone()).collect();
        let answers = self.scored(&alone, &texts);
        for (near, (key, _)) in &again {
            let Some(without) = answers.get(key) else { continue };
            let with = odds.entry(*key).or_default();
            let supports = near.are_the_claims && without.supported > with.supported;
            let denies = near.conflict && without.contradicted > with.contradicted;
            if supports || denies {
                *with = *without;
            }
        }
        odds
    }

    fn scored(
        &self,
        questions: &[ClaimQuery],
        asked: &[((usize, usize), String)],
    ) -> BTreeMap<(usize, usize), AnswerOdds> {
        // One prompt for each text, with every claim that is asked about it.
        let mut texts: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        for (key, text) in asked {
            texts.entry(text).or_default().push(*key);
        }
        let asked: Vec<(&str, Vec<&ClaimQuery>)> = texts
            .iter()
            .map(|(text, keys)| {
                (*text, keys.iter().filter_map(|(n, _)| questions.get(*n)).collect())
            })
            .collect();
        let scored = self.model.score(&asked, self.threads);
        let keys = texts.values().zip(scored);
        keys.flat_map(|(keys, scored)| {
            keys.iter().zip(scored).map(|(key, logits)| (*key, self.calibration.odds(&logits)))
        })
        .collect()
    }

    /// The line of each telling passage that gives its answer most clearly, with its own odds.
    fn lines(
        &self,
        corpus: &IndexedCorpus<'_>,
        questions: &[ClaimQuery],
        shown: &[Vec<ScoredPassage>],
    ) -> BTreeMap<(usize, usize), QuotedLine> {
        let mut chosen = BTreeMap::new();
        let mut asked = Vec::new();
        let mut doubtful: Vec<(usize, usize, Vec<NearLine>)> = Vec::new();
        for (n, (question, some)) in questions.iter().zip(shown).enumerate() {
            let query = WeightedQuery::of(&question.statement, corpus.index);
            for k in telling(some) {
                let Some(one) = some.get(k) else { continue };
                let lines = one.passage.nearest_lines(&query, &question.statement);
                match lines.as_slice() {
                    [] => {}
                    // A single line has the opinion of its passage.
                    [only] => {
                        _ = chosen.insert((n, k), QuotedLine { line: only.line, odds: one.odds });
                    }
                    _ => {
                        for NearLine { line, .. } in &lines {
                            let key = (n, k * MAX_PASSAGE_LINES + line);
                            asked.push((key, one.passage.text_of(*line)));
                        }
                        doubtful.push((n, k, lines));
                    }
                }
            }
        }
        let odds = self.ask(questions, &asked);
        for (n, k, lines) in doubtful {
            let Some(one) = shown.get(n).and_then(|some| some.get(k)) else { continue };
            let answer = one.odds.answer();
            // A line with another figure contradicts a claim at most.
            let is_other = |near: &NearLine| {
                answer != PassageAnswer::Contradicted
                    && questions
                        .get(n)
                        .is_some_and(|question| one.states_other_figures(question, near.line))
            };
            // Among lines that say the same, the one in the claim's words; of equals the first.
            let weighed = |near: &NearLine| {
                let odds = odds.get(&(n, k * MAX_PASSAGE_LINES + near.line)).copied();
                let odds = odds.unwrap_or_default();
                let other = if is_other(near) { OTHER_FIGURE_PENALTY } else { 0.0 };
                let weight = odds.of(answer) + QUOTE_OVERLAP_WEIGHT * near.overlap - other;
                (weight, QuotedLine { line: near.line, odds })
            };
            let best = lines.iter().rev().map(weighed).max_by(|a, b| a.0.total_cmp(&b.0));
            chosen.extend(best.map(|(_, line)| ((n, k), line)));
        }
        chosen
    }
}

impl NearWords {
    fn of(statement: &str, text: &str) -> Self {
        let mut near = Self::default();
        for line in text.lines() {
            let overlap = rule::overlap(statement, line);
            near.are_the_claims |= overlap >= MIN_VERBATIM_OVERLAP_UNITS;
            let is_other = |one: &RuleFinding| one.outcome == RuleOutcome::Conflicts;
            near.conflict |= overlap >= MIN_CONFLICT_OVERLAP_UNITS
                && rule::compare(statement, line).iter().any(is_other);
        }
        near
    }
}

/// The passages of a claim whose lines are scored: the one with the highest probability of full
/// support, of partial support and of contradiction; of equals the first.
fn telling(shown: &[ScoredPassage]) -> Vec<usize> {
    let best = |of: fn(&ScoredPassage) -> f32| {
        let odds = shown.iter().map(of).enumerate().rev();
        odds.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
    };
    let mut telling: Vec<usize> = best(ScoredPassage::support)
        .into_iter()
        .chain(best(|one| one.odds.supported + one.odds.partly))
        .chain(best(|one| one.odds.contradicted))
        .collect();
    telling.sort_unstable();
    telling.dedup();
    telling
}

/// How many chunks are candidates for a claim: twice the six that have the right one for nine
/// claims in ten (`docs/quality.md`).
const MAX_CANDIDATE_CHUNKS: usize = 12;
/// The weight of a claim's words in a line, beside its probability, in choosing the quotation.
/// From 0.1 to 0.5 more of the right words of real answers were quoted than without.
const QUOTE_OVERLAP_WEIGHT: f32 = 0.3;
/// From this share of a claim's words on, in ten-thousandths, a line states it in its words: the
/// small model is asked about it without the claim's context too. Chosen on real documents
/// (`docs/quality.md`, *How the bars were set*).
const MIN_VERBATIM_OVERLAP_UNITS: u16 = 8_000;
/// From this share on a line with a conflicting word or value is about the claim. With 4,000 and
/// 6,000 the verdicts on real documents are the same.
const MIN_CONFLICT_OVERLAP_UNITS: u16 = 5_000;
/// A line that supports the claim by itself does not contradict it. Of 45 claims about real documents
/// that the small model alone spoke against, 12 of them true, this keeps one true one from being
/// accused, and no contradiction from being found. Of the deep model's it keeps one of 5 true ones
/// from it and none of 62 contradictions, and on a set by others one of 8 and none of 35.
const MIN_LINE_SUPPORT_PROBABILITY: f32 = 0.5;
/// The penalty of a line with another figure of the same kind as the claim's.
const OTHER_FIGURE_PENALTY: f32 = 0.5;
/// No passage has that many lines: a line has at least one of the 1,300 units of a passage.
const MAX_PASSAGE_LINES: usize = 2_048;
/// How many claims go through the model together.
const MAX_CLAIMS_PER_BATCH: usize = 8;
