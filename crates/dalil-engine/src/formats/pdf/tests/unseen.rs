//! Letters that a reader of a page does not see, one way after the other.

use super::hostile::file;
use crate::document::HiddenText;
use crate::formats::read;

const FONT: &str = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
const SEEN: &str = "BT /F 12 Tf 60 720 Td (The mole is open to all ships.) Tj ET ";
const WORDS: &str = "BT /F 12 Tf 60 500 Td (Dues are waived for tugs.) Tj ET ";

/// A file of one page, with entries of its catalog and its page, and objects from number 5 on.
fn paper(contents: &str, resources: &str, entries: [&str; 2], more: &[&str]) -> Vec<u8> {
    let [catalog, page] = entries;
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R {page} \
             /Resources << {resources} >> >>"
        ),
        format!("<< /Length {} >>\nstream\n{contents}\nendstream", contents.len()),
    ];
    objects.extend(more.iter().map(|&object| object.to_owned()));
    file(&objects.into_iter().map(String::into_bytes).collect::<Vec<_>>())
}

/// Why the words about dues cannot be seen; the words about the mole always can.
#[track_caller]
fn hidden(bytes: &[u8]) -> Option<HiddenText> {
    let document = read(bytes, "a.pdf").unwrap();
    let find =
        |word: &str| document.blocks.iter().find(|one| document.slice(one).contains(word)).unwrap();
    assert_eq!(find("mole").hidden, None);
    let dues = find("Dues").hidden;
    assert_eq!(
        dues.is_some(),
        document.problems.iter().any(|one| one.message.contains("does not see"))
    );
    dues
}

#[track_caller]
fn check(contents: &str, expected: Option<HiddenText>) {
    assert_eq!(
        hidden(&paper(&format!("{SEEN}{contents}"), FONT, ["", ""], &[])),
        expected,
        "{contents}"
    );
}

#[test]
fn white_letters_need_something_behind_them() {
    let white = Some(HiddenText::BackgroundColour);
    check(&format!("1 1 1 rg {WORDS}"), white);
    check(&format!("1 g {WORDS}"), white);
    check(&format!("0 0 0 0 k {WORDS}"), white);
    check(&format!("/DeviceRGB cs 1 1 1 sc {WORDS}"), white);
    check(&format!("0.1 0.2 0.4 rg 50 490 400 30 re f 1 g {WORDS}"), None);
    check(&format!("1 g 50 490 400 30 re f {WORDS}"), white);
    check(&format!("0.4 g {WORDS}"), None);
}

#[test]
fn letters_beside_the_page_or_cut_away_are_hidden() {
    let outside = Some(HiddenText::OutsidePage);
    check("BT /F 12 Tf 60 -300 Td (Dues are waived.) Tj ET", outside);
    check("BT /F 12 Tf 4000 300 Td (Dues are waived.) Tj ET", outside);
    check(&format!("q 10 10 5 5 re W n {WORDS} Q"), outside);
    check(&format!("q 10 400 500 300 re W n {WORDS} Q"), None);
    let cropped = paper(&format!("{SEEN}{WORDS}"), FONT, ["", "/CropBox [0 600 600 800]"], &[]);
    assert_eq!(hidden(&cropped), outside);
}

#[test]
fn letters_under_a_box_are_covered_unless_it_lets_them_through() {
    check(&format!("{WORDS} 1 g 40 480 400 50 re f"), Some(HiddenText::CoveredByShape));
    check(
        &format!("{WORDS} 1 g 40 480 m 440 480 l 440 530 l 40 530 l h f"),
        Some(HiddenText::CoveredByShape),
    );
    check(&format!("1 g 40 480 400 50 re f 0 g {WORDS}"), None);
    let marker = format!("{FONT} /ExtGState << /H << /ca 0.3 >> /M << /BM /Multiply >> >>");
    for state in ["/H", "/M"] {
        let drawn = format!("{SEEN}{WORDS} {state} gs 1 1 0 rg 40 480 400 50 re f");
        assert_eq!(hidden(&paper(&drawn, &marker, ["", ""], &[])), None);
    }
}

#[test]
fn letters_without_paint_are_hidden_unless_an_image_holds_them() {
    let image = "BI /W 1 /H 1 /CS /G /BPC 8 ID \u{1} EI Q ";
    check(&format!("BT 3 Tr ET {WORDS}"), Some(HiddenText::MarkedHidden));
    check(&format!("q 1 0 0 1 0 0 cm {image} BT 3 Tr ET {WORDS}"), Some(HiddenText::MarkedHidden));
    check(&format!("q 600 0 0 800 0 0 cm {image} BT 3 Tr ET {WORDS}"), None);
    check("BT /F 1.6 Tf 60 500 Td (Dues are waived.) Tj ET", Some(HiddenText::TinySize));
    let clear = format!("{FONT} /ExtGState << /Z << /ca 0 >> >>");
    let drawn = format!("{SEEN}/Z gs {WORDS}");
    assert_eq!(hidden(&paper(&drawn, &clear, ["", ""], &[])), Some(HiddenText::FullTransparency));
}

#[test]
fn layers_that_are_off_are_hidden() {
    let named = format!("{FONT} /Properties << /P 5 0 R >>");
    let drawn = format!("{SEEN}/OC /P BDC {WORDS} EMC");
    let check = |catalog: &str, expected: Option<HiddenText>| {
        let group = "<< /Type /OCG /Name (drafts) >>";
        assert_eq!(hidden(&paper(&drawn, &named, [catalog, ""], &[group])), expected, "{catalog}");
    };
    let off = Some(HiddenText::MarkedHidden);
    check("/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>", off);
    check("/OCProperties << /OCGs [5 0 R] /D << /BaseState /OFF >> >>", off);
    check("/OCProperties << /OCGs [5 0 R] /D << /BaseState /OFF /ON [5 0 R] >> >>", None);
    check("/OCProperties << /OCGs [5 0 R] /D << >> >>", None);
}

#[test]
fn letters_that_the_file_calls_by_another_name_are_marked() {
    let other = Some(HiddenText::OtherLetters);
    check(
        "/Span << /ActualText (Dues: 90) >> BDC BT /F 12 Tf 60 500 Td (Dues: 10) Tj ET EMC",
        other,
    );
    check(
        "/Span << /ActualText (Dues of five) >> BDC BT /F 12 Tf 60 500 Td (Dues o\u{66} \u{66}ive) Tj ET EMC",
        None,
    );
    let map = "begincmap 2 beginbfchar <31> <0039> <32> <0032> endbfchar \
        1 beginbfrange <61> <7A> <0061> endbfrange 1 beginbfchar <44> <0044> endbfchar \
        1 beginbfchar <20> <0020> endbfchar endcmap";
    let map = format!("<< /Length {} >>\nstream\n{map}\nendstream", map.len());
    let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> \
        /L << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >> >>";
    let drawn =
        format!("{SEEN}BT /L 12 Tf 60 500 Td (Dues are) Tj ET BT /L 12 Tf 60 400 Td (12) Tj ET");
    let document = read(&paper(&drawn, font, ["", ""], &[&map]), "a.pdf").unwrap();
    let lie = document.blocks.iter().find(|block| block.hidden == other).unwrap();
    assert_eq!(document.slice(lie), "9");
    assert_eq!(document.blocks.iter().filter(|block| block.hidden.is_none()).count(), 3);
}
