use proptest::prelude::*;

use super::*;
use crate::model::tests::sample::{Sample, VOCABULARY};

mod reference;
mod refusal;
pub(super) mod sample;

fn model() -> FastModel {
    FastModel::parse(&Sample::new().bytes(), VOCABULARY).unwrap()
}

/// Texts of lengths that do not fill tiles, among them nothing and more than fits.
fn texts() -> Vec<(Vec<u32>, Vec<u32>)> {
    let tokens = |count: u32, seed: u32| (0..count).map(|n| (n * 7 + seed) % 12).collect();
    let sizes = [(0, 0), (1, 0), (0, 3), (9, 2), (20, 5), (4, 4), (40, 20), (13, 8), (22, 6)];
    (0..)
        .zip(sizes)
        .map(|(n, (premise, claim))| (tokens(premise, n), tokens(claim, n + 3)))
        .collect()
}

fn pairs(texts: &[(Vec<u32>, Vec<u32>)]) -> Vec<PremiseClaimPair<'_>> {
    texts.iter().map(|(premise, claim)| PremiseClaimPair { premise, claim }).collect()
}

fn bits(logits: &[EntailmentLogits]) -> Vec<[u32; 4]> {
    logits.iter().map(|EntailmentLogits(logits)| logits.map(f32::to_bits)).collect()
}

#[test]
fn logits_do_not_depend_on_threads() {
    let (model, texts) = (model(), texts());
    let pairs = pairs(&texts);
    let expected = bits(&model.score(&pairs, 1));
    for threads in [0, 2, 3, 16, 1000] {
        assert_eq!(bits(&model.score(&pairs, threads)), expected, "{threads} threads");
    }
}

#[test]
fn logits_do_not_depend_on_what_else_is_scored() {
    let (model, texts) = (model(), texts());
    let pairs = pairs(&texts);
    let expected = bits(&model.score(&pairs, 2));
    for (pair, expected) in pairs.iter().zip(&expected) {
        assert_eq!(bits(&model.score(&[*pair], 2)), [*expected]);
    }
    let backwards: Vec<_> = pairs.iter().rev().copied().collect();
    let made: Vec<_> = bits(&model.score(&backwards, 1)).into_iter().rev().collect();
    assert_eq!(made, expected);
}

#[test]
fn logits_do_not_depend_on_vector_instructions() {
    let (model, texts) = (model(), texts());
    let made = |path| bits(&batch::score(&model.encoder, path, &pairs(&texts), 2));
    for path in InstructionSet::all() {
        assert_eq!(made(path), made(InstructionSet::PORTABLE), "{path:?}");
    }
}

/// Pinned: if a bit moves, no verdict of an earlier release can be recomputed.
#[test]
fn logits_are_stable_across_releases() {
    let (model, texts) = (model(), texts());
    let made: Vec<String> = model
        .score(&pairs(&texts), 1)
        .iter()
        .map(|EntailmentLogits(logits)| format!("{:08x?}", logits.map(f32::to_bits)))
        .collect();
    expect_test::expect![[r#"
        [bea1f05a, 3d9c62ce, beef6add, 3fb83ac1]
        [3d6dcf10, bde82b1a, be5ed08a, 3f703d10]
        [bea789ee, 3ec868c6, bece5ed5, 3f71f598]
        [bdcd39eb, 3f5eb7c9, 3ec53a69, 3f9a54c8]
        [3f05efbd, 3f85d188, bcd77ab0, 3f7b1e6d]
        [bf8dae2d, 3f3cc36d, bea8466e, 3ffcfebc]
        [3f01d7a8, 3f7decc9, bbbe9860, 3fa55068]
        [3e322c6e, 3f8a6189, bd976c12, 3fdf368f]
        [3e39fca1, 3fafda40, 3e8cd004, 3fe15a7e]"#]]
    .assert_eq(&made.join("\n"));
}

#[test]
fn nothing_to_score_gives_nothing() {
    assert_eq!(model().score(&[], 2), []);
}

#[test]
fn a_pair_that_is_too_long_loses_the_end_of_its_premise() {
    let model = model();
    let room = model.capacity();
    let (long, claim): (Vec<u32>, Vec<u32>) = ((0..200).map(|n| n % 11).collect(), vec![5; 9]);
    let whole = PremiseClaimPair { premise: &long, claim: &claim };
    let cut = PremiseClaimPair { premise: &long[..room - 9], claim: &claim };
    assert_eq!(bits(&model.score(&[whole], 1)), bits(&model.score(&[cut], 1)));
    let whole = PremiseClaimPair { premise: &claim, claim: &long };
    let cut = PremiseClaimPair { premise: &[], claim: &long[..room] };
    assert_eq!(bits(&model.score(&[whole], 1)), bits(&model.score(&[cut], 1)));
}

#[test]
fn premise_and_claim_are_told_apart() {
    let model = model();
    let (one, other): ([u32; 3], [u32; 3]) = ([4, 5, 6], [7, 8, 9]);
    let there = model.score(&[PremiseClaimPair { premise: &one, claim: &other }], 1);
    let back = model.score(&[PremiseClaimPair { premise: &other, claim: &one }], 1);
    assert_ne!(there, back);
}

#[test]
fn a_number_that_is_no_piece_is_unknown() {
    let model = model();
    let score =
        |token| bits(&model.score(&[PremiseClaimPair { premise: &[token], claim: &[4] }], 1));
    assert_eq!(score(u32::MAX), score(model.vocabulary.unknown));
    assert_eq!(score(12), score(model.vocabulary.unknown));
}

#[test]
fn the_digest_names_weights_and_vocabulary() {
    let digest =
        |weights: &[u8], vocabulary: &str| FastModel::parse(weights, vocabulary).unwrap().digest();
    let weights = Sample::new().bytes();
    let other = Sample::new().metadata("seed", "2").bytes();
    let changed = VOCABULARY.replace("leave", "leaves");
    let digests =
        [digest(&weights, VOCABULARY), digest(&other, VOCABULARY), digest(&weights, &changed)];
    assert_eq!(digest(&weights, VOCABULARY), digests[0]);
    assert!(digests[0] != digests[1] && digests[0] != digests[2] && digests[1] != digests[2]);
}

#[test]
fn metadata_is_told() {
    assert_eq!(model().metadata("seed"), Some("1"));
    assert_eq!(model().metadata("nothing"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_tokens_can_be_scored(
        premise in prop::collection::vec(any::<u32>(), 0..60),
        claim in prop::collection::vec(any::<u32>(), 0..60),
    ) {
        let logits = model().score(&[PremiseClaimPair { premise: &premise, claim: &claim }], 2);
        prop_assert!(logits.iter().all(|EntailmentLogits(logits)| logits.iter().all(|logit| logit.is_finite())));
        prop_assert_eq!(logits.len(), 1);
    }
}
