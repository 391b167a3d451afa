//! Where quoted words stand on the pages of many producers.

use expect_test::{Expect, expect};

use super::hostile::{file, stream};
use super::{FILES, read};
use crate::document::{BlockKind, BlockLocation, DocumentBlock};
use crate::formats::pdf::quotation::find;
use crate::quotation::PageQuotation;

const ENGLISH: &[u8] = include_bytes!("../../../../tests/files/pdf/typst_en.pdf");
const ARABIC: &[u8] = include_bytes!("../../../../tests/files/pdf/typst_ar.pdf");

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
    check(
        ENGLISH,
        (1, words, "31 March"),
        &expect![[r#"
        1 1 595.2756 841.8898

        275.4 229.8 524.4 241 q
        70.9 244.6 524.7 255.9 q
        376.7 244.6 422.8 255.9 d
    "#]],
    );
}

#[test]
fn a_value_is_not_found_inside_of_a_longer_one() {
    let words = "Every employee is entitled to 15 days of paid leave per year. Employees with more \
                 than five years of service are entitled to 22.5 days.";
    check(
        ENGLISH,
        (1, words, "5 days"),
        &expect![[r#"
        1 1 595.2756 841.8898

        70.9 215 524.4 226.2 q
        70.9 229.8 270 241 q
    "#]],
    );
}

#[test]
fn arabic_words_are_boxed_from_the_right_and_latin_ones_among_them_apart() {
    let words =
        "وتخضع الأنظمة لمعيار ISO 27001 ولائحة GDPR الأوروبية، ويبلغ الرسم الإداري 1,250.75 درهم";
    check(
        ARABIC,
        (1, words, "1,250.75"),
        &expect![[r#"
        1 1 595.2756 841.8898

        70.9 230.5 225.9 241.7 q
        314.5 244.8 524.4 256 q
        337.8 244.8 378.5 256 d
    "#]],
    );
    check(
        ARABIC,
        (1, "ولائحة GDPR", "GDPR"),
        &expect![[r#"
        1 1 595.2756 841.8898

        70.9 230.5 93.6 241.7 q
        496.5 244.8 524.4 256 q
        496.5 244.8 524.4 256 d
    "#]],
    );
}

#[test]
fn a_row_of_a_table_is_boxed_by_its_cells() {
    check(
        ENGLISH,
        (1, "Senior | 22.5 | 30 days", "22.5"),
        &expect![[r#"
        1 1 595.2756 841.8898

        75.9 484.9 107.5 496.1 q
        125.6 484.9 148.4 496.1 q
        159.6 484.9 198.4 496.1 q
        125.6 484.9 148.4 496.1 d
    "#]],
    );
}

#[test]
fn words_that_are_not_there_have_no_box() {
    check(
        ENGLISH,
        (1, "Every employee is entitled to 45 days of leave", ""),
        &expect![[r#"
        1 1 595.2756 841.8898

        70.9 215 214.8 226.2 q
    "#]],
    );
    check(
        ENGLISH,
        (1, "", ""),
        &expect![[r#"
        1 1 595.2756 841.8898

    "#]],
    );
    check(ENGLISH, (2, "Every employee", ""), &expect!["expected a page from 1 to 1, found 2"]);
    check(ENGLISH, (0, "Every employee", ""), &expect!["expected a page from 1 to 1, found 0"]);
    check(
        b"%PDF-1.7",
        (1, "Every employee", ""),
        &expect!["expected a PDF with pages, found none that could be read"],
    );
    check(
        &lines(&[]),
        (1, "Every employee", ""),
        &expect!["expected a PDF with pages, found none that could be read"],
    );
}

/// A file of pages, each with one line of text at a height.
fn lines(pages: &[(u32, &str)]) -> Vec<u8> {
    let count = pages.len();
    let kids: Vec<String> = (0..count).map(|at| format!("{} 0 R", 3 + at)).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{}] /Count {count} >>", kids.join(" ")).into_bytes(),
    ];
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
    objects.extend((0..count).map(|at| {
        let contents = 3 + count + at;
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {contents} 0 R \
             /Resources << /Font << /F {font} >> >> >>"
        )
        .into_bytes()
    }));
    objects.extend(pages.iter().map(|(height, text)| {
        stream("", format!("BT /F 12 Tf 72 {height} Td ({text}) Tj ET").as_bytes())
    }));
    file(&objects)
}

/// A paragraph that continues overleaf is boxed as far as its page has it.
#[test]
fn words_that_go_on_overleaf_are_boxed_as_far_as_they_go() {
    let (first, rest) =
        ("Every employee has fifteen days of paid", "leave in each year of service.");
    let bytes = lines(&[(90, first), (700, rest)]);
    let whole = format!("{first} {rest}");
    // The page, and of each box whether it marks a difference and whether it is in the lower half.
    let told = |bytes: &[u8], (page, words, differing): (u32, &str, &str)| {
        let (words, differing) = (words.to_owned(), differing.to_owned());
        let found = find(bytes, &PageQuotation { page, words, differing }).unwrap();
        let boxes = found.areas.iter().map(|area| (area.differs, area.edges[1] > 396.0));
        (found.page, boxes.collect::<Vec<_>>())
    };
    let lower = vec![(false, true), (true, true)];
    assert_eq!(told(&bytes, (1, &whole, "fifteen days")), (1, lower));
    // Words that begin overleaf are found there, from the page before.
    let upper = vec![(false, false), (true, false)];
    assert_eq!(told(&bytes, (1, rest, "each year")), (2, upper));
    // From the page that has the end alone it is not guessed where it began.
    assert_eq!(told(&bytes, (2, &whole, "")), (2, Vec::new()));
    // Fewer words than four are on many a page by chance.
    let short = lines(&[(90, "Every employee has"), (700, "fifteen days.")]);
    assert_eq!(told(&short, (1, "Every employee has fifteen days.", "")), (1, Vec::new()));
}

/// The words of a block that begins on a page are on that page, or its first words are; where they
/// stand there twice, they are those of a block that has them.
#[test]
fn every_block_is_found_inside_of_its_own_edges() {
    let mut count = 0;
    for bytes in FILES {
        let Ok(draft) = read(bytes) else { continue };
        let text_of = |block: &DocumentBlock| draft.text.get(block.start..block.end).unwrap();
        for block in &draft.blocks {
            let text = text_of(block);
            let is_long = text.split_whitespace().count() > 5;
            let is_row = block.kind == BlockKind::Row;
            if !is_long || is_row || text.contains('\u{FFFD}') {
                continue;
            }
            let page = block.page.unwrap();
            let wanted = PageQuotation { page, words: text.to_owned(), differing: String::new() };
            let found = find(bytes, &wanted).unwrap();
            assert!(!found.areas.is_empty(), "page {page}: {text}");
            let has_them =
                |one: &&DocumentBlock| one.page == Some(page) && text_of(one).contains(text);
            let is_inside = |one: &DocumentBlock| {
                let BlockLocation::Area { edges: [left, top, right, bottom] } = one.place else {
                    panic!("an area")
                };
                found.areas.iter().all(|area| {
                    let [own_left, own_top, own_right, _] = area.edges;
                    // Overleaf and in the next column the block has no edges of its own.
                    let is_first = found.page == page && own_top < bottom && own_left < right;
                    let is_within = own_left > left - 2.0 && own_right < right + 2.0;
                    !is_first || (is_within && own_top > top - 3.0)
                })
            };
            let mut having = draft.blocks.iter().filter(has_them);
            assert!(having.any(is_inside), "{text}: {:?} in {:?}", found.areas, block.place);
            count += 1;
        }
    }
    assert!(count > 60, "{count} blocks");
}
