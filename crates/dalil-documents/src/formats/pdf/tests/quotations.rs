//! Where quoted words stand on the pages of many producers.

use expect_test::{Expect, expect};

use super::{FILES, read};
use crate::document::{BlockKind, BlockLocation};
use crate::formats::pdf::quotation::find;
use crate::quotation::PageQuotation;

const ENGLISH: &[u8] = include_bytes!("../../../../tests/files/pdf/typst_en.pdf");
const ARABIC: &[u8] = include_bytes!("../../../../tests/files/pdf/typst_ar.pdf");
const LONG: &[u8] = include_bytes!("../../../../tests/files/pdf/reportlab_en_long.pdf");

/// Compares all that is found of some words.
#[track_caller]
fn check(bytes: &[u8], (page, words, differing): (u32, &str, &str), expected: &Expect) {
    let (words, differing) = (words.to_owned(), differing.to_owned());
    let said = match find(bytes, &PageQuotation { page, words, differing }) {
        Ok(page) => String::from_utf8(page.to_bytes()).unwrap(),
        Err(unreadable) => unreadable.to_string(),
    };
    expected.assert_eq(&said);
}

#[test]
fn words_over_two_lines_have_a_box_on_each() {
    let words = "Leave that is not taken may be carried forward, but not more than 10 days (two \
                 working weeks) and not later than 31 March of the following year.";
    check(ENGLISH, (1, words, "31 March"), &expect![[""]]);
}

#[test]
fn a_value_is_not_found_inside_of_a_longer_one() {
    let words = "Every employee is entitled to 15 days of paid leave per year. Employees with more \
                 than five years of service are entitled to 22.5 days.";
    check(ENGLISH, (1, words, "5 days"), &expect![[""]]);
}

#[test]
fn arabic_words_are_boxed_from_the_right_and_latin_ones_among_them_apart() {
    let words =
        "وتخضع الأنظمة لمعيار ISO 27001 ولائحة GDPR الأوروبية، ويبلغ الرسم الإداري 1,250.75 درهم";
    check(ARABIC, (1, words, "1,250.75"), &expect![[""]]);
    check(ARABIC, (1, "ولائحة GDPR", "GDPR"), &expect![[""]]);
}

#[test]
fn a_row_of_a_table_is_boxed_by_its_cells() {
    check(ENGLISH, (1, "Senior | 22.5 | 30 days", "22.5"), &expect![[""]]);
}

#[test]
fn words_that_are_not_there_have_no_box() {
    check(ENGLISH, (1, "Every employee is entitled to 45 days of leave", ""), &expect![[""]]);
    check(ENGLISH, (1, "", ""), &expect![[""]]);
    check(ENGLISH, (2, "Every employee", ""), &expect![[""]]);
    check(ENGLISH, (0, "Every employee", ""), &expect![[""]]);
    check(b"%PDF-1.7", (1, "Every employee", ""), &expect![[""]]);
}

/// The words of a block that begins on a page are on that page, or its first words are.
#[test]
fn every_block_is_found_inside_of_its_own_edges() {
    let mut count = 0;
    for bytes in FILES {
        let Ok(draft) = read(bytes) else { continue };
        for block in &draft.blocks {
            let text = draft.text.get(block.start..block.end).unwrap();
            let is_long = text.split_whitespace().count() > 5;
            let is_row = block.kind == BlockKind::Row;
            if !is_long || is_row || text.contains('\u{FFFD}') {
                continue;
            }
            let page = block.page.unwrap();
            let wanted = PageQuotation { page, words: text.to_owned(), differing: String::new() };
            let found = find(bytes, &wanted).unwrap();
            assert!(!found.areas.is_empty(), "page {page}: {text}");
            let BlockLocation::Area { edges } = block.place else { panic!("an area") };
            let [left, top, right, _] = edges;
            for area in &found.areas {
                let [own_left, own_top, own_right, _] = area.edges;
                // Overleaf and in the next column the block has no edges of its own.
                let is_first = found.page == page && own_top < edges[3] && own_left < right;
                let is_within = own_left > left - 2.0 && own_right < right + 2.0;
                assert!(!is_first || (is_within && own_top > top - 3.0), "{text}: {area:?}");
            }
            count += 1;
        }
    }
    assert!(count > 60, "{count} blocks");
}

/// A paragraph that goes on overleaf is boxed as far as its page has it.
#[test]
fn words_that_go_on_overleaf_are_boxed_as_far_as_they_go() {
    let draft = read(LONG).unwrap();
    let mut over = draft.blocks.iter().filter(|block| block.kind == BlockKind::Paragraph);
    let parted = over.find_map(|block| {
        let words = draft.text.get(block.start..block.end)?.to_owned();
        let wanted = PageQuotation { page: block.page?, words, differing: String::new() };
        let found = find(LONG, &wanted).ok()?;
        let next = PageQuotation { page: wanted.page + 1, ..wanted.clone() };
        let last = wanted.words.split_whitespace().rev().take(4).collect::<Vec<_>>();
        let end: Vec<&str> = last.into_iter().rev().collect();
        let overleaf = find(LONG, &PageQuotation { words: end.join(" "), ..next }).ok()?;
        let own = find(LONG, &PageQuotation { words: end.join(" "), ..wanted.clone() }).ok()?;
        let is_parted = own.page == wanted.page + 1 && overleaf.page == own.page;
        (is_parted && !own.areas.is_empty() && found.page == wanted.page).then_some(found)
    });
    let parted = parted.expect("a paragraph over two pages");
    assert!(!parted.areas.is_empty());
    assert!(parted.areas.iter().all(|area| area.edges[1] > parted.height / 2.0), "{parted:?}");
}
