//! PDFs of many producers, read whole.

use std::fmt::Write as _;

use expect_test::{ExpectFile, expect, expect_file};
use proptest::prelude::*;

use super::{bidi, fold, mark, paragraph, read, to_unicode};
use crate::document::{BlockKind, BlockLocation, DocumentBlock};

mod hostile;
mod lists;
#[cfg(feature = "pictures")]
mod pictures;
mod quotations;
mod unpack;
mod unseen;

/// Compares all that is read from a file.
#[track_caller]
fn check(bytes: &[u8], expected: &ExpectFile) {
    expected.assert_eq(&shown(bytes));
}

fn shown(bytes: &[u8]) -> String {
    let draft = match read(bytes) {
        Ok(draft) => draft,
        Err(unreadable) => return format!("{unreadable}\n{:?}\n", unreadable.hint),
    };
    let mut shown = String::new();
    for line in [format!("title {:?}", draft.title), format!("date {:?}", draft.date.is_some())] {
        shown.push_str(&line);
        shown.push('\n');
    }
    for problem in &draft.problems {
        let place = problem.place.as_deref().unwrap_or("the file");
        writeln!(shown, "problem: {place}: {}", problem.message).unwrap();
    }
    for block in &draft.blocks {
        shown.push_str(&block_line(block, &draft.text));
    }
    shown
}

fn block_line(block: &DocumentBlock, text: &str) -> String {
    let kind = match block.kind {
        BlockKind::Heading(level) => format!("h{level}"),
        other => format!("{other:?}").to_lowercase(),
    };
    let BlockLocation::Area { edges } = block.place else {
        panic!("a block of a page has an area")
    };
    let edges = edges.map(|edge| format!("{edge:.0}")).join(" ");
    let above = block.headings.join(" > ");
    let page = block.page.unwrap();
    format!("\np{page} {kind} [{edges}] ({above})\n{}\n", text.get(block.start..block.end).unwrap())
}

/// Tests that read a file and hold it against the text beside it.
macro_rules! reads {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            check(
                include_bytes!(concat!("../../../tests/files/pdf/", $name, ".pdf")),
                &expect_file![concat!("../../../tests/files/pdf/", $name, ".txt")],
            );
        })*

        const FILES: &[&[u8]] =
            &[$(include_bytes!(concat!("../../../tests/files/pdf/", $name, ".pdf"))),*];
    };
}

reads! {
    english_with_a_table_is_read_whole "typst_en"
    english_columns_are_read_one_after_the_other "typst_en_cols"
    arabic_of_typst_is_read_in_logical_order "typst_ar"
    arabic_columns_are_read_from_the_right "typst_ar_cols"
    presentation_forms_in_visual_order_are_turned_around "reportlab_ar"
    arabic_of_fpdf_is_read_in_logical_order "fpdf_ar"
    many_pages_with_feet_keep_their_paragraphs_whole "reportlab_en_long"
    an_empty_password_opens_a_file "reportlab_en_locked"
    a_password_is_asked_for_by_name "reportlab_en_secret"
    a_turned_page_and_hidden_text_are_read "made_by_hand"
}

#[test]
fn columns_are_parted_where_their_lines_do_not_meet() {
    let mut drawn =
        "BT /F 20 Tf 50 700 Td (A heading that is over all three of the columns on it) Tj ET "
            .to_owned();
    for (column, words) in
        [(50, "left of the gutter"), (230, "in the middle of it"), (410, "right of the gutter")]
    {
        for line in 0..6 {
            let y = 660 - 13 * line - column / 50;
            write!(drawn, "BT /F 10 Tf {column} {y} Td (Line {line} stands {words}) Tj ET ")
                .unwrap();
        }
    }
    drawn.push_str("BT /F 10 Tf 50 500 Td (A last line that is as wide as the columns are together, and so it stands under all three of them.) Tj ET");
    expect![[r#"
        title None
        date false

        p1 h1 [50 76 499 96] ()
        A heading that is over all three of the columns on it

        p1 paragraph [50 125 182 200] (A heading that is over all three of the columns on it)
        Line 0 stands left of the gutter Line 1 stands left of the gutter Line 2 stands left of the gutter Line 3 stands left of the gutter Line 4 stands left of the gutter Line 5 stands left of the gutter

        p1 paragraph [230 128 368 203] (A heading that is over all three of the columns on it)
        Line 0 stands in the middle of it Line 1 stands in the middle of it Line 2 stands in the middle of it Line 3 stands in the middle of it Line 4 stands in the middle of it Line 5 stands in the middle of it

        p1 paragraph [410 132 548 207] (A heading that is over all three of the columns on it)
        Line 0 stands right of the gutter Line 1 stands right of the gutter Line 2 stands right of the gutter Line 3 stands right of the gutter Line 4 stands right of the gutter Line 5 stands right of the gutter

        p1 paragraph [50 284 467 294] (A heading that is over all three of the columns on it)
        A last line that is as wide as the columns are together, and so it stands under all three of them.
    "#]].assert_eq(&shown(&hostile::page(&drawn, "")));
}

#[test]
fn shapes_become_letters() {
    let shapes = ["ﬁ", "ﻻ", "ﷲ", "ﹶ", "\u{A0}", "\u{F0B7}", "m²", "\u{202E}a", "\0", "½"];
    let folded: Vec<_> = shapes.iter().map(|shape| fold::glyph(shape)).collect();
    expect![[r#"["fi", "لا", "الله", "\u{64e}", " ", "•", "m²", "a", "�", "½"]"#]]
        .assert_eq(&format!("{folded:?}"));
}

#[test]
fn lines_are_read_as_they_were_written() {
    let seen = |text: &str, way| {
        let units: Vec<_> = text.split("").filter(|part| !part.is_empty()).collect();
        let units: Vec<_> = units.iter().map(|text| bidi::BidiUnit { text, marks: "" }).collect();
        bidi::logical(&units, way)
    };
    let (right, left) = (bidi::TextDirection::Right, bidi::TextDirection::Left);
    let cases = [
        (left, "ةنس 2026 يف"),
        (left, "ISO 27001 رايعم"),
        (left, "%5 ةبسنب 1,250.75"),
        (left, "٢٠٢٤/٥/١ خيرات"),
        (left, "10 - 5 نم"),
        (left, "10-5 نم"),
        (left, "٪٥ وأ ٥٪"),
        (right, "see ةداملا here"),
        (right, "plain English, 5-10 of 1,000."),
        (left, ""),
    ];
    let read: String = cases.iter().map(|(way, text)| seen(text, *way) + "\n").collect();
    expect![[r#"
        في 2026 سنة
        معيار ISO 27001
        1,250.75 بنسبة 5%
        تاريخ ٢٠٢٤/٥/١
        من 5 - 10
        من 5-10
        ٥٪ أو ٥٪
        see المادة here
        plain English, 5-10 of 1,000.

    "#]]
    .assert_eq(&read);
}

#[test]
fn brackets_close_whichever_shape_was_drawn() {
    let texts = ["المادة )12( من", "المادة (12) من", "«نص»", "»نص«", "a) b) c)"];
    let read: Vec<_> = texts
        .iter()
        .map(|text| bidi::brackets((*text).to_owned(), bidi::TextDirection::Left))
        .collect();
    expect![[r#"["المادة (12) من", "المادة (12) من", "«نص»", "«نص»", "a) b) c)"]"#]]
        .assert_eq(&format!("{read:?}"));
}

#[test]
fn a_bad_line_of_a_map_costs_that_line_alone() {
    let map =
        b"2 beginbfchar <01> <0628> <02> <> endbfchar 1 beginbfchar <03><00660069> endbfchar \
        1 beginbfrange <10> <12> <0661> endbfrange <99> <0041>";
    expect![[r#"{1: "ب", 2: "", 3: "fi", 16: "١", 17: "٢", 18: "٣"}"#]]
        .assert_eq(&format!("{:?}", to_unicode::parse(map)));
}

#[test]
fn a_range_of_a_map_may_list_a_text_for_each_code() {
    let map = b"3 beginbfrange <01> <03> [<0041> <00420043><0044>] <05><06>[<0045>]\n\
        <10> <11> <0661> endbfrange 1 beginbfchar <20> <0046> endbfchar";
    expect![[r#"{1: "A", 2: "BC", 3: "D", 5: "E", 16: "١", 17: "٢", 32: "F"}"#]]
        .assert_eq(&format!("{:?}", to_unicode::parse(map)));
}

#[test]
fn the_parts_of_a_clause_number_are_counted_no_further_than_anybody_reads() {
    let level = |parts: usize| {
        let text = format!("{}1 Payment. Customer will pay.", "1.".repeat(parts - 1));
        mark::run_in(&text, 0).map(|(level, _)| level)
    };
    assert_eq!([2, 32, 240, 300].map(level), [Some(2), Some(32), Some(32), Some(32)]);
}

#[test]
fn parted_words_are_joined() {
    let cases = [
        ("classifi-", "cation"),
        ("the 2020-", "2021 plan"),
        ("soft\u{AD}", "ly"),
        ("and/", "or"),
        ("", "x"),
        ("one", "two"),
    ];
    let joined: Vec<_> = cases
        .iter()
        .map(|(text, line)| {
            let mut text = (*text).to_owned();
            paragraph::append(&mut text, line);
            text
        })
        .collect();
    expect![[r#"["classification", "the 2020- 2021 plan", "softly", "and/or", "x", "one two"]"#]]
        .assert_eq(&format!("{joined:?}"));
}

#[test]
fn items_begin_with_a_mark() {
    let texts = [
        "• one",
        "1. one",
        "(a) one",
        "أ- واحد",
        "٢. اثنان",
        "iv) four",
        "2024 was",
        "A dog",
        "-",
        "1.2 Scope",
    ];
    let items: Vec<_> = texts.iter().filter(|text| mark::is_item(text)).collect();
    expect![[r#"["• one", "1. one", "(a) one", "أ- واحد", "٢. اثنان", "iv) four"]"#]]
        .assert_eq(&format!("{items:?}"));
}

#[test]
fn pages_without_text_are_noted() {
    expect![[r#"
        title None
        date false
        problem: page 1: it has no text
    "#]]
    .assert_eq(&shown(&hostile::page("", "")));
    expect![[r#"
        expected a PDF with pages, found none that could be read
        Some("open it in a viewer and save it again")
    "#]]
    .assert_eq(&shown(b"%PDF-1.7\n"));
    expect![[r#"
        expected a PDF with pages, found none that could be read
        Some("open it in a viewer and save it again")
    "#]]
    .assert_eq(&shown(b""));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Whatever is cut off or overwritten, there is a result, and blocks that fit its text.
    #[test]
    fn damaged_files_are_read_or_refused(
        file in 0..FILES.len(),
        end in any::<prop::sample::Index>(),
        whole in any::<bool>(),
        spots in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..24),
    ) {
        let mut bytes = FILES[file].to_vec();
        for (spot, byte) in spots {
            let spot = spot.index(bytes.len());
            bytes[spot] = byte;
        }
        if !whole {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok(draft) = read(&bytes) {
            let mut last = 0;
            for block in &draft.blocks {
                prop_assert!(block.start >= last && draft.text.get(block.start..block.end).is_some());
                last = block.end;
            }
        }
    }
}
