//! The prompts of the model, and how they are cut into batches.
//!
//! The text is version 2 of the template, the one that the adapter was trained on.
//! Its parts become tokens one by one, so that no token spans two of them.

use std::ops::Range;

use crate::deep::piece::PieceTable;

#[cfg(test)]
mod tests;

/// A passage and the claims that are asked about it.
#[derive(Clone, Copy, Debug)]
pub struct DeepPrompt<'t> {
    /// A line `title > heading > heading`, then the text.
    pub passage: &'t str,
    /// How many tokens of the passage are read, at most [`MAX_PASSAGE_TOKENS`].
    pub passage_tokens: usize,
    /// The claims.
    pub claims: &'t [DeepClaim<'t>],
}

/// A claim and its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeepClaim<'t> {
    /// The claim; its first [`MAX_CLAIM_TOKENS`] tokens are read.
    pub claim: &'t str,
    /// The words before it in the answer, if they are needed; as many tokens.
    pub context: Option<&'t str>,
}

/// The tokens of texts that go through the layers together.
#[derive(Debug, Default)]
pub(super) struct PromptBatch {
    pub(super) tokens: Vec<u32>,
    pub(super) segments: Vec<PromptSegment>,
}

/// Some tokens in a row, which continue others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PromptSegment {
    /// The tokens before; empty for a passage.
    pub(super) before: Range<usize>,
    pub(super) rows: Range<usize>,
    /// The number of the prompt and of its claim; none for a passage.
    pub(super) asked: Option<(usize, usize)>,
}

/// The batches of all prompts, one after the other.
///
/// A passage whose claims do not fit into one batch is read again in the next,
/// with the same result.
pub(super) fn batches<'t>(
    pieces: &'t PieceTable,
    prompts: &'t [DeepPrompt<'t>],
) -> impl Iterator<Item = PromptBatch> + 't {
    let mut asked = prompts.iter().enumerate().flat_map(|(number, prompt)| {
        let claims = prompt.claims.iter().enumerate();
        claims.map(move |(place, claim)| ((number, place), prompt, claim))
    });
    let words = TemplateTokens::new(pieces);
    // One claim is looked at ahead: one that does not fit waits here and opens the next batch.
    let mut next = asked.next().map(|one| (one.0, one.1, words.claim(pieces, one.2)));
    std::iter::from_fn(move || {
        let mut batch = PromptBatch::default();
        let mut open: Option<(usize, Range<usize>)> = None;
        while let Some((place, prompt, claim)) = next.take() {
            let passage = open.clone().filter(|(number, _)| *number == place.0);
            let passage = passage.map(|(_, rows)| rows);
            let fresh = if passage.is_some() { Vec::new() } else { words.passage(pieces, prompt) };
            let size = batch.tokens.len() + fresh.len() + claim.len();
            // An empty batch takes a claim of any length, or a long one would never be scored.
            if !batch.tokens.is_empty() && size > MAX_BATCH_TOKENS {
                next = Some((place, prompt, claim));
                break;
            }
            let before = passage.unwrap_or_else(|| batch.push(&fresh, 0..0, None));
            open = Some((place.0, before.clone()));
            batch.push(&claim, before, Some(place));
            next = asked.next().map(|one| (one.0, one.1, words.claim(pieces, one.2)));
        }
        (!batch.tokens.is_empty()).then_some(batch)
    })
}

impl PromptBatch {
    fn push(
        &mut self,
        tokens: &[u32],
        before: Range<usize>,
        asked: Option<(usize, usize)>,
    ) -> Range<usize> {
        let start = self.tokens.len();
        self.tokens.extend_from_slice(tokens);
        let rows = start..self.tokens.len();
        self.segments.push(PromptSegment { before, rows: rows.clone(), asked });
        rows
    }
}

/// The words around passages and claims, as tokens.
#[derive(Debug)]
struct TemplateTokens {
    passage: Vec<u32>,
    context: Vec<u32>,
    claim: Vec<u32>,
    question: Vec<u32>,
}

impl TemplateTokens {
    fn new(pieces: &PieceTable) -> Self {
        Self {
            passage: pieces.tokens("Document: "),
            context: pieces.tokens("\n\nContext: "),
            claim: pieces.tokens("\n\nClaim: "),
            question: pieces.tokens(PROMPT_QUESTION),
        }
    }

    fn passage(&self, pieces: &PieceTable, prompt: &DeepPrompt<'_>) -> Vec<u32> {
        let mut tokens = self.passage.clone();
        let limit = prompt.passage_tokens.min(MAX_PASSAGE_TOKENS);
        tokens.extend(pieces.tokens(prompt.passage).into_iter().take(limit));
        tokens
    }

    fn claim(&self, pieces: &PieceTable, claim: &DeepClaim<'_>) -> Vec<u32> {
        // Each part has its own limit: a long context must not push out the claim or the question.
        let limited = |text: &str| pieces.tokens(text).into_iter().take(MAX_CLAIM_TOKENS);
        let mut tokens = Vec::new();
        if let Some(context) = claim.context {
            tokens.extend(&self.context);
            tokens.extend(limited(context));
        }
        tokens.extend(&self.claim);
        tokens.extend(limited(claim.claim));
        // Last: the head reads the last token, which has attended to all before it.
        tokens.extend(&self.question);
        tokens
    }
}

/// The most tokens of a passage: three times the length of most passages in training.
pub const MAX_PASSAGE_TOKENS: usize = 1200;
/// The most tokens of a claim, and of its context, as in training.
pub const MAX_CLAIM_TOKENS: usize = 200;
/// Positions for the longest passage, context, claim and the words around them.
pub(super) const MAX_POSITIONS: usize = 2048;
/// Tokens that go through the layers together, unless one claim and its passage have more.
///
/// Weights are read from memory once for each batch; the numbers of a token take
/// about 130 kB, so a batch stays below 150 MB.
const MAX_BATCH_TOKENS: usize = 1024;
const PROMPT_QUESTION: &str =
    "\nSupported, partly supported, contradicted or not mentioned? Answer:";
