//! Vectors: pieces as `SentencePiece` cuts them, and nearness of meaning.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

#[track_caller]
fn near(a: &str, b: &str, expected: &Expect) {
    let mut embedder = Embedder::default();
    let (a, b) = (embedder.vector(a), embedder.vector(b));
    expected.assert_eq(&format!("{:.3}", nearness(&a, &b)));
}

#[test]
fn a_text_is_nearest_to_itself() {
    near("paid annual leave", "paid annual leave", &expect!["0.999"]);
    near("paid annual leave", "PAID\tannual  leave\n", &expect!["0.999"]);
}

#[test]
fn meaning_is_near_across_words_and_languages() {
    near("The contract can be ended.", "The agreement may be terminated.", &expect!["0.786"]);
    near("paid annual leave for employees", "إجازة سنوية مدفوعة الأجر للموظفين", &expect!["0.719"]);
    near("إجازة سنوية", "إِجَازَةٌ ســـنوية", &expect!["0.999"]);
}

#[test]
fn other_meaning_is_far() {
    near("paid annual leave for employees", "The river flooded the old town.", &expect!["0.099"]);
    near("paid annual leave for employees", "فاض النهر على المدينة القديمة", &expect!["0.220"]);
}

#[test]
fn unknown_and_empty_texts_have_no_direction() {
    near("", "leave", &expect!["0.000"]);
    near("東京", "東京", &expect!["0.000"]);
}

#[test]
fn what_follows_many_pieces_does_not_count() {
    let mut embedder = Embedder::default();
    let long = "leave ".repeat(MAX_TEXT_PIECES);
    assert_eq!(embedder.vector(&long), embedder.vector(&format!("{long} contract")));
}

#[test]
fn words_are_cut_as_the_reference_cuts_them() {
    let mut differing = Vec::new();
    for line in include_str!("tests/pieces.tsv").lines() {
        let (word, expected) = line.split_once('\t').unwrap();
        let found: Vec<_> = piece::cut(word).into_iter().map(piece::text).collect();
        if found.join(" ") != expected {
            differing.push(format!("{word}: {}\n", found.join(" ")));
        }
    }
    expect![""].assert_eq(&differing.concat());
}

proptest! {
    #[test]
    fn any_text_has_a_vector(text in any::<String>()) {
        let vector = Embedder::default().vector(&text);
        prop_assert_eq!(vector, Embedder::default().vector(&text));
    }
}
