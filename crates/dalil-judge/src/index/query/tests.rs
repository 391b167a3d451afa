//! Queries: weights, overlap and order.

use dalil_proof::digest::Digest;
use expect_test::{Expect, expect};

use super::*;

fn index(documents: &[&[&str]]) -> CorpusIndex {
    CorpusIndex::of(
        documents.iter().map(|texts| IndexSegment::of(Digest::of(b""), texts)).collect(),
    )
}

fn corpus() -> CorpusIndex {
    index(&[
        &[
            "Annual leave",
            "All permanent employees shall receive 15 days of paid annual leave.",
            "Unused leave may be carried over until 31 March of the following year.",
        ],
        &[
            "يستحق جميع الموظفين الدائمين خمسة عشر يومًا إجازة سنوية مدفوعة الأجر.",
            "The supplier shall deliver the goods within 30 days of the order.",
            "Either party may terminate this agreement with 60 days written notice.",
        ],
    ])
}

#[track_caller]
fn rank(index: &CorpusIndex, claim: &str, expected: &Expect) {
    let ranked = index.rank(claim, 3);
    let line = |r: &RankedChunk| {
        let RankedChunk { segment, chunk, score, lexical, vector } = r;
        format!("{segment}.{chunk} {score:.2} = {lexical:.2} lexical, {vector:.2} vector\n")
    };
    expected.assert_eq(&ranked.iter().map(line).collect::<String>());
}

#[test]
fn the_chunk_that_says_it_comes_first() {
    rank(
        &corpus(),
        "Permanent staff get 15 days of annual leave.",
        &expect![[r#"
            0.1 0.47 = 0.20 lexical, 0.87 vector
            1.0 0.45 = 0.04 lexical, 0.71 vector
            0.0 0.34 = 0.11 lexical, 0.69 vector
        "#]],
    );
    rank(
        &corpus(),
        "You can cancel the contract by giving two months' notice.",
        &expect![[r#"
            1.2 0.22 = 0.03 lexical, 0.49 vector
            0.0 0.13 = 0.00 lexical, 0.32 vector
            1.0 0.12 = 0.00 lexical, 0.20 vector
        "#]],
    );
}

#[test]
fn a_claim_meets_the_other_language() {
    rank(
        &corpus(),
        "للموظفين إجازة سنوية مدفوعة",
        &expect![[r#"
            1.0 0.56 = 0.42 lexical, 0.78 vector
            0.1 0.40 = 0.00 lexical, 0.67 vector
            0.0 0.27 = 0.00 lexical, 0.45 vector
        "#]],
    );
    rank(
        &corpus(),
        "يمكن لأي من الطرفين إنهاء الاتفاقية بإشعار",
        &expect![[r#"
            1.2 0.38 = 0.00 lexical, 0.63 vector
            0.2 0.11 = 0.00 lexical, 0.18 vector
            1.0 0.06 = 0.00 lexical, 0.15 vector
        "#]],
    );
}

#[test]
fn nothing_to_look_for_and_nothing_to_look_in() {
    rank(&corpus(), "", &expect![[""]]);
    rank(&index(&[]), "annual leave", &expect![[""]]);
    rank(&index(&[&[], &[""]]), "annual leave", &expect![[""]]);
}

#[test]
fn equal_chunks_stand_in_the_order_of_the_corpus() {
    let index = index(&[&["annual leave", "annual leave"], &["annual leave"]]);
    let places = |ranked: Vec<RankedChunk>| ranked.iter().map(|r| (r.segment, r.chunk)).collect();
    let found: Vec<_> = places(index.rank("annual leave", 9));
    assert_eq!(found, [(0, 0), (0, 1), (1, 0)]);
    let found: Vec<_> = places(index.rank("annual leave", 2));
    assert_eq!(found, [(0, 0), (0, 1)]);
    let query = WeightedQuery::of("annual leave", &index);
    assert_eq!(query.rank(0), []);
}

#[test]
fn the_order_of_segments_changes_no_score() {
    let scores = |index: &CorpusIndex| {
        let mut all: Vec<_> = index.rank("15 days of leave", 9).iter().map(|r| r.score).collect();
        all.sort_unstable_by(f32::total_cmp);
        all
    };
    let forward = corpus();
    let backward = CorpusIndex::of(forward.segments().iter().rev().cloned().collect());
    assert_eq!(scores(&forward), scores(&backward));
}

#[test]
fn overlap_is_the_weighed_share_of_the_claims_terms() {
    let index = corpus();
    let query = WeightedQuery::of("Employees receive 15 days of annual leave", &index);
    let overlaps = [
        "All permanent employees shall receive 15 days of paid annual leave.",
        "Employees leave",
        "١٥ days",
        "Nothing of the kind",
        "",
    ];
    let shares = overlaps.map(|text| format!("{:.2}", query.overlap(text)));
    expect!["1.00 0.34 0.26 -0.00 -0.00"].assert_eq(&shares.join(" "));
    assert_eq!(WeightedQuery::of("", &index).overlap("leave").to_bits(), 0.0_f32.to_bits());
}
