//! Panels: who judges, the fast judge, the deep one, both, or an external one.

use dalil_evidence::ledger::request::{JudgeIdentity, JudgeKind, VerdictJudge};
use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_judge::deep::DeepModel;
use dalil_judge::judge::{ChunkOpinion, ClaimQuery, PassageJudge};
use dalil_judge::model::{FastModel, ModelFileError};
use dalil_judge::rule::RuleOutcome;
use dalil_proof::digest::Digest;

use crate::corpus::Corpus;
use crate::external::{self, ExternalJudge};

#[cfg(test)]
mod tests;

/// Who judges.
#[derive(Debug)]
pub enum JudgeBackend<'p> {
    /// The small model in this program.
    Fast(PassageJudge<'p>, &'p FastModel),
    /// The large model in a file, for every claim.
    Deep(PassageJudge<'p>, &'p DeepModel),
    /// The small one first, and the large one where that is not sure.
    Auto {
        /// The small one.
        fast: (PassageJudge<'p>, &'p FastModel),
        /// The large one.
        deep: (PassageJudge<'p>, &'p DeepModel),
    },
    /// A model behind an endpoint.
    External(&'p ExternalJudge),
}

/// The opinions about each claim, and who holds them.
#[derive(Debug)]
pub(crate) struct ClaimOpinions {
    pub(crate) opinions: Vec<Vec<ChunkOpinion>>,
    pub(crate) judge: JudgeIdentity,
    /// The judges of single verdicts.
    pub(crate) judges: Vec<VerdictJudge>,
    /// The bytes of an external judge's replies.
    pub(crate) replies: Vec<Vec<u8>>,
}

impl<'p> JudgeBackend<'p> {
    /// The small model in this program, on at most `threads` threads.
    ///
    /// # Errors
    /// A model that does not say how its scores are read.
    pub fn fast(model: &'p FastModel, threads: usize) -> Result<Self, ModelFileError> {
        Ok(Self::Fast(PassageJudge::fast(model, threads)?, model))
    }

    /// The large model, on at most `threads` threads.
    ///
    /// # Errors
    /// A model that does not say how its scores are read.
    pub fn deep(model: &'p DeepModel, threads: usize) -> Result<Self, ModelFileError> {
        Ok(Self::Deep(PassageJudge::deep(model, threads)?, model))
    }

    /// Both models, on at most `threads` threads.
    ///
    /// # Errors
    /// A model that does not say how its scores are read.
    pub fn auto(
        model: &'p FastModel,
        large: &'p DeepModel,
        threads: usize,
    ) -> Result<Self, ModelFileError> {
        let fast = (PassageJudge::fast(model, threads)?, model);
        Ok(Self::Auto { fast, deep: (PassageJudge::deep(large, threads)?, large) })
    }

    /// The models that can give a verdict.
    pub(crate) fn judges(&self) -> Vec<VerdictJudge> {
        let one = |kind, name: &str, digest| VerdictJudge {
            kind,
            name: name.to_owned(),
            sha256: Some(digest),
        };
        let small = |model: &FastModel| one(JudgeKind::Fast, FAST_MODEL, model.digest());
        let large = |model: &DeepModel| one(JudgeKind::Deep, DEEP_MODEL, model.digest());
        match self {
            Self::Fast(_, model) => vec![small(model)],
            Self::Deep(_, model) => vec![large(model)],
            Self::Auto { fast: (_, fast), deep: (_, deep) } => vec![small(fast), large(deep)],
            Self::External(_) => Vec::new(),
        }
    }

    pub(crate) fn judge(
        &self,
        corpus: &Corpus,
        answer: &str,
        questions: &[ClaimQuery],
        progress: &dyn Fn(usize, usize),
    ) -> Result<ClaimOpinions, external::ExternalJudgeFailure> {
        let all = questions.len();
        let (opinions, judge) = match self {
            Self::Fast(judge, model) => {
                let opinions = corpus
                    .with(|corpus| judge.judge(corpus, questions, &|done| progress(done, all)));
                (opinions, named(FAST_MODEL, model.digest()))
            }
            Self::Deep(judge, model) => {
                let opinions = corpus
                    .with(|corpus| judge.judge(corpus, questions, &|done| progress(done, all)));
                (opinions, named(DEEP_MODEL, model.digest()))
            }
            Self::Auto { fast: (small, model), deep: (large, deep) } => {
                let opinions = auto((small, large), corpus, questions, progress);
                (opinions, named(AUTO_MODEL, both(model, deep)))
            }
            Self::External(external) => return external.judge(corpus, answer, questions, progress),
        };
        Ok(ClaimOpinions { opinions, judge, judges: self.judges(), replies: Vec::new() })
    }
}

/// The opinions of the fast judge where it is sure, of the deep one elsewhere.
fn auto(
    (small, large): (&PassageJudge<'_>, &PassageJudge<'_>),
    corpus: &Corpus,
    questions: &[ClaimQuery],
    progress: &dyn Fn(usize, usize),
) -> Vec<Vec<ChunkOpinion>> {
    let mut opinions = corpus.with(|corpus| small.judge(corpus, questions, &|_| ()));
    let open: Vec<usize> = (0..questions.len())
        .filter(|n| !opinions.get(*n).is_some_and(|some| is_settled(some)))
        .collect();
    let asked: Vec<ClaimQuery> = open.iter().filter_map(|n| questions.get(*n)).cloned().collect();
    let sure = questions.len() - open.len();
    progress(sure, questions.len());
    let heard = corpus
        .with(|corpus| large.judge(corpus, &asked, &|done| progress(sure + done, questions.len())));
    for (n, heard) in open.into_iter().zip(heard) {
        if let Some(place) = opinions.get_mut(n) {
            // Replaced, not merged: a claim has one judge, whom the ledger names.
            *place = heard;
        }
    }
    opinions
}

/// Whether the fast judge needs no second opinion: the document states the claim nearly in its
/// words, every value of it agrees, and nothing contradicts it.
fn is_settled(opinions: &[ChunkOpinion]) -> bool {
    let says = |one: &ChunkOpinion| {
        one.is_direct
            && one.judgement.level == SupportLevel::Full
            && one.judgement.support.units() >= MIN_SETTLED_SUPPORT_UNITS
            && one.findings.iter().all(|finding| finding.outcome == RuleOutcome::Agrees)
    };
    // Words that a reader cannot see may be planted: with them the deep judge is always asked.
    opinions.first().is_some_and(says)
        && !opinions.iter().any(|one| one.judgement.contradicts || one.hidden.is_some())
}

fn named(name: &str, digest: Digest) -> JudgeIdentity {
    JudgeIdentity {
        engine: ENGINE_NAME.to_owned(),
        model: name.to_owned(),
        model_sha256: Some(digest),
        replies: None,
    }
}

/// What names two models together: the digest of their digests, the small one's first.
pub(crate) fn both(model: &FastModel, deep: &DeepModel) -> Digest {
    let digests = [model.digest(), deep.digest()];
    Digest::of_parts(digests.iter().map(|digest| digest.as_bytes().as_slice()))
}

/// The deep judge is not asked when the fast one is so sure: a probability of support of 0.95, as the
/// fast judge states it (`MAX_FAST_CONFIDENCE` of the judge is 0.88). Chosen, not measured: it must
/// also hold most of the claim's words and agree in every value.
const MIN_SETTLED_SUPPORT_UNITS: u16 = 8_770;
/// What ledgers call this engine and its judges.
pub(crate) const ENGINE_NAME: &str = concat!("dalil-engine ", env!("CARGO_PKG_VERSION"));
pub(crate) const FAST_MODEL: &str = "dalil-judge/2";
pub(crate) const DEEP_MODEL: &str = "dalil-deep/1";
pub(crate) const AUTO_MODEL: &str = "dalil-auto/1";
