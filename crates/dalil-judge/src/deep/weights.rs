//! The file of a deep model, checked whole.

use std::ops::Range;
use std::thread;

use dalil_kernel::bytes::AlignedBytes;
use dalil_kernel::matrix::MatrixView;
use dalil_kernel::rotary::RotaryTable;
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;

use crate::deep::adapter::{PROMPT_TEMPLATE_VERSION, digest};
use crate::deep::import::ROTARY_BASE;
use crate::deep::piece::PieceTable;
use crate::deep::prompt::MAX_POSITIONS;
use crate::deep::shape::DeepShape;
use crate::deep::{DEEP_MODEL_FORMAT, DeepModel};
use crate::model::ModelFileError;
use crate::model::file::TensorFile;

/// The linear layers of one layer.
#[derive(Debug)]
pub(super) struct DeepLayer {
    /// Queries, keys and values side by side.
    pub(super) mix: LinearPlace,
    pub(super) attention: LinearPlace,
    pub(super) gated: LinearPlace,
    pub(super) down: LinearPlace,
}

/// A linear layer whose weights are in the bytes of the file.
#[derive(Debug)]
pub(super) struct LinearPlace {
    place: Range<usize>,
    offsets: Vec<i32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// The rows of tokens.
#[derive(Debug)]
pub(super) struct TokenRows {
    place: Range<usize>,
    scales: Vec<f32>,
}

impl LinearPlace {
    /// The layer; none if the bytes are not those it was read from.
    pub(super) fn view<'m>(&'m self, bytes: &'m AlignedBytes) -> Option<MatrixView<'m>> {
        let weights = bytes.as_slice().get(self.place.clone())?;
        MatrixView::new(weights, &self.offsets, &self.scales, &self.bias)
    }
}

impl TokenRows {
    /// The numbers of a token; of one that is not there, nothing.
    pub(super) fn row<'m>(
        &self,
        bytes: &'m AlignedBytes,
        token: u32,
        hidden: usize,
    ) -> impl Iterator<Item = f32> + use<'m> {
        let token = usize::try_from(token).unwrap_or(usize::MAX);
        // `PieceTable::parse` refuses tokens without a row, so the empty row is never used.
        let scale = self.scales.get(token).copied().unwrap_or(0.0);
        let rows = bytes.as_slice().get(self.place.clone()).unwrap_or_default();
        let start = token.saturating_mul(hidden);
        let row = rows.get(start..start.saturating_add(hidden)).unwrap_or_default();
        row.iter().map(move |number| f32::from(number.cast_signed()) * scale)
    }
}

/// Reads a file. The digest is computed beside the rest, since it takes longest.
pub(super) fn read(bytes: AlignedBytes) -> Result<DeepModel, ModelFileError> {
    let whole = bytes.as_slice();
    let (digested, parsed) = thread::scope(|scope| {
        let digested = scope.spawn(|| check_digest(whole));
        let parsed = parse(whole);
        (digested.join(), parsed)
    });
    let stopped = |_| ModelFileError::new("model", "a digest", "a thread that stopped");
    // The digest is reported first: in a damaged file other faults are only its consequence.
    let digest = digested.map_err(stopped)??;
    Ok(DeepModel { bytes, digest, ..parsed? })
}

/// The file ends with the digest of everything before.
fn check_digest(bytes: &[u8]) -> Result<Digest, ModelFileError> {
    let Some((before, last)) = bytes.split_last_chunk() else {
        return Err(ModelFileError::new(
            "model",
            "a file of a model",
            format!("{} bytes", bytes.len()),
        ));
    };
    let (found, expected) = (Digest::of(before), Digest::from_bytes(*last));
    if found == expected {
        return Ok(found);
    }
    let expected = format!("the digest that it ends with, {expected}");
    Err(ModelFileError::new("model", expected, format!("{found}: it was cut or changed")))
}

/// Everything but the bytes and their digest.
fn parse(bytes: &[u8]) -> Result<DeepModel, ModelFileError> {
    let mut file = TensorFile::parse(bytes)?;
    for (key, expected) in [("format", DEEP_MODEL_FORMAT), ("template", PROMPT_TEMPLATE_VERSION)] {
        let found = file.metadata(key)?;
        if found != expected {
            return Err(ModelFileError::new(
                format!("`{key}`"),
                format!("`{expected}`"),
                quote(found),
            ));
        }
    }
    for key in ["adapter", "base"] {
        digest(file.metadata(key)?)?;
    }
    file.metadata("calibration")?;
    let shape = DeepShape::of_file(&file)?;
    let DeepShape { layers, hidden, tokens, answers, heads, .. } = shape;
    // A tensor file counts from the end of its header; the kernels need places in the whole.
    let body = bytes.len() - file.length();
    let mut read = FileBody { file: &mut file, bytes, body };
    let layers = (0..layers).map(|layer| read.layer(&shape, layer)).collect::<Result<_, _>>()?;
    let tokens_place = read.place("tokens.weight", &[tokens, hidden])?;
    let scales = read.file.floats("tokens.scale", &[tokens])?;
    let merges = read.file.shape("pieces.merges").to_vec();
    let (bytes, merges) =
        (read.file.bytes("pieces.bytes", &[1024])?, read.file.bytes("pieces.merges", &merges)?);
    let pieces = PieceTable::parse(bytes, merges, tokens)?;
    let head = read.file.floats("head.weight", &[answers, hidden])?;
    let bias = read.file.floats("head.bias", &[answers])?;
    // Taken only so that no tensor is left over; `check_digest` compares it.
    read.file.bytes("digest", &[32])?;
    let half = heads.head / 2;
    Ok(DeepModel {
        // `read` puts in the bytes and their digest.
        bytes: AlignedBytes::default(),
        digest: Digest::of(&[]),
        metadata: file.end()?,
        shape,
        layers,
        tokens: TokenRows { place: tokens_place, scales },
        head,
        bias,
        pieces,
        rotary: RotaryTable::new(half, ratio(half), MAX_POSITIONS),
    })
}

/// A file, and where its tensors begin.
struct FileBody<'r, 'w> {
    file: &'r mut TensorFile<'w>,
    bytes: &'w [u8],
    body: usize,
}

impl FileBody<'_, '_> {
    fn layer(&mut self, shape: &DeepShape, layer: usize) -> Result<DeepLayer, ModelFileError> {
        let [mix, attention, gated, down] = shape.parts();
        let bias = self.file.floats(&format!("layer.{layer}.mix.bias"), &[mix.1])?;
        let mut linear = |(part, outputs, inputs): (&str, usize, usize), bias: Vec<f32>| {
            self.linear(&format!("layer.{layer}.{part}"), [outputs, inputs], bias)
        };
        // Qwen2 has biases for queries, keys and values only.
        Ok(DeepLayer {
            mix: linear(mix, bias)?,
            attention: linear(attention, vec![0.0; attention.1])?,
            gated: linear(gated, vec![0.0; gated.1])?,
            down: linear(down, vec![0.0; down.1])?,
        })
    }

    fn linear(
        &mut self,
        name: &str,
        [outputs, inputs]: [usize; 2],
        bias: Vec<f32>,
    ) -> Result<LinearPlace, ModelFileError> {
        let place = self.place(&format!("{name}.weight"), &[outputs, inputs])?;
        let scales = self.file.floats(&format!("{name}.scale"), &[outputs])?;
        let offsets = self.file.floats(&format!("{name}.offset"), &[outputs])?;
        let weights = self.bytes.get(place.clone()).unwrap_or_default();
        // −128 has no opposite in eight bits: products with it differ between processors.
        if weights.contains(&i8::MIN.cast_unsigned()) {
            return Err(ModelFileError::new(quote(name), "weights from -127 to 127", "-128"));
        }
        let offsets = offsets.into_iter().map(whole).collect();
        Ok(LinearPlace { place, offsets, scales, bias })
    }

    /// Takes a tensor, as its place in the file.
    fn place(&mut self, name: &str, shape: &[usize]) -> Result<Range<usize>, ModelFileError> {
        let place = self.file.place(name, shape)?;
        Ok(place.start + self.body..place.end + self.body)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "whole numbers of 32 bits; others saturate")]
fn whole(number: f32) -> i32 {
    number as i32
}

/// The angle of a pair over that of the pair before: one over theta, to the power of one over
/// `half`, which is a power of two, by square roots, that are exact everywhere.
fn ratio(half: usize) -> f64 {
    let roots = half.trailing_zeros();
    (0..roots).fold(1.0 / f64::from(ROTARY_BASE), |ratio, _| ratio.sqrt())
}
