//! The deep judge: a large model reads passages about each claim.
//!
//! ```text
//! claim ─candidates─▶ chunks ─passages─▶ prompts ─model─▶ four probabilities ─▶ Opinion
//!                                          └─ lines of the telling passages ─▶ the quotation
//! ```
//!
//! Claims that are asked about one passage share the work for it. The quotation
//! is the line that gives the passage's answer most clearly by itself.

use std::collections::BTreeMap;

use dalil_core::ledger::request::Language;
use dalil_core::ledger::verdict::SupportLevel;
use dalil_core::score::Score;
use dalil_kernel::simd::exp;
use serde::Deserialize;

use crate::deep::{DeepClaim, DeepModel, DeepPrompt};
use crate::index::WeightedQuery;
use crate::model::ModelFileError;
use crate::rule::{self, RuleKind, RuleOutcome, RuleReliability};

use super::passage::{DeepPassage, LineRole, PassageLine, passages};
use super::{
    ChunkJudgement, ChunkOpinion, ChunkRef, ClaimQuery, ConflictingWords, IndexedCorpus,
    MIN_DIRECT_OVERLAP_SHARE, ModelKind, candidates, find_conflicting_words,
};

#[cfg(test)]
mod tests;

/// A deep model, and how its scores are read.
#[derive(Clone, Copy, Debug)]
pub struct DeepJudge<'m> {
    model: &'m DeepModel,
    calibration: DeepCalibration,
    threads: usize,
}

/// How logits become probabilities: moved by a bias each, divided by a temperature.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct DeepCalibration {
    temperature: f32,
    bias: [f32; 4],
}

/// How probable each answer is; together they are one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct AnswerOdds {
    supported: f32,
    partly: f32,
    contradicted: f32,
    absent: f32,
}

/// A passage that is shown for a claim, and what the model says of it.
#[derive(Debug)]
struct ScoredPassage {
    passage: DeepPassage,
    odds: AnswerOdds,
}

impl<'m> DeepJudge<'m> {
    /// A judge that works on at most so many threads; their number changes no opinion.
    ///
    /// # Errors
    /// A model whose file does not say how its scores become probabilities, or that does not give
    /// four of them.
    pub fn new(model: &'m DeepModel, threads: usize) -> Result<Self, ModelFileError> {
        if model.answers() != 4 {
            return Err(ModelFileError::new("head", "4 answers", model.answers().to_string()));
        }
        let text = model.metadata("calibration").unwrap_or_default();
        let calibration: DeepCalibration = serde_json::from_str(text).map_err(|error| {
            ModelFileError::new("calibration", "a temperature and four biases", error.to_string())
        })?;
        Ok(Self { model, calibration, threads: threads.max(1) })
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
                let places = candidates(corpus.index, question, MAX_CANDIDATE_CHUNKS);
                passages(corpus.sources, places, MAX_PASSAGES)
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
                let odds = |k| odds.get(&(n, k)).copied().unwrap_or_default();
                let with = some.into_iter().enumerate();
                with.map(|(k, passage)| ScoredPassage { passage, odds: odds(k) }).collect()
            })
            .collect();
        let lines = self.lines(corpus, questions, &shown);
        let opinions = questions.iter().zip(&shown).enumerate().map(|(n, (question, shown))| {
            let opinion = |(k, one): (usize, &ScoredPassage)| {
                let chosen = lines.get(&(n, k)).copied();
                one.opinion(corpus, question, chosen)
            };
            settled(shown.iter().enumerate().filter_map(opinion).collect())
        });
        opinions.collect()
    }

    /// The odds of each text for the claim of its question.
    fn ask(
        &self,
        questions: &[ClaimQuery],
        asked: &[((usize, usize), String)],
    ) -> BTreeMap<(usize, usize), AnswerOdds> {
        // One prompt for each text, with every claim that is asked about it.
        let mut texts: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        for (key, text) in asked {
            texts.entry(text).or_default().push(*key);
        }
        let claims: Vec<Vec<DeepClaim<'_>>> = texts
            .values()
            .map(|keys| keys.iter().filter_map(|(n, _)| questions.get(*n)).map(claim).collect())
            .collect();
        let prompts: Vec<DeepPrompt<'_>> = texts
            .keys()
            .zip(&claims)
            .map(|(passage, claims)| DeepPrompt {
                passage,
                passage_tokens: MAX_PASSAGE_TOKENS,
                claims,
            })
            .collect();
        let scored = self.model.score(&prompts, self.threads, &|_| ());
        let keys = texts.values().zip(scored);
        keys.flat_map(|(keys, scored)| {
            keys.iter().zip(scored).map(|(key, logits)| (*key, self.calibration.odds(&logits)))
        })
        .collect()
    }

    /// The line of each telling passage that gives its answer most clearly.
    fn lines(
        &self,
        corpus: &IndexedCorpus<'_>,
        questions: &[ClaimQuery],
        shown: &[Vec<ScoredPassage>],
    ) -> BTreeMap<(usize, usize), usize> {
        let mut chosen = BTreeMap::new();
        let mut asked = Vec::new();
        let mut doubtful: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for (n, (question, some)) in questions.iter().zip(shown).enumerate() {
            let query = WeightedQuery::of(&question.statement, corpus.index);
            for k in telling(some) {
                let Some(one) = some.get(k) else { continue };
                let lines = one.passage.nearest_lines(&query, &question.statement);
                match lines.as_slice() {
                    [] => {}
                    [only] => _ = chosen.insert((n, k), *only),
                    _ => {
                        for line in &lines {
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
            let share = |line: &usize| {
                let odds = odds.get(&(n, k * MAX_PASSAGE_LINES + line)).copied();
                odds.unwrap_or_default().of(one.odds.answer())
            };
            // Of equals the first, which is the nearest in its words.
            let best = lines.iter().rev().max_by(|a, b| share(a).total_cmp(&share(b)));
            chosen.extend(best.map(|line| ((n, k), *line)));
        }
        chosen
    }
}

/// The passages of a claim whose line is looked for: those that say most for it and against it.
fn telling(shown: &[ScoredPassage]) -> Vec<usize> {
    let best = |of: fn(&AnswerOdds) -> f32| {
        let order = |a: &(usize, &ScoredPassage), b: &(usize, &ScoredPassage)| {
            of(&a.1.odds).total_cmp(&of(&b.1.odds)).then(b.0.cmp(&a.0))
        };
        shown.iter().enumerate().max_by(order).map(|(k, _)| k)
    };
    let mut telling: Vec<usize> = best(|odds| odds.supported + odds.partly)
        .into_iter()
        .chain(best(|odds| odds.contradicted))
        .collect();
    telling.sort_unstable();
    telling.dedup();
    telling
}

fn claim(question: &ClaimQuery) -> DeepClaim<'_> {
    DeepClaim { claim: &question.statement, context: question.context.as_deref() }
}

/// The answers that a passage can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PassageAnswer {
    Supported,
    Partly,
    Contradicted,
    Absent,
}

impl AnswerOdds {
    /// The most probable answer.
    fn answer(&self) -> PassageAnswer {
        let all = [
            (self.supported, PassageAnswer::Supported),
            (self.partly, PassageAnswer::Partly),
            (self.contradicted, PassageAnswer::Contradicted),
            (self.absent, PassageAnswer::Absent),
        ];
        let best = all.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(PassageAnswer::Absent, |(_, answer)| answer)
    }

    /// How probable an answer is.
    fn of(&self, answer: PassageAnswer) -> f32 {
        match answer {
            PassageAnswer::Supported => self.supported,
            PassageAnswer::Partly => self.supported + self.partly,
            PassageAnswer::Contradicted => self.contradicted,
            PassageAnswer::Absent => 1.0 - self.absent,
        }
    }
}

impl DeepCalibration {
    fn odds(&self, logits: &[f32]) -> AnswerOdds {
        let [supported, partly, contradicted, absent] = std::array::from_fn(|n| {
            let bias = self.bias.get(n).copied().unwrap_or_default();
            (logits.get(n).copied().unwrap_or_default() + bias) / self.temperature.max(0.05)
        });
        let most = supported.max(partly).max(contradicted).max(absent);
        let raised = [supported, partly, contradicted, absent].map(|logit| exp(logit - most));
        let all: f32 = raised.iter().fold(0.0, |sum, one| sum + one);
        let [supported, partly, contradicted, absent] = raised.map(|one| one / all);
        AnswerOdds { supported, partly, contradicted, absent }
    }
}

impl DeepPassage {
    /// The lines that may decide, those nearest to the claim in their words first.
    fn nearest_lines(&self, query: &WeightedQuery<'_>, statement: &str) -> Vec<usize> {
        let language = Language::of(statement);
        let mut lines: Vec<(f32, usize)> = self
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.role != LineRole::Frame)
            .map(|(n, line)| (query.overlap(&line.text), n))
            .collect();
        let is_foreign = self.lines.iter().any(|line| Language::of(&line.text) != language);
        lines.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        // Lines in another language share no words, so more of them are asked about.
        lines.truncate(if is_foreign { MAX_FOREIGN_QUOTE_LINES } else { MAX_QUOTE_LINES });
        lines.into_iter().map(|(_, n)| n).collect()
    }
}

impl ScoredPassage {
    /// What the passage says about the claim, with the chosen line as its quotation.
    fn opinion(
        &self,
        corpus: &IndexedCorpus<'_>,
        question: &ClaimQuery,
        chosen: Option<usize>,
    ) -> Option<ChunkOpinion> {
        let fallback = || self.passage.lines.iter().position(|one| one.role == LineRole::Evidence);
        let line = self.passage.lines.get(chosen.or_else(fallback)?)?;
        let statement = question.statement.as_str();
        let findings = rule::compare(statement, &line.text);
        let judgement = self.judgement(&findings);
        let query = WeightedQuery::of(statement, corpus.index);
        let overlap = query.overlap(&line.text);
        let place = ChunkRef { source: self.passage.source, chunk: line.chunk };
        let reason = judgement.contradicts.then(|| self.reason(statement, line)).flatten();
        Some(ChunkOpinion {
            place,
            start: line.start,
            end: line.end,
            judgement,
            overlap: Score::new(f64::from(overlap.clamp(0.0, 1.0))).unwrap_or_default(),
            is_direct: overlap >= MIN_DIRECT_OVERLAP_SHARE,
            is_foreign: Language::of(statement) != Language::of(&line.text),
            is_windowed: true,
            hidden: super::hidden(corpus, place),
            reason,
            model: ModelKind::Deep,
            findings,
        })
    }

    fn judgement(&self, findings: &[rule::RuleFinding]) -> ChunkJudgement {
        let odds = &self.odds;
        let decides = |one: &rule::RuleFinding| {
            one.outcome == RuleOutcome::Conflicts && one.reliability() == RuleReliability::Decides
        };
        let is_ruled =
            findings.iter().any(decides) && odds.supported < MIN_SURE_SUPPORT_PROBABILITY;
        // A sentence that denies, repeals or proposes something does not support it.
        let is_framed = findings
            .iter()
            .any(|one| one.kind == RuleKind::Frame && one.outcome != RuleOutcome::Agrees);
        let contradicts = is_ruled || odds.answer() == PassageAnswer::Contradicted;
        let level = if contradicts || odds.supported + odds.partly < 0.5 {
            SupportLevel::None
        } else if odds.supported >= MIN_SUPPORT_PROBABILITY && !is_framed {
            SupportLevel::Full
        } else {
            SupportLevel::Partial
        };
        let support = match level {
            SupportLevel::Full => {
                MIN_SUPPORTED_SIMILARITY
                    + (1.0 - MIN_SUPPORTED_SIMILARITY) * full_share(odds.supported)
            }
            SupportLevel::Partial => (odds.supported + odds.partly).min(MIN_SUPPORTED_SIMILARITY),
            SupportLevel::None => (odds.supported + odds.partly).min(0.5),
        };
        let against = if is_ruled {
            odds.contradicted.max(RULED_CONTRADICTION_PROBABILITY)
        } else {
            odds.contradicted
        };
        let score = |share: f32| Score::new(f64::from(share.clamp(0.0, 1.0))).unwrap_or_default();
        ChunkJudgement {
            support: score(support),
            contradiction: score(against),
            level,
            contradicts,
            is_ruled,
        }
    }

    /// The words that cannot both be true: those that differ in the same role or, where the model
    /// is sure and no such pair stands out, the two sentences.
    fn reason(&self, statement: &str, line: &PassageLine) -> Option<ConflictingWords> {
        let sentences =
            || ConflictingWords { claim: statement.to_owned(), evidence: line.text.clone() };
        let is_sure = self.odds.contradicted >= MIN_SURE_CONTRADICTION_PROBABILITY;
        find_conflicting_words(statement, &line.text).or_else(|| is_sure.then(sentences))
    }
}

/// How far above the bar a full support is, from 0 to 1.
fn full_share(supported: f32) -> f32 {
    ((supported - MIN_SUPPORT_PROBABILITY) / (1.0 - MIN_SUPPORT_PROBABILITY)).clamp(0.01, 1.0)
}

/// The opinions about a claim, the most telling first, one of each chunk.
///
/// Where one passage supports the claim, another one of the same document, or one that is less
/// sure, speaks about something else: a contradiction stands only if it is surer than every
/// support. A false accusation is the worst error.
fn settled(mut opinions: Vec<ChunkOpinion>) -> Vec<ChunkOpinion> {
    let full = opinions.iter().filter(|one| one.judgement.level == SupportLevel::Full);
    let best = full.map(|one| one.judgement.support).max();
    for opinion in &mut opinions {
        let judgement = &mut opinion.judgement;
        judgement.contradicts &= best.is_none_or(|best| judgement.contradiction > best);
    }
    opinions.sort_by_key(|one| {
        std::cmp::Reverse((one.judgement.contradicts, one.tells(), one.similarity()))
    });
    let mut kept: Vec<ChunkOpinion> = Vec::new();
    for opinion in opinions {
        if !kept.iter().any(|one| one.place == opinion.place) {
            kept.push(opinion);
        }
    }
    kept
}

/// How many chunks are candidates for a claim, and how many passages of them are read: the right
/// chunk is among the first six for nine claims in ten (`docs/quality.md`).
const MAX_CANDIDATE_CHUNKS: usize = 8;
const MAX_PASSAGES: usize = 3;
/// Tokens of a passage that are read; those of `passage` have about 300.
const MAX_PASSAGE_TOKENS: usize = 480;
/// Lines that are asked about alone, to choose the quotation.
const MAX_QUOTE_LINES: usize = 3;
const MAX_FOREIGN_QUOTE_LINES: usize = 5;
/// No passage has so many lines: a line has at least one of the 1,300 units of a passage.
const MAX_PASSAGE_LINES: usize = 2_048;
/// How many claims go through the model together.
const MAX_CLAIMS_PER_BATCH: usize = 8;
/// From this probability on a passage supports a claim.
const MIN_SUPPORT_PROBABILITY: f32 = 0.5;
/// The ledger calls a full match supported from this similarity on (spec/ledger.md).
const MIN_SUPPORTED_SIMILARITY: f32 = 0.85;
/// A model that is so sure of support does not give way to a rule.
const MIN_SURE_SUPPORT_PROBABILITY: f32 = 0.9;
/// A model that is so sure of a contradiction needs no single pair of words. Chosen, not measured: of
/// 12 contradictions on real documents, the 9 above 0.9 were right and 2 of the 3 below were wrong.
const MIN_SURE_CONTRADICTION_PROBABILITY: f32 = 0.85;
/// The probability of a contradiction that a rule decides: such rules are right nine times in ten.
const RULED_CONTRADICTION_PROBABILITY: f32 = 0.9;
