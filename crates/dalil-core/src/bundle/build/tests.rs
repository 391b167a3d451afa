//! Which masks a chunk of a masked text shows.

use super::{chunk::Span, inside, mask::Mask};

#[track_caller]
fn check(start: usize, end: usize, expected: &[usize]) {
    let mask = |start: usize, end: usize| Mask {
        rule: "r".to_owned(),
        start,
        end,
        replacement: "[R]".to_owned(),
        digest: None,
    };
    // `ab12345cd6` becomes `ab[R]cd[R]`.
    let masks = [mask(2, 7), mask(9, 10)];
    let found: Vec<usize> =
        inside(&masks, &Span { start, end }).iter().map(|one| one.mask.start).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_chunk_names_the_masks_that_stand_in_it_whole_or_in_part() {
    check(0, 10, &[2, 9]);
    check(0, 2, &[]);
    check(0, 3, &[2]);
    check(4, 7, &[2]);
    check(5, 7, &[]);
    check(5, 8, &[9]);
}
