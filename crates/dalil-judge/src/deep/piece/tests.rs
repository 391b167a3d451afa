use super::*;
use crate::deep::tests::sample::SampleGguf;

fn cuts(text: &str) -> Vec<&str> {
    let (mut made, mut rest) = (Vec::new(), text);
    while let Some((piece, after)) = cut(rest) {
        made.push(piece);
        rest = after;
    }
    made
}

/// Each case was cut by the Python package `tokenizers` with the same pattern.
#[test]
fn texts_are_cut_where_the_pattern_cuts() {
    let vector = include_str!("../../../../../spec/vectors/model/cuts.json");
    let vector: serde_json::Value = serde_json::from_str(vector).unwrap();
    for case in vector["cuts"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        assert_eq!(serde_json::Value::from(cuts(text)), case["pieces"], "{text:?}");
        assert_eq!(cuts(text).concat(), text);
    }
}

#[test]
fn bytes_are_shown_as_the_vocabulary_shows_them() {
    let text: String = b" \n!a~\x7f\xa0\xad\xae\xff\0".iter().map(|byte| shown(*byte)).collect();
    assert_eq!(text, "ĠĊ!a~ġłŃ®ÿĀ");
}

fn table(merges: &[&str]) -> PieceTable {
    let base = SampleGguf::new().with_merges(merges).bytes();
    let base = GgufFile::parse(&base).unwrap();
    let (bytes, merges) = PieceTable::gather(&base).unwrap();
    PieceTable::parse(&bytes, &merges, 1000).unwrap()
}

/// The texts of tokens, as the vocabulary shows them.
fn merged(merges: &[&str], text: &str) -> Vec<String> {
    let names = SampleGguf::new().with_merges(merges).tokens();
    let tokens = table(merges).tokens(text);
    tokens.into_iter().map(|token| names[token as usize].clone()).collect()
}

#[test]
fn the_earliest_merge_goes_first_and_of_equal_ones_the_leftmost() {
    let check = |merges: &[&str], text: &str, expected: &[&str]| {
        assert_eq!(merged(merges, text), expected, "{text}");
    };
    check(&[], "abc", &["a", "b", "c"]);
    check(&["b c", "a b", "ab c"], "abc", &["a", "bc"]);
    check(&["a b", "b c", "ab c"], "abc", &["abc"]);
    check(&["a a"], "aaaaa", &["aa", "aa", "a"]);
    check(&["a a", "aa aa", "aaaa a"], "aaaaa", &["aaaaa"]);
    check(&["Ġ a"], "b a", &["b", "Ġa"]);
    check(&["Ù ħ"], "م", &["Ùħ"]);
}

#[test]
fn a_long_word_takes_no_more_than_its_share() {
    let text = "ab".repeat(200_000);
    assert_eq!(table(&["a b", "ab ab", "abab abab"]).tokens(&text).len(), 50_000);
}

#[test]
fn tokens_that_are_not_there_are_refused() {
    let bytes: Vec<u8> = (0_u32..256).flat_map(u32::to_le_bytes).collect();
    let merges: Vec<u8> = [1_u32, 2, 256].into_iter().flat_map(u32::to_le_bytes).collect();
    assert!(PieceTable::parse(&bytes, &merges, 257).is_ok());
    for (bytes, merges, tokens) in [(&bytes, &merges, 256), (&bytes, &Vec::new(), 255)] {
        assert!(PieceTable::parse(bytes, merges, tokens).is_err());
    }
}
