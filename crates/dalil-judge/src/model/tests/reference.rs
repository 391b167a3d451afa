//! The shipped weights against the arithmetic they were trained with.

use dalil_proof::json::Json;

use crate::model::{EntailmentLogits, FastModel, PremiseClaimPair};

const REFERENCE: &[u8] = include_bytes!("../../../model/reference.json");

fn list<'j>(json: &'j Json<'_>, key: &str) -> &'j [Json<'j>] {
    match json.get(key) {
        Some(Json::List(items)) => items,
        _ => panic!("no list `{key}`"),
    }
}

fn text<'j>(json: &'j Json<'_>, key: &str) -> &'j str {
    match json.get(key) {
        Some(Json::Text(text)) => text,
        _ => panic!("no text `{key}`"),
    }
}

fn numbers(json: &Json<'_>, key: &str) -> Vec<f64> {
    let number = |item: &Json<'_>| match item {
        Json::Number(number) => *number,
        _ => panic!("no number in `{key}`"),
    };
    list(json, key).iter().map(number).collect()
}

fn floats(tokens: &[u32]) -> Vec<f64> {
    tokens.iter().copied().map(f64::from).collect()
}

#[test]
fn texts_have_the_word_pieces_they_were_trained_with() {
    let (model, reference) = (FastModel::shipped().unwrap(), Json::parse(REFERENCE).unwrap());
    for case in list(&reference, "tokens") {
        assert_eq!(floats(&model.tokens(text(case, "text"))), numbers(case, "ids"), "{case}");
    }
}

#[test]
fn pairs_have_the_logits_they_were_trained_with() {
    let (model, reference) = (FastModel::shipped().unwrap(), Json::parse(REFERENCE).unwrap());
    let cases = list(&reference, "pairs");
    let tokens: Vec<_> = cases
        .iter()
        .map(|case| {
            let mut claim = model.tokens(text(case, "claim"));
            claim.truncate(CLAIM);
            (model.tokens(text(case, "premise")), claim)
        })
        .collect();
    let pairs: Vec<_> =
        tokens.iter().map(|(premise, claim)| PremiseClaimPair { premise, claim }).collect();
    let mut differences = Vec::new();
    for (case, EntailmentLogits(logits)) in cases.iter().zip(model.score(&pairs, 2)) {
        let (made, expected) = (logits.map(f64::from), numbers(case, "logits"));
        differences
            .extend(made.iter().zip(&expected).map(|(made, expected)| (made - expected).abs()));
        let (label, margin) = largest(&expected);
        if margin > CLOSE {
            assert_eq!(largest(&made).0, label, "{}", text(case, "claim"));
        }
    }
    let worst = differences.iter().copied().fold(0.0, f64::max);
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    assert!(worst < CLOSE && mean < CLOSE / 10.0, "off by {mean}, at worst by {worst}");
}

/// The label with the largest logit, and by how much it is larger than the next.
fn largest(logits: &[f64]) -> (usize, f64) {
    let mut order = [0, 1, 2, 3];
    order.sort_by(|one, other| logits[*other].total_cmp(&logits[*one]));
    (order[0], logits[order[0]] - logits[order[1]])
}

/// A number on the edge between two steps rounds either way under the smallest difference of
/// earlier sums, and twelve layers carry it on: two orders of summation may differ by this much.
const CLOSE: f64 = 0.4;
/// How many word pieces of a claim were kept while training.
const CLAIM: usize = 96;
