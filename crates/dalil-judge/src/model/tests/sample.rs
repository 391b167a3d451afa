//! A small model of random weights, and ways to spoil it.

use std::collections::BTreeMap;

/// Twelve pieces.
pub(in crate::model) const VOCABULARY: &str =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\nannual\nleave\n##s\n15\nday\n.\nإجازة\nسنوي\n";

pub(in crate::model) struct Sample {
    metadata: BTreeMap<String, String>,
    tensors: Vec<Tensor>,
}

pub(in crate::model) struct Tensor {
    pub(in crate::model) name: String,
    pub(in crate::model) numbers: &'static str,
    pub(in crate::model) shape: Vec<usize>,
    pub(in crate::model) bytes: Vec<u8>,
}

impl Sample {
    /// Two layers of two heads, 48 positions.
    pub(in crate::model) fn new() -> Self {
        let mut random = Random(1);
        let mut sample = Self { metadata: BTreeMap::new(), tensors: Vec::new() };
        for (key, value) in [
            ("format", "dalil-judge/2"),
            ("layers", "2"),
            ("heads", "2"),
            ("hidden", "64"),
            ("seed", "1"),
        ] {
            sample.metadata.insert(key.to_owned(), value.to_owned());
        }
        sample.integers("embeddings.word", &[12, 64], &mut random);
        sample.floats("embeddings.word.scale", &[12], (0.001, 0.002), &mut random);
        sample.floats("embeddings.position", &[48, 64], (-0.1, 0.1), &mut random);
        sample.floats("embeddings.type", &[2, 64], (-0.1, 0.1), &mut random);
        sample.norm("embeddings.norm", &mut random);
        for layer in 0..2 {
            for (part, shape) in [
                ("query", [64, 64]),
                ("key", [64, 64]),
                ("value", [64, 64]),
                ("attention", [64, 64]),
                ("up", [256, 64]),
                ("down", [64, 256]),
            ] {
                let name = format!("layer.{layer}.{part}");
                sample.integers(&format!("{name}.weight"), &shape, &mut random);
                sample.floats(&format!("{name}.scale"), &shape[..1], (0.001, 0.003), &mut random);
                sample.floats(&format!("{name}.bias"), &shape[..1], (-0.1, 0.1), &mut random);
            }
            sample.norm(&format!("layer.{layer}.attention_norm"), &mut random);
            sample.norm(&format!("layer.{layer}.output_norm"), &mut random);
        }
        sample.floats("head.weight", &[4, 128], (-0.2, 0.2), &mut random);
        sample.floats("head.bias", &[4], (-0.2, 0.2), &mut random);
        sample
    }

    pub(in crate::model) fn metadata(mut self, key: &str, value: &str) -> Self {
        self.metadata.insert(key.to_owned(), value.to_owned());
        self
    }

    pub(in crate::model) fn without_metadata(mut self, key: &str) -> Self {
        self.metadata.remove(key);
        self
    }

    pub(in crate::model) fn without(mut self, name: &str) -> Self {
        self.tensors.retain(|tensor| tensor.name != name);
        self
    }

    pub(in crate::model) fn spoil(mut self, name: &str, spoil: impl FnOnce(&mut Tensor)) -> Self {
        spoil(self.tensors.iter_mut().find(|tensor| tensor.name == name).unwrap());
        self
    }

    pub(in crate::model) fn header(&self) -> String {
        let (mut members, mut end) = (Vec::new(), 0);
        for Tensor { name, numbers, shape, bytes } in &self.tensors {
            let start = end;
            end += bytes.len();
            members.push(format!(
                r#""{name}":{{"dtype":"{numbers}","shape":{shape:?},"data_offsets":[{start},{end}]}}"#
            ));
        }
        format!(r#"{{"__metadata__":{:?},{}}}"#, self.metadata, members.join(","))
    }

    pub(in crate::model) fn bytes(&self) -> Vec<u8> {
        self.with_header(&self.header())
    }

    pub(in crate::model) fn with_header(&self, header: &str) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(self.tensors.iter().flat_map(|tensor| &tensor.bytes));
        bytes
    }

    fn norm(&mut self, name: &str, random: &mut Random) {
        self.floats(&format!("{name}.weight"), &[64], (0.8, 1.2), random);
        self.floats(&format!("{name}.bias"), &[64], (-0.1, 0.1), random);
    }

    fn integers(&mut self, name: &str, shape: &[usize], random: &mut Random) {
        let count = shape.iter().product();
        let byte = |_| (random.next() % 255).wrapping_sub(127).to_le_bytes()[0];
        self.push(name, "I8", shape, (0..count).map(byte).collect());
    }

    fn floats(&mut self, name: &str, shape: &[usize], range: (f32, f32), random: &mut Random) {
        let count: usize = shape.iter().product();
        let float = |_| {
            let share = f32::from(u16::try_from(random.next() & 0xffff).unwrap()) / 65_536.0;
            (range.0 + (range.1 - range.0) * share).to_le_bytes()
        };
        self.push(name, "F32", shape, (0..count).flat_map(float).collect());
    }

    fn push(&mut self, name: &str, numbers: &'static str, shape: &[usize], bytes: Vec<u8>) {
        self.tensors.push(Tensor { name: name.to_owned(), numbers, shape: shape.to_vec(), bytes });
    }
}

/// A linear congruential generator: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}
