//! Positions: what counting by hand says.

use super::{Positions, STRIDE};

#[test]
fn every_byte_has_as_many_characters_before_it_as_counting_says() {
    let text = "aé€😀 الإجازة ".repeat(3 * STRIDE / 20);
    let positions = Positions::of(&text);
    for (count, (at, _)) in text.char_indices().enumerate() {
        assert_eq!(positions.at(at), count, "byte {at}");
    }
    let all = text.chars().count();
    assert_eq!((positions.at(text.len()), positions.at(usize::MAX)), (all, all));
}

#[test]
fn a_text_that_ends_with_a_stride_is_counted_to_its_end() {
    for length in [0, 1, STRIDE - 1, STRIDE, STRIDE + 1, 2 * STRIDE] {
        let text = "a".repeat(length);
        assert_eq!(Positions::of(&text).at(length), length);
    }
}
