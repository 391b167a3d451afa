//! The deep judge: a model of 1.5 billion weights that reads a passage and the claims about it.
//!
//! Qwen2 in eight bits, with an adapter and a head of a few answers. It only
//! reads: one pass over the prompt, nothing is generated. A claim's numbers are
//! the same bits on every processor, for any number of threads, and whatever else
//! is scored with it.
//!
//! ```text
//! base (GGUF) + DeepAdapter ─import─▶ file ─DeepModel::read─▶ DeepModel ─score─▶ numbers
//! ```
//!
//! In reading order: `gguf` and `block` read a base, `cut` and `piece` make tokens
//! of texts, `adapter`, `hadamard` and `import` make the file, `shape` and `weights`
//! read it, `prompt` writes the model's input, `forward` computes.

use std::collections::BTreeMap;

use dalil_kernel::isa::InstructionSet;
use dalil_kernel::rotary::RotaryTable;
use dalil_proof::digest::Digest;

use crate::deep::forward::DeepScratch;
use crate::deep::piece::PieceTable;
use crate::deep::shape::DeepShape;
use crate::deep::weights::{DeepLayer, TokenRows};
use crate::model::ModelFileError;

mod adapter;
mod block;
mod cut;
mod forward;
mod gguf;
mod hadamard;
mod import;
mod piece;
mod prompt;
mod shape;
#[cfg(test)]
pub(crate) mod tests;
mod weights;

pub use dalil_kernel::bytes::AlignedBytes;

pub use self::adapter::DeepAdapter;
pub use self::import::{ImportFailure, import};
pub use self::prompt::{DeepClaim, DeepPrompt, MAX_CLAIM_TOKENS, MAX_PASSAGE_TOKENS};

/// A deep model that was checked whole, ready to score.
///
/// Invariant: the bytes are those of the digest, and every place in them that a
/// layer names is there.
#[derive(Debug)]
pub struct DeepModel {
    bytes: AlignedBytes,
    digest: Digest,
    metadata: BTreeMap<String, String>,
    shape: DeepShape,
    layers: Vec<DeepLayer>,
    tokens: TokenRows,
    head: Vec<f32>,
    bias: Vec<f32>,
    pieces: PieceTable,
    rotary: RotaryTable,
}

impl DeepModel {
    /// Reads a model from the bytes of a file that [`import`] made.
    ///
    /// # Errors
    /// The first fault of the file. A file that was cut or changed does not match
    /// its own digest.
    pub fn read(bytes: AlignedBytes) -> Result<Self, ModelFileError> {
        weights::read(bytes)
    }

    /// The digest of the file, as the file itself ends with it.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The file's metadata under `key`: `adapter`, `base`, `calibration`, `labels`, `template`
    /// and sizes.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    /// How many numbers a claim gets.
    pub fn answers(&self) -> usize {
        self.shape.answers
    }

    /// Scores the claims of each prompt. Returns, for each claim of each prompt, a logit for each
    /// answer.
    ///
    /// The tokens that the claims of a passage share are computed once. `progress`
    /// receives the number of claims done so far.
    pub fn score(
        &self,
        prompts: &[DeepPrompt<'_>],
        threads: usize,
        progress: &dyn Fn(usize),
    ) -> Vec<Vec<Vec<f32>>> {
        self.score_on(InstructionSet::best(), prompts, threads, progress)
    }

    fn score_on(
        &self,
        path: InstructionSet,
        prompts: &[DeepPrompt<'_>],
        threads: usize,
        progress: &dyn Fn(usize),
    ) -> Vec<Vec<Vec<f32>>> {
        // A batch may hold claims of several prompts, so logits are stored by number, not appended.
        let mut made: Vec<Vec<Vec<f32>>> =
            prompts.iter().map(|prompt| vec![Vec::new(); prompt.claims.len()]).collect();
        let mut workspace = DeepScratch::default();
        let mut done = 0;
        for batch in prompt::batches(&self.pieces, prompts) {
            let logits = forward::logits(self, path, threads, &batch, &mut workspace);
            done += logits.len();
            for ((prompt, claim), logits) in logits {
                let place = made.get_mut(prompt).and_then(|claims| claims.get_mut(claim));
                if let Some(place) = place {
                    *place = logits;
                }
            }
            progress(done);
        }
        made
    }
}

/// The version of the file's format.
const DEEP_MODEL_FORMAT: &str = "dalil-deep/1";
