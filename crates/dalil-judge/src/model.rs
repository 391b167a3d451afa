//! The model: a small cross-encoder that reads a premise and a claim.
//!
//! BERT in eight bits: every linear layer multiplies integers, everything else
//! is in 32-bit floats of a fixed order. A pair's logits are the same on every
//! processor, for any number of threads, and whatever else is scored with it.
//!
//! In reading order: `file` and `vocabulary` validate the parts of a model,
//! `normalize` folds characters, `layer` and `encoder` compute.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dalil_kernel::isa::InstructionSet;
use dalil_proof::digest::Digest;

use crate::model::encoder::TransformerEncoder;
use crate::model::file::TensorFile;
use crate::model::vocabulary::WordPieceVocabulary;

mod batch;
mod encoder;
mod error;
pub(crate) mod file;
mod layer;
mod normalize;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use self::error::ModelFileError;

/// A model that was checked whole, ready to score.
#[derive(Clone, Debug)]
pub struct FastModel {
    digest: Digest,
    metadata: BTreeMap<String, String>,
    vocabulary: WordPieceVocabulary,
    encoder: TransformerEncoder,
}

/// A pair to be scored: the word pieces of a premise and of a claim.
///
/// Of a pair with more pieces than [`FastModel::capacity`] the end of the premise is
/// not read; a caller who must not lose it makes windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PremiseClaimPair<'t> {
    /// The pieces of the premise.
    pub premise: &'t [u32],
    /// The pieces of the claim.
    pub claim: &'t [u32],
}

/// How strongly the premise supports the claim, supports a part of it, contradicts it, or does not
/// mention it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EntailmentLogits(pub [f32; 4]);

impl FastModel {
    /// The model that ships with this program.
    ///
    /// # Errors
    /// None, unless the program itself is damaged.
    pub fn shipped() -> Result<Self, ModelFileError> {
        Self::build(JUDGE_WEIGHTS, JUDGE_VOCABULARY, Cow::Borrowed)
    }

    /// Reads a model from a file of weights and a vocabulary with a word piece on each line.
    ///
    /// # Errors
    /// The first thing in either that a model cannot have: a tensor that is
    /// missing, unknown, of another shape, not finite; a piece that is there twice.
    pub fn parse(weights: &[u8], vocabulary: &str) -> Result<Self, ModelFileError> {
        Self::build(weights, vocabulary, |bytes| Cow::Owned(bytes.to_vec()))
    }

    fn build<'w>(
        weights: &'w [u8],
        vocabulary: &str,
        keep: impl FnOnce(&'w [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Self, ModelFileError> {
        // Digests and not the joined bytes, so that no byte can move from one file to the other.
        let parts = [Digest::of(weights), Digest::of(vocabulary.as_bytes())];
        let digest = Digest::of_parts(parts.iter().map(|part| part.as_bytes().as_slice()));
        let vocabulary = WordPieceVocabulary::parse(vocabulary)?;
        let mut file = TensorFile::parse(weights)?;
        let encoder = TransformerEncoder::read(&mut file, &vocabulary, keep)?;
        Ok(Self { digest, metadata: file.end()?, vocabulary, encoder })
    }

    /// The digest of the digests of the weights and of the vocabulary.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The metadata of the file of weights under `key`.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    /// How many word pieces of premise and claim together are read.
    pub fn capacity(&self) -> usize {
        self.encoder.capacity()
    }

    /// The piece that separates texts.
    pub fn separator(&self) -> u32 {
        self.vocabulary.separator
    }

    /// The word pieces of a text.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        self.vocabulary.tokens(text)
    }

    /// Scores each pair, in the order of the pairs, on at most `threads` threads.
    pub fn score(&self, pairs: &[PremiseClaimPair<'_>], threads: usize) -> Vec<EntailmentLogits> {
        batch::score(&self.encoder, InstructionSet::best(), pairs, threads)
    }
}

// Weights are statics: a constant can be in the program once for each place that names it.
static JUDGE_WEIGHTS: &[u8] = include_bytes!("../model/judge.safetensors");
const JUDGE_VOCABULARY: &str = include_str!("../model/vocab.txt");
