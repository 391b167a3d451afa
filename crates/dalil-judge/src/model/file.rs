//! The file of weights: named tensors in the safetensors format, each checked before it is used.

use std::collections::BTreeMap;
use std::ops::Range;

use dalil_proof::fault::{Fault, Refused, quote};
use dalil_proof::json::{Json, integer};

use crate::model::error::ModelFileError;

/// The tensors of a file that were not taken yet, and the file's metadata.
///
/// Invariant: a tensor has as many bytes as its shape and numbers need, and no
/// byte belongs to two tensors or to none.
#[derive(Debug)]
pub(crate) struct TensorFile<'w> {
    length: usize,
    metadata: BTreeMap<String, String>,
    tensors: BTreeMap<String, TensorView<'w>>,
}

#[derive(Debug)]
struct TensorView<'w> {
    numbers: TensorDtype,
    shape: Vec<usize>,
    start: usize,
    bytes: &'w [u8],
}

/// The type of a tensor's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TensorDtype {
    I8,
    F32,
}

impl<'w> TensorFile<'w> {
    /// Reads the header and finds every tensor's bytes.
    pub(crate) fn parse(bytes: &'w [u8]) -> Result<Self, ModelFileError> {
        let found = || format!("{} bytes", bytes.len());
        let short =
            || ModelFileError::new("weights", "a header and its length in 8 bytes", found());
        let (length, rest) = bytes.split_first_chunk().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > MAX_HEADER_BYTES {
            let expected = format!("a header of at most {MAX_HEADER_BYTES} bytes");
            return Err(ModelFileError::new("weights", expected, length.to_string()));
        }
        let (header, body) = rest.split_at_checked(length).ok_or_else(short)?;
        // The strict parser refuses two members of one name.
        let json = Json::parse(header).map_err(|refused| broken(&refused))?;
        let Json::Object(members) = &json else {
            return Err(ModelFileError::new("header", "a JSON object", json.to_string()));
        };
        let length = body.len();
        let mut file = Self { length, metadata: BTreeMap::new(), tensors: BTreeMap::new() };
        for (name, value) in members {
            if name == "__metadata__" {
                file.metadata = metadata(value)?;
            } else {
                file.tensors.insert(name.to_string(), tensor(name, value, body)?);
            }
        }
        file.cover(body.len()).map(|()| file)
    }

    /// Each tensor begins where the one before ends, and the last ends with the file.
    fn cover(&self, length: usize) -> Result<(), ModelFileError> {
        let mut order: Vec<_> = self.tensors.iter().collect();
        // An empty tensor comes before the one that begins at the same place.
        order.sort_by_key(|(_, tensor)| (tensor.start, tensor.bytes.len()));
        let mut end = 0;
        for (name, tensor) in order {
            if tensor.start != end {
                let expected = format!("bytes from {end} on");
                return Err(ModelFileError::new(
                    quote(name),
                    expected,
                    format!("from {}", tensor.start),
                ));
            }
            end += tensor.bytes.len();
        }
        if end == length {
            return Ok(());
        }
        Err(ModelFileError::new(
            "weights",
            format!("{end} bytes after the header"),
            length.to_string(),
        ))
    }

    /// The file's metadata under `key`.
    pub(crate) fn metadata(&self, key: &str) -> Result<&str, ModelFileError> {
        let missing =
            || ModelFileError::new("header", format!("`{key}` in `__metadata__`"), "none");
        self.metadata.get(key).map(String::as_str).ok_or_else(missing)
    }

    /// How many bytes stand after the header.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The shape of a tensor; nothing if there is none of this name.
    pub(crate) fn shape(&self, name: &str) -> &[usize] {
        self.tensors.get(name).map_or(&[], |tensor| &tensor.shape)
    }

    /// Takes a tensor of 8-bit integers.
    pub(crate) fn bytes(
        &mut self,
        name: &str,
        shape: &[usize],
    ) -> Result<&'w [u8], ModelFileError> {
        self.take(name, TensorDtype::I8, shape)
    }

    /// Takes a tensor of finite floats.
    pub(crate) fn floats(
        &mut self,
        name: &str,
        shape: &[usize],
    ) -> Result<Vec<f32>, ModelFileError> {
        let (fours, _) = self.take(name, TensorDtype::F32, shape)?.as_chunks();
        let floats: Vec<f32> = fours.iter().map(|four| f32::from_le_bytes(*four)).collect();
        // One infinity or NaN would spread into every score.
        match floats.iter().find(|float| !float.is_finite()) {
            Some(float) => {
                Err(ModelFileError::new(quote(name), "finite numbers", float.to_string()))
            }
            None => Ok(floats),
        }
    }

    /// Takes a tensor of 8-bit integers, as its place after the header.
    pub(crate) fn place(
        &mut self,
        name: &str,
        shape: &[usize],
    ) -> Result<Range<usize>, ModelFileError> {
        let start = self.tensors.get(name).map_or(0, |tensor| tensor.start);
        self.take(name, TensorDtype::I8, shape).map(|bytes| start..start + bytes.len())
    }

    /// Checks that every tensor was taken.
    pub(crate) fn end(self) -> Result<BTreeMap<String, String>, ModelFileError> {
        match self.tensors.into_keys().next() {
            Some(name) => Err(ModelFileError::new("weights", "no other tensor", quote(&name))),
            None => Ok(self.metadata),
        }
    }

    fn take(
        &mut self,
        name: &str,
        numbers: TensorDtype,
        shape: &[usize],
    ) -> Result<&'w [u8], ModelFileError> {
        let expected = || format!("{numbers:?} {shape:?}");
        // Removed, so that `end` finds tensors that nothing asked for.
        let tensor = self.tensors.remove(name);
        let tensor = tensor.ok_or_else(|| ModelFileError::new(quote(name), expected(), "none"))?;
        if tensor.numbers != numbers || tensor.shape != shape {
            let found = format!("{:?} {:?}", tensor.numbers, tensor.shape);
            return Err(ModelFileError::new(quote(name), expected(), found));
        }
        Ok(tensor.bytes)
    }
}

fn broken(refused: &Refused) -> ModelFileError {
    let fault = refused.refused.first();
    let found =
        fault.map(|Fault { path, message, .. }| format!("at `{path}`: {}", message.english()));
    ModelFileError::new("header", "a JSON object", format!("a fault {}", found.unwrap_or_default()))
}

fn metadata(value: &Json<'_>) -> Result<BTreeMap<String, String>, ModelFileError> {
    let wrong = || ModelFileError::new("`__metadata__`", "an object of strings", value.to_string());
    let Json::Object(members) = value else { return Err(wrong()) };
    let texts = members.iter().map(|(key, value)| match value {
        Json::Text(text) => Ok((key.to_string(), text.to_string())),
        other => Err(ModelFileError::new(quote(key), "a string", other.to_string())),
    });
    texts.collect()
}

fn tensor<'w>(
    name: &str,
    value: &Json<'_>,
    body: &'w [u8],
) -> Result<TensorView<'w>, ModelFileError> {
    let wrong = |expected: &str, found: String| ModelFileError::new(quote(name), expected, found);
    let field = |key: &str| value.get(key);
    let numbers = match field("dtype") {
        Some(Json::Text(text)) if text == "I8" => TensorDtype::I8,
        Some(Json::Text(text)) if text == "F32" => TensorDtype::F32,
        Some(Json::Text(text)) => return Err(wrong("`dtype` I8 or F32", quote(text))),
        _ => return Err(wrong("`dtype`", "none".to_owned())),
    };
    let shape = field("shape").and_then(sizes);
    let shape = shape.ok_or_else(|| wrong("`shape`, a list of sizes", "none".to_owned()))?;
    let offsets = field("data_offsets").and_then(sizes);
    let Some([start, end]) = offsets.as_deref() else {
        return Err(wrong("`data_offsets`, start and end", "none".to_owned()));
    };
    // `get` also refuses a range that ends before it begins.
    let bytes = body.get(*start..*end).ok_or_else(|| {
        wrong("bytes of the file", format!("{start}..{end} of {} bytes", body.len()))
    })?;
    let size = if numbers == TensorDtype::I8 { 1 } else { 4 };
    // Checked: the sides of a hostile shape must not wrap around to the right product.
    let needed = shape.iter().try_fold(size, |product: usize, side| product.checked_mul(*side));
    if needed != Some(bytes.len()) {
        let expected = format!("bytes for {numbers:?} {shape:?}");
        return Err(wrong(&expected, format!("{} bytes", bytes.len())));
    }
    Ok(TensorView { numbers, shape, start: *start, bytes })
}

fn sizes(value: &Json<'_>) -> Option<Vec<usize>> {
    let size = |value: &Json<'_>| match value {
        Json::Number(number) => usize::try_from(integer(*number)?).ok(),
        _ => None,
    };
    match value {
        Json::List(sizes) => sizes.iter().map(size).collect(),
        _ => None,
    }
}

/// A longer header is refused before it is read.
const MAX_HEADER_BYTES: usize = 1 << 20;
