//! From word pieces to logits: embeddings, layers, head.

use std::borrow::Cow;

use dalil_kernel::isa::InstructionSet;
use dalil_kernel::normalize::{LayerNorm, normalize};
use dalil_proof::fault::quote;

use crate::model::error::ModelFileError;
use crate::model::file::TensorFile;
use crate::model::layer::{EncoderLayer, EncoderScratch, HEAD_WIDTH, norm};
use crate::model::vocabulary::WordPieceVocabulary;
use crate::model::{EntailmentLogits, PremiseClaimPair};

/// Everything that has weights.
#[derive(Clone, Debug)]
pub(super) struct TransformerEncoder {
    hidden: usize,
    marks: SpecialTokens,
    /// A row of 8-bit integers for each word piece, where the file has them.
    words: Cow<'static, [u8]>,
    word_scales: Vec<f32>,
    positions: Vec<f32>,
    types: Vec<f32>,
    norm: LayerNorm,
    layers: Vec<EncoderLayer>,
    head: Vec<f32>,
    bias: [f32; 4],
}

/// The word pieces that are not from a text.
#[derive(Clone, Copy, Debug)]
struct SpecialTokens {
    class: u32,
    separator: u32,
    unknown: u32,
}

impl TransformerEncoder {
    /// Takes every tensor of a model out of the file; `keep` stores the word pieces.
    pub(super) fn read<'w>(
        file: &mut TensorFile<'w>,
        vocabulary: &WordPieceVocabulary,
        keep: impl FnOnce(&'w [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Self, ModelFileError> {
        let format = file.metadata("format")?;
        if format != JUDGE_MODEL_FORMAT {
            return Err(ModelFileError::new(
                "`format`",
                format!("`{JUDGE_MODEL_FORMAT}`"),
                quote(format),
            ));
        }
        let (hidden, layers) = (size(file, "hidden")?, size(file, "layers")?);
        let heads = size(file, "heads")?;
        if heads * HEAD_WIDTH != hidden {
            let expected = format!("{HEAD_WIDTH} for each of {heads} heads");
            return Err(ModelFileError::new("`hidden`", expected, hidden.to_string()));
        }
        // Three marks and one piece at least, so that `capacity` does not underflow.
        let positions = file.shape("embeddings.position").first().copied().unwrap_or(0);
        if !(4..=MAX_ENCODER_DIMENSION).contains(&positions) {
            let expected = format!("from 4 to {MAX_ENCODER_DIMENSION} rows");
            return Err(ModelFileError::new(
                "`embeddings.position`",
                expected,
                positions.to_string(),
            ));
        }
        let pieces = vocabulary.size;
        let bias = file.floats("head.bias", &[4])?;
        let &WordPieceVocabulary { class, separator, unknown, .. } = vocabulary;
        Ok(Self {
            hidden,
            marks: SpecialTokens { class, separator, unknown },
            words: keep(file.bytes("embeddings.word", &[pieces, hidden])?),
            word_scales: file.floats("embeddings.word.scale", &[pieces])?,
            positions: file.floats("embeddings.position", &[positions, hidden])?,
            types: file.floats("embeddings.type", &[2, hidden])?,
            norm: norm(file, "embeddings.norm", hidden)?,
            layers: (0..layers)
                .map(|number| EncoderLayer::read(file, number, hidden))
                .collect::<Result<_, _>>()?,
            head: file.floats("head.weight", &[4, hidden * 2])?,
            bias: std::array::from_fn(|label| bias.get(label).copied().unwrap_or(0.0)),
        })
    }

    /// How many pieces of a premise and a claim fit between the marks.
    pub(super) fn capacity(&self) -> usize {
        self.positions.len() / self.hidden - 3
    }

    /// How many tokens a pair has, marks included.
    pub(super) fn length(&self, pair: &PremiseClaimPair<'_>) -> usize {
        (pair.premise.len() + pair.claim.len()).min(self.capacity()) + 3
    }

    /// The logits of each pair. No pair has an influence on another.
    pub(super) fn logits(
        &self,
        path: InstructionSet,
        scratch: &mut EncoderScratch,
        pairs: &[&PremiseClaimPair<'_>],
    ) -> Vec<EntailmentLogits> {
        scratch.state.clear();
        scratch.lengths.clear();
        for pair in pairs {
            self.embed(pair, scratch);
        }
        normalize(path, &self.norm, &mut scratch.state);
        for layer in &self.layers {
            layer.apply(path, scratch);
        }
        let mut state = scratch.state.as_slice();
        let mut logits = Vec::with_capacity(pairs.len());
        for length in &scratch.lengths {
            let (pair, rest) = state.split_at(state.len().min(length * self.hidden));
            logits.push(self.classify(pair));
            state = rest;
        }
        logits
    }

    /// Adds a row for each token of a pair: `[CLS] premise [SEP] claim [SEP]`.
    fn embed(&self, pair: &PremiseClaimPair<'_>, scratch: &mut EncoderScratch) {
        let SpecialTokens { class, separator, .. } = self.marks;
        // The claim is placed first: a text that is too long loses the end of the premise.
        let claim = pair.claim.iter().copied().take(self.capacity());
        let premise = pair.premise.iter().copied().take(self.capacity() - claim.len());
        let first = [class].into_iter().chain(premise).chain([separator]).map(|token| (token, 0));
        let second = claim.chain([separator]).map(|token| (token, 1));
        let mut length = 0;
        for (position, (token, kind)) in first.chain(second).enumerate() {
            let known =
                if (token as usize) < self.word_scales.len() { token } else { self.marks.unknown };
            let row = |number: usize| number * self.hidden..(number + 1) * self.hidden;
            let words = self.words.get(row(known as usize)).unwrap_or_default();
            let scale = self.word_scales.get(known as usize).copied().unwrap_or(0.0);
            let positions = self.positions.get(row(position)).unwrap_or_default();
            let types = self.types.get(row(kind)).unwrap_or_default();
            let numbers = words.iter().zip(positions).zip(types);
            scratch.state.extend(numbers.map(|((word, position), kind)| {
                f32::from(word.cast_signed()) * scale + position + kind
            }));
            length += 1;
        }
        scratch.lengths.push(length);
    }

    /// The head reads the first token and the mean of all, added in the order of the tokens.
    fn classify(&self, state: &[f32]) -> EntailmentLogits {
        let mut mean = vec![0.0; self.hidden];
        let rows = state.chunks_exact(self.hidden);
        // Never 0: every pair has its three marks.
        let share = rows.len() as f32;
        for row in rows {
            for (mean, value) in mean.iter_mut().zip(row) {
                *mean += value;
            }
        }
        let first = state.iter().take(self.hidden).copied();
        let pooled: Vec<f32> = first.chain(mean.iter().map(|total| total / share)).collect();
        let mut logits = self.bias;
        for (logit, weights) in logits.iter_mut().zip(self.head.chunks_exact(pooled.len())) {
            let products = weights.iter().zip(&pooled).map(|(weight, value)| weight * value);
            *logit += products.fold(0.0, |sum: f32, product| sum + product);
        }
        EntailmentLogits(logits)
    }
}

/// A number in the file's metadata, within the limits of a model.
fn size(file: &TensorFile<'_>, key: &str) -> Result<usize, ModelFileError> {
    let text = file.metadata(key)?;
    // By spelling, so that `016` is refused.
    let number = (1..=MAX_ENCODER_DIMENSION).find(|number| number.to_string() == text);
    let wrong = || {
        ModelFileError::new(
            format!("`{key}`"),
            format!("1 to {MAX_ENCODER_DIMENSION}"),
            quote(text),
        )
    };
    number.ok_or_else(wrong)
}

const JUDGE_MODEL_FORMAT: &str = "dalil-judge/2";
/// Far above the shipped model; it bounds the memory that a damaged file can ask for.
const MAX_ENCODER_DIMENSION: usize = 4096;
