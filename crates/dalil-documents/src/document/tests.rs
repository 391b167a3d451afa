//! Tests of documents.

use super::{ExcerptPlace, ExcerptSpan, excerpt_place};

fn spans(parts: &[(usize, usize, bool)]) -> Vec<ExcerptSpan> {
    let span = |(start, end, is_hidden): &(usize, usize, bool)| ExcerptSpan {
        range: *start..*end,
        is_hidden: *is_hidden,
    };
    parts.iter().map(span).collect()
}

#[test]
fn an_excerpt_stands_where_blocks_hold_all_its_letters() {
    let text = "- one\n- two <!-- no --> three";
    let blocks = spans(&[(2, 5, false), (8, 12, false), (24, 29, true)]);
    let place = |excerpt: &str| excerpt_place(text, &blocks, excerpt);
    assert_eq!(place("one\n- two"), ExcerptPlace::Visible);
    assert_eq!(place("ee"), ExcerptPlace::Hidden);
    assert_eq!(place("two <!-- no --> three"), ExcerptPlace::Absent);
    assert_eq!(place("no"), ExcerptPlace::Absent);
    assert_eq!(place("- "), ExcerptPlace::Absent);
    assert_eq!(place("four"), ExcerptPlace::Absent);
}

#[test]
fn spans_that_overlap_or_are_out_of_order_hide_nothing_that_is_there() {
    let text = "one two three";
    let place = |blocks: &[(usize, usize, bool)], excerpt: &str| {
        excerpt_place(text, &spans(blocks), excerpt)
    };
    assert_eq!(place(&[(8, 13, false), (0, 7, false)], "one"), ExcerptPlace::Visible);
    assert_eq!(place(&[(0, 13, false), (0, 3, false)], "three"), ExcerptPlace::Visible);
    assert_eq!(place(&[(0, 7, false), (4, 13, true)], "two"), ExcerptPlace::Hidden);
    assert_eq!(place(&[(0, 3, false), (0, 90, false)], "three"), ExcerptPlace::Visible);
}

#[test]
fn excerpts_are_found_in_time_that_grows_with_the_text() {
    let lines = 200_000;
    let text = "a b\n".repeat(lines);
    let blocks: Vec<ExcerptSpan> = (0..lines)
        .map(|nth| ExcerptSpan { range: nth * 4..nth * 4 + 3, is_hidden: true })
        .collect();
    // Minutes, if each of its places or letters were compared with every block.
    assert_eq!(excerpt_place(&text, &blocks, "a b"), ExcerptPlace::Hidden);
    assert_eq!(excerpt_place(&text, &blocks, text.trim_end()), ExcerptPlace::Hidden);
}
