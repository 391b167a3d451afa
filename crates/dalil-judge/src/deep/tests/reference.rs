//! The same model in plain 64-bit floats, from the widened base and the adapter's definition.

use crate::deep::block::widen;
use crate::deep::gguf::GgufFile;
use crate::deep::tests::sample::{
    ANSWERS, HEAD, HIDDEN, INNER, KEYS, LAYERS, PARTS, QUERIES, RANK, SampleAdapter, SampleGguf,
};
use crate::deep::tests::{PASSAGE, bits, claims, model, prompt};

struct PlainModel {
    base: Vec<u8>,
    adapter: SampleAdapter,
}

type Matrix64 = Vec<Vec<f64>>;

impl PlainModel {
    fn tensor(&self, name: &str, sides: &[usize]) -> Vec<f64> {
        let file = GgufFile::parse(&self.base).unwrap();
        widen(file.tensor(name, sides).unwrap()).into_iter().map(f64::from).collect()
    }

    fn adapter(&self, name: &str) -> Vec<f64> {
        let (_, kind, shape, bytes) =
            self.adapter.tensors.iter().find(|(tensor, ..)| tensor == name).unwrap();
        if *kind == "F32" {
            let floats = bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four).into());
            return floats.collect();
        }
        let scales = self.adapter(&format!("{name}.scale"));
        let rows = bytes.chunks_exact(shape[1]).zip(scales);
        rows.flat_map(|(row, scale)| row.iter().map(move |n| f64::from(n.cast_signed()) * scale))
            .collect()
    }

    fn linear(&self, layer: usize, part: &str) -> Matrix64 {
        let (name, part, outputs, inputs, _) =
            PARTS.into_iter().find(|(_, known, ..)| *known == part).unwrap();
        let weights = self.tensor(&format!("blk.{layer}.{name}.weight"), &[outputs, inputs]);
        let a = self.adapter(&format!("layer.{layer}.{part}.a"));
        let b = self.adapter(&format!("layer.{layer}.{part}.b"));
        let row = |output: usize| {
            let weight = |input: usize| {
                let change = |rank: usize| b[output * RANK + rank] * a[rank * inputs + input];
                weights[output * inputs + input] + 2.0 * (0..RANK).map(change).sum::<f64>()
            };
            (0..inputs).map(weight).collect()
        };
        (0..outputs).map(row).collect()
    }

    fn logits(&self, tokens: &[u32]) -> Vec<f64> {
        let count = SampleGguf::new().tokens().len();
        let embedding = self.tensor("token_embd.weight", &[count, HIDDEN]);
        let row = |token: &u32| embedding[*token as usize * HIDDEN..][..HIDDEN].to_vec();
        let mut state: Matrix64 = tokens.iter().map(row).collect();
        for layer in 0..LAYERS {
            self.layer(layer, &mut state);
        }
        let norm = self.tensor("output_norm.weight", &[HIDDEN]);
        let last = normal(state.last().unwrap(), &norm);
        let (head, bias) = (self.adapter("head.weight"), self.adapter("head.bias"));
        (0..ANSWERS).map(|n| dot(&head[n * HIDDEN..][..HIDDEN], &last) + bias[n]).collect()
    }

    fn layer(&self, layer: usize, state: &mut Matrix64) {
        let vector = |name: &str, size| self.tensor(&format!("blk.{layer}.{name}"), &[size]);
        let norm = vector("attn_norm.weight", HIDDEN);
        let rows: Matrix64 = state.iter().map(|row| normal(row, &norm)).collect();
        let biased = |part: &str, name: &str, heads: usize| -> Matrix64 {
            let bias = vector(name, heads * HEAD);
            let add =
                |row: Vec<f64>| row.iter().zip(&bias).map(|(one, other)| one + other).collect();
            product(&self.linear(layer, part), &rows).into_iter().map(add).collect()
        };
        let mut queries = biased("query", "attn_q.bias", QUERIES);
        let mut keys = biased("key", "attn_k.bias", KEYS);
        let values = biased("value", "attn_v.bias", KEYS);
        for (position, row) in queries.iter_mut().enumerate().chain(keys.iter_mut().enumerate()) {
            row.chunks_exact_mut(HEAD).for_each(|head| rotate(head, position));
        }
        let mut gathered = vec![vec![0.0; QUERIES * HEAD]; state.len()];
        for (token, gathered) in gathered.iter_mut().enumerate() {
            for query in 0..QUERIES {
                let (own, shared) = (query * HEAD, query / (QUERIES / KEYS) * HEAD);
                let like = |other: usize| {
                    let key = &keys[other][shared..][..HEAD];
                    (dot(&queries[token][own..][..HEAD], key) / (HEAD as f64).sqrt()).exp()
                };
                let total: f64 = (0..=token).map(like).sum();
                for (other, values) in values.iter().enumerate().take(token + 1) {
                    let share = like(other) / total;
                    for place in 0..HEAD {
                        gathered[own + place] += share * values[shared + place];
                    }
                }
            }
        }
        add(state, product(&self.linear(layer, "attention"), &gathered));
        let norm = vector("ffn_norm.weight", HIDDEN);
        let rows: Matrix64 = state.iter().map(|row| normal(row, &norm)).collect();
        let gates = product(&self.linear(layer, "gate"), &rows);
        let ups = product(&self.linear(layer, "up"), &rows);
        let gated = |(gates, ups): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
            let one = |(gate, up): (&f64, &f64)| gate / (1.0 + (-gate).exp()) * up;
            gates.iter().zip(ups).map(one).collect()
        };
        let inner: Matrix64 = gates.iter().zip(&ups).map(gated).collect();
        assert_eq!(inner[0].len(), INNER);
        add(state, product(&self.linear(layer, "down"), &inner));
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn product(weights: &Matrix64, rows: &Matrix64) -> Matrix64 {
    rows.iter().map(|row| weights.iter().map(|weights| dot(weights, row)).collect()).collect()
}

fn add(state: &mut Matrix64, more: Matrix64) {
    for (state, more) in state.iter_mut().flatten().zip(more.into_iter().flatten()) {
        *state += more;
    }
}

fn normal(row: &[f64], norm: &[f64]) -> Vec<f64> {
    let root = (dot(row, row) / row.len() as f64 + 1e-6).sqrt();
    row.iter().zip(norm).map(|(value, norm)| value / root * norm).collect()
}

fn rotate(head: &mut [f64], position: usize) {
    let (ones, others) = head.split_at_mut(HEAD / 2);
    for (pair, (one, other)) in ones.iter_mut().zip(others).enumerate() {
        let angle = position as f64 * 1e6_f64.powf(-(2.0 * pair as f64) / HEAD as f64);
        let (first, second) = (*one, *other);
        *one = first * angle.cos() - second * angle.sin();
        *other = second * angle.cos() + first * angle.sin();
    }
}

/// Eight bits cost less than 0.1, of logits that lie more than 1 apart.
#[test]
fn logits_are_those_of_the_definition() {
    let base = SampleGguf::new().bytes();
    let plain = PlainModel { adapter: SampleAdapter::of(&base), base };
    let (model, claims) = (model(), claims());
    let made = model.score(&[prompt(PASSAGE, &claims)], 2, &|_| ());
    let mut spread = Vec::new();
    for (claim, made) in claims.iter().zip(&made[0]) {
        let mut tokens = model.pieces.tokens("Document: ");
        tokens.extend(model.pieces.tokens(PASSAGE));
        if let Some(context) = claim.context {
            tokens.extend(model.pieces.tokens("\n\nContext: "));
            tokens.extend(model.pieces.tokens(context));
        }
        tokens.extend(model.pieces.tokens("\n\nClaim: "));
        tokens.extend(model.pieces.tokens(claim.claim));
        tokens.extend(
            model
                .pieces
                .tokens("\nSupported, partly supported, contradicted or not mentioned? Answer:"),
        );
        let expected = plain.logits(&tokens);
        for (made, expected) in made.iter().zip(&expected) {
            let difference = f64::from(*made) - expected;
            assert!(difference.abs() < 0.1, "{made}, not {expected}");
        }
        spread.extend(expected);
    }
    let most = spread.iter().copied().fold(f64::MIN, f64::max);
    assert!(most - spread.iter().copied().fold(f64::MAX, f64::min) > 1.0);
    assert_ne!(bits(&made)[0][0], bits(&made)[0][3]);
}
