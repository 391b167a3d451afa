//! The judge's model: 64 pairs of about 160 word pieces, on two threads.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use dalil_judge::model::{EntailmentLogits, FastModel, PremiseClaimPair};
use dalil_proof::canon;
use dalil_proof::json::Json;

use crate::measure::{BenchFigures, median};

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let Json::List(pairs) = Json::parse(input)? else {
        return Err("expected an array of pairs".into());
    };
    let text = |pair: &Json<'_>, key| match pair.get(key) {
        Some(Json::Text(text)) => Ok(text.to_string()),
        _ => Err(format!("expected `{key}` in each pair")),
    };
    let texts = pairs
        .iter()
        .map(|pair| Ok((text(pair, "premise")?, text(pair, "claim")?)))
        .collect::<Result<Vec<_>, String>>()?;
    let (weights, vocabulary) = (
        fs::read(folder().join("judge.safetensors"))?,
        fs::read_to_string(folder().join("vocab.txt"))?,
    );
    let (load, model) = median(3, || FastModel::parse(&weights, &vocabulary));
    let model = model?;
    let tokens = || -> Vec<(Vec<u32>, Vec<u32>)> {
        texts.iter().map(|(premise, claim)| (model.tokens(premise), model.tokens(claim))).collect()
    };
    let (tokenize, pieces) = median(9, tokens);
    let (score, logits) = median(5, || scored(&model, &pieces));
    let (whole, _) = median(5, || scored(&model, &tokens()));
    let labels: Vec<usize> = logits.iter().map(label).collect();
    let figures = vec![("load", load), ("tokens", tokenize), ("score", score), ("whole", whole)];
    Ok((figures, canon::bytes(&labels)?))
}

/// Where the weights are in the repository.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/dalil-judge/model")
}

fn scored(model: &FastModel, pieces: &[(Vec<u32>, Vec<u32>)]) -> Vec<EntailmentLogits> {
    let pairs: Vec<_> =
        pieces.iter().map(|(premise, claim)| PremiseClaimPair { premise, claim }).collect();
    model.score(&pairs, 2)
}

/// The place of the largest logit.
fn label(EntailmentLogits(logits): &EntailmentLogits) -> usize {
    let largest = logits.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1));
    largest.map_or(0, |(place, _)| place)
}
