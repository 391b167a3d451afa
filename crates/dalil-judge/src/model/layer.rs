//! One layer: attention, then two linear layers with a bend between them.

use dalil_kernel::attend::{AttentionScratch, attend};
use dalil_kernel::gelu::gelu;
use dalil_kernel::isa::InstructionSet;
use dalil_kernel::matrix::PackedMatrix;
use dalil_kernel::normalize::{LayerNorm, normalize};
use dalil_kernel::quantize::QuantizedRows;
use dalil_proof::fault::quote;

use crate::model::error::ModelFileError;
use crate::model::file::TensorFile;

/// The weights of one layer.
#[derive(Clone, Debug)]
pub(super) struct EncoderLayer {
    /// Queries, keys and values side by side.
    mix: PackedMatrix,
    attention: PackedMatrix,
    attention_norm: LayerNorm,
    up: PackedMatrix,
    down: PackedMatrix,
    output_norm: LayerNorm,
}

/// The buffers of a thread; one set serves any number of layers and pairs.
#[derive(Debug, Default)]
pub(super) struct EncoderScratch {
    /// The numbers of each token, row after row.
    pub(super) state: Vec<f32>,
    /// How many tokens each pair has.
    pub(super) lengths: Vec<usize>,
    rows: QuantizedRows,
    wide: Vec<f32>,
    narrow: Vec<f32>,
    room: AttentionScratch,
}

impl EncoderLayer {
    /// Takes the tensors of layer `number` out of the file.
    pub(super) fn read(
        file: &mut TensorFile<'_>,
        number: usize,
        hidden: usize,
    ) -> Result<Self, ModelFileError> {
        let name = |part: &str| format!("layer.{number}.{part}");
        let square = [hidden, hidden];
        Ok(Self {
            mix: linear(file, &["query", "key", "value"].map(name), square)?,
            attention: linear(file, &[name("attention")], square)?,
            attention_norm: norm(file, &name("attention_norm"), hidden)?,
            up: linear(file, &[name("up")], [hidden * FEED_FORWARD_FACTOR, hidden])?,
            down: linear(file, &[name("down")], [hidden, hidden * FEED_FORWARD_FACTOR])?,
            output_norm: norm(file, &name("output_norm"), hidden)?,
        })
    }

    /// Applies the layer to the tokens in the scratch buffers.
    pub(super) fn apply(&self, path: InstructionSet, scratch: &mut EncoderScratch) {
        let EncoderScratch { state, lengths, rows, wide, narrow, room } = scratch;
        let hidden = self.attention.inputs();
        rows.quantize(path, state, hidden);
        self.mix.product(path, rows, wide);
        narrow.clear();
        narrow.resize(state.len(), 0.0);
        let (mut mixed, mut made) = (wide.as_slice(), narrow.as_mut_slice());
        // Only attention keeps pairs apart; all else works on rows.
        for length in &*lengths {
            let size = length * hidden;
            let (pair, rest) = mixed.split_at(mixed.len().min(size * 3));
            let (place, after) = made.split_at_mut(made.len().min(size));
            attend(path, pair, hidden / HEAD_WIDTH, room, place);
            (mixed, made) = (rest, after);
        }
        rows.quantize(path, narrow, hidden);
        self.attention.product(path, rows, narrow);
        add(state, narrow);
        // After the sum and not before it, as in BERT.
        normalize(path, &self.attention_norm, state);
        rows.quantize(path, state, hidden);
        self.up.product(path, rows, wide);
        // Without the rows of padding that the product adds.
        wide.truncate(state.len() * FEED_FORWARD_FACTOR);
        gelu(path, wide);
        rows.quantize(path, wide, hidden * FEED_FORWARD_FACTOR);
        self.down.product(path, rows, narrow);
        add(state, narrow);
        normalize(path, &self.output_norm, state);
    }
}

/// Takes linear layers of one shape and stacks their outputs.
fn linear<const N: usize>(
    file: &mut TensorFile<'_>,
    names: &[String; N],
    [outputs, inputs]: [usize; 2],
) -> Result<PackedMatrix, ModelFileError> {
    let (mut weights, mut scales, mut bias) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        weights.extend_from_slice(file.bytes(&format!("{name}.weight"), &[outputs, inputs])?);
        scales.extend(file.floats(&format!("{name}.scale"), &[outputs])?);
        bias.extend(file.floats(&format!("{name}.bias"), &[outputs])?);
    }
    let place = names.first().map_or("", String::as_str);
    let wrong = || ModelFileError::new(quote(place), "weights from -127 to 127", "-128");
    PackedMatrix::pack(&weights, &scales, &bias).ok_or_else(wrong)
}

/// Takes a normalisation.
pub(super) fn norm(
    file: &mut TensorFile<'_>,
    name: &str,
    hidden: usize,
) -> Result<LayerNorm, ModelFileError> {
    let weight = file.floats(&format!("{name}.weight"), &[hidden])?;
    let bias = file.floats(&format!("{name}.bias"), &[hidden])?;
    let wrong = || ModelFileError::new(quote(name), "rows of a multiple of 32", hidden.to_string());
    LayerNorm::new(weight, bias).ok_or_else(wrong)
}

fn add(state: &mut [f32], more: &[f32]) {
    for (state, more) in state.iter_mut().zip(more) {
        *state += more;
    }
}

pub(super) use dalil_kernel::attend::HEAD_WIDTH;

/// How many times wider the middle of a layer is.
const FEED_FORWARD_FACTOR: usize = 4;
