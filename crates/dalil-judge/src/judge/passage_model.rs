//! The model behind a passage judge, and the form in which it reads passages and claims.

use super::corpus::ClaimQuery;
use super::opinion::ModelKind;
use super::passage::PassageLimits;
use crate::deep::{DeepClaim, DeepModel, DeepPrompt};
use crate::model::{EntailmentLogits, FastModel, PremiseClaimPair};

/// The model that reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum PassageModel<'m> {
    /// The small one in the program.
    Fast(&'m FastModel),
    /// The large one in a file.
    Deep(&'m DeepModel),
}

impl PassageModel<'_> {
    pub(super) fn kind(self) -> ModelKind {
        match self {
            Self::Fast(_) => ModelKind::Fast,
            Self::Deep(_) => ModelKind::Deep,
        }
    }

    /// For each text, for each claim about it, a logit for each answer.
    pub(super) fn score(
        self,
        asked: &[(&str, Vec<&ClaimQuery>)],
        threads: usize,
    ) -> Vec<Vec<Vec<f32>>> {
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

    pub(super) fn limits(self) -> PassageLimits {
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
