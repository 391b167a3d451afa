//! Tokens through the layers, and the head.

use dalil_kernel::causal::{CausalText, attend_causally};
use dalil_kernel::isa::InstructionSet;
use dalil_kernel::quantize::QuantizedRows;
use dalil_kernel::rotary::rotate;
use dalil_kernel::share::share;

use crate::deep::DeepModel;
use crate::deep::prompt::{PromptBatch, PromptSegment};
use crate::deep::weights::{DeepLayer, LinearPlace};

/// The buffers that batches are computed in; one set serves any number of batches.
#[derive(Debug, Default)]
pub(super) struct DeepScratch {
    /// The numbers of each token, row after row.
    state: Vec<f32>,
    /// The position of each token in its text.
    positions: Vec<usize>,
    rows: QuantizedRows,
    /// Queries, keys and values.
    mixed: Vec<f32>,
    /// Gates and their values.
    wide: Vec<f32>,
    narrow: Vec<f32>,
}

/// A prompt and its claim, by number.
type ClaimPlace = (usize, usize);

/// The numbers of each claim of a batch.
pub(super) fn logits(
    model: &DeepModel,
    path: InstructionSet,
    threads: usize,
    batch: &PromptBatch,
    workspace: &mut DeepScratch,
) -> Vec<(ClaimPlace, Vec<f32>)> {
    let hidden = model.shape.hidden;
    workspace.state.clear();
    workspace.positions.clear();
    for token in &batch.tokens {
        workspace.state.extend(model.tokens.row(&model.bytes, *token, hidden));
    }
    // A claim continues its passage, and so do its positions; else the rotary angles are wrong.
    for segment in &batch.segments {
        let first = segment.before.len();
        workspace.positions.extend(first..first + segment.rows.len());
    }
    let pass = ForwardPass { model, path, threads };
    // The whole batch goes through a layer at once: weights are read from memory once a batch.
    for layer in &model.layers {
        pass.layer(layer, &batch.segments, workspace);
    }
    let asked = batch.segments.iter().filter_map(|segment| Some((segment.asked?, segment)));
    let logits = asked.map(|(place, segment)| {
        let last = segment.rows.end.saturating_sub(1) * hidden;
        let row = workspace.state.get(last..last + hidden).unwrap_or_default();
        (place, classify(model, row))
    });
    logits.collect()
}

/// The parameters that every step needs.
#[derive(Clone, Copy)]
struct ForwardPass<'m> {
    model: &'m DeepModel,
    path: InstructionSet,
    threads: usize,
}

impl ForwardPass<'_> {
    /// Takes all tokens through a layer: attention, then gated values, each added to the state.
    fn layer(self, layer: &DeepLayer, segments: &[PromptSegment], workspace: &mut DeepScratch) {
        let Self { model, path, threads } = self;
        let DeepScratch { state, positions, rows, mixed, wide, narrow } = workspace;
        let hidden = model.shape.hidden;
        // The weights of the norm are folded into the next matrix at import; only the root is left.
        rows.quantize_by_root(path, state, hidden, threads);
        self.product(&layer.mix, rows, mixed);
        self.rotate(positions, mixed);
        narrow.clear();
        narrow.resize(state.len(), 0.0);
        self.attend(segments, mixed, narrow);
        rows.quantize_shared(path, narrow, hidden, threads);
        self.product(&layer.attention, rows, narrow);
        add(state, narrow);
        rows.quantize_by_root(path, state, hidden, threads);
        self.product(&layer.gated, rows, wide);
        // The product has rows of padding up to a whole tile; they are no tokens.
        let used = positions.len() * model.shape.inner * 2;
        let gated = wide.get(..used).unwrap_or_default();
        rows.quantize_gated(path, gated, model.shape.inner, threads);
        self.product(&layer.down, rows, narrow);
        add(state, narrow);
    }

    fn product(self, linear: &LinearPlace, rows: &QuantizedRows, made: &mut Vec<f32>) {
        // `DeepModel::read` checked every place, so a view is missing only for other bytes.
        if let Some(view) = linear.view(&self.model.bytes) {
            view.product(self.path, rows, made, self.threads);
        }
    }

    /// Turns queries and keys by their position.
    fn rotate(self, positions: &[usize], mixed: &mut [f32]) {
        let heads = self.model.shape.heads;
        // Values stay: positions count only between a query and a key.
        let (width, turned) = (heads.width(), (heads.queries + heads.keys) * heads.head);
        let rows = mixed.chunks_mut(width * ROTATION_TASK_ROWS);
        let tasks: Vec<_> = rows.zip(positions.chunks(ROTATION_TASK_ROWS)).collect();
        share(
            self.threads,
            tasks,
            || (),
            |(), (rows, positions)| {
                for (row, position) in rows.chunks_exact_mut(width).zip(positions) {
                    if let Some(heads) = row.get_mut(..turned) {
                        rotate(self.path, &self.model.rotary, heads, *position);
                    }
                }
            },
        );
    }

    /// Lets each segment attend to the tokens before it and to itself.
    fn attend(self, segments: &[PromptSegment], mixed: &[f32], made: &mut [f32]) {
        let (heads, hidden) = (self.model.shape.heads, self.model.shape.hidden);
        let width = heads.width();
        let part = |rows: &std::ops::Range<usize>| {
            mixed.get(rows.start * width..rows.end * width).unwrap_or_default()
        };
        let (mut rest, mut texts) = (made, Vec::new());
        for PromptSegment { before, rows, .. } in segments {
            // Segments are in the order of their rows, so each writes the next part of `made`.
            let Some((made, after)) = rest.split_at_mut_checked(rows.len() * hidden) else {
                return;
            };
            texts.push(CausalText { before: part(before), rows: part(rows), made });
            rest = after;
        }
        attend_causally(self.path, heads, texts, self.threads);
    }
}

fn add(state: &mut [f32], more: &[f32]) {
    for (state, more) in state.iter_mut().zip(more) {
        *state += more;
    }
}

/// The head reads the last token, over its root mean square; products are added in order.
fn classify(model: &DeepModel, row: &[f32]) -> Vec<f32> {
    let squares = row.iter().fold(0.0, |sum: f32, value| sum + value * value);
    let share = 1.0 / (squares / length(row) + RMS_NORM_EPSILON).sqrt();
    let weights = model.head.chunks_exact(model.shape.hidden);
    let answers = weights.zip(&model.bias).map(|(weights, bias)| {
        let products = weights.iter().zip(row).map(|(weight, value)| weight * (value * share));
        products.fold(0.0, |sum: f32, product| sum + product) + bias
    });
    answers.collect()
}

fn length(row: &[f32]) -> f32 {
    // At most 32,768 (`shape`), which a float holds exactly.
    f32::from(u16::try_from(row.len()).unwrap_or(u16::MAX))
}

/// Rows of one task.
const ROTATION_TASK_ROWS: usize = 32;
/// The base's own.
const RMS_NORM_EPSILON: f32 = 1e-6;
