//! The sizes of a deep model, and the tensors that its file has.

use dalil_kernel::causal::CausalShape;
use dalil_kernel::gate::HADAMARD_SIZE;
use dalil_kernel::matrix::PANEL_OUTPUTS;
use dalil_proof::fault::quote;

use crate::deep::gguf::GgufFile;
use crate::model::ModelFileError;
use crate::model::file::TensorFile;

/// How large a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeepShape {
    pub(super) layers: usize,
    /// Numbers of a token.
    pub(super) hidden: usize,
    pub(super) heads: CausalShape,
    /// Gated numbers in the middle of a layer.
    pub(super) inner: usize,
    /// How many tokens there are.
    pub(super) tokens: usize,
    /// How many numbers the head gives.
    pub(super) answers: usize,
}

impl DeepShape {
    /// The sizes of a base model.
    pub(super) fn of_base(base: &GgufFile<'_>, answers: usize) -> Result<Self, ModelFileError> {
        base.expect("general.architecture", "qwen2")?;
        let hidden = base.number("qwen2.embedding_length", MAX_LAYER_WIDTH)?;
        let queries = base.number("qwen2.attention.head_count", MAX_HEADS)?;
        let keys = base.number("qwen2.attention.head_count_kv", MAX_HEADS)?;
        Self {
            layers: base.number("qwen2.block_count", MAX_LAYERS)?,
            hidden,
            // `number` gives at least 1; `checked` refuses sizes that do not divide evenly.
            heads: CausalShape { queries, keys, head: hidden / queries },
            inner: base.number("qwen2.feed_forward_length", MAX_LAYER_WIDTH)?,
            tokens: base.texts("tokenizer.ggml.tokens")?.len(),
            answers,
        }
        .checked()
    }

    /// Reads the sizes from a file's metadata.
    pub(super) fn of_file(file: &TensorFile<'_>) -> Result<Self, ModelFileError> {
        let size = |key: &str, most: usize| {
            let text = file.metadata(key)?;
            let number = text.parse().ok().filter(|number| (1..=most).contains(number));
            // Only the canonical spelling of a size is accepted.
            let number = number.filter(|number: &usize| number.to_string() == text);
            let wrong =
                || ModelFileError::new(format!("`{key}`"), format!("1 to {most}"), quote(text));
            number.ok_or_else(wrong)
        };
        let heads = CausalShape {
            queries: size("queries", MAX_HEADS)?,
            keys: size("keys", MAX_HEADS)?,
            head: size("head", MAX_LAYER_WIDTH)?,
        };
        Self {
            layers: size("layers", MAX_LAYERS)?,
            hidden: size("hidden", MAX_LAYER_WIDTH)?,
            heads,
            inner: size("inner", MAX_LAYER_WIDTH)?,
            tokens: size("tokens", MAX_VOCABULARY_TOKENS)?,
            answers: size("answers", MAX_ANSWERS)?,
        }
        .checked()
    }

    /// Refuses sizes that the kernels cannot compute.
    fn checked(self) -> Result<Self, ModelFileError> {
        let Self { hidden, heads, inner, tokens, .. } = self;
        // Panels, heads and turns must be whole: the kernels compute no part of one.
        let fits = hidden == heads.queries * heads.head
            && hidden.is_multiple_of(PANEL_OUTPUTS)
            && heads.queries.is_multiple_of(heads.keys)
            && heads.head.is_power_of_two()
            && heads.width().is_multiple_of(PANEL_OUTPUTS)
            && heads.head >= PANEL_OUTPUTS / 2
            && inner.is_multiple_of(HADAMARD_SIZE)
            && tokens <= MAX_VOCABULARY_TOKENS;
        fits.then_some(self).ok_or_else(|| {
            let expected = "heads of a power of two that make up the numbers of a token, and an \
                            inner size of whole turns";
            ModelFileError::new("sizes", expected, format!("{self:?}"))
        })
    }

    /// The sizes as a file's metadata.
    pub(super) fn metadata(&self) -> [(&'static str, usize); 8] {
        let Self { layers, hidden, heads, inner, tokens, answers } = *self;
        let CausalShape { queries, keys, head } = heads;
        [
            ("answers", answers),
            ("head", head),
            ("hidden", hidden),
            ("inner", inner),
            ("keys", keys),
            ("layers", layers),
            ("queries", queries),
            ("tokens", tokens),
        ]
    }

    /// The linear layers of a layer, with their outputs and inputs, in the order of computing.
    pub(super) fn parts(&self) -> [(&'static str, usize, usize); 4] {
        let Self { hidden, heads, inner, .. } = *self;
        [
            ("mix", heads.width(), hidden),
            ("attention", hidden, hidden),
            ("gated", inner * 2, hidden),
            ("down", hidden, inner),
        ]
    }

    /// How many numbers of a token are turned together: a power of two, at most 512.
    pub(super) fn turn(&self) -> usize {
        1 << self.hidden.trailing_zeros().min(9)
    }
}

/// Four times the base or more in each: they bound the memory that a damaged file can ask for.
const MAX_LAYERS: usize = 128;
const MAX_HEADS: usize = 128;
const MAX_LAYER_WIDTH: usize = 32_768;
const MAX_VOCABULARY_TOKENS: usize = 300_000;
const MAX_ANSWERS: usize = 8;
