//! Chunks: edges by hand, laws by chance.

use dalil_proof::digest::Digest;
use expect_test::{Expect, expect};
use icu_segmenter::GraphemeClusterSegmenter;
use proptest::prelude::*;

use super::chunks;
use crate::document::{BlockKind, BlockLocation, DocumentBlock, DocumentFormat, ParsedDocument};

/// A document with one block for each text, and a blank line between them.
fn document(blocks: &[&str]) -> ParsedDocument {
    let mut text = String::new();
    let mut made = Vec::new();
    for block in blocks {
        let start = text.len();
        text.push_str(block);
        let end = text.len();
        made.push(DocumentBlock {
            kind: BlockKind::Paragraph,
            start,
            end,
            page: None,
            headings: Vec::new(),
            place: BlockLocation::Bytes { start, end },
            lead: None,
            row: None,
            hidden: None,
        });
        text.push_str("\n\n");
    }
    ParsedDocument {
        digest: Digest::of(text.as_bytes()),
        format: DocumentFormat::Text,
        title: None,
        date: None,
        text,
        blocks: made,
        tables: Vec::new(),
        problems: Vec::new(),
        unshown: Vec::new(),
        hidden_words: Vec::new(),
    }
}

/// The block, the length and the ends of each chunk.
#[track_caller]
fn check(blocks: &[&str], expected: &Expect) {
    let document = document(blocks);
    let line = |chunk: super::DocumentChunk| {
        let text = document.text.get(chunk.start..chunk.end).unwrap();
        let first: String = text.chars().take(12).collect();
        let last: String = text.chars().skip(text.chars().count().saturating_sub(12)).collect();
        format!("{} {} {first:?} {last:?}\n", chunk.block, text.len())
    };
    expected.assert_eq(&chunks(&document).into_iter().map(line).collect::<String>());
}

#[test]
fn a_block_is_a_chunk_however_short() {
    check(
        &["4 Leave", "  Ok. ", "", " \n ", "يستحق الموظف ١٥ يوماً."],
        &expect![[r#"
            0 7 "4 Leave" "4 Leave"
            1 3 "Ok." "Ok."
            4 40 "يستحق الموظف" "ظف ١٥ يوما\u{64b}."
        "#]],
    );
}

#[test]
fn a_long_block_is_cut_between_sentences() {
    let english =
        "The Contractor shall deliver spare parts within 30 days (see Sec. 4). ".repeat(30);
    let arabic = "يلتزم المقاول بتسليم قطع الغيار خلال ٣٠ يوماً من تاريخ أمر الشراء. ".repeat(20);
    check(
        &[&english, &arabic],
        &expect![[r#"
        0 979 "The Contract" "see Sec. 4)."
        0 979 "The Contract" "see Sec. 4)."
        0 139 "The Contract" "see Sec. 4)."
        1 967 "يلتزم المقاو" " أمر الشراء."
        1 967 "يلتزم المقاو" " أمر الشراء."
        1 483 "يلتزم المقاو" " أمر الشراء."
    "#]],
    );
}

#[test]
fn a_long_sentence_is_cut_between_words_and_a_long_word_between_characters() {
    let words = "obligation ".repeat(150);
    let letters = "x".repeat(1500);
    let accents = format!("e{}", "\u{301}".repeat(900));
    check(
        &[&words, &letters, &accents.repeat(2)],
        &expect![[r#"
        0 989 "obligation o" "n obligation"
        0 659 "obligation o" "n obligation"
        1 1000 "xxxxxxxxxxxx" "xxxxxxxxxxxx"
        1 500 "xxxxxxxxxxxx" "xxxxxxxxxxxx"
        2 1801 "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}" "\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"
        2 1801 "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}" "\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"
    "#]],
    );
}

#[test]
fn long_and_hostile_blocks_take_time_in_proportion() {
    for piece in ["a", "a ", "A. ", "\u{301}", "((", "👩‍👩‍👧"] {
        let text = piece.repeat(400_000 / piece.len());
        let document = document(&[&text]);
        assert!(!chunks(&document).is_empty());
    }
}

proptest! {
    /// Verbatim, in order, apart, whole, bounded, never inside a character of a reader.
    #[test]
    fn chunks_cover_their_blocks(
        blocks in prop::collection::vec(
            prop::collection::vec("[a-zA-Zأ-ي]{1,400}[ .\n!؟]{0,3}|e\u{301}{0,9}|👩‍👩‍👧|\\[cite:[0-9a-f]{8}\\]", 0..12),
            0..4,
        )
    ) {
        let blocks: Vec<String> = blocks.into_iter().map(|parts| parts.concat()).collect();
        let texts: Vec<&str> = blocks.iter().map(String::as_str).collect();
        let document = document(&texts);
        let mut at = 0;
        for chunk in chunks(&document) {
            let block = &document.blocks[chunk.block];
            prop_assert!(block.start <= chunk.start && chunk.end <= block.end && chunk.start < chunk.end);
            prop_assert!(document.text.get(at..chunk.start).unwrap().trim().is_empty());
            let text = document.text.get(chunk.start..chunk.end).unwrap();
            prop_assert_eq!(text.trim(), text);
            prop_assert!(text.len() <= 1000);
            let inside = document.slice(block);
            let ends: Vec<usize> = GraphemeClusterSegmenter::new().segment_str(inside).collect();
            prop_assert!(ends.contains(&(chunk.start - block.start)) && ends.contains(&(chunk.end - block.start)));
            at = chunk.end;
        }
        prop_assert!(document.text.get(at..).unwrap().trim().is_empty());
    }
}
