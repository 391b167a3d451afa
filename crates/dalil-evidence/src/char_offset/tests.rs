//! Positions: compared with counting by hand.

use super::{CharOffsetIndex, STRIDE_BYTES};

#[test]
fn every_byte_has_as_many_characters_before_it_as_counting_says() {
    let text = "aé€😀 الإجازة ".repeat(3 * STRIDE_BYTES / 20);
    let positions = CharOffsetIndex::of(&text);
    for (count, (at, _)) in text.char_indices().enumerate() {
        assert_eq!(positions.at(at), count, "byte {at}");
    }
    let all = text.chars().count();
    assert_eq!((positions.at(text.len()), positions.at(usize::MAX)), (all, all));
}

#[test]
fn a_text_that_ends_with_a_stride_is_counted_to_its_end() {
    for length in [0, 1, STRIDE_BYTES - 1, STRIDE_BYTES, STRIDE_BYTES + 1, 2 * STRIDE_BYTES] {
        let text = "a".repeat(length);
        assert_eq!(CharOffsetIndex::of(&text).at(length), length);
    }
}
