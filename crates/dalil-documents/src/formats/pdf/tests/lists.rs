//! Lists, titles, tables and torn words, drawn by hand.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::hostile::pages_with;
use super::read;

/// The blocks of a page: kind, path, lead and text.
fn told(bytes: &[u8]) -> String {
    let mut told = String::new();
    for block in read(bytes).unwrap().blocks {
        let text = read(bytes).unwrap().text;
        let lead = block.lead.map(|lead| format!(" <{lead}")).unwrap_or_default();
        let words = text.get(block.start..block.end).unwrap();
        writeln!(told, "{:?} [{}]{lead} {words}", block.kind, block.headings.join(" > ")).unwrap();
    }
    told
}

const FONTS: &str = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> \
    /B << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> \
    /A << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >> >>";

#[track_caller]
fn check(contents: &str, expected: &Expect) {
    // a to g are ع م ل ن و ي ا.
    let map = "begincmap 9 beginbfchar <61> <0639> <62> <0645> <63> <0644> <64> <0646> <65> <0648> \
        <66> <064A> <67> <0627> <28> <0028> <29> <0029> endbfchar 1 beginbfchar <20> <0020> endbfchar 1 beginbfchar <2D> <002D> endbfchar \
        1 beginbfrange <30> <39> <0030> endbfrange 1 beginbfchar <2E> <002E> endbfchar endcmap";
    let map = format!("<< /Length {} >>\nstream\n{map}\nendstream", map.len()).into_bytes();
    expected.assert_eq(&told(&pages_with(contents, FONTS, vec![map])));
}

#[test]
fn arabic_drawn_backwards_by_spacing_is_not_torn() {
    // The pen goes back over each letter and on to the next: 6.7 wide, 13.4 back.
    let word =
        |x: u32, letters: &str| format!("BT /A 12 Tf -13.4 Tc {x} 700 Td ({letters}) Tj ET ");
    check(
        &format!("{}{}", word(500, "abc"), word(460, "abd")),
        &expect![[r#"
            Paragraph [] عمل عمن
        "#]],
    );
}

#[test]
fn spaces_that_lie_on_letters_part_no_word() {
    check(
        "BT /A 12 Tf 200 700 Td (cba) Tj ET BT /A 12 Tf 205 700 Td (  ) Tj ET \
         BT /A 12 Tf 170 700 Td (dba ) Tj ET",
        &expect![[r#"
            Paragraph [] عمل عمن
        "#]],
    );
}

#[test]
fn a_column_of_marks_is_a_list_and_titles_are_headings() {
    check(
        "BT /B 10 Tf 50 700 Td (4.) Tj 30 0 Td (Fees.) Tj ET \
         BT /F 10 Tf 50 686 Td (4.1.) Tj ET BT /B 10 Tf 80 686 Td (Payment.) Tj ET \
         BT /F 10 Tf 126 686 Td ( The client pays within ten days after the invoice arrives at its) Tj ET \
         BT /F 10 Tf 80 674 Td (seat. It may pay in riyals, and in no other coin than that, unless:) Tj ET \
         BT /F 10 Tf 50 660 Td (\\(a\\)) Tj 30 0 Td (the bank refuses to take them on the day of the payment, or) Tj ET \
         BT /F 10 Tf 50 646 Td (\\(b\\)) Tj 30 0 Td (both sides agree to another coin before the goods are sent.) Tj ET",
        &expect![[r#"
            Item [4. Fees] 4. Fees.
            Item [4. Fees > 4.1. Payment] 4.1. Payment. The client pays within ten days after the invoice arrives at its seat. It may pay in riyals, and in no other coin than that, unless:
            Item [4. Fees > 4.1. Payment] <1 (a) the bank refuses to take them on the day of the payment, or
            Item [4. Fees > 4.1. Payment] <1 (b) both sides agree to another coin before the goods are sent.
        "#]],
    );
}

#[test]
fn a_number_in_brackets_at_the_head_of_a_line_begins_no_item() {
    check(
        "BT /F 10 Tf 50 700 Td (Each side gives notice to the other at least fourteen) Tj \
         0 -12 Td (\\(14\\) days before the end of the term of the contract:) Tj \
         0 -12 Td (\\(1\\) First thing) Tj 0 -12 Td (\\(2\\) Second thing) Tj ET",
        &expect![[r#"
            Paragraph [] Each side gives notice to the other at least fourteen (14) days before the end of the term of the contract:
            Item [] <0 (1) First thing
            Item [] <0 (2) Second thing
        "#]],
    );
    check(
        "BT /A 12 Tf 200 700 Td (dba cba) Tj ET BT /A 12 Tf 190 686 Td (gbef \\(14\\)) Tj ET",
        &expect![[r#"
            Paragraph [] عمل عمن (14) يوما
        "#]],
    );
}

/// The sentence continues at the head of the next column, as it does overleaf.
#[test]
fn a_number_in_brackets_at_the_head_of_a_column_begins_no_item() {
    let column = |x: u32, y: u32, first: &str, last: &str| {
        format!(
            "BT /F 10 Tf {x} {y} Td ({first}) Tj 0 -12 Td (of the term, in a letter that) Tj \
             0 -12 Td (the other side has signed and) Tj 0 -12 Td (returned with the goods) Tj \
             0 -12 Td ({last}) Tj ET "
        )
    };
    check(
        &[
            column(50, 670, "Notice is given at the end", "before a period of fourteen"),
            column(300, 700, "\\(14\\) days before the end", "that it was sent with."),
        ]
        .concat(),
        &expect![[r#"
            Paragraph [] Notice is given at the end of the term, in a letter that the other side has signed and returned with the goods before a period of fourteen (14) days before the end of the term, in a letter that the other side has signed and returned with the goods that it was sent with.
        "#]],
    );
}

#[test]
fn brackets_that_are_all_the_wrong_way_round_are_turned() {
    check(
        "BT /F 10 Tf 50 700 Td (Article \\)7\\( Objects) Tj ET \
         BT /F 10 Tf 50 680 Td (The law serves the port and all who work in it \\(and near it\\).) Tj ET",
        &expect![[r#"
            Heading(1) [] Article (7) Objects
            Paragraph [Article (7) Objects] The law serves the port and all who work in it (and near it).
        "#]],
    );
}

#[test]
fn signs_go_with_their_amounts_and_a_caption_stands_above() {
    let row = |y: u32, name: &str, one: &str, two: &str| {
        format!(
            "BT /F 10 Tf 50 {y} Td ({name}) Tj ET BT /F 10 Tf 200 {y} Td ($) Tj ET \
             BT /F 10 Tf 230 {y} Td ({one}) Tj ET BT /F 10 Tf 320 {y} Td ({two}) Tj ET "
        )
    };
    let drawn = format!(
        "BT /F 10 Tf 50 740 Td (\\(in thousands\\)) Tj ET \
         BT /F 10 Tf 230 720 Td (2024) Tj ET BT /F 10 Tf 320 720 Td (2023) Tj ET {}{}",
        row(706, "Freight", "88,713", "91,204"),
        row(692, "Storage", "6,210", "5,118"),
    );
    let bytes = pages_with(&drawn, FONTS, Vec::new());
    let document = crate::formats::read(&bytes, "a.pdf").unwrap();
    let judged: Vec<_> = (0..document.blocks.len()).map(|at| document.judged_text(at)).collect();
    assert_eq!(
        judged,
        [
            "(in thousands)",
            "2024 | 2023",
            "Freight | 2024: $ 88,713 | 2023: 91,204",
            "Storage | 2024: $ 6,210 | 2023: 5,118"
        ]
    );
    assert_eq!(document.evidence_context(2).caption, Some("(in thousands)"));
}
