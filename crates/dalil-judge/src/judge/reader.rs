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
use std::ops::Range;

use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_kernel::simd::exp;
use dalil_phrasebook::Language;
use dalil_proof::score::Score;
use serde::Deserialize;

use super::combine::{LogOdds, RuleSignals, ValueMatch};
use super::passage::{DeepPassage, LineRole, PassageLimits, PassageLine, passages};
use super::{
    ChunkJudgement, ChunkOpinion, ChunkRef, ClaimQuery, ConflictingWords, IndexedCorpus,
    MIN_DIRECT_OVERLAP_SHARE, ModelKind, candidates, find_conflicting_words,
};
use crate::deep::{DeepClaim, DeepModel, DeepPrompt};
use crate::index::WeightedQuery;
use crate::model::{EntailmentLogits, FastModel, ModelFileError, PremiseClaimPair};
use crate::rule::{self, RuleKind, RuleOutcome, RuleReliability};

#[cfg(test)]
mod tests;

/// A model that reads passages, and how its scores are read.
#[derive(Clone, Copy, Debug)]
pub struct PassageJudge<'m> {
    model: PassageModel<'m>,
    calibration: AnswerCalibration,
    threads: usize,
}

/// The model that reads.
#[derive(Clone, Copy, Debug)]
enum PassageModel<'m> {
    /// The small one in the program.
    Fast(&'m FastModel),
    /// The large one in a file.
    Deep(&'m DeepModel),
}

/// How logits become probabilities: moved by a bias each, divided by a temperature.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct AnswerCalibration {
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

/// A passage that is shown for a claim, with the model's probabilities.
#[derive(Debug)]
struct ScoredPassage {
    passage: DeepPassage,
    odds: AnswerOdds,
    /// Whether it has every figure of the claim. Without one it supports in part at most.
    holds_figures: bool,
}

/// The line of a passage that is quoted, with the model's probabilities for it alone.
#[derive(Clone, Copy, Debug)]
struct QuotedLine {
    line: usize,
    odds: AnswerOdds,
}

/// A line that may decide, and how much of the claim's words it has.
#[derive(Clone, Copy, Debug)]
struct NearLine {
    line: usize,
    overlap: f32,
}

/// The rule findings for a quoted line, unless its passage takes them back.
#[derive(Debug)]
struct LineFindings {
    findings: Vec<rule::RuleFinding>,
    values: ValueMatch,
}

/// The combined probabilities of a passage and its quoted line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PassageReading {
    supported: f32,
    at_least_partly: f32,
    contradicted: f32,
}

/// A passage that was read, as an opinion and in the model's own figures.
#[derive(Debug)]
struct JudgedPassage {
    opinion: ChunkOpinion,
    reading: PassageReading,
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

    fn kind(&self) -> ModelKind {
        match self.model {
            PassageModel::Fast(_) => ModelKind::Fast,
            PassageModel::Deep(_) => ModelKind::Deep,
        }
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
        let opinions = questions.iter().zip(&shown).enumerate().map(|(n, (question, shown))| {
            let opinion = |(k, one): (usize, &ScoredPassage)| {
                one.opinion(corpus, question, lines.get(&(n, k)).copied(), self.kind())
            };
            settled(shown.iter().enumerate().filter_map(opinion).collect())
        });
        opinions.collect()
    }

    /// The probabilities of each text for the claim of its question.
    fn ask(
        &self,
        questions: &[ClaimQuery],
        asked: &[((usize, usize), String)],
    ) -> BTreeMap<(usize, usize), AnswerOdds> {
        let mut odds = self.scored(questions, asked);
        if self.kind() != ModelKind::Fast {
            return odds;
        }
        // Words before a claim can turn the small model away from the very words of the claim, so it
        // is asked about these without them too. They may be right where they speak against it.
        let alone = |question: &ClaimQuery| ClaimQuery { context: None, ..question.clone() };
        let alone: Vec<ClaimQuery> = questions.iter().map(alone).collect();
        let is_verbatim = |((n, _), text): &&((usize, usize), String)| {
            questions.get(*n).is_some_and(|question| {
                question.context.is_some() && has_words_of(&question.statement, text)
            })
        };
        let verbatim: Vec<_> = asked.iter().filter(is_verbatim).cloned().collect();
        for (key, without) in self.scored(&alone, &verbatim) {
            let with = odds.entry(key).or_default();
            if without.supported > with.supported {
                let contradicted = with.contradicted.min(without.contradicted);
                *with = AnswerOdds { contradicted, ..without };
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

/// Whether a line of a text has nearly all words of a claim.
fn has_words_of(statement: &str, text: &str) -> bool {
    text.lines().any(|line| rule::overlap(statement, line) >= MIN_VERBATIM_OVERLAP_UNITS)
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

impl PassageModel<'_> {
    /// For each text, for each claim about it, a logit for each answer.
    fn score(self, asked: &[(&str, Vec<&ClaimQuery>)], threads: usize) -> Vec<Vec<Vec<f32>>> {
        match self {
            Self::Fast(model) => fast_logits(model, asked, threads),
            Self::Deep(model) => {
                let claims: Vec<Vec<DeepClaim<'_>>> = asked
                    .iter()
                    .map(|(_, claims)| claims.iter().map(|question| deep_claim(question)).collect())
                    .collect();
                let prompts: Vec<DeepPrompt<'_>> = asked
                    .iter()
                    .zip(&claims)
                    .map(|((passage, _), claims)| DeepPrompt {
                        passage,
                        passage_tokens: MAX_PASSAGE_TOKENS,
                        claims,
                    })
                    .collect();
                model.score(&prompts, threads, &|_| ())
            }
        }
    }

    fn limits(self) -> PassageLimits {
        match self {
            Self::Fast(_) => FAST_LIMITS,
            Self::Deep(_) => DEEP_LIMITS,
        }
    }
}

fn deep_claim(question: &ClaimQuery) -> DeepClaim<'_> {
    DeepClaim { claim: &question.statement, context: question.context.as_deref() }
}

/// The small model reads `[CLS] passage [SEP] claim [SEP] context [SEP]`.
fn fast_logits(
    model: &FastModel,
    asked: &[(&str, Vec<&ClaimQuery>)],
    threads: usize,
) -> Vec<Vec<Vec<f32>>> {
    let passages: Vec<Vec<u32>> = asked
        .iter()
        .map(|(text, _)| {
            let mut pieces = model.tokens(text);
            pieces.truncate(MAX_PASSAGE_PIECES);
            pieces
        })
        .collect();
    let claim = |question: &&ClaimQuery| {
        let mut pieces = model.tokens(&question.statement);
        pieces.truncate(MAX_CLAIM_PIECES);
        if let Some(context) = &question.context {
            pieces.push(model.separator());
            pieces.extend(model.tokens(context).into_iter().take(MAX_CONTEXT_PIECES));
        }
        pieces
    };
    let claims: Vec<Vec<Vec<u32>>> =
        asked.iter().map(|(_, claims)| claims.iter().map(claim).collect()).collect();
    let pairs: Vec<PremiseClaimPair<'_>> = passages
        .iter()
        .zip(&claims)
        .flat_map(|(premise, claims)| {
            claims.iter().map(move |claim| PremiseClaimPair { premise, claim })
        })
        .collect();
    // Logits come in the order of the pairs and are taken in it.
    let mut logits = model.score(&pairs, threads).into_iter();
    let mut take = |count: usize| -> Vec<Vec<f32>> {
        logits.by_ref().take(count).map(|EntailmentLogits(one)| one.to_vec()).collect()
    };
    claims.iter().map(|claims| take(claims.len())).collect()
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

impl PassageReading {
    /// Interpolates between the odds of a passage and of one of its lines, nearer to the passage.
    /// A passage is overconfident about similar statements, and a line about statements that its
    /// neighbours take back. A line seldom has both halves of a contradiction, so it weighs less
    /// against a claim.
    fn of(passage: &AnswerOdds, line: &AnswerOdds) -> Self {
        let partly = |odds: &AnswerOdds| odds.supported + odds.partly;
        Self {
            supported: leaning(passage.supported, line.supported),
            at_least_partly: leaning(partly(passage), partly(line)),
            contradicted: leaning_less(passage.contradicted, line.contradicted),
        }
    }

    fn judgement(&self, findings: &[rule::RuleFinding]) -> ChunkJudgement {
        let decides = |one: &rule::RuleFinding| {
            one.outcome == RuleOutcome::Conflicts && one.reliability() == RuleReliability::Decides
        };
        let is_ruled =
            findings.iter().any(decides) && self.supported < MIN_SURE_SUPPORT_PROBABILITY;
        // A sentence that denies, repeals or proposes something does not support it.
        let is_framed = findings
            .iter()
            .any(|one| one.kind == RuleKind::Frame && one.outcome != RuleOutcome::Agrees);
        let contradicts =
            is_ruled || self.contradicted >= 0.5 && self.contradicted > self.at_least_partly;
        let level = if contradicts || self.at_least_partly < 0.5 {
            SupportLevel::None
        } else if self.supported >= MIN_SUPPORT_PROBABILITY && !is_framed {
            SupportLevel::Full
        } else {
            SupportLevel::Partial
        };
        let support = match level {
            SupportLevel::Full => {
                let above = full_share(self.supported);
                MIN_SUPPORTED_SIMILARITY + (MAX_CONFIDENCE - MIN_SUPPORTED_SIMILARITY) * above
            }
            SupportLevel::Partial => self.at_least_partly.min(MIN_SUPPORTED_SIMILARITY),
            SupportLevel::None => self.at_least_partly.min(0.5),
        };
        let against = if is_ruled {
            self.contradicted.max(RULED_CONTRADICTION_PROBABILITY)
        } else {
            self.contradicted
        };
        let against = against.min(MAX_CONFIDENCE);
        let score = |share: f32| Score::clamped(f64::from(share));
        ChunkJudgement {
            support: score(support),
            contradiction: score(against),
            level,
            contradicts,
            is_ruled,
        }
    }
}

/// The probability whose log odds are five eighths of one's and three eighths of the other's.
/// Roots give the same bits on every machine; a power would not.
fn leaning(one: f32, other: f32) -> f32 {
    let even = (odds(one) * odds(other)).sqrt();
    probability((odds(one) * (odds(other) * even).sqrt()).sqrt())
}

/// The probability whose log odds are three quarters of one's and a quarter of the other's.
fn leaning_less(one: f32, other: f32) -> f32 {
    let even = (odds(one) * odds(other)).sqrt();
    probability((odds(one) * even).sqrt())
}

fn odds(share: f32) -> f32 {
    let share = share.clamp(MIN_ANSWER_PROBABILITY, 1.0 - MIN_ANSWER_PROBABILITY);
    share / (1.0 - share)
}

fn probability(odds: f32) -> f32 {
    odds / (1.0 + odds)
}

impl AnswerCalibration {
    /// Parses the metadata `calibration` of a model file.
    fn parse(text: Option<&str>) -> Result<Self, ModelFileError> {
        // Without the key the empty text fails to parse, which is the error to report.
        serde_json::from_str(text.unwrap_or_default()).map_err(|error| {
            ModelFileError::new("calibration", "a temperature and four biases", error.to_string())
        })
    }

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
    fn nearest_lines(&self, query: &WeightedQuery<'_>, statement: &str) -> Vec<NearLine> {
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
        lines.into_iter().map(|(overlap, line)| NearLine { line, overlap }).collect()
    }
}

impl DeepPassage {
    /// The bytes that are quoted: a line, with the line beside it in the same chunk where that has
    /// words of the claim which the first lacks. A claim often joins what two sentences say.
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

impl ScoredPassage {
    fn of(passage: DeepPassage, odds: AnswerOdds, statement: &str) -> Self {
        let holds_figures = rule::holds_figures(statement, &passage.text());
        Self { passage, odds, holds_figures }
    }

    fn states_other_figures(&self, question: &ClaimQuery, line: usize) -> bool {
        let line = self.passage.lines.get(line);
        line.is_some_and(|line| rule::states_other_figures(&question.statement, &line.text))
    }

    /// How far it supports by itself.
    fn support(&self) -> f32 {
        if self.holds_figures { self.odds.supported } else { 0.0 }
    }

    /// The opinion about the claim, with the chosen line as its quotation. A passage
    /// whose lines were not scored ranks below others, and gives no opinion alone.
    fn opinion(
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
        let (findings, judgement) = if model == ModelKind::Fast {
            let line_findings = LineFindings::of(statement, &line.text, &self.passage.text());
            let judgement = weighed(&reading, &line_findings, statement, &line.text, overlap);
            (line_findings.findings, judgement)
        } else {
            let findings = rule::compare(statement, &line.text);
            let judgement = reading.judgement(&findings);
            (findings, judgement)
        };
        let place = ChunkRef { source: self.passage.source, chunk: line.chunk };
        let reason = judgement.contradicts.then(|| self.reason(statement, line, model));
        let span = if judgement.contradicts {
            line.start..line.end
        } else {
            self.passage.quoted_span(&query, quoted.line, overlap)
        };
        let opinion = ChunkOpinion {
            place,
            start: span.start,
            end: span.end,
            judgement,
            overlap: Score::clamped(f64::from(overlap)),
            is_direct: overlap >= MIN_DIRECT_OVERLAP_SHARE,
            is_foreign: Language::of(statement) != Language::of(&line.text),
            hidden: super::hidden(corpus, place),
            reason: reason.flatten(),
            model,
            findings,
        };
        Some(JudgedPassage { opinion, reading })
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

/// How far above the bar a full support is, from 0 to 1.
fn full_share(supported: f32) -> f32 {
    ((supported - MIN_SUPPORT_PROBABILITY) / (1.0 - MIN_SUPPORT_PROBABILITY)).clamp(0.01, 1.0)
}

/// The opinions about a claim, the most telling first, one of each chunk.
///
/// A false accusation is the worst error. A contradiction beside a support that is as sure speaks
/// about something else, unless another document states another value: that, and a contradiction
/// beside a support that is only likely, are conflicts that a person looks at.
fn settled(judged: Vec<JudgedPassage>) -> Vec<ChunkOpinion> {
    let most = |of: fn(&PassageReading) -> f32| {
        judged.iter().map(|one| of(&one.reading)).fold(0.0, f32::max)
    };
    let (supported, contradicted) = (most(|one| one.supported), most(|one| one.contradicted));
    let is_supported = supported >= MIN_SUPPORT_PROBABILITY && supported >= contradicted;
    let mut opinions: Vec<ChunkOpinion> = judged.into_iter().map(|one| one.opinion).collect();
    nearest_decides(&mut opinions);
    let supporting: Vec<usize> = opinions
        .iter()
        .filter(|one| one.judgement.level == SupportLevel::Full)
        .map(|one| one.place.source)
        .collect();
    for opinion in &mut opinions {
        if is_supported && opinion.judgement.contradicts && !opinion.judgement.is_ruled {
            let is_rival =
                opinion.states_another_value() && !supporting.contains(&opinion.place.source);
            opinion.judgement.contradicts = is_rival;
            // Below the bar of a support, so that the verdict rests on that and names the conflict.
            let most = Score::clamped(f64::from(MIN_SUPPORTED_SIMILARITY));
            opinion.judgement.contradiction = opinion.judgement.contradiction.min(most);
        }
        if supported >= MIN_DOUBT_PROBABILITY && !opinion.judgement.is_ruled {
            opinion.reason = None;
        }
    }
    // Across languages the small model confuses names: its opinion counts there only where
    // no chunk in the claim's own language gives one.
    let is_heard = opinions.iter().any(|one| !one.is_foreign && one.tells());
    opinions.retain(|one| one.model != ModelKind::Fast || !one.is_foreign || !is_heard);
    // Of passages that say as much, the one in the claim's own language is read more easily.
    opinions.sort_by_key(|one| {
        let judgement = &one.judgement;
        std::cmp::Reverse((
            judgement.contradicts,
            judgement.level,
            !one.is_foreign,
            one.similarity(),
        ))
    });
    let mut kept: Vec<ChunkOpinion> = Vec::new();
    for opinion in opinions {
        if !kept.iter().any(|one| one.place == opinion.place) {
            kept.push(opinion);
        }
    }
    kept
}

/// For the small model, a sentence that supports a claim with its value is heard before one of the
/// same document that shares fewer of its words: that one is about another case.
fn nearest_decides(opinions: &mut [ChunkOpinion]) {
    let agrees = |one: &ChunkOpinion| {
        let mut values = one.findings.iter().filter(|finding| finding.kind.counted());
        one.judgement.level == SupportLevel::Full
            && values.any(|finding| finding.outcome == RuleOutcome::Agrees)
    };
    let nearest: Vec<(usize, Score)> = opinions
        .iter()
        .filter(|one| one.model == ModelKind::Fast && agrees(one))
        .map(|one| (one.place.source, one.overlap))
        .collect();
    for opinion in opinions.iter_mut().filter(|one| one.judgement.contradicts) {
        let is_nearer = |&(source, overlap): &(usize, Score)| {
            source == opinion.place.source && opinion.overlap <= overlap
        };
        opinion.judgement.contradicts = !nearest.iter().any(is_nearer);
    }
}

/// How many chunks are candidates for a claim, and how many passages of them are read: the right
/// chunk is among the first six for nine claims in ten (`docs/quality.md`).
const MAX_CANDIDATE_CHUNKS: usize = 12;
/// A passage has about 300 tokens of the large model: those of `training/written` have 250 on
/// average, and a longer one costs time in proportion.
const DEEP_LIMITS: PassageLimits = PassageLimits { passages: 5, units: 1300 };
/// The small model reads about 140 word pieces of three passages. With four of them one contradiction
/// more of real answers is found, and fewer of the right words are quoted.
const FAST_LIMITS: PassageLimits = PassageLimits { passages: 3, units: 600 };
/// Word pieces that the small model reads of a passage, a claim and its context: those it was
/// trained on, and for a passage a little more.
const MAX_PASSAGE_PIECES: usize = 300;
const MAX_CLAIM_PIECES: usize = 96;
const MAX_CONTEXT_PIECES: usize = 64;
/// Tokens of a passage that are read; those of `passage` have about 300.
const MAX_PASSAGE_TOKENS: usize = 480;
/// Lines that are asked about alone, to choose the quotation.
const MAX_QUOTE_LINES: usize = 3;
/// In another language the words of the claim do not help to choose, so that more are asked about.
const MAX_FOREIGN_QUOTE_LINES: usize = 5;
/// What all of the claim's words in a line count, beside its probability, when a line is quoted.
/// From 0.1 to 0.5 more of the right words of real answers were quoted than without.
const QUOTE_OVERLAP_WEIGHT: f32 = 0.3;
/// What a line must add of the claim's words, the rarer counting more, to be quoted beside the line
/// before or after it. With 0.1, 82.3 % of the quotations about real documents have the right words,
/// with 0.2 79.8, and with one line each 79.0.
const MIN_JOINED_QUOTE_GAIN: f32 = 0.1;
/// Two lines are quoted together up to this length, about two long sentences: longer quotations show
/// a reader where to look, not what to look at.
const MAX_JOINED_QUOTE_BYTES: usize = 800;
/// From this share of a claim's words on, in ten-thousandths, a line says it in its words: the small
/// model is asked about it without what stands before the claim too. With 7,000 one more wrong
/// claim about real documents is supported.
const MIN_VERBATIM_OVERLAP_UNITS: u16 = 8_000;
/// The penalty of a line with another figure of the same kind as the claim's.
const OTHER_FIGURE_PENALTY: f32 = 0.5;
/// No passage has so many lines: a line has at least one of the 1,300 units of a passage.
const MAX_PASSAGE_LINES: usize = 2_048;
/// How many claims go through the model together.
const MAX_CLAIMS_PER_BATCH: usize = 8;
/// From this probability on a passage supports a claim. Chosen on answers about real documents
/// (`docs/quality.md`, *How the bars were set*): a lower one lets wrong claims pass, a higher one
/// makes true claims weak.
const MIN_SUPPORT_PROBABILITY: f32 = 0.6;
/// No contradiction is stated beside a support that is so likely. Chosen there too: with 0.3 fewer
/// contradictions are found, with 0.6 more true claims are accused.
const MIN_DOUBT_PROBABILITY: f32 = 0.4;
/// The remaining support where the passage lacks a figure of the claim, or the quoted line states
/// another.
const MAX_SUPPORT_WITHOUT_FIGURES_PROBABILITY: f32 = 0.3;
/// No answer counts as less or more probable: a model that knows no doubt would decide alone.
const MIN_ANSWER_PROBABILITY: f32 = 0.000_01;
/// The ledger calls a full match supported from this similarity on (spec/ledger.md).
const MIN_SUPPORTED_SIMILARITY: f32 = 0.85;
/// No verdict is stated with more confidence: of those that the model was surest of, nine in ten
/// were right on real answers (`docs/quality.md`).
const MAX_CONFIDENCE: f32 = 0.92;
/// A model that is so sure of support does not give way to a rule.
const MIN_SURE_SUPPORT_PROBABILITY: f32 = 0.9;
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
/// The probability of a contradiction that a rule decides: such rules are right nine times in ten.
const RULED_CONTRADICTION_PROBABILITY: f32 = 0.9;
