//! Text of Word files that a reader does not see, by the cause.

use super::unseen::{Fate, fate, packed, related, word};
use crate::document::HiddenText;
use crate::formats::read;

const TEXT: &str = "<w:t>Dues are waived.</w:t>";
const MARKED: Fate = Fate::Marked(HiddenText::MarkedHidden);
const ALIKE: Fate = Fate::Marked(HiddenText::BackgroundColour);
const TINY: Fate = Fate::Marked(HiddenText::TinySize);
const OUTSIDE: Fate = Fate::Marked(HiddenText::OutsidePage);
const CLEAR: Fate = Fate::Marked(HiddenText::FullTransparency);
const INSERTED: Fate = Fate::Marked(HiddenText::UnacceptedInsertion);

/// A paragraph whose run and itself have these properties.
fn paragraph(look: &str, place: &str) -> String {
    format!("<w:p><w:pPr>{place}</w:pPr><w:r><w:rPr>{look}</w:rPr>{TEXT}</w:r></w:p>")
}

#[track_caller]
fn check_looks(cases: &[(&str, Fate)]) {
    for (look, expected) in cases {
        assert_eq!(word(&paragraph(look, ""), ""), *expected, "{look}");
    }
}

#[test]
fn letters_of_the_colour_behind_them_are_hidden() {
    check_looks(&[
        ("<w:color w:val=\"000000\" w:themeColor=\"background1\"/>", ALIKE),
        ("<w:color w:val=\"FFFFFF\" w:themeColor=\"text1\"/>", Fate::Shown),
        ("<w:color w:val=\"00B050\"/><w:shd w:val=\"clear\" w:fill=\"00B050\"/>", ALIKE),
        ("<w:color w:val=\"00B050\"/><w:shd w:val=\"clear\" w:fill=\"FFFF00\"/>", Fate::Shown),
        ("<w:color w:val=\"000000\"/><w:shd w:val=\"solid\" w:color=\"000000\"/>", ALIKE),
        ("<w:color w:val=\"FFFF00\"/><w:highlight w:val=\"yellow\"/>", ALIKE),
        ("<w:color w:val=\"FFFFFF\"/><w:highlight w:val=\"white\"/>", ALIKE),
        ("<w:highlight w:val=\"yellow\"/>", Fate::Shown),
    ]);
    let filled = |fill: &str| format!("<w14:textFill>{fill}</w14:textFill>");
    let paint = |inside: &str| {
        filled(&format!("<w14:solidFill><w14:srgbClr {inside}</w14:srgbClr></w14:solidFill>"))
    };
    let outline = "<w14:textOutline><w14:solidFill/></w14:textOutline>";
    check_looks(&[
        (&filled("<w14:noFill/>"), CLEAR),
        (&format!("{outline}{}", filled("<w14:noFill/>")), Fate::Shown),
        (&paint("w14:val=\"FFFFFF\">"), ALIKE),
        (&paint("w14:val=\"0000FF\">"), Fate::Shown),
        (&paint("w14:val=\"000000\"><w14:alpha w14:val=\"100000\"/>"), CLEAR),
        (&paint("w14:val=\"000000\"><w14:alpha w14:val=\"40000\"/>"), Fate::Shown),
    ]);
}

#[test]
fn letters_without_room_are_hidden() {
    check_looks(&[
        ("<w:rtl/><w:sz w:val=\"24\"/><w:szCs w:val=\"1\"/>", TINY),
        ("<w:sz w:val=\"24\"/><w:szCs w:val=\"1\"/>", Fate::Shown),
        ("<w:spacing w:val=\"-600\"/>", TINY),
        ("<w:spacing w:val=\"-10\"/>", Fate::Shown),
        ("<w:w w:val=\"1\"/>", TINY),
        ("<w:w w:val=\"90\"/>", Fate::Shown),
        ("<w:fitText w:val=\"1\"/>", TINY),
    ]);
    for (place, expected) in [
        ("<w:spacing w:line=\"1\" w:lineRule=\"exact\"/>", TINY),
        ("<w:spacing w:line=\"1\" w:lineRule=\"atLeast\"/>", Fate::Shown),
        ("<w:ind w:left=\"-20000\"/>", OUTSIDE),
        ("<w:ind w:left=\"720\" w:right=\"-100\"/>", Fate::Shown),
        ("<w:framePr w:x=\"-20000\" w:y=\"100\"/>", OUTSIDE),
        ("<w:framePr w:x=\"100\" w:y=\"100\"/>", Fate::Shown),
        ("<w:framePr w:h=\"1\" w:hRule=\"exact\"/>", TINY),
        // The mark behind a paragraph is no letter of it.
        ("<w:rPr><w:vanish/></w:rPr>", Fate::Shown),
    ] {
        assert_eq!(word(&paragraph("", place), ""), expected, "{place}");
    }
}

#[test]
fn rows_cells_and_tables_hide_what_is_in_them() {
    let table = |whole: &str, row: &str, cell: &str, look: &str| {
        let inside = paragraph(look, "");
        format!(
            "<w:tbl><w:tblPr>{whole}</w:tblPr><w:tr><w:trPr>{row}</w:trPr><w:tc><w:tcPr>{cell}</w:tcPr>{inside}</w:tc></w:tr></w:tbl>"
        )
    };
    let row = |row: &str| word(&table("", row, "", ""), "");
    assert_eq!(row(""), Fate::Shown);
    assert_eq!(row("<w:hidden/>"), MARKED);
    assert_eq!(row("<w:hidden w:val=\"0\"/>"), Fate::Shown);
    assert_eq!(row("<w:trHeight w:val=\"1\" w:hRule=\"exact\"/>"), TINY);
    assert_eq!(row("<w:trHeight w:val=\"1\"/>"), Fate::Shown);
    assert_eq!(row("<w:ins w:id=\"1\"/>"), INSERTED);
    assert_eq!(row("<w:del w:id=\"1\"/>"), Fate::LeftOut);
    let cell = |cell: &str, look: &str| word(&table("", "", cell, look), "");
    assert_eq!(cell("<w:cellIns w:id=\"1\"/>", ""), INSERTED);
    assert_eq!(cell("<w:cellDel w:id=\"1\"/>", ""), Fate::LeftOut);
    assert_eq!(cell("<w:shd w:fill=\"1F3864\"/>", "<w:color w:val=\"1F3864\"/>"), ALIKE);
    let whole = |whole: &str| word(&table(whole, "", "", ""), "");
    assert_eq!(whole("<w:tblpPr w:tblpX=\"-30000\"/>"), OUTSIDE);
    assert_eq!(whole("<w:tblInd w:w=\"-30000\"/>"), OUTSIDE);
    assert_eq!(whole("<w:tblInd w:w=\"-108\"/>"), Fate::Shown);
    let styled = |style: &str, look: &str| {
        let style = format!("<w:style w:type=\"table\" w:styleId=\"T\">{style}</w:style>");
        word(&table("<w:tblStyle w:val=\"T\"/>", "", "", look), &style)
    };
    let white = "<w:color w:val=\"FFFFFF\"/>";
    let white_style = format!("<w:rPr>{white}</w:rPr>");
    let dark = "<w:tcPr><w:shd w:val=\"clear\" w:fill=\"1F3864\"/></w:tcPr>";
    let banded = format!("<w:tblStylePr w:type=\"band1Horz\">{dark}</w:tblStylePr>");
    assert_eq!(styled("<w:rPr><w:vanish/></w:rPr>", ""), Fate::LeftOut);
    assert_eq!(styled(&white_style, ""), ALIKE);
    assert_eq!(styled(&format!("{white_style}{dark}"), ""), Fate::Shown);
    assert_eq!(styled("", white), ALIKE);
    assert_eq!(styled(&banded, white), Fate::Shown);
}

#[test]
fn boxes_hide_by_place_size_and_colour() {
    let drawn = |offset: &str, extent: &str, fill: &str, look: &str| {
        word(
            &format!(
                "<w:p><w:r><w:drawing><wp:positionH><wp:posOffset>{offset}</wp:posOffset></wp:positionH>\
                 <wp:extent {extent}/><wps:wsp><wps:spPr>{fill}<a:ln><a:solidFill/></a:ln></wps:spPr>\
                 <w:txbxContent>{}</w:txbxContent></wps:wsp></w:drawing></w:r></w:p>",
                paragraph(look, "")
            ),
            "",
        )
    };
    let size = "cx=\"3000000\" cy=\"900000\"";
    assert_eq!(drawn("914400", size, "", ""), Fate::Shown);
    assert_eq!(drawn("-90000000", size, "", ""), OUTSIDE);
    assert_eq!(drawn("90000000", size, "", ""), OUTSIDE);
    assert_eq!(drawn("914400", "cx=\"3000000\" cy=\"127\"", "", ""), TINY);
    let white = "<w:color w:val=\"FFFFFF\"/>";
    let paint = |hex: &str| format!("<a:solidFill><a:srgbClr val=\"{hex}\"/></a:solidFill>");
    assert_eq!(drawn("0", size, &paint("1F3864"), white), Fate::Shown);
    assert_eq!(drawn("0", size, "<a:gradFill/>", white), Fate::Shown);
    assert_eq!(drawn("0", size, &paint("FFFFFF"), white), ALIKE);
    assert_eq!(drawn("0", size, "<a:noFill/>", white), ALIKE);
    assert_eq!(drawn("0", size, &paint("1F3864"), "<w:color w:val=\"1F3864\"/>"), ALIKE);
    let older = |style: &str, fill: &str, look: &str| {
        let inside = paragraph(look, "");
        word(
            &format!(
                "<w:p><w:r><v:shape style=\"{style}\" {fill}><w:txbxContent>{inside}</w:txbxContent></v:shape></w:r></w:p>"
            ),
            "",
        )
    };
    assert_eq!(older("width:0;height:0", "", ""), TINY);
    assert_eq!(older("left:4000pt", "", ""), OUTSIDE);
    assert_eq!(older("mso-hide:all", "", ""), MARKED);
    assert_eq!(older("width:90pt", "fillcolor=\"#1F3864\"", white), Fate::Shown);
}

#[test]
fn what_a_program_does_not_show_of_a_file_is_hidden() {
    let run = format!("<w:r>{TEXT}</w:r>");
    let sign = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |parts: &[&str]| word(&format!("<w:p>{}</w:p>", parts.concat()), "");
    let [begin, separate, end] = ["begin", "separate", "end"].map(sign);
    assert_eq!(field(&[&begin, &run, &separate, &end]), MARKED);
    assert_eq!(field(&[&begin, &begin, &separate, &run, &end, &separate, &end]), MARKED);
    assert_eq!(field(&[&begin, &separate, &run, &end]), Fate::Shown);
    assert_eq!(field(&[&begin, &separate, &end, &run]), Fate::Shown);
    let either = |address: &str, choice: &str, fallback: &str| {
        word(
            &format!(
                "<w:p xmlns:n=\"x\"><w:r><mc:AlternateContent xmlns:n=\"{address}\"><mc:Choice Requires=\"n\">{choice}</mc:Choice>\
                 <mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
            ),
            "",
        )
    };
    let known = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";
    assert_eq!(either(known, TEXT, ""), Fate::Shown);
    assert_eq!(either(known, "", TEXT), Fate::LeftOut);
    assert_eq!(either("urn:nobody", TEXT, ""), Fate::LeftOut);
    assert_eq!(either("urn:nobody", "", TEXT), Fate::Shown);
    let formula = |show: &str| {
        word(
            &format!(
                "<w:p><m:phant><m:phantPr><m:show m:val=\"{show}\"/></m:phantPr><m:r><m:t>Dues are waived.</m:t></m:r></m:phant></w:p>"
            ),
            "",
        )
    };
    assert_eq!(formula("0"), MARKED);
    assert_eq!(formula("1"), Fate::Shown);
    let heading = |folds: &str, next: &str| {
        let head = |folds: &str| {
            format!(
                "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/>{folds}</w:pPr><w:r><w:t>Head</w:t></w:r></w:p>"
            )
        };
        let next = if next.is_empty() { String::new() } else { head("") };
        word(&format!("{}{next}{}", head(folds), paragraph("", "")), "")
    };
    assert_eq!(heading("<w15:collapsed/>", ""), Fate::Marked(HiddenText::ClosedSection));
    assert_eq!(heading("<w15:collapsed/>", "next"), Fate::Shown);
    assert_eq!(heading("", ""), Fate::Shown);
    let based: String = (0..30)
        .map(|nth| {
            format!("<w:style w:styleId=\"S{nth}\"><w:basedOn w:val=\"S{}\"/></w:style>", nth + 1)
        })
        .collect();
    let styles = format!("{based}<w:style w:styleId=\"S30\"><w:rPr><w:vanish/></w:rPr></w:style>");
    assert_eq!(word(&paragraph("<w:rStyle w:val=\"S0\"/>", ""), &styles), Fate::LeftOut);
}

/// The fate of the words about dues in a part beside a text with this body.
fn beside(kind: &str, part: &str, body: &str) -> Fate {
    let bytes = packed(&[
        ("[Content_Types].xml", "<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>".to_owned()),
        ("_rels/.rels", related("officeDocument", "word/document.xml")),
        ("word/document.xml", format!("<w:document><w:body><w:p><w:r><w:t>Open.</w:t></w:r></w:p>{body}</w:body></w:document>")),
        ("word/_rels/document.xml.rels", related(kind, "part.xml")),
        ("word/part.xml", part.to_owned()),
    ]);
    fate(&read(&bytes, "a.docx").unwrap())
}

#[test]
fn notes_and_headers_that_nothing_refers_to_are_on_no_page() {
    let note = format!(
        "<w:footnotes><w:footnote w:id=\"2\">{}</w:footnote></w:footnotes>",
        paragraph("", "")
    );
    let refer = |id: u32| format!("<w:p><w:r><w:footnoteReference w:id=\"{id}\"/></w:r></w:p>");
    assert_eq!(beside("footnotes", &note, &refer(2)), Fate::Shown);
    assert_eq!(beside("footnotes", &note, &refer(3)), OUTSIDE);
    assert_eq!(beside("footnotes", &note, ""), OUTSIDE);
    let head = format!("<w:hdr>{}</w:hdr>", paragraph("", ""));
    let section = |kind: &str, more: &str| {
        format!("<w:sectPr><w:headerReference w:type=\"{kind}\" r:id=\"r1\"/>{more}</w:sectPr>")
    };
    assert_eq!(beside("header", &head, &section("default", "")), Fate::Shown);
    assert_eq!(beside("header", &head, ""), OUTSIDE);
    assert_eq!(beside("header", &head, &section("first", "")), OUTSIDE);
    assert_eq!(beside("header", &head, &section("first", "<w:titlePg/>")), Fate::Shown);
    assert_eq!(beside("header", &head, &section("even", "")), OUTSIDE);
    let numbered = "<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>Open.</w:t></w:r></w:p>";
    let numbers = |look: &str| {
        format!(
            "<w:numbering><w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:lvlText w:val=\"Dues are waived.\"/>\
             <w:rPr>{look}</w:rPr></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>"
        )
    };
    assert_eq!(beside("numbering", &numbers(""), numbered), Fate::Shown);
    assert_eq!(beside("numbering", &numbers("<w:vanish/>"), numbered), Fate::LeftOut);
}
