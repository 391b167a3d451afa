//! The result of training: small factors beside each linear layer, and the head.

use std::collections::BTreeMap;

use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;

use crate::model::ModelFileError;
use crate::model::file::TensorFile;

/// An adapter that was checked whole; [`DeepAdapter::shipped`] is in this program.
///
/// Beside a layer W stand A and B of a low rank, and the adapted layer is
/// W + (alpha / rank) · B · A.
#[derive(Debug)]
pub struct DeepAdapter {
    pub(super) digest: Digest,
    /// The digest of the base that it belongs to.
    pub(super) base: Digest,
    pub(super) rank: usize,
    pub(super) scale: f32,
    pub(super) metadata: BTreeMap<String, String>,
    pub(super) answers: usize,
    pub(super) head: Vec<f32>,
    pub(super) bias: Vec<f32>,
    factors: BTreeMap<String, AdapterFactors>,
}

/// The factors beside one layer.
#[derive(Debug)]
struct AdapterFactors {
    /// `rank` rows, each as wide as the layer's inputs.
    a: Vec<f32>,
    /// For each output a row of `rank` numbers.
    b: Vec<f32>,
    inputs: usize,
    outputs: usize,
}

impl DeepAdapter {
    /// The adapter that ships with this program.
    ///
    /// # Errors
    /// None, unless the program itself is damaged.
    pub fn shipped() -> Result<Self, ModelFileError> {
        Self::parse(SHIPPED_ADAPTER)
    }

    /// Reads an adapter, in the format `dalil-deep-adapter/1`.
    ///
    /// # Errors
    /// The first thing in it that an adapter cannot have.
    pub fn parse(bytes: &[u8]) -> Result<Self, ModelFileError> {
        let mut file = TensorFile::parse(bytes)?;
        let format = file.metadata("format")?;
        if format != ADAPTER_FORMAT {
            return Err(ModelFileError::new(
                "`format`",
                format!("`{ADAPTER_FORMAT}`"),
                quote(format),
            ));
        }
        let base = digest(file.metadata("base")?)?;
        let (rank, alpha) = (number(&file, "rank")?, number(&file, "alpha")?);
        let scale = f32::from(alpha) / f32::from(rank);
        let rank = usize::from(rank);
        // The head was trained on one exact prompt; after other words its numbers mean nothing.
        let template = file.metadata("template")?;
        if template != PROMPT_TEMPLATE_VERSION {
            return Err(ModelFileError::new(
                "`template`",
                format!("`{PROMPT_TEMPLATE_VERSION}`"),
                quote(template),
            ));
        }
        // Only its presence is checked here; the judge parses it.
        file.metadata("calibration")?;
        let (answers, hidden) = match *file.shape("head.weight") {
            [answers @ 3..=8, hidden] => (answers, hidden),
            ref other => {
                let found = format!("{other:?}");
                return Err(ModelFileError::new("`head.weight`", "3 to 8 rows", found));
            }
        };
        let head = file.floats("head.weight", &[answers, hidden])?;
        let bias = file.floats("head.bias", &[answers])?;
        let mut factors = BTreeMap::new();
        let mut layers = 0;
        // The file does not say how many layers it has; `import` compares the count with the base.
        while !file.shape(&format!("{}.a", name(layers, "query"))).is_empty() {
            for part in ADAPTED_LAYER_PARTS {
                let name = name(layers, part);
                let read = AdapterFactors::read(&mut file, &name, rank)?;
                factors.insert(name, read);
            }
            layers += 1;
        }
        let digest = Digest::of(bytes);
        // spec/model.md: there is no other tensor. `end` refuses one that was not taken.
        let metadata = file.end()?;
        Ok(Self { digest, base, rank, scale, metadata, answers, head, bias, factors })
    }

    /// How many layers it changes.
    pub(super) fn layers(&self) -> usize {
        self.factors.len() / ADAPTED_LAYER_PARTS.len()
    }

    /// Adds the adapter's change to the weights of a layer's part, a row for each output.
    ///
    /// For each weight the products are added in the order of the rank, then
    /// scaled, then added to the weight.
    pub(super) fn merge(
        &self,
        layer: usize,
        part: &str,
        inputs: usize,
        weights: &mut [f32],
    ) -> Result<(), ModelFileError> {
        let name = name(layer, part);
        let outputs = weights.len().checked_div(inputs).unwrap_or(0);
        let fits =
            |factors: &&AdapterFactors| factors.inputs == inputs && factors.outputs == outputs;
        let wrong =
            || ModelFileError::new(quote(&name), format!("[{outputs}, {inputs}]"), "other sizes");
        let factors = self.factors.get(&name).filter(fits).ok_or_else(wrong)?;
        let mut sums = vec![0.0; inputs];
        let rows = weights.chunks_exact_mut(inputs).zip(factors.b.chunks_exact(self.rank));
        for (row, shares) in rows {
            sums.fill(0.0);
            // spec/model.md fixes this order of additions: every machine makes the same file.
            for (share, change) in shares.iter().zip(factors.a.chunks_exact(inputs)) {
                for (sum, change) in sums.iter_mut().zip(change) {
                    *sum += share * change;
                }
            }
            for (weight, sum) in row.iter_mut().zip(&sums) {
                *weight += self.scale * sum;
            }
        }
        Ok(())
    }
}

impl AdapterFactors {
    fn read(file: &mut TensorFile<'_>, name: &str, rank: usize) -> Result<Self, ModelFileError> {
        let side = |file: &TensorFile<'_>, factor: &str, place: usize| {
            let shape = file.shape(&format!("{name}.{factor}"));
            shape
                .get(place)
                .copied()
                .filter(|size| (1..=MAX_FACTOR_DIMENSION).contains(size))
                .unwrap_or(1)
        };
        // A missing or absurd size is 1 here; `factor` then refuses the shape, with a message.
        let (inputs, outputs) = (side(file, "a", 1), side(file, "b", 0));
        let a = factor(file, &format!("{name}.a"), [rank, inputs])?;
        let b = factor(file, &format!("{name}.b"), [outputs, rank])?;
        Ok(Self { a, b, inputs, outputs })
    }
}

/// Integers and a scale for each row, as floats.
fn factor(
    file: &mut TensorFile<'_>,
    name: &str,
    [rows, width]: [usize; 2],
) -> Result<Vec<f32>, ModelFileError> {
    let numbers = file.bytes(name, &[rows, width])?;
    let scales = file.floats(&format!("{name}.scale"), &[rows])?;
    let rows = numbers.chunks_exact(width).zip(scales);
    let row = |(row, scale): (&[u8], f32)| {
        row.iter().map(move |number| f32::from(number.cast_signed()) * scale).collect::<Vec<_>>()
    };
    Ok(rows.flat_map(row).collect())
}

fn name(layer: usize, part: &str) -> String {
    format!("layer.{layer}.{part}")
}

/// A digest that a file names.
pub(super) fn digest(text: &str) -> Result<Digest, ModelFileError> {
    text.parse().map_err(|_| ModelFileError::new("header", Digest::EXPECTED.english(), quote(text)))
}

/// A small number in the file's metadata.
fn number(file: &TensorFile<'_>, key: &str) -> Result<u16, ModelFileError> {
    let text = file.metadata(key)?;
    let number = text.parse().ok().filter(|number: &u16| (1..=MAX_RANK).contains(number));
    let wrong = || ModelFileError::new(format!("`{key}`"), format!("1 to {MAX_RANK}"), quote(text));
    // Only the canonical spelling: `016` and `+16` are refused.
    number.filter(|number| number.to_string() == text).ok_or_else(wrong)
}

/// The parts of a layer that have factors, in the order of computing.
pub(super) const ADAPTED_LAYER_PARTS: [&str; 7] =
    ["query", "key", "value", "attention", "gate", "up", "down"];
/// The version of the prompt that the adapter was trained on; [`crate::deep::prompt`] writes it.
pub(super) const PROMPT_TEMPLATE_VERSION: &str = "2";
const ADAPTER_FORMAT: &str = "dalil-deep-adapter/1";
/// Far above the shipped adapter; they bound the memory that a damaged file can ask for.
const MAX_RANK: u16 = 256;
const MAX_FACTOR_DIMENSION: usize = 65_536;
static SHIPPED_ADAPTER: &[u8] = include_bytes!("../../model/deep-adapter.safetensors");
