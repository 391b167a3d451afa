//! Panels: who judges, our own judge or an external one.

use dalil_core::ledger::request::Judge as Named;
use dalil_engine::judge::{Judge, Opinion, Question};
use dalil_engine::model::{Damaged, Model};

use crate::corpus::Corpus;
use crate::external::{self, External};

/// Who judges.
#[derive(Debug)]
pub enum Panel<'p> {
    /// The model in this program.
    Own(Judge<'p>, &'p Model),
    /// A model behind an endpoint.
    External(&'p External),
}

/// The opinions about each claim, and who holds them.
#[derive(Debug)]
pub(crate) struct Verdicts {
    pub(crate) opinions: Vec<Vec<Opinion>>,
    pub(crate) judge: Named,
    /// The bytes of an external judge's replies.
    pub(crate) replies: Vec<Vec<u8>>,
}

impl<'p> Panel<'p> {
    /// The model in this program, on at most so many threads.
    ///
    /// # Errors
    /// A model that does not say how its scores are read.
    pub fn own(model: &'p Model, threads: usize) -> Result<Self, Damaged> {
        Ok(Self::Own(Judge::new(model, threads)?, model))
    }

    pub(crate) fn judge(
        &self,
        corpus: &Corpus,
        questions: &[Question],
        progress: &dyn Fn(usize, usize),
    ) -> Result<Verdicts, external::Failure> {
        match self {
            Self::Own(judge, model) => {
                let mut opinions = Vec::with_capacity(questions.len());
                corpus.with(|corpus| {
                    for some in questions.chunks(AT_ONCE) {
                        opinions.extend(judge.judge(corpus, some));
                        progress(opinions.len(), questions.len());
                    }
                });
                let judge = Named {
                    engine: ENGINE.to_owned(),
                    model: MODEL.to_owned(),
                    model_sha256: Some(model.digest()),
                    replies: None,
                };
                Ok(Verdicts { opinions, judge, replies: Vec::new() })
            }
            Self::External(external) => external.judge(corpus, questions, progress),
        }
    }
}

/// How many claims are judged between two reports of progress.
const AT_ONCE: usize = 10;
/// What ledgers call this engine.
pub(crate) const ENGINE: &str = concat!("dalil-engine ", env!("CARGO_PKG_VERSION"));
const MODEL: &str = "dalil-judge/1";
