//! The base model's file: GGUF, version 3, each count, length and place checked before it is used.

use std::collections::BTreeMap;

use dalil_proof::fault::quote;

use crate::deep::block::TensorPacking;
use crate::model::ModelFileError;

/// The metadata and the tensors of a file.
#[derive(Debug)]
pub(super) struct GgufFile<'b> {
    values: BTreeMap<&'b str, GgufValue<'b>>,
    tensors: BTreeMap<&'b str, GgufTensor<'b>>,
}

/// A value of a key; those that no model needs are passed over.
#[derive(Clone, Debug, PartialEq)]
enum GgufValue<'b> {
    Number(u64),
    Float(f32),
    Text(&'b str),
    Texts(Vec<&'b str>),
    Other,
}

/// A tensor as it is stored.
#[derive(Clone, Debug)]
pub(super) struct GgufTensor<'b> {
    pub(super) packing: TensorPacking,
    /// The longest side last, as rows are written elsewhere.
    pub(super) shape: Vec<usize>,
    pub(super) bytes: &'b [u8],
}

impl<'b> GgufFile<'b> {
    /// Reads the header and finds every tensor's bytes.
    pub(super) fn parse(bytes: &'b [u8]) -> Result<Self, ModelFileError> {
        let mut rest = ByteReader { bytes, at: 0 };
        let magic = rest.take(4)?;
        if magic != b"GGUF" {
            return Err(ModelFileError::new("base", "a GGUF file", "other bytes at its beginning"));
        }
        let version = rest.u32()?;
        if version != GGUF_VERSION {
            let expected = format!("GGUF version {GGUF_VERSION}");
            return Err(ModelFileError::new("base", expected, version.to_string()));
        }
        // A count is bounded before a loop runs on it: eight hostile bytes must not cost gigabytes.
        let tensors = rest.count("tensors", MAX_TENSORS)?;
        let keys = rest.count("keys", MAX_METADATA_KEYS)?;
        let mut values = BTreeMap::new();
        for _ in 0..keys {
            let key = rest.text()?;
            let kind = rest.u32()?;
            values.insert(key, rest.value(kind)?);
        }
        // Offsets count from the end of this list, so bytes are looked for when all of it is read.
        let mut infos = Vec::new();
        for _ in 0..tensors {
            infos.push(rest.info()?);
        }
        let body = rest.at.next_multiple_of(TENSOR_ALIGNMENT_BYTES);
        let mut file = Self { values, tensors: BTreeMap::new() };
        for info in infos {
            let name = info.name;
            // Of two tensors with one name, two readers could take different ones.
            if file.tensors.insert(name, info.find(bytes, body)?).is_some() {
                return Err(ModelFileError::new(quote(name), "one tensor of a name", "two"));
            }
        }
        Ok(file)
    }

    /// A whole number under `key`, from 1 to `most`.
    pub(super) fn number(&self, key: &str, most: usize) -> Result<usize, ModelFileError> {
        // A missing key counts as 0, which is outside of every range.
        let found = match self.values.get(key) {
            Some(GgufValue::Number(number)) => usize::try_from(*number).unwrap_or(usize::MAX),
            _ => 0,
        };
        if (1..=most).contains(&found) {
            return Ok(found);
        }
        Err(ModelFileError::new(format!("`{key}`"), format!("1 to {most}"), found.to_string()))
    }

    /// A number under `key`.
    pub(super) fn float(&self, key: &str) -> Result<f32, ModelFileError> {
        match self.values.get(key) {
            Some(GgufValue::Float(number)) => Ok(*number),
            _ => Err(ModelFileError::new(format!("`{key}`"), "a number", "none")),
        }
    }

    /// Checks that the text under `key` is the one that is known.
    pub(super) fn expect(&self, key: &str, expected: &str) -> Result<(), ModelFileError> {
        let found = match self.values.get(key) {
            Some(GgufValue::Text(text)) => text,
            _ => "",
        };
        if found == expected {
            return Ok(());
        }
        Err(ModelFileError::new(format!("`{key}`"), format!("`{expected}`"), quote(found)))
    }

    /// The texts under `key`.
    pub(super) fn texts(&self, key: &str) -> Result<&[&'b str], ModelFileError> {
        match self.values.get(key) {
            Some(GgufValue::Texts(texts)) => Ok(texts),
            _ => Err(ModelFileError::new(format!("`{key}`"), "a list of texts", "none")),
        }
    }

    /// A tensor of a shape.
    pub(super) fn tensor(
        &self,
        name: &str,
        shape: &[usize],
    ) -> Result<&GgufTensor<'b>, ModelFileError> {
        let missing = || ModelFileError::new(quote(name), format!("a tensor of {shape:?}"), "none");
        let tensor = self.tensors.get(name).ok_or_else(missing)?;
        if tensor.shape == shape {
            return Ok(tensor);
        }
        Err(ModelFileError::new(quote(name), format!("{shape:?}"), format!("{:?}", tensor.shape)))
    }
}

/// A tensor whose bytes were not looked for yet.
#[derive(Debug)]
struct TensorPlace<'b> {
    name: &'b str,
    packing: TensorPacking,
    shape: Vec<usize>,
    offset: usize,
}

impl<'b> TensorPlace<'b> {
    fn find(self, bytes: &'b [u8], body: usize) -> Result<GgufTensor<'b>, ModelFileError> {
        let Self { name, packing, shape, offset } = self;
        let count = shape.iter().try_fold(1, |product: usize, side| product.checked_mul(*side));
        let size = count.and_then(|count| packing.bytes(count));
        // Checked sums: an offset near 2^64 must not wrap around to a place that exists.
        let found = size.and_then(|size| {
            let start = body.checked_add(offset)?;
            bytes.get(start..start.checked_add(size)?)
        });
        let found = found.ok_or_else(|| {
            let expected = format!("bytes for {packing:?} {shape:?}");
            ModelFileError::new(quote(name), expected, format!("{} bytes in all", bytes.len()))
        })?;
        Ok(GgufTensor { packing, shape, bytes: found })
    }
}

/// The unread rest of the file.
#[derive(Debug)]
struct ByteReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> ByteReader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], ModelFileError> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| {
            let expected = format!("{count} bytes at {}", self.at);
            ModelFileError::new("base", expected, format!("{} bytes in all", self.bytes.len()))
        })?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelFileError> {
        let taken = self.take(N)?;
        // `take` gave N bytes, so the zeros are never used.
        Ok(taken.first_chunk().copied().unwrap_or([0; N]))
    }

    fn u32(&mut self) -> Result<u32, ModelFileError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, ModelFileError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number of things, no more than `most`.
    fn count(&mut self, what: &str, most: usize) -> Result<usize, ModelFileError> {
        let found = self.u64()?;
        let count = usize::try_from(found).ok().filter(|count| *count <= most);
        count.ok_or_else(|| {
            ModelFileError::new("base", format!("at most {most} {what}"), found.to_string())
        })
    }

    fn text(&mut self) -> Result<&'b str, ModelFileError> {
        let length = self.count("bytes of a text", MAX_TEXT_BYTES)?;
        let text = str::from_utf8(self.take(length)?);
        text.map_err(|_| ModelFileError::new("base", "text in UTF-8", "other bytes"))
    }

    fn value(&mut self, kind: u32) -> Result<GgufValue<'b>, ModelFileError> {
        Ok(match kind {
            GGUF_TYPE_STRING => GgufValue::Text(self.text()?),
            GGUF_TYPE_F32 => GgufValue::Float(f32::from_le_bytes(self.array()?)),
            GGUF_TYPE_U32 => GgufValue::Number(self.u32()?.into()),
            GGUF_TYPE_U64 => GgufValue::Number(self.u64()?),
            GGUF_TYPE_ARRAY => {
                let kind = self.u32()?;
                self.list(kind)?
            }
            other => {
                self.take(size(other)?)?;
                GgufValue::Other
            }
        })
    }

    fn list(&mut self, kind: u32) -> Result<GgufValue<'b>, ModelFileError> {
        let count = self.count("values of a list", MAX_ARRAY_VALUES)?;
        if kind != GGUF_TYPE_STRING {
            // A saturated length is longer than any file, so `take` refuses it.
            self.take(count.saturating_mul(size(kind)?))?;
            return Ok(GgufValue::Other);
        }
        let mut texts = Vec::new();
        for _ in 0..count {
            texts.push(self.text()?);
        }
        Ok(GgufValue::Texts(texts))
    }

    fn info(&mut self) -> Result<TensorPlace<'b>, ModelFileError> {
        let name = self.text()?;
        let sides = self.u32()?;
        if sides > MAX_TENSOR_DIMENSIONS {
            let expected = format!("at most {MAX_TENSOR_DIMENSIONS} sides");
            return Err(ModelFileError::new(quote(name), expected, sides.to_string()));
        }
        let mut shape = Vec::new();
        for _ in 0..sides {
            shape.push(self.count("numbers of a side", MAX_DIMENSION_SIZE)?);
        }
        // GGUF writes the side that runs fastest first.
        shape.reverse();
        let kind = self.u32()?;
        let unknown =
            || ModelFileError::new(quote(name), TensorPacking::EXPECTED, format!("kind {kind}"));
        let packing = TensorPacking::of(kind).ok_or_else(unknown)?;
        let offset = self.count("bytes before a tensor", usize::MAX)?;
        Ok(TensorPlace { name, packing, shape, offset })
    }
}

/// How many bytes a value of a kind has.
fn size(kind: u32) -> Result<usize, ModelFileError> {
    match kind {
        0 | 1 | 7 => Ok(1),
        2 | 3 => Ok(2),
        4..=6 => Ok(4),
        10..=12 => Ok(8),
        // Texts are read elsewhere; a list of lists ends here, so that nothing nests.
        other => {
            Err(ModelFileError::new("base", "a kind of value that GGUF has", other.to_string()))
        }
    }
}

const GGUF_VERSION: u32 = 3;
const GGUF_TYPE_U32: u32 = 4;
const GGUF_TYPE_F32: u32 = 6;
const GGUF_TYPE_STRING: u32 = 8;
const GGUF_TYPE_ARRAY: u32 = 9;
const GGUF_TYPE_U64: u32 = 10;
/// The alignment of tensors, unless a file states another; the base does not.
const TENSOR_ALIGNMENT_BYTES: usize = 32;
/// Four times the number in the base; the same for the limits below.
const MAX_TENSORS: usize = 1500;
const MAX_METADATA_KEYS: usize = 100;
const MAX_ARRAY_VALUES: usize = 600_000;
const MAX_TEXT_BYTES: usize = 1 << 16;
const MAX_TENSOR_DIMENSIONS: u32 = 4;
const MAX_DIMENSION_SIZE: usize = 600_000;
