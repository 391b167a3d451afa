//! A base model and an adapter become one file that is computed with as it is.

use std::io::{self, Write};

use dalil_kernel::bytes::CACHE_LINE_BYTES;
use dalil_kernel::matrix::{PANEL_OUTPUTS, offset, pack_panel};
use dalil_kernel::simd::round;
use dalil_proof::digest::{Digest, DigestHasher};
use thiserror::Error;

use crate::deep::DEEP_MODEL_FORMAT;
use crate::deep::adapter::DeepAdapter;
use crate::deep::block::{widen, widen_part};
use crate::deep::gguf::GgufFile;
use crate::deep::hadamard::{hadamard_inputs, hadamard_outputs};
use crate::deep::piece::PieceTable;
use crate::deep::shape::DeepShape;
use crate::model::ModelFileError;

/// Why no model was made.
#[derive(Debug, Error)]
pub enum ImportFailure {
    /// The base or the adapter is damaged, or of another model.
    #[error(transparent)]
    Damaged(#[from] ModelFileError),
    /// The file could not be written.
    #[error("expected to write the model, found {0}")]
    Write(#[from] io::Error),
}

/// Writes the model that `adapter` makes of `base`, and returns its digest.
///
/// Linear layers are widened, changed by the adapter, turned so that no number of a
/// token stands out (the turns cancel each other), rounded to eight bits for each
/// output, and packed. `progress` receives the number of layers done and the number
/// of all.
///
/// # Errors
/// A base of another digest than the adapter's, one that is no Qwen2 model, or a
/// writer that fails.
pub fn import(
    base: &[u8],
    adapter: &DeepAdapter,
    made: &mut dyn Write,
    progress: &dyn Fn(usize, usize),
) -> Result<Digest, ImportFailure> {
    // Before anything is parsed: an adapter fits only the base that it was trained on.
    let found = Digest::of(base);
    if found != adapter.base {
        let expected = format!("the file with digest {}", adapter.base);
        return Err(ModelFileError::new("base", expected, found.to_string()).into());
    }
    let base = GgufFile::parse(base)?;
    let shape = DeepShape::of_base(&base, adapter.answers)?;
    check(&base, adapter, &shape)?;
    let (bytes, merges) = PieceTable::gather(&base)?;
    let mut out = ModelWriter { made, digest: DigestHasher::default(), floats: Vec::new() };
    // The shape gives the sizes of all tensors, so the header is written before any is made.
    out.write(&header(&shape, adapter, merges.len())?)?;
    for layer in 0..shape.layers {
        progress(layer, shape.layers);
        import_layer(&base, adapter, &shape, layer, &mut out)?;
    }
    // In the order of `plan`: nothing else ties these bytes to the names in the header.
    import_tokens(&base, &shape, &mut out)?;
    out.write(&bytes)?;
    out.write(&merges)?;
    import_head(&base, adapter, &shape, &mut out)?;
    progress(shape.layers, shape.layers);
    out.finish()
}

/// Checks the numbers that the arithmetic takes for granted.
fn check(
    base: &GgufFile<'_>,
    adapter: &DeepAdapter,
    shape: &DeepShape,
) -> Result<(), ModelFileError> {
    let epsilon = base.float("qwen2.attention.layer_norm_rms_epsilon")?;
    // By bits: the kernels have the number compiled in, and a near one is another model.
    if epsilon.to_bits() != RMS_NORM_EPSILON.to_bits() {
        return Err(ModelFileError::new(
            "epsilon",
            RMS_NORM_EPSILON.to_string(),
            epsilon.to_string(),
        ));
    }
    let theta = base.float("qwen2.rope.freq_base")?;
    if theta.to_bits() != ROTARY_BASE.to_bits() {
        return Err(ModelFileError::new("rotary base", ROTARY_BASE.to_string(), theta.to_string()));
    }
    if adapter.layers() != shape.layers || adapter.head.len() != shape.answers * shape.hidden {
        let expected = format!("{} layers, rows of {}", shape.layers, shape.hidden);
        return Err(ModelFileError::new(
            "adapter",
            expected,
            format!("{} layers", adapter.layers()),
        ));
    }
    Ok(())
}

/// The header, filled up with spaces so that weights begin at a cache line.
fn header(
    shape: &DeepShape,
    adapter: &DeepAdapter,
    merges: usize,
) -> Result<Vec<u8>, ModelFileError> {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let mut metadata = vec![
        ("adapter".to_owned(), adapter.digest.to_string()),
        ("base".to_owned(), adapter.base.to_string()),
        ("format".to_owned(), DEEP_MODEL_FORMAT.to_owned()),
    ];
    for key in ["calibration", "labels", "template"] {
        let value = adapter.metadata.get(key).cloned();
        metadata.extend(value.map(|value| (key.to_owned(), value)));
    }
    metadata.extend(shape.metadata().map(|(key, value)| (key.to_owned(), value.to_string())));
    metadata.sort();
    let metadata: Vec<_> =
        metadata.iter().map(|(key, value)| format!("{}:{}", text(key), text(value))).collect();
    let mut members = vec![format!("\"__metadata__\":{{{}}}", metadata.join(","))];
    let mut end = 0_usize;
    for PlannedTensor { name, numbers, sides } in plan(shape, merges) {
        let size = if numbers == "I8" { 1 } else { 4 };
        let start = end;
        let count = sides.iter().try_fold(size, |product: usize, side| product.checked_mul(*side));
        let too_large =
            || ModelFileError::new("base", "tensors that fit into a file", "larger ones");
        end = count.and_then(|count| start.checked_add(count)).ok_or_else(too_large)?;
        members.push(format!(
            r#""{name}":{{"dtype":"{numbers}","shape":{sides:?},"data_offsets":[{start},{end}]}}"#
        ));
    }
    let mut header = format!("{{{}}}", members.join(",")).into_bytes();
    // Weights are used where the file has them, so the first begins at a cache line.
    header.resize((header.len() + 8).next_multiple_of(CACHE_LINE_BYTES) - 8, b' ');
    let length = (header.len() as u64).to_le_bytes();
    Ok([length.as_slice(), &header].concat())
}

/// A tensor of the file that is to be written.
#[derive(Debug)]
struct PlannedTensor {
    name: String,
    numbers: &'static str,
    sides: Vec<usize>,
}

/// The tensors in the order of the file: whole cache lines first, floats last.
fn plan(shape: &DeepShape, merges: usize) -> Vec<PlannedTensor> {
    let DeepShape { layers, hidden, tokens, answers, heads, .. } = *shape;
    let mut plan = Vec::new();
    let mut push = |name: String, numbers, sides: &[usize]| {
        plan.push(PlannedTensor { name, numbers, sides: sides.to_vec() });
    };
    for layer in 0..layers {
        for (part, outputs, inputs) in shape.parts() {
            push(format!("layer.{layer}.{part}.weight"), "I8", &[outputs, inputs]);
        }
    }
    push("tokens.weight".to_owned(), "I8", &[tokens, hidden]);
    push("pieces.bytes".to_owned(), "I8", &[1024]);
    push("pieces.merges".to_owned(), "I8", &[merges]);
    for layer in 0..layers {
        push(format!("layer.{layer}.mix.bias"), "F32", &[heads.width()]);
        for (part, outputs, _) in shape.parts() {
            push(format!("layer.{layer}.{part}.offset"), "F32", &[outputs]);
            push(format!("layer.{layer}.{part}.scale"), "F32", &[outputs]);
        }
    }
    push("tokens.scale".to_owned(), "F32", &[tokens]);
    push("head.weight".to_owned(), "F32", &[answers, hidden]);
    push("head.bias".to_owned(), "F32", &[answers]);
    push("digest".to_owned(), "I8", &[32]);
    plan
}

/// The output, digested as it is written, and the floats, which come last.
struct ModelWriter<'w> {
    made: &'w mut dyn Write,
    digest: DigestHasher,
    floats: Vec<f32>,
}

impl ModelWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.made.write_all(bytes)
    }

    /// Rounds rows of weights, packs them in panels and writes them.
    fn linear(&mut self, weights: &[f32], inputs: usize) -> io::Result<()> {
        let (mut offsets, mut scales) = (Vec::new(), Vec::new());
        let mut packed = vec![0; inputs * PANEL_OUTPUTS];
        for panel in weights.chunks_exact(inputs * PANEL_OUTPUTS) {
            let numbers = rounded(panel, inputs, &mut scales);
            offsets.extend(numbers.chunks_exact(inputs).map(|row| exact(offset(row))));
            pack_panel(&numbers, inputs, &mut packed);
            self.write(&packed)?;
        }
        // Kept for the end: floats between the weights would move these off their cache lines.
        self.floats.extend(offsets);
        self.floats.extend(scales);
        Ok(())
    }

    fn finish(mut self) -> Result<Digest, ImportFailure> {
        let floats = std::mem::take(&mut self.floats);
        for floats in floats.chunks(FLOATS_PER_WRITE) {
            let bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
            self.write(&bytes)?;
        }
        // The digest covers all bytes before it, so it is written past the hasher.
        let digest = self.digest.digest();
        self.made.write_all(digest.as_bytes())?;
        self.made.flush()?;
        Ok(digest)
    }
}

fn import_layer(
    base: &GgufFile<'_>,
    adapter: &DeepAdapter,
    shape: &DeepShape,
    layer: usize,
    out: &mut ModelWriter<'_>,
) -> Result<(), ImportFailure> {
    let DeepShape { hidden, heads, inner, .. } = *shape;
    let (turn, head) = (shape.turn(), heads.head);
    let named = |name: &str| format!("blk.{layer}.{name}");
    let vector = |name: &str, size: usize| base.tensor(&named(name), &[size]).map(widen);
    // A part with the adapter's change; its inputs times the weights of the norm before it.
    let matrix = |name: &str, part: &str, [outputs, inputs]: [usize; 2]| {
        let mut weights = widen(base.tensor(&named(name), &[outputs, inputs])?);
        adapter.merge(layer, part, inputs, &mut weights)?;
        Ok::<_, ModelFileError>(weights)
    };
    let (queries, keys) = (heads.queries * head, heads.keys * head);
    let norm = vector("attn_norm.weight", hidden)?;
    let mut mix = matrix("attn_q.weight", "query", [queries, hidden])?;
    mix.extend(matrix("attn_k.weight", "key", [keys, hidden])?);
    let mut values = matrix("attn_v.weight", "value", [keys, hidden])?;
    // Attention only adds up whole rows of values, so the turn of a head passes through it and
    // is taken back by the inputs of `attention` below.
    hadamard_outputs(&mut values, hidden, head);
    mix.extend(values);
    // The norm first: its weights differ by place and would not commute with a turn.
    scale_inputs(&mut mix, &norm);
    hadamard_inputs(&mut mix, turn);
    // In `plan` a bias is before the offsets and scales, which `linear` appends.
    out.floats.extend(vector("attn_q.bias", queries)?);
    out.floats.extend(vector("attn_k.bias", keys)?);
    let mut bias = vector("attn_v.bias", keys)?;
    hadamard_inputs(&mut bias, head);
    out.floats.extend(bias);
    out.linear(&mix, hidden)?;
    // As floats the largest matrix has 110 MB; none is kept longer than needed.
    drop(mix);
    let mut attention = matrix("attn_output.weight", "attention", [hidden, queries])?;
    hadamard_inputs(&mut attention, head);
    hadamard_outputs(&mut attention, queries, turn);
    out.linear(&attention, queries)?;
    let gate = matrix("ffn_gate.weight", "gate", [inner, hidden])?;
    let up = matrix("ffn_up.weight", "up", [inner, hidden])?;
    let mut gated = interleaved(&gate, &up, hidden);
    drop((gate, up));
    scale_inputs(&mut gated, &vector("ffn_norm.weight", hidden)?);
    hadamard_inputs(&mut gated, turn);
    out.linear(&gated, hidden)?;
    drop(gated);
    let mut down = matrix("ffn_down.weight", "down", [hidden, inner])?;
    // The gate is not linear, so no matrix before it can turn its numbers: run time does.
    hadamard_inputs(&mut down, dalil_kernel::gate::HADAMARD_SIZE);
    hadamard_outputs(&mut down, inner, turn);
    out.linear(&down, inner)?;
    Ok(())
}

/// The rows of tokens, some at a time: all of them as floats would be a gigabyte.
fn import_tokens(
    base: &GgufFile<'_>,
    shape: &DeepShape,
    out: &mut ModelWriter<'_>,
) -> Result<(), ImportFailure> {
    let tensor = base.tensor("token_embd.weight", &[shape.tokens, shape.hidden])?;
    let row = tensor.packing.bytes(shape.hidden);
    let rows = || ModelFileError::new("`token_embd.weight`", "rows of whole blocks", "others");
    let row = row.ok_or_else(rows)?;
    let mut scales = Vec::new();
    for part in tensor.bytes.chunks(row * TOKEN_ROWS_PER_BATCH) {
        let mut weights = widen_part(tensor.packing, part);
        hadamard_inputs(&mut weights, shape.turn());
        let numbers = rounded(&weights, shape.hidden, &mut scales);
        out.write(&numbers)?;
    }
    out.floats.extend(scales);
    Ok(())
}

/// The head reads the output of the last norm, so the norm's weights go into the head's.
fn import_head(
    base: &GgufFile<'_>,
    adapter: &DeepAdapter,
    shape: &DeepShape,
    out: &mut ModelWriter<'_>,
) -> Result<(), ImportFailure> {
    let norm = widen(base.tensor("output_norm.weight", &[shape.hidden])?);
    let mut head = adapter.head.clone();
    scale_inputs(&mut head, &norm);
    hadamard_inputs(&mut head, shape.turn());
    out.floats.extend(head);
    out.floats.extend(&adapter.bias);
    Ok(())
}

fn scale_inputs(weights: &mut [f32], norm: &[f32]) {
    for row in weights.chunks_exact_mut(norm.len().max(1)) {
        for (weight, norm) in row.iter_mut().zip(norm) {
            *weight *= norm;
        }
    }
}

/// Sixteen rows of gates, the sixteen of their values, the next gates: as they are gated.
fn interleaved(gate: &[f32], up: &[f32], inputs: usize) -> Vec<f32> {
    let rows = inputs * (PANEL_OUTPUTS / 2);
    let pairs = gate.chunks_exact(rows).zip(up.chunks_exact(rows));
    pairs.flat_map(|(gate, up)| gate.iter().chain(up)).copied().collect()
}

/// Rounds each row to steps of its largest number over 127; the steps go to `scales`.
fn rounded(rows: &[f32], width: usize, scales: &mut Vec<f32>) -> Vec<u8> {
    let mut made = Vec::with_capacity(rows.len());
    for row in rows.chunks_exact(width) {
        let most = row.iter().fold(0.0, |most: f32, weight| most.max(weight.abs()));
        // A row of zeros has no step; all of it rounds to zero.
        let steps = if most > 0.0 { 127.0 / most } else { 0.0 };
        scales.push(most / 127.0);
        made.extend(row.iter().map(|weight| {
            let [low, ..] = round(weight * steps).to_le_bytes();
            low
        }));
    }
    made
}

/// A multiple of 128 below 2^31, which a float holds exactly.
#[expect(clippy::cast_precision_loss, reason = "128 times a sum below 2^24 is exact")]
fn exact(offset: i32) -> f32 {
    offset as f32
}

/// Keeps the root of a row of zeros from being zero, in the base and in the kernels.
const RMS_NORM_EPSILON: f32 = 1e-6;
/// The slowest angle of a base turns by one over this.
pub(super) const ROTARY_BASE: f32 = 1e6;
/// Rows of tokens that are widened at once.
const TOKEN_ROWS_PER_BATCH: usize = 4096;
/// Floats that are written at once.
const FLOATS_PER_WRITE: usize = 1 << 16;
