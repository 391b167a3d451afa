use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n##\nunit\nunited\n##ed\n##s\n##ing\na\n##a\n.\n[\n]\nunk\nإجازه\nيوم\n##ا\n中\n5\n##5\n";

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let lines: Vec<&str> = PIECES.lines().collect();
    let tokens = WordPieceVocabulary::parse(PIECES).unwrap().tokens(text);
    let pieces: Vec<&str> = tokens.iter().map(|token| lines[*token as usize]).collect();
    expected.assert_eq(&pieces.join(" "));
}

#[test]
fn the_longest_piece_wins() {
    check("United units, unitings unit.", &expect!["united unit ##s [UNK] unit ##ing ##s unit ."]);
}

#[test]
fn a_word_without_all_its_pieces_is_unknown() {
    check("unitedly unit", &expect!["[UNK] unit"]);
    check("## #", &expect!["[UNK] [UNK] [UNK]"]);
}

#[test]
fn a_text_cannot_forge_a_mark() {
    check("[UNK][CLS] [SEP]", &expect!["[ unk ] [ [UNK] ] [ [UNK] ]"]);
}

#[test]
fn words_of_a_hundred_characters_are_cut_and_longer_ones_are_unknown() {
    let pieces = WordPieceVocabulary::parse(PIECES).unwrap();
    assert_eq!(pieces.tokens(&"a".repeat(100)).len(), 100);
    assert_eq!(pieces.tokens(&"a".repeat(101)), [1]);
    assert_eq!(pieces.tokens(&"ا".repeat(101)), [1]);
}

#[test]
fn arabic_and_its_digits_have_pieces() {
    check("يَوْماً ٥٥ 中中", &expect!["يوم ##ا 5 ##5 中 中"]);
}

#[test]
fn nothing_has_no_pieces() {
    check("", &expect![[""]]);
    check(" \u{200f}\n", &expect![[""]]);
}

proptest! {
    #[test]
    fn every_token_is_a_piece(text: String) {
        let vocabulary = WordPieceVocabulary::parse(PIECES).unwrap();
        prop_assert!(vocabulary.tokens(&text).iter().all(|token| (*token as usize) < vocabulary.size));
    }

    #[test]
    fn texts_with_a_gap_between_them_have_their_own_pieces(one: String, other: String) {
        let vocabulary = WordPieceVocabulary::parse(PIECES).unwrap();
        let apart = [vocabulary.tokens(&one), vocabulary.tokens(&other)].concat();
        prop_assert_eq!(vocabulary.tokens(&format!("{one} {other}")), apart);
    }
}
