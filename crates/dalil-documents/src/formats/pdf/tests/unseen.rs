//! Letters that a reader of a page does not see, one way after the other.

use super::hostile::file;
use crate::document::{BlockKind, HiddenText};
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
    check(&format!("/Pattern cs 0 g 1 sc {WORDS}"), white);
}

#[test]
fn white_outlines_need_something_behind_them() {
    let white = Some(HiddenText::BackgroundColour);
    check(&format!("1 Tr 1 G {WORDS}"), white);
    check(&format!("1 Tr /DeviceRGB CS 1 1 1 SC {WORDS}"), white);
    check(&format!("1 Tr /DeviceGray CS 1 SCN {WORDS}"), white);
    check(&format!("1 Tr /DeviceCMYK CS 0 0 0 0 SCN {WORDS}"), white);
    check(&format!("1 Tr 1 G /DeviceRGB CS {WORDS}"), None);
    check(&format!("1 Tr /DeviceRGB CS 0.1 0.2 0.3 SC {WORDS}"), None);
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
fn layers_that_are_shown_while_others_are_off_are_hidden_while_none_is() {
    let check = |policy: &str, expected: Option<HiddenText>| {
        let named =
            format!("{FONT} /Properties << /P << /Type /OCMD /OCGs [5 0 R] /P /{policy} >> >>");
        let drawn = format!("{SEEN}/OC /P BDC {WORDS} EMC");
        let catalog = "/OCProperties << /OCGs [5 0 R] /D << >> >>";
        let group = "<< /Type /OCG /Name (drafts) >>";
        assert_eq!(hidden(&paper(&drawn, &named, [catalog, ""], &[group])), expected, "{policy}");
    };
    check("AllOff", Some(HiddenText::MarkedHidden));
    check("AnyOff", Some(HiddenText::MarkedHidden));
    check("AllOn", None);
    check("AnyOn", None);
}

#[test]
fn a_layer_that_is_off_hides_to_its_own_end() {
    let check = |drawn: &str, expected: Option<HiddenText>| {
        let resources =
            format!("{FONT} /Properties << /P 5 0 R >> /XObject << /X 6 0 R /Y 7 0 R >>");
        let form = |drawn: &str| {
            format!(
                "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length {} >>\nstream\n{drawn}\nendstream",
                drawn.len()
            )
        };
        let more = ["<< /Type /OCG /Name (drafts) >>", &form("EMC"), &form("/OC /P BDC")];
        let catalog = "/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>";
        let bytes = paper(&format!("{SEEN}{drawn}"), &resources, [catalog, ""], &more);
        assert_eq!(hidden(&bytes), expected, "{drawn}");
    };
    let off = Some(HiddenText::MarkedHidden);
    check(&format!("/OC /P BDC {WORDS}"), off);
    check(&format!("/OC /P BDC /X Do {WORDS} EMC"), off);
    let (begin, end) = ("/A BMC ".repeat(600), "EMC ".repeat(600));
    check(&format!("/OC /P BDC {begin}{end}{WORDS} EMC"), off);
    check(&format!("{begin}/OC /P BDC {WORDS} EMC {end}"), off);
    check(&format!("/OC /P BDC EMC {WORDS}"), None);
    check(&format!("/Y Do {WORDS}"), None);
}

#[test]
fn a_note_is_placed_on_the_page_wherever_the_contents_end() {
    let words = "BT /F 12 Tf 5 10 Td (Dues are waived for tugs.) Tj ET";
    let form = format!(
        "<< /Type /XObject /Subtype /Form /BBox [0 0 300 40] /Resources << {FONT} >> /Length {} >>\nstream\n{words}\nendstream",
        words.len()
    );
    let note = "<< /Type /Annot /Subtype /FreeText /Rect [60 480 360 520] /AP << /N 6 0 R >> >>";
    for moved in ["", "1 0 0 1 0 -900 cm", "q 1 0 0 1 0 -900 cm"] {
        let bytes = paper(&format!("{SEEN}{moved}"), FONT, ["", "/Annots [5 0 R]"], &[note, &form]);
        assert_eq!(hidden(&bytes), None, "{moved}");
    }
}

#[test]
fn what_cannot_be_seen_is_no_heading_and_makes_none() {
    let contents = |drawn: &str| {
        format!("<< /Length {} >>\nstream\n{drawn}\nendstream", drawn.len()).into_bytes()
    };
    let page = |contents: usize| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {contents} 0 R /Resources << {FONT} >> >>"
        )
        .into_bytes()
    };
    let lines = (0..20).map(|line| {
        format!(
            "BT /F 8 Tf 60 {} Td (It is white, and small, and all over the page.) Tj ET ",
            600 - 12 * line
        )
    });
    let title = "BT /F 8 Tf 60 640 Td (4.2 Payment. Customer will pay.) Tj ET ";
    let bytes = file(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>".to_vec(),
        page(5),
        page(6),
        contents(&format!("{SEEN} 1 g {title}{}", lines.collect::<String>())),
        contents("BT /F 12 Tf 60 700 Td (Ships wait outside.) Tj ET"),
    ]);
    let document = read(&bytes, "a.pdf").unwrap();
    let seen: Vec<_> = document
        .blocks
        .iter()
        .filter(|block| block.hidden.is_none())
        .map(|block| (block.kind, block.page, block.headings.clone()))
        .collect();
    let paragraph = |page| (BlockKind::Paragraph, Some(page), Vec::new());
    assert_eq!(seen, [paragraph(1), paragraph(2)]);
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
