//! Chunks cover their text.

use expect_test::expect;
use proptest::prelude::*;

use crate::bundle::chunk::{ChunkSizes, split};

#[test]
fn chunks_break_at_headings_then_paragraphs_then_sentences() {
    let text = "# One\nFirst sentence here. Second sentence here.\n\nA paragraph that is longer than the rest, by far.\n# Two\nالجملة الأولى؟ الجملة الثانية هنا.\nwordswithoutanyspaceatallthatgoonandonandonandonandonandon";
    let sizes = ChunkSizes::new(60, 12).unwrap();
    let chunks: Vec<_> =
        split(text, &sizes).iter().map(|span| text.get(span.start..span.end).unwrap()).collect();
    expect![[r##"
        [
            "# One\nFirst sentence here. Second sentence here.\n\n",
            "here.\n\nA paragraph that is longer than the rest, by far.\n",
            "by far.\n# Two\nالجملة الأولى؟ ",
            "أولى؟ الجملة الثانية هنا.\n",
            "هنا.\nwordswithoutanyspaceatallthatgoonandonandonandonando",
            "donandonandonandon",
        ]"##]]
    .assert_eq(&format!("{chunks:#?}"));
}

#[test]
fn an_empty_text_is_one_empty_chunk() {
    let spans = split("", &ChunkSizes::new(100, 10).unwrap());
    assert_eq!(spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(0, 0)]);
}

#[test]
fn sizes_that_cannot_cover_a_text_are_refused() {
    assert!(ChunkSizes::new(15, 0).is_none());
    assert!(ChunkSizes::new(100, 100).is_none());
    assert!(ChunkSizes::new(16, 15).is_some());
}

proptest! {
    #[test]
    fn chunks_cover_the_text_in_order_and_within_their_size(
        text in "(?s)([ -~]|\n|\n\n|# |\\. |م|😀){0,400}",
        size in 16_usize..200,
        share in 0_usize..200,
    ) {
        let overlap = share % size;
        let spans = split(&text, &ChunkSizes::new(size, overlap).unwrap());
        prop_assert_eq!(spans[0].start, 0);
        prop_assert_eq!(spans[spans.len() - 1].end, text.len());
        for span in &spans {
            prop_assert!(text.get(span.start..span.end).is_some_and(|chunk| chunk.len() <= size));
        }
        for pair in spans.windows(2) {
            prop_assert!(pair[0].start < pair[1].start && pair[0].end < pair[1].end);
            prop_assert!(pair[1].start <= pair[0].end && pair[0].end - pair[1].start <= overlap);
        }
    }
}
