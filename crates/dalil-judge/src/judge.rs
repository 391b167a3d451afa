//! Judging: what chunks say about a claim, by model and by rule.
//!
//! ```text
//! claim ─rank─▶ chunks ─window─▶ pairs ─model─▶ probabilities ─┐
//!                                  └────rules──▶ findings ─────┴─weigh─▶ Opinion
//! ```
//!
//! A [`window`] is a few sentences that fit the model: those around the sentence
//! that shares most with the claim, and the best of a document together. The
//! model says how probable it is that they support or contradict the claim; the
//! rules compare values, negation, modality and names with the telling sentence; [`combine`] makes one
//! opinion of both. Everything is batched, and no opinion depends on what else
//! is in the batch.

use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;

use dalil_documents::document::HiddenText;
use dalil_documents::sentence::sentences;
use dalil_phrasebook::Language;
use dalil_proof::score::Score;

use self::combine::{FastCalibration, LogOdds, RuleSignals, ValueMatch, WindowScope};
pub use self::corpus::{ChunkRef, ClaimQuery, IndexedCorpus, IndexedDocument};
pub use self::deep::DeepJudge;
pub use self::opinion::{ChunkJudgement, ChunkOpinion, ConflictingWords, ModelKind};
use self::window::{DocumentExcerpt, ExcerptWindow};
use crate::index::{ClaimSearch, CorpusIndex, WeightedQuery};
use crate::model::{EntailmentLogits, FastModel, ModelFileError, PremiseClaimPair};
use crate::rule::{self, RuleFinding, RuleOutcome};

mod calibration;
mod combine;
mod corpus;
mod deep;
mod opinion;
mod passage;
mod plain;
#[cfg(test)]
mod tests;
mod window;

/// A model, and how its scores are read.
#[derive(Clone, Copy, Debug)]
pub struct FastJudge<'m> {
    model: &'m FastModel,
    calibration: FastCalibration,
    threads: usize,
}

/// The chunks that a claim cites, then those that rank first for it, each once.
pub fn candidates(index: &CorpusIndex, question: &ClaimQuery, limit: usize) -> Vec<ChunkRef> {
    let search = ClaimSearch {
        statement: &question.statement,
        context: question.context.as_deref(),
        named: &question.named,
    };
    let ranked = index.candidates(&search, limit).into_iter();
    let ranked = ranked.map(|one| ChunkRef { source: one.segment, chunk: one.chunk });
    let mut places: Vec<ChunkRef> = Vec::new();
    for place in question.cited.iter().copied().chain(ranked) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    // What a claim cites is looked at even where that is more than the limit.
    places.truncate(limit.max(question.cited.len()));
    places
}

/// The pair of words of a claim and a sentence that cannot both be true, where one is found.
pub fn find_conflicting_words(statement: &str, sentence: &str) -> Option<ConflictingWords> {
    let pair = rule::conflicting_words(statement, sentence)?;
    Some(ConflictingWords {
        claim: statement.get(pair.claim)?.to_owned(),
        evidence: sentence.get(pair.evidence)?.to_owned(),
    })
}

/// Why a reader does not see a chunk, when so.
fn hidden(corpus: &IndexedCorpus<'_>, place: ChunkRef) -> Option<HiddenText> {
    let source = corpus.sources.get(place.source)?;
    source.document.blocks.get(source.chunks.get(place.chunk)?.block)?.hidden
}

impl<'m> FastJudge<'m> {
    /// A judge that works on at most so many threads; their number changes no opinion.
    ///
    /// # Errors
    /// A model whose file does not say how its scores become probabilities.
    pub fn new(model: &'m FastModel, threads: usize) -> Result<Self, ModelFileError> {
        let calibration = calibration::read(model)?;
        Ok(Self { model, calibration, threads: threads.max(1) })
    }

    /// Judges claims; for each the opinions, the most telling first.
    pub fn judge(
        &self,
        corpus: &IndexedCorpus<'_>,
        questions: &[ClaimQuery],
    ) -> Vec<Vec<ChunkOpinion>> {
        let share = questions.len().div_ceil(self.threads).max(1);
        // Each share is scored on one thread, so that threads do not multiply.
        let some = |questions| Self { threads: 1, ..*self }.judge_some(corpus, questions);
        // A single claim cannot be shared out: its pairs use the threads instead.
        if self.threads == 1 || questions.len() == 1 {
            return self.judge_some(corpus, questions);
        }
        std::thread::scope(|scope| {
            let mut shares = Vec::new();
            for share in questions.chunks(share) {
                shares.push(scope.spawn(move || some(share)));
            }
            // A share that was lost would give its claims the opinions of others.
            let joined = |share: ScopedJoinHandle<'_, Vec<Vec<ChunkOpinion>>>| {
                share.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            shares.into_iter().flat_map(joined).collect()
        })
    }

    fn judge_some(
        &self,
        corpus: &IndexedCorpus<'_>,
        questions: &[ClaimQuery],
    ) -> Vec<Vec<ChunkOpinion>> {
        let cases: Vec<Vec<ClaimExhibits>> =
            questions.iter().map(|question| self.cases(corpus, question)).collect();
        let pairs: Vec<PremiseClaimPair<'_>> = cases
            .iter()
            .flatten()
            .flat_map(|case| case.exhibits.iter().map(|one| one.pair(case)))
            .collect();
        // One batch for all claims: logits come in the order of the pairs and are taken in it.
        let mut logits = self.model.score(&pairs, self.threads).into_iter();
        let opinions = |case: &ClaimExhibits,
                        logits: &mut dyn Iterator<Item = EntailmentLogits>| {
            let scored = case.exhibits.iter().zip(logits);
            let opinion = |(one, logits): (&EvidenceExhibit, EntailmentLogits)| ChunkOpinion {
                hidden: hidden(corpus, one.place),
                ..one.opinion(&case.statement, logits, &self.calibration)
            };
            scored.map(opinion).collect()
        };
        cases
            .iter()
            .map(|parts| {
                combine::together(parts.iter().map(|case| opinions(case, &mut logits)).collect())
            })
            .collect()
    }

    /// A case for each sentence of a claim.
    fn cases(&self, corpus: &IndexedCorpus<'_>, question: &ClaimQuery) -> Vec<ClaimExhibits> {
        let parts = parts(&question.statement);
        let alone = parts.len() == 1;
        let case = |part: &str| {
            let one = ClaimQuery { statement: part.to_owned(), ..question.clone() };
            let mut claim = self.model.tokens(part);
            claim.truncate(MAX_CLAIM_PIECES);
            let mut exhibits = self.exhibits(corpus, &one, &claim);
            if !alone {
                exhibits.iter_mut().for_each(|one| one.part = WindowScope::Sentence);
            }
            ClaimExhibits { statement: part.to_owned(), claim, exhibits }
        };
        parts.into_iter().filter(|part| part.contains(char::is_alphanumeric)).map(case).collect()
    }

    /// What is shown to the model for one claim.
    fn exhibits(
        &self,
        corpus: &IndexedCorpus<'_>,
        question: &ClaimQuery,
        claim: &[u32],
    ) -> Vec<EvidenceExhibit> {
        let query = &WeightedQuery::of(&question.statement, corpus.index);
        let places = candidates(corpus.index, question, MAX_CHUNKS_PER_CLAIM);
        let mut exhibits = Vec::new();
        for (source, chunks) in by_source(places.into_iter()) {
            let Some(found) = corpus.sources.get(source) else { continue };
            let page = DocumentExcerpt::of(found, &chunks, self.model, claim);
            let windows = page.windows();
            exhibits.extend(
                windows.iter().map(|window| EvidenceExhibit::of(source, &page, window, query)),
            );
            if exhibits.len() >= MAX_EXHIBITS {
                break;
            }
        }
        exhibits
    }
}

/// A sentence of a claim and what is shown for it.
#[derive(Debug)]
struct ClaimExhibits {
    statement: String,
    claim: Vec<u32>,
    exhibits: Vec<EvidenceExhibit>,
}

/// A window of a document, as the model and the rules read it.
#[derive(Debug)]
struct EvidenceExhibit {
    place: ChunkRef,
    start: usize,
    end: usize,
    overlap: f32,
    part: WindowScope,
    sentence: String,
    text: String,
    pieces: Vec<u32>,
}

impl EvidenceExhibit {
    fn of(
        source: usize,
        page: &DocumentExcerpt<'_>,
        window: &ExcerptWindow,
        query: &WeightedQuery<'_>,
    ) -> Self {
        let best = page.line(window.best);
        Self {
            place: ChunkRef { source, chunk: best.chunk },
            start: best.start,
            end: best.end,
            overlap: query.overlap(&page.words(window.best)),
            sentence: page.words(window.best).into_owned(),
            part: if page.is_whole(window) { WindowScope::Whole } else { WindowScope::Window },
            text: page.text(window),
            pieces: page.pieces(window),
        }
    }

    fn pair<'c>(&'c self, case: &'c ClaimExhibits) -> PremiseClaimPair<'c> {
        PremiseClaimPair { premise: &self.pieces, claim: &case.claim }
    }

    fn opinion(
        &self,
        statement: &str,
        logits: EntailmentLogits,
        calibration: &FastCalibration,
    ) -> ChunkOpinion {
        let findings = self.findings(statement);
        // Two shares of the claim: by terms, as the rules count, and by rarity, as the search does.
        let overlap = f64::from(rule::overlap(statement, &self.sentence)) / 10_000.0;
        let ruling = RuleSignals {
            effect: rule::effect(&findings),
            values: ValueMatch::of(&findings),
            overlap,
            topic: overlap.max(f64::from(self.overlap)),
            is_one_language: Language::of(statement) == Language::of(&self.sentence),
        };
        let scale = LogOdds::of(logits, calibration, self.part).ruled(ruling);
        let mut judgement = scale.judgement();
        // The small model alone accuses wrongly two times in three: it contradicts only where a
        // rule has found words that cannot both be true.
        let is_heard = judgement.is_ruled
            || findings.iter().any(|finding| finding.outcome == RuleOutcome::Conflicts);
        judgement.contradicts &= is_heard;
        let reason = judgement
            .contradicts
            .then(|| find_conflicting_words(statement, &self.sentence))
            .flatten();
        ChunkOpinion {
            place: self.place,
            start: self.start,
            end: self.end,
            judgement,
            hidden: None,
            reason,
            model: ModelKind::Fast,
            overlap: Score::clamped(f64::from(self.overlap)),
            is_direct: self.overlap >= MIN_DIRECT_OVERLAP_SHARE,
            is_foreign: !ruling.is_one_language,
            is_windowed: self.part == WindowScope::Window,
            findings,
        }
    }

    /// What the rules find in the telling sentence. A value that another sentence of the window
    /// states is neither missing nor denied.
    fn findings(&self, statement: &str) -> Vec<RuleFinding> {
        let mut near = rule::compare(statement, &self.sentence);
        if near.iter().any(is_doubtful) {
            // The wider text may only take doubts back; its other sentences must not add conflicts.
            let wide = rule::compare(statement, &self.text);
            let stated = |finding: &RuleFinding| {
                let same = |other: &&RuleFinding| other.claim == finding.claim;
                wide.iter().filter(same).any(|other| other.outcome == RuleOutcome::Agrees)
            };
            near.retain(|finding| !(is_doubtful(finding) && stated(finding)));
        }
        near
    }
}

/// Whether a value of the claim was not found, or another in its place.
fn is_doubtful(finding: &RuleFinding) -> bool {
    finding.kind.counted()
        && matches!(finding.outcome, RuleOutcome::Missing | RuleOutcome::Conflicts)
}

/// The sentences of a statement that are judged apart: those of a long one.
fn parts(statement: &str) -> Vec<&str> {
    if statement.chars().count() <= MAX_WHOLE_CLAIM_CHARS {
        return vec![statement];
    }
    let parts: Vec<&str> =
        sentences(statement).into_iter().filter_map(|range| statement.get(range)).collect();
    if parts.is_empty() { vec![statement] } else { parts }
}

/// The chunks of each source, the sources in the order of their first chunk.
fn by_source(places: impl Iterator<Item = ChunkRef>) -> impl Iterator<Item = (usize, Vec<usize>)> {
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for place in places {
        match groups.iter_mut().find(|(source, _)| *source == place.source) {
            Some((_, chunks)) if chunks.contains(&place.chunk) => {}
            Some((_, chunks)) => chunks.push(place.chunk),
            None => groups.push((place.source, vec![place.chunk])),
        }
    }
    groups.into_iter()
}

/// A sentence that holds so much of a claim says it nearly in its words.
const MIN_DIRECT_OVERLAP_SHARE: f32 = 0.8;
/// How many chunks are looked at for a claim.
const MAX_CHUNKS_PER_CLAIM: usize = 8;
/// No further document is opened when so many windows are shown to the model.
const MAX_EXHIBITS: usize = 3;
/// How many word pieces of a claim are read.
const MAX_CLAIM_PIECES: usize = 128;
/// A claim of more characters is judged sentence by sentence.
const MAX_WHOLE_CLAIM_CHARS: usize = 200;
