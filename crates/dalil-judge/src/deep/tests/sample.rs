//! A small base and an adapter of random weights, and ways to spoil them.

use dalil_proof::digest::Digest;

/// A Qwen2 of two layers, in every packing that a base has.
#[derive(Clone)]
pub(crate) struct SampleGguf {
    merges: Vec<String>,
    pub(crate) numbers: Vec<(&'static str, u32)>,
    pub(crate) floats: Vec<(&'static str, f32)>,
    pub(crate) texts: Vec<(&'static str, &'static str)>,
    pub(crate) tensors: Vec<SampleTensor>,
    pub(crate) version: u32,
}

#[derive(Clone)]
pub(crate) struct SampleTensor {
    pub(crate) name: String,
    /// The longest side first, as GGUF has it.
    pub(crate) sides: Vec<usize>,
    pub(crate) kind: u32,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) const HIDDEN: usize = 256;
pub(crate) const INNER: usize = 512;
pub(crate) const QUERIES: usize = 4;
pub(crate) const KEYS: usize = 2;
pub(crate) const HEAD: usize = 64;
pub(crate) const LAYERS: usize = 2;
pub(crate) const RANK: usize = 4;
pub(crate) const ANSWERS: usize = 4;

/// The parts of a layer: name in the base, name in the adapter, outputs, inputs, kind.
pub(crate) const PARTS: [(&str, &str, usize, usize, u32); 7] = [
    ("attn_q", "query", QUERIES * HEAD, HIDDEN, 12),
    ("attn_k", "key", KEYS * HEAD, HIDDEN, 12),
    ("attn_v", "value", KEYS * HEAD, HIDDEN, 14),
    ("attn_output", "attention", HIDDEN, QUERIES * HEAD, 1),
    ("ffn_gate", "gate", INNER, HIDDEN, 12),
    ("ffn_up", "up", INNER, HIDDEN, 0),
    ("ffn_down", "down", HIDDEN, INNER, 14),
];

impl SampleGguf {
    pub(crate) fn new() -> Self {
        let mut random = SampleRandom(7);
        let merges = ["t h", "th e", "Ġ the", "a n", "Ġ an", "an d", "Ġ and"];
        let mut base = Self {
            merges: merges.map(str::to_owned).to_vec(),
            numbers: vec![
                ("qwen2.block_count", 2),
                ("qwen2.embedding_length", 256),
                ("qwen2.feed_forward_length", 512),
                ("qwen2.attention.head_count", 4),
                ("qwen2.attention.head_count_kv", 2),
            ],
            floats: vec![
                ("qwen2.rope.freq_base", 1e6),
                ("qwen2.attention.layer_norm_rms_epsilon", 1e-6),
            ],
            texts: vec![
                ("general.architecture", "qwen2"),
                ("tokenizer.ggml.model", "gpt2"),
                ("tokenizer.ggml.pre", "qwen2"),
            ],
            tensors: Vec::new(),
            version: 3,
        };
        let tokens = base.tokens().len();
        base.push("token_embd.weight", &[HIDDEN, tokens], 12, &mut random);
        for layer in 0..LAYERS {
            for norm in ["attn_norm", "ffn_norm"] {
                base.push(&format!("blk.{layer}.{norm}.weight"), &[HIDDEN], 0, &mut random);
            }
            for (name, part, outputs, inputs, kind) in PARTS {
                let name = format!("blk.{layer}.{name}");
                base.push(&format!("{name}.weight"), &[inputs, outputs], kind, &mut random);
                if ["query", "key", "value"].contains(&part) {
                    base.push(&format!("{name}.bias"), &[outputs], 0, &mut random);
                }
            }
        }
        base.push("output_norm.weight", &[HIDDEN], 0, &mut random);
        base
    }

    pub(crate) fn with_merges(mut self, merges: &[&str]) -> Self {
        self.merges = merges.iter().map(|merge| (*merge).to_owned()).collect();
        self
    }

    /// Every byte, then the results of the merges, in the letters of a vocabulary of bytes.
    pub(crate) fn tokens(&self) -> Vec<String> {
        let plain = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
        let mut later = 256..;
        let byte = |byte| if plain(byte) { byte } else { later.next().unwrap() };
        let letters: Vec<u32> = (0..256).map(byte).collect();
        let letters = letters.iter().map(|code| char::from_u32(*code).unwrap().to_string());
        letters.chain(self.merges.iter().map(|merge| merge.replace(' ', ""))).collect()
    }

    pub(crate) fn spoil(mut self, name: &str, spoil: impl FnOnce(&mut SampleTensor)) -> Self {
        spoil(self.tensors.iter_mut().find(|tensor| tensor.name == name).unwrap());
        self
    }

    fn push(&mut self, name: &str, sides: &[usize], kind: u32, random: &mut SampleRandom) {
        let count: usize = sides.iter().product();
        let is_norm = name.contains("norm");
        let float = |random: &mut SampleRandom| {
            if is_norm { 0.5 + random.share() } else { random.share() * 0.2 - 0.1 }
        };
        let bytes = match kind {
            0 => (0..count).flat_map(|_| float(random).to_le_bytes()).collect(),
            1 => (0..count).flat_map(|_| random.half(0x2c00)).collect(),
            12 => (0..count / 256).flat_map(|_| random.four_bits()).collect(),
            _ => (0..count / 256).flat_map(|_| random.six_bits()).collect(),
        };
        self.tensors.push(SampleTensor {
            name: name.to_owned(),
            sides: sides.to_vec(),
            kind,
            bytes,
        });
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
        let list = |texts: &[String]| {
            let mut bytes =
                [&8_u32.to_le_bytes()[..], &(texts.len() as u64).to_le_bytes()].concat();
            texts.iter().for_each(|one| bytes.extend(text(one)));
            bytes
        };
        let mut keys: Vec<(&str, u32, Vec<u8>)> = Vec::new();
        keys.extend(self.numbers.iter().map(|(key, n)| (*key, 4, n.to_le_bytes().to_vec())));
        keys.extend(self.floats.iter().map(|(key, n)| (*key, 6, n.to_le_bytes().to_vec())));
        keys.extend(self.texts.iter().map(|(key, value)| (*key, 8, text(value))));
        keys.push(("general.quantized", 7, vec![1]));
        keys.push(("tokenizer.ggml.tokens", 9, list(&self.tokens())));
        keys.push(("tokenizer.ggml.merges", 9, list(&self.merges)));
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend((keys.len() as u64).to_le_bytes());
        for (key, kind, value) in keys {
            bytes.extend(text(key));
            bytes.extend(kind.to_le_bytes());
            bytes.extend(value);
        }
        let mut offset = 0_u64;
        for tensor in &self.tensors {
            bytes.extend(text(&tensor.name));
            bytes.extend(u32::try_from(tensor.sides.len()).unwrap().to_le_bytes());
            tensor.sides.iter().for_each(|side| bytes.extend((*side as u64).to_le_bytes()));
            bytes.extend(tensor.kind.to_le_bytes());
            bytes.extend(offset.to_le_bytes());
            offset = (offset + tensor.bytes.len() as u64).next_multiple_of(32);
        }
        for tensor in &self.tensors {
            bytes.resize(bytes.len().next_multiple_of(32), 0);
            bytes.extend(&tensor.bytes);
        }
        bytes
    }
}

/// An adapter for a base, in the format that ships.
#[derive(Clone)]
pub(crate) struct SampleAdapter {
    pub(crate) metadata: Vec<(&'static str, String)>,
    pub(crate) tensors: Vec<(String, &'static str, Vec<usize>, Vec<u8>)>,
}

impl SampleAdapter {
    pub(crate) fn of(base: &[u8]) -> Self {
        let mut random = SampleRandom(3);
        let metadata = vec![
            ("format", "dalil-deep-adapter/1".to_owned()),
            ("base", Digest::of(base).to_string()),
            ("rank", RANK.to_string()),
            ("alpha", "8".to_owned()),
            ("template", "2".to_owned()),
            ("labels", "yes,partly,no,unknown".to_owned()),
            ("calibration", r#"{"bias":[0,"é"]}"#.to_owned()),
        ];
        let mut tensors = Vec::new();
        let integers = |random: &mut SampleRandom, count| -> Vec<u8> {
            (0..count).map(|_| (random.next() % 255).wrapping_sub(127).to_le_bytes()[0]).collect()
        };
        for layer in 0..LAYERS {
            for (_, part, outputs, inputs, _) in PARTS {
                for (factor, rows, width) in [("a", RANK, inputs), ("b", outputs, RANK)] {
                    let name = format!("layer.{layer}.{part}.{factor}");
                    let scales = (0..rows).flat_map(|_| (random.share() * 5e-4).to_le_bytes());
                    let scales: Vec<u8> = scales.collect();
                    let numbers = integers(&mut random, rows * width);
                    tensors.push((name.clone(), "I8", vec![rows, width], numbers));
                    tensors.push((format!("{name}.scale"), "F32", vec![rows], scales));
                }
            }
        }
        let float = |random: &mut SampleRandom| (random.share() * 0.4 - 0.2).to_le_bytes();
        let head = (0..ANSWERS * HIDDEN).flat_map(|_| float(&mut random)).collect();
        tensors.push(("head.weight".to_owned(), "F32", vec![ANSWERS, HIDDEN], head));
        let bias = (0..ANSWERS).flat_map(|_| float(&mut random)).collect();
        tensors.push(("head.bias".to_owned(), "F32", vec![ANSWERS], bias));
        Self { metadata, tensors }
    }

    pub(crate) fn metadata(mut self, key: &'static str, value: &str) -> Self {
        self.metadata.retain(|(name, _)| *name != key);
        self.metadata.push((key, value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.tensors.retain(|(tensor, ..)| tensor != name);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let json = |text: &str| serde_json::to_string(text).unwrap();
        let metadata: Vec<_> = self
            .metadata
            .iter()
            .map(|(key, value)| format!("{}:{}", json(key), json(value)))
            .collect();
        let mut members = vec![format!("\"__metadata__\":{{{}}}", metadata.join(","))];
        let mut body = Vec::new();
        for (name, numbers, shape, bytes) in &self.tensors {
            let start = body.len();
            body.extend(bytes);
            let end = body.len();
            members.push(format!(
                r#""{name}":{{"dtype":"{numbers}","shape":{shape:?},"data_offsets":[{start},{end}]}}"#
            ));
        }
        let header = format!("{{{}}}", members.join(","));
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &body].concat()
    }
}

/// A linear congruential generator: the same numbers everywhere.
struct SampleRandom(u64);

impl SampleRandom {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// From 0 to 1.
    fn share(&mut self) -> f32 {
        f32::from(u16::try_from(self.next() & 0xffff).unwrap()) / 65_536.0
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    /// A float of sixteen bits with the sign at random, up to twice `least`.
    fn half(&mut self, least: u16) -> [u8; 2] {
        let fraction = u16::try_from(self.next() & 1023).unwrap();
        let sign = u16::try_from(self.next() & 1).unwrap() << 15;
        (least | fraction | sign).to_le_bytes()
    }

    /// A block whose scale and least value are such that numbers lie around zero.
    fn four_bits(&mut self) -> Vec<u8> {
        let mut block = [0x0600_u16.to_le_bytes(), 0x1180_u16.to_le_bytes()].concat();
        block.extend((0..140).map(|_| self.byte()));
        block
    }

    fn six_bits(&mut self) -> Vec<u8> {
        let mut block: Vec<u8> = (0..208).map(|_| self.byte()).collect();
        block.extend(0x0200_u16.to_le_bytes());
        block
    }
}
