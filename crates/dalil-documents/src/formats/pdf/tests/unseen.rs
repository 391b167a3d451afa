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
    // No word can be read in an image of one pixel.
    check(
        &format!("q 600 0 0 600 0 0 cm {image} BT 3 Tr ET {WORDS}"),
        Some(HiddenText::MarkedHidden),
    );
    let scan = image.replace("/W 1 /H 1", "/W 300 /H 400");
    check(&format!("q 600 0 0 800 0 0 cm {scan} BT 3 Tr ET {WORDS}"), None);
    check("BT /F 1.6 Tf 60 500 Td (Dues are waived.) Tj ET", Some(HiddenText::TinySize));
    let clear = format!("{FONT} /ExtGState << /Z << /ca 0 >> >>");
    let drawn = format!("{SEEN}/Z gs {WORDS}");
    assert_eq!(hidden(&paper(&drawn, &clear, ["", ""], &[])), Some(HiddenText::FullTransparency));
}

#[test]
fn letters_of_the_colour_behind_them_are_hidden() {
    let alike = Some(HiddenText::BackgroundColour);
    let dark = "0.1 0.2 0.3 rg 40 480 400 50 re f";
    check(&format!("1 0 0 rg 40 480 400 50 re f {WORDS}"), alike);
    check(&format!("0 0 1 rg 40 480 400 50 re f 1 0 0 rg {WORDS}"), None);
    check(&format!("{dark} 1 g 40 480 400 50 re f {WORDS}"), alike);
    check(&format!("{dark} 1 g {WORDS}"), None);
    check(&format!("5 Tr 1 G 0 g {WORDS}"), alike);
    check(&format!("5 Tr 0 G 1 g {WORDS}"), None);
    let tint = |ends: &str| {
        format!(
            "/ColorSpace << /C [/Separation /Spot /DeviceGray << /FunctionType 2 /Domain [0 1] {ends} /N 1 >>] >>"
        )
    };
    let list = "/ColorSpace << /C [/Indexed /DeviceRGB 1 <FFFFFF000000>] >>";
    let lab = "/ColorSpace << /C [/Lab << /WhitePoint [0.95 1 1.09] >>] >>";
    let (falls, rises) = (tint("/C0 [1] /C1 [0]"), tint("/C0 [0] /C1 [1]"));
    for (spaces, drawn, expected) in [
        (list, "/C cs", alike),
        (list, "/C cs 0 sc", alike),
        (list, "/C cs 1 sc", None),
        (lab, "/C cs 100 0 0 sc", alike),
        (lab, "/C cs 20 0 0 sc", None),
        (&falls, "/C cs 0 scn", alike),
        (&falls, "/C cs 1 scn", None),
        (&rises, "/C cs", alike),
    ] {
        let bytes =
            paper(&format!("{SEEN} {drawn} {WORDS}"), &format!("{FONT} {spaces}"), ["", ""], &[]);
        assert_eq!(hidden(&bytes), expected, "{drawn} of {spaces}");
    }
}

#[test]
fn patterns_masks_groups_and_blending_can_leave_nothing_to_see() {
    let clear = Some(HiddenText::FullTransparency);
    let alike = Some(HiddenText::BackgroundColour);
    let stream = |dict: &str, drawn: &str| {
        format!("<< {dict} /Length {} >>\nstream\n{drawn}\nendstream", drawn.len())
    };
    let check = |resources: &str, drawn: &str, object: &str, expected| {
        let resources = format!("{FONT} {resources}");
        let bytes = paper(&format!("{SEEN} {drawn}"), &resources, ["", ""], &[object]);
        assert_eq!(hidden(&bytes), expected, "{drawn} with {resources}");
    };
    let tile = |drawn: &str| {
        stream("/PatternType 1 /PaintType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9", drawn)
    };
    let drawn = format!("/Pattern cs /P scn {WORDS}");
    check("/Pattern << /P 5 0 R >>", &drawn, &tile(""), clear);
    check("/Pattern << /P 5 0 R >>", &drawn, &tile("1 g 0 0 9 9 re f"), alike);
    check("/Pattern << /P 5 0 R >>", &drawn, &tile("0 0 1 rg 0 0 9 9 re f"), None);
    let group = |drawn: &str| stream("/Subtype /Form /BBox [0 0 600 800] /Group << >>", drawn);
    let masked = |kind: &str| format!("/ExtGState << /G << /SMask << /S /{kind} /G 5 0 R >> >> >>");
    let drawn = format!("/G gs {WORDS}");
    check(&masked("Luminosity"), &drawn, &group(""), clear);
    check(&masked("Luminosity"), &drawn, &group("0 g 0 0 600 800 re f"), clear);
    check(&masked("Luminosity"), &drawn, &group("1 g 0 0 600 800 re f"), None);
    check(&masked("Alpha"), &drawn, &group(""), clear);
    check(&masked("Alpha"), &drawn, &group("0 g 0 0 600 800 re f"), None);
    for (state, drawn, expected) in [
        ("/CA 0", "1 Tr /G gs", clear),
        ("/ca 0", "1 Tr /G gs", None),
        ("/CA 1 /ca 0", "2 Tr /G gs", None),
        ("/BM /Screen", "/G gs", alike),
        ("/BM [/Unheard /Overlay]", "/G gs", alike),
        ("/BM /Difference", "/G gs", alike),
        ("/BM /Difference", "1 g /G gs", None),
        ("/BM /Multiply", "/G gs", None),
        ("/BM /Multiply", "0.1 0.2 0.3 rg 40 480 400 50 re f 1 g /G gs", alike),
    ] {
        let resources = format!("/ExtGState << /G << {state} >> >>");
        check(&resources, &format!("{drawn} {WORDS}"), "null", expected);
    }
}

#[test]
fn what_covers_a_letter_or_cuts_it_away_is_followed_by_its_outline() {
    let covered = Some(HiddenText::CoveredByShape);
    let outside = Some(HiddenText::OutsidePage);
    let after = |drawn: &str, expected| check(&format!("{WORDS} {drawn}"), expected);
    after("1 g 30 480 m 500 480 l 520 500 l 500 530 l 30 530 l 20 500 l h f", covered);
    after("1 g 30 380 m 500 380 l 520 400 l 500 430 l 30 430 l 20 400 l h f", None);
    after("1 G 30 w 40 504 m 500 504 l S", covered);
    // A line through words does not hide them.
    after("0 G 0.7 w 40 504 m 500 504 l S", None);
    after("0 g 40 503 400 1.2 re f", None);
    let strips = |high: f32| {
        let all = (0..30).map(|at| format!("40 {} 400 {high} re f ", 490 + at));
        format!("1 g {}", all.collect::<String>())
    };
    after(&strips(1.05), covered);
    let image = |dict: &str| format!("q 400 0 0 40 40 490 cm BI {dict} ID \u{1} EI Q");
    after(&image("/W 1 /H 1 /CS /G /BPC 8"), covered);
    after(&image("/W 8 /H 1 /IM true /BPC 1"), None);
    // What is turned covers less than the box around it.
    after("q 0.7071 0.7071 -0.7071 0.7071 40 300 cm 1 g 0 0 400 20 re f Q", None);
    after("q 283 283 -14 14 40 300 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u{1} EI Q", None);
    let within = |clip: &str, expected| check(&format!("{clip} n {WORDS}"), expected);
    within("0 0 1 1 re 599 799 1 1 re W", outside);
    within("0 0 600 800 re 30 480 500 50 re W*", outside);
    within("0 0 600 800 re 30 480 500 50 re W", None);
    within("0 0 m 600 0 l 600 10 l 10 10 l 10 800 l 0 800 l h W", outside);
    within("0 400 m 600 400 l 600 600 l 0 600 l h W", None);
}

#[test]
fn letters_that_are_squeezed_and_those_of_tiny_notes_are_hidden() {
    let tiny = Some(HiddenText::TinySize);
    let set = |how: &str, expected| {
        check(&format!("BT /F 12 Tf {how} (Dues are waived.) Tj ET"), expected);
    };
    set("5 Tz 60 500 Td", tiny);
    set("80 Tz 60 500 Td", None);
    set("1 0 0 0.1 60 500 Tm", tiny);
    let words = "BT /F 12 Tf 5 10 Td (Dues are waived.) Tj ET";
    let form = |area: &str| {
        format!(
            "<< /Subtype /Form /BBox [{area}] /Resources << {FONT} >> /Length {} >>\nstream\n{words}\nendstream",
            words.len()
        )
    };
    let note = |area: &str, more: &str, expected| {
        let note = format!("<< /Rect [{area}] {more} /AP << /N 6 0 R >> >>");
        let page = ["", "/Annots [5 0 R]"];
        assert_eq!(hidden(&paper(SEEN, FONT, page, &[&note, &form("0 0 300 40")])), expected);
    };
    note("60 480 360 520", "/Subtype /FreeText", None);
    note("60 480 90 484", "/Subtype /FreeText", tiny);
    let bytes = paper(&format!("{SEEN}{WORDS}"), FONT, ["", "/UserUnit 0.1"], &[]);
    let document = read(&bytes, "a.pdf").unwrap();
    assert!(document.blocks.iter().all(|block| block.hidden == tiny));
    check(
        "/Span << /ActualText (Dues are waived.) >> BDC BT /F 12 Tf 60 500 Td (.) Tj ET EMC",
        Some(HiddenText::OtherLetters),
    );
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
fn expressions_and_uses_of_layers_decide_what_is_shown() {
    let check = |what: &str, usual: &str, group: &str, expected: Option<HiddenText>| {
        let named = format!("{FONT} /Properties << /P {what} >>");
        let drawn = format!("{SEEN}/OC /P BDC {WORDS} EMC");
        let catalog = format!("/OCProperties << /OCGs [5 0 R] /D << {usual} >> >>");
        let group = format!("<< /Type /OCG /Name (drafts) {group} >>");
        assert_eq!(hidden(&paper(&drawn, &named, [&catalog, ""], &[&group])), expected, "{what}");
    };
    let off = Some(HiddenText::MarkedHidden);
    check("<< /Type /OCMD /VE [/Not 5 0 R] >>", "", "", off);
    check("<< /Type /OCMD /VE [/And 5 0 R] >>", "", "", None);
    check("<< /Type /OCMD /VE [/And 5 0 R] >>", "/OFF [5 0 R]", "", off);
    check("<< /Type /OCMD /VE [/Or [/Not 5 0 R] [/And [/Not 5 0 R] 5 0 R]] >>", "", "", off);
    let applied =
        |event: &str| format!("/AS [<< /Event /{event} /Category [/{event}] /OCGs [5 0 R] >>]");
    check("5 0 R", &applied("View"), "/Usage << /View << /ViewState /OFF >> >>", off);
    check("5 0 R", &applied("Print"), "/Usage << /Print << /PrintState /OFF >> >>", None);
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
fn what_a_layer_that_is_off_paints_neither_covers_nor_is_behind() {
    let check = |drawn: &str, expected: Option<HiddenText>| {
        let resources = format!("{FONT} /Properties << /P 5 0 R >> /XObject << /X 6 0 R >>");
        let painted = "1 g 40 480 400 50 re f";
        let form = format!(
            "<< /Type /XObject /Subtype /Form /OC 5 0 R /BBox [0 0 600 800] /Length {} >>\nstream\n{painted}\nendstream",
            painted.len()
        );
        let more = ["<< /Type /OCG /Name (drafts) >>", &form];
        let catalog = "/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>";
        let bytes = paper(&format!("{SEEN}{drawn}"), &resources, [catalog, ""], &more);
        assert_eq!(hidden(&bytes), expected, "{drawn}");
    };
    check(&format!("{WORDS} /OC /P BDC 1 g 40 480 400 50 re f EMC"), None);
    check(&format!("{WORDS} /X Do"), None);
    check(
        &format!("/OC /P BDC 0 g 40 480 400 50 re f EMC 1 g {WORDS}"),
        Some(HiddenText::BackgroundColour),
    );
    check(
        &format!("/OC /P BDC /X Do EMC {WORDS} 1 g 40 480 400 50 re f"),
        Some(HiddenText::CoveredByShape),
    );
}

#[test]
fn shapes_keep_their_places_among_letters_that_become_one() {
    let tugs = "Tugs wait outside until the pilot has come aboard.";
    let specks = "0 0 1 1 re f ".repeat(4);
    let dark = "0.1 0.2 0.4 rg 50 490 400 30 re f 1 g";
    check(
        &format!(
            "/Span << /ActualText ({tugs}) >> BDC BT /F 12 Tf 60 600 Td ({tugs}) Tj ET {specks} EMC {dark} {WORDS}"
        ),
        None,
    );
}

#[test]
fn a_shape_that_is_not_kept_may_be_behind_letters() {
    let specks = "0 0 1 1 re f ".repeat(20_000);
    check(&format!("{specks} 0.1 0.2 0.4 rg 50 490 400 30 re f 1 g {WORDS}"), None);
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
