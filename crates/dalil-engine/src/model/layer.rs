//! One layer: attention, then two linear layers with a bend between them.

use dalil_core::fault::quote;
use dalil_kernel::attend::{Room, attend};
use dalil_kernel::gelu::gelu;
use dalil_kernel::matrix::Matrix;
use dalil_kernel::normalize::{Norm, normalize};
use dalil_kernel::path::Path;
use dalil_kernel::rows::Rows;

use crate::model::Damaged;
use crate::model::file::File;

/// The weights of one layer.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Queries, keys and values side by side.
    mix: Matrix,
    attention: Matrix,
    attention_norm: Norm,
    up: Matrix,
    down: Matrix,
    output_norm: Norm,
}

/// What a thread computes in; one serves any number of layers and pairs.
#[derive(Debug, Default)]
pub(super) struct Desk {
    /// The numbers of each token, row after row.
    pub(super) state: Vec<f32>,
    /// How many tokens each pair has.
    pub(super) lengths: Vec<usize>,
    rows: Rows,
    wide: Vec<f32>,
    narrow: Vec<f32>,
    room: Room,
}

impl Layer {
    /// Takes the tensors of layer `number` out of the file.
    pub(super) fn read(file: &mut File<'_>, number: usize, hidden: usize) -> Result<Self, Damaged> {
        let name = |part: &str| format!("layer.{number}.{part}");
        let square = [hidden, hidden];
        Ok(Self {
            mix: linear(file, &["query", "key", "value"].map(name), square)?,
            attention: linear(file, &[name("attention")], square)?,
            attention_norm: norm(file, &name("attention_norm"), hidden)?,
            up: linear(file, &[name("up")], [hidden * WIDER, hidden])?,
            down: linear(file, &[name("down")], [hidden, hidden * WIDER])?,
            output_norm: norm(file, &name("output_norm"), hidden)?,
        })
    }

    /// Takes the desk's tokens through the layer.
    pub(super) fn apply(&self, path: Path, desk: &mut Desk) {
        let Desk { state, lengths, rows, wide, narrow, room } = desk;
        let hidden = self.attention.inputs();
        rows.quantize(path, state, hidden);
        self.mix.product(path, rows, wide);
        narrow.clear();
        narrow.resize(state.len(), 0.0);
        let (mut mixed, mut made) = (wide.as_slice(), narrow.as_mut_slice());
        for length in &*lengths {
            let size = length * hidden;
            let (pair, rest) = mixed.split_at(mixed.len().min(size * 3));
            let (place, after) = made.split_at_mut(made.len().min(size));
            attend(path, pair, hidden / HEAD, room, place);
            (mixed, made) = (rest, after);
        }
        rows.quantize(path, narrow, hidden);
        self.attention.product(path, rows, narrow);
        add(state, narrow);
        normalize(path, &self.attention_norm, state);
        rows.quantize(path, state, hidden);
        self.up.product(path, rows, wide);
        wide.truncate(state.len() * WIDER);
        gelu(path, wide);
        rows.quantize(path, wide, hidden * WIDER);
        self.down.product(path, rows, narrow);
        add(state, narrow);
        normalize(path, &self.output_norm, state);
    }
}

/// Takes linear layers of one shape and stacks their outputs.
fn linear<const N: usize>(
    file: &mut File<'_>,
    names: &[String; N],
    [outputs, inputs]: [usize; 2],
) -> Result<Matrix, Damaged> {
    let (mut weights, mut scales, mut bias) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        weights.extend_from_slice(file.bytes(&format!("{name}.weight"), &[outputs, inputs])?);
        scales.extend(file.floats(&format!("{name}.scale"), &[outputs])?);
        bias.extend(file.floats(&format!("{name}.bias"), &[outputs])?);
    }
    let place = names.first().map_or("", String::as_str);
    let wrong = || Damaged::new(quote(place), "weights from -127 to 127", "-128");
    Matrix::pack(&weights, &scales, &bias).ok_or_else(wrong)
}

/// Takes a normalisation.
pub(super) fn norm(file: &mut File<'_>, name: &str, hidden: usize) -> Result<Norm, Damaged> {
    let weight = file.floats(&format!("{name}.weight"), &[hidden])?;
    let bias = file.floats(&format!("{name}.bias"), &[hidden])?;
    let wrong = || Damaged::new(quote(name), "rows of a multiple of 32", hidden.to_string());
    Norm::new(weight, bias).ok_or_else(wrong)
}

fn add(state: &mut [f32], more: &[f32]) {
    for (state, more) in state.iter_mut().zip(more) {
        *state += more;
    }
}

pub(super) use dalil_kernel::attend::HEAD;

/// How many times wider the middle of a layer is.
const WIDER: usize = 4;
