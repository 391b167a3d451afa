//! Passages: the text around a chunk, and marks that are no words of it.

use dalil_documents::{formats, split};

use super::*;

#[test]
fn a_chunk_has_its_headings_its_header_and_its_opening() {
    let text = "# Parking\n\n## Visitors\n\nA visitor needs:\n\n- a badge\n- a host\n\n| Zone | Fee |\n|---|---|\n| North | 5 |\n| South | 7 |\n";
    let document = formats::read(text.as_bytes(), "parking.md").unwrap();
    let chunks = split::chunks(&document);
    let passages = IndexPassage::all(&document, &chunks);
    let shown: Vec<String> = passages
        .iter()
        .map(|one| {
            format!(
                "{}{} < {}",
                if one.is_heading { "h " } else { "" },
                one.text,
                one.around.join(" / ")
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "h # Parking < ",
            "h ## Visitors < ",
            "A visitor needs: < Visitors",
            "- a badge < Visitors / A visitor needs:",
            "- a host < Visitors / A visitor needs:",
            "| Zone | Fee | < Visitors",
            "| North | 5 | < Visitors / | Zone | Fee |",
            "| South | 7 | < Visitors / | Zone | Fee |",
        ]
    );
}

#[test]
fn tags_and_targets_are_no_words() {
    let text = "<td class=\"wide\">90 days</td>, see [the rules](https://example.com/a_b) [1] 5 < 6 and 7 > 3";
    let words: Vec<_> = bare(text).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words.join(" "), "90 days , see [the rules [1 5 6 and 7 > 3");
    assert_eq!(bare("plain"), "plain");
}
