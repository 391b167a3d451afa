//! Panels: who judges, the fast judge, the deep one, both, or an external one.

use dalil_core::digest::Digest;
use dalil_core::ledger::request::{Judge as Named, JudgeKind, VerdictJudge};
use dalil_core::ledger::verdict::Support;
use dalil_engine::deep::DeepModel;
use dalil_engine::judge::{DeepJudge, Judge, Opinion, Question};
use dalil_engine::model::{Damaged, Model};
use dalil_engine::rule::Outcome;

use crate::corpus::Corpus;
use crate::external::{self, External};

/// Who judges.
#[derive(Debug)]
pub enum Panel<'p> {
    /// The small model in this program.
    Fast(Judge<'p>, &'p Model),
    /// The large model in a file, for every claim.
    Deep(DeepJudge<'p>, &'p DeepModel),
    /// The small one first, and the large one where that is not sure.
    Auto {
        /// The small one.
        fast: (Judge<'p>, &'p Model),
        /// The large one.
        deep: (DeepJudge<'p>, &'p DeepModel),
    },
    /// A model behind an endpoint.
    External(&'p External),
}

/// The opinions about each claim, and who holds them.
#[derive(Debug)]
pub(crate) struct Verdicts {
    pub(crate) opinions: Vec<Vec<Opinion>>,
    pub(crate) judge: Named,
    /// The judges of single verdicts.
    pub(crate) judges: Vec<VerdictJudge>,
    /// The bytes of an external judge's replies.
    pub(crate) replies: Vec<Vec<u8>>,
}

impl<'p> Panel<'p> {
    /// The small model in this program, on at most so many threads.
    ///
    /// # Errors
    /// A model that does not say how its scores are read.
    pub fn fast(model: &'p Model, threads: usize) -> Result<Self, Damaged> {
        Ok(Self::Fast(Judge::new(model, threads)?, model))
    }

    /// The large model, on at most so many threads.
    ///
    /// # Errors
    /// A model that does not say how its scores are read.
    pub fn deep(model: &'p DeepModel, threads: usize) -> Result<Self, Damaged> {
        Ok(Self::Deep(DeepJudge::new(model, threads)?, model))
    }

    /// Both models, on at most so many threads.
    ///
    /// # Errors
    /// A model that does not say how its scores are read.
    pub fn auto(model: &'p Model, large: &'p DeepModel, threads: usize) -> Result<Self, Damaged> {
        let fast = (Judge::new(model, threads)?, model);
        Ok(Self::Auto { fast, deep: (DeepJudge::new(large, threads)?, large) })
    }

    /// The models that can give a verdict.
    fn judges(&self) -> Vec<VerdictJudge> {
        let one = |kind, name: &str, digest| VerdictJudge {
            kind,
            name: name.to_owned(),
            sha256: Some(digest),
        };
        let small = |model: &Model| one(JudgeKind::Fast, FAST_MODEL, model.digest());
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
        questions: &[Question],
        progress: &dyn Fn(usize, usize),
    ) -> Result<Verdicts, external::Failure> {
        let all = questions.len();
        let (opinions, judge) = match self {
            Self::Fast(judge, model) => {
                let opinions = fast(judge, corpus, questions, &|done| progress(done, all));
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
            Self::External(external) => return external.judge(corpus, questions, progress),
        };
        Ok(Verdicts { opinions, judge, judges: self.judges(), replies: Vec::new() })
    }
}

fn fast(
    judge: &Judge<'_>,
    corpus: &Corpus,
    questions: &[Question],
    progress: &dyn Fn(usize),
) -> Vec<Vec<Opinion>> {
    let mut opinions = Vec::with_capacity(questions.len());
    corpus.with(|corpus| {
        for some in questions.chunks(MAX_CLAIMS_TOGETHER) {
            opinions.extend(judge.judge(corpus, some));
            progress(opinions.len());
        }
    });
    opinions
}

/// The opinions of the fast judge where it is sure, of the deep one elsewhere.
fn auto(
    (small, large): (&Judge<'_>, &DeepJudge<'_>),
    corpus: &Corpus,
    questions: &[Question],
    progress: &dyn Fn(usize, usize),
) -> Vec<Vec<Opinion>> {
    let mut opinions = fast(small, corpus, questions, &|_| ());
    let open: Vec<usize> = (0..questions.len())
        .filter(|n| !opinions.get(*n).is_some_and(|some| is_settled(some)))
        .collect();
    let asked: Vec<Question> = open.iter().filter_map(|n| questions.get(*n)).cloned().collect();
    let sure = questions.len() - open.len();
    progress(sure, questions.len());
    let heard = corpus
        .with(|corpus| large.judge(corpus, &asked, &|done| progress(sure + done, questions.len())));
    for (n, heard) in open.into_iter().zip(heard) {
        if let Some(place) = opinions.get_mut(n) {
            *place = heard;
        }
    }
    opinions
}

/// Whether the fast judge needs no second opinion: the document says the claim nearly in its
/// words, every value of it agrees, and nothing speaks against it.
fn is_settled(opinions: &[Opinion]) -> bool {
    let says = |one: &Opinion| {
        one.is_direct
            && one.judgement.level == Support::Full
            && one.judgement.support.units() > SURE_UNITS
            && one.findings.iter().all(|finding| finding.outcome == Outcome::Agrees)
    };
    opinions.first().is_some_and(says)
        && !opinions.iter().any(|one| one.judgement.contradicts || one.hidden.is_some())
}

fn named(name: &str, digest: Digest) -> Named {
    Named {
        engine: ENGINE.to_owned(),
        model: name.to_owned(),
        model_sha256: Some(digest),
        replies: None,
    }
}

/// What names two models together: the digest of their digests, the small one's first.
pub(crate) fn both(model: &Model, deep: &DeepModel) -> Digest {
    let digests = [model.digest(), deep.digest()];
    Digest::of_parts(digests.iter().map(|digest| digest.as_bytes().as_slice()))
}

/// How many claims are judged between two reports of progress.
const MAX_CLAIMS_TOGETHER: usize = 10;
/// The deep judge is not asked when the fast one is so sure. Chosen, not measured: it must also hold
/// most of the claim's words and agree in every value.
const SURE_UNITS: u16 = 9_500;
/// What ledgers call this engine and its judges.
pub(crate) const ENGINE: &str = concat!("dalil-engine ", env!("CARGO_PKG_VERSION"));
pub(crate) const FAST_MODEL: &str = "dalil-judge/1";
pub(crate) const DEEP_MODEL: &str = "dalil-deep/1";
pub(crate) const AUTO_MODEL: &str = "dalil-auto/1";
