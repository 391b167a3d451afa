//! Words of Word texts that look hidden by one rule and are seen by another.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::document::HiddenText;
use crate::formats::read;

const TEXT: &str = "<w:r><w:t>Dues are waived.</w:t></w:r>";
const WHITE: &str = "<w:color w:val=\"FFFFFF\"/>";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/// Why the words about dues in a text with this body and these numbers are hidden.
#[track_caller]
fn hidden_with(body: &str, numbering: &str) -> Option<HiddenText> {
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id=\"r1\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let files = [
        (
            "[Content_Types].xml",
            format!(
                "<Types><Override PartName=\"/word/document.xml\" ContentType=\"{MAIN}\"/></Types>"
            ),
        ),
        ("_rels/.rels", related("officeDocument", "word/document.xml")),
        ("word/document.xml", format!("<w:document><w:body>{body}</w:body></w:document>")),
        ("word/_rels/document.xml.rels", related("numbering", "numbering.xml")),
        ("word/numbering.xml", format!("<w:numbering>{numbering}</w:numbering>")),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let document = read(&zip.finish().unwrap().into_inner(), "a.docx").unwrap();
    let mut blocks = document.blocks.iter();
    blocks.find(|block| document.slice(block).contains("Dues are waived")).unwrap().hidden
}

#[track_caller]
fn hidden(body: &str) -> Option<HiddenText> {
    hidden_with(body, "")
}

fn run(look: &str) -> String {
    format!("<w:r><w:rPr>{look}</w:rPr><w:t>Dues are waived.</w:t></w:r>")
}

fn boxed(look: &str) -> String {
    format!("<w:txbxContent><w:p>{}</w:p></w:txbxContent>", run(look))
}

#[test]
fn an_offset_from_a_paragraph_or_the_lower_margin_is_on_the_page() {
    let drawn = |axis: &str, from: &str, offset: &str, size: &str| {
        hidden(&format!(
            "<w:p><w:r><w:drawing><wp:position{axis} relativeFrom=\"{from}\"><wp:posOffset>{offset}</wp:posOffset></wp:position{axis}>\
             <wp:extent {size}/>{}</w:drawing></w:r></w:p>",
            boxed("")
        ))
    };
    let size = "cx=\"900000\" cy=\"900000\"";
    for (axis, from) in [
        ("V", "paragraph"),
        ("V", "line"),
        ("V", "bottomMargin"),
        ("H", "character"),
        ("H", "rightMargin"),
    ] {
        assert_eq!(drawn(axis, from, "-6000000", size), None, "{from}");
    }
    for (axis, from) in [
        ("V", "page"),
        ("V", "margin"),
        ("V", "topMargin"),
        ("H", "page"),
        ("H", "column"),
        ("H", "leftMargin"),
    ] {
        let outside = Some(HiddenText::OutsidePage);
        assert_eq!(drawn(axis, from, "-6000000", size), outside, "{from}");
    }
    // A shape that reaches down to the page is seen, however narrow it is.
    let tall = "cx=\"300000\" cy=\"6000000\"";
    assert_eq!(drawn("V", "page", "-3000000", tall), None);
    assert_eq!(drawn("H", "page", "-3000000", tall), Some(HiddenText::OutsidePage));
}

#[test]
fn each_shape_of_a_group_has_a_fill_of_its_own() {
    let shape = |fill: &str, inside: &str| {
        format!("<wps:wsp><wps:spPr>{fill}</wps:spPr><wps:txbx>{inside}</wps:txbx></wps:wsp>")
    };
    let group = |shapes: &[String]| {
        hidden(&format!(
            "<w:p><w:r><w:drawing><wpg:wgp>{}</wpg:wgp></w:drawing></w:r></w:p>",
            shapes.concat()
        ))
    };
    let paint = |hex: &str| format!("<a:solidFill><a:srgbClr val=\"{hex}\"/></a:solidFill>");
    let (dark, light) = (paint("1F3864"), paint("FFFFFF"));
    let (clear, white) = ("<a:noFill/>", boxed(WHITE));
    assert_eq!(group(&[shape(&light, ""), shape(&dark, &white)]), None);
    assert_eq!(group(&[shape(clear, ""), shape(&dark, &white)]), None);
    // It may be written over a dark one.
    assert_eq!(group(&[shape(&dark, ""), shape(clear, &white)]), None);
    assert_eq!(group(&["<pic:pic/>".to_owned(), shape(clear, &white)]), None);
    let alike = Some(HiddenText::BackgroundColour);
    assert_eq!(group(&[shape(&dark, ""), shape(&light, &white)]), alike);
    assert_eq!(group(&[shape(clear, ""), shape(clear, &white)]), alike);
}

#[test]
fn lengths_without_a_unit_are_those_of_a_group() {
    let older = |style: &str| {
        hidden(&format!(
            "<w:p><w:r><v:group><v:shape style=\"{style}\">{}</v:shape></v:group></w:r></w:p>",
            boxed("")
        ))
    };
    assert_eq!(older("position:absolute;left:5400;top:-9000;width:1;height:2.5"), None);
    assert_eq!(older("width:0;height:0"), Some(HiddenText::TinySize));
    assert_eq!(older("left:5400pt"), Some(HiddenText::OutsidePage));
}

#[test]
fn a_changed_colour_is_not_that_of_the_theme() {
    let filled = |changes: &str| {
        let paint = format!("<w14:schemeClr w14:val=\"bg1\">{changes}</w14:schemeClr>");
        let fill = format!("<w14:textFill><w14:solidFill>{paint}</w14:solidFill></w14:textFill>");
        hidden(&format!("<w:p>{}</w:p>", run(&fill)))
    };
    assert_eq!(filled(""), Some(HiddenText::BackgroundColour));
    for change in ["lumMod", "lumOff", "shade", "tint", "satMod", "hueMod"] {
        assert_eq!(filled(&format!("<w14:{change} w14:val=\"50000\"/>")), None, "{change}");
    }
    let clear = "<w14:alpha w14:val=\"100000\"/><w14:lumMod w14:val=\"50000\"/>";
    assert_eq!(filled(clear), Some(HiddenText::FullTransparency));
}

#[test]
fn numbers_are_seen_on_the_ground_of_their_paragraph() {
    let numbering = format!(
        "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:lvlText w:val=\"Dues are waived.\"/><w:rPr>{WHITE}</w:rPr></w:lvl></w:abstractNum>\
         <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
    );
    let ground = "<w:shd w:val=\"clear\" w:fill=\"1F3864\"/>";
    let numbered = |ground: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr>{ground}</w:pPr><w:r><w:t>Fees.</w:t></w:r></w:p>"
        )
    };
    assert_eq!(hidden_with(&numbered(ground), &numbering), None);
    let cell = format!(
        "<w:tbl><w:tr><w:tc><w:tcPr>{ground}</w:tcPr>{}</w:tc></w:tr></w:tbl>",
        numbered("")
    );
    assert_eq!(hidden_with(&cell, &numbering), None);
}

#[test]
fn former_properties_of_tables_hide_nothing() {
    let far = "<w:tblPr><w:tblInd w:w=\"-30000\"/></w:tblPr>";
    let low = "<w:trPr><w:hidden/></w:trPr>";
    let white = "<w:tcPr><w:shd w:val=\"clear\" w:fill=\"FFFFFF\"/></w:tcPr>";
    let table = |whole: &str, row: &str, cell: &str| {
        hidden(&format!(
            "<w:tbl><w:tblPr>{whole}</w:tblPr><w:tr><w:trPr>{row}</w:trPr>\
             <w:tc><w:tcPr><w:shd w:val=\"clear\" w:fill=\"1F3864\"/>{cell}</w:tcPr><w:p>{}</w:p></w:tc></w:tr></w:tbl>",
            run(WHITE)
        ))
    };
    assert_eq!(table("", "", ""), None);
    assert_eq!(table(&format!("<w:tblPrChange>{far}</w:tblPrChange>"), "", ""), None);
    assert_eq!(table("", &format!("<w:trPrChange>{low}</w:trPrChange>"), ""), None);
    assert_eq!(table("", "", &format!("<w:tcPrChange>{white}</w:tcPrChange>")), None);
    let exception = format!(
        "<w:tbl><w:tr><w:tblPrEx><w:tblPrExChange><w:tblPrEx><w:tblInd w:w=\"-30000\"/></w:tblPrEx></w:tblPrExChange></w:tblPrEx>\
         <w:tc><w:p>{TEXT}</w:p></w:tc></w:tr></w:tbl>"
    );
    assert_eq!(hidden(&exception), None);
}

#[test]
fn a_field_without_an_end_hides_nothing() {
    let sign = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let [begin, separate, end] = ["begin", "separate", "end"].map(sign);
    let code = "<w:r><w:instrText>PAGE</w:instrText></w:r>";
    let told = |parts: &[&str]| hidden(&format!("<w:p>{}</w:p>", parts.concat()));
    let next = "</w:p><w:p>";
    assert_eq!(told(&[&begin, code, TEXT]), None);
    assert_eq!(told(&[&begin, code, next, TEXT]), None);
    assert_eq!(told(&[&begin, code, next, &begin, code, &separate, &end, TEXT]), None);
    let deleted = format!("<w:del>{begin}{code}{end}</w:del>");
    let marked = Some(HiddenText::MarkedHidden);
    assert_eq!(told(&[&begin, code, next, TEXT, next, &separate, &end]), marked);
    assert_eq!(told(&[&deleted, &begin, code, TEXT]), None);
    assert_eq!(told(&[&begin, &deleted, TEXT, &separate, &end]), marked);
    // Fields that are within many others end like these.
    let (many, ends) = (begin.repeat(100), end.repeat(100));
    assert_eq!(told(&[&many, &ends, TEXT]), None);
    assert_eq!(told(&[&many, &begin, &end, TEXT, &ends]), marked);
}

#[test]
fn what_hides_a_table_hides_those_in_it() {
    let table = |whole: &str, cell: &str, inside: &str| {
        format!(
            "<w:tbl><w:tblPr>{whole}</w:tblPr><w:tr><w:tc><w:tcPr>{cell}</w:tcPr>{inside}<w:p/></w:tc></w:tr></w:tbl>"
        )
    };
    let deep = |depth: usize, whole: &str, cell: &str, look: &str| {
        let inside = format!("<w:p>{}</w:p>", run(look));
        let inside = (0..depth).fold(inside, |inside, _| table("", "", &inside));
        hidden(&table(whole, cell, &inside))
    };
    let ground = "<w:shd w:val=\"clear\" w:fill=\"1F3864\"/>";
    let outside = Some(HiddenText::OutsidePage);
    for depth in [0, 1, 100] {
        assert_eq!(deep(depth, "", ground, WHITE), None, "{depth}");
        assert_eq!(deep(depth, "", "", WHITE), Some(HiddenText::BackgroundColour), "{depth}");
        assert_eq!(deep(depth, "<w:tblInd w:w=\"-30000\"/>", "", ""), outside, "{depth}");
    }
    let formula = |outer: u8, inner: u8| {
        let phantom = |show: u8, inside: &str| {
            format!("<m:phant><m:phantPr><m:show m:val=\"{show}\"/></m:phantPr>{inside}</m:phant>")
        };
        hidden(&format!("<w:p>{}</w:p>", phantom(outer, &phantom(inner, TEXT))))
    };
    assert_eq!(formula(1, 1), None);
    assert_eq!(formula(0, 1), Some(HiddenText::MarkedHidden));
    assert_eq!(formula(1, 0), Some(HiddenText::MarkedHidden));
}
