//! Cells of sheets that a reader does not see, by the cause.

use super::unseen::{Fate, fate, packed, related};
use crate::document::HiddenText;
use crate::formats::read;

const MARKED: Fate = Fate::Marked(HiddenText::MarkedHidden);
const ALIKE: Fate = Fate::Marked(HiddenText::BackgroundColour);
const TINY: Fate = Fate::Marked(HiddenText::TinySize);
const OTHER: Fate = Fate::Marked(HiddenText::OtherLetters);

/// A sheet with words about dues in `B2`, which has the second style.
#[derive(Default)]
struct TestSheet {
    before: String,
    after: String,
    font: String,
    fill: &'static str,
    code: &'static str,
    alignment: &'static str,
    rule: &'static str,
    windows: &'static str,
    /// How a part of the text looks.
    run: String,
}

impl TestSheet {
    fn fate(&self) -> Fate {
        let Self { before, after, font, fill, code, alignment, rule, windows, run } = self;
        let words = "<t>Dues are waived</t>";
        let words = if run.is_empty() {
            words.to_owned()
        } else {
            format!("<r><rPr>{run}</rPr>{words}</r>")
        };
        let cell = |at: &str, text: &str| {
            format!("<c r=\"{at}\" s=\"1\" t=\"inlineStr\"><is>{text}</is></c>")
        };
        let rows = format!(
            "<row r=\"2\" ht=\"15\">{}{}</row>",
            cell("A2", "<t>tug</t>"),
            cell("B2", &words)
        );
        let code = if code.is_empty() { "General" } else { code };
        let fill = if fill.is_empty() { "<patternFill patternType=\"none\"/>" } else { fill };
        let styles = format!(
            "<styleSheet><numFmts><numFmt numFmtId=\"200\" formatCode=\"{code}\"/></numFmts><fonts><font/><font>{font}</font></fonts>\
             <fills><fill><patternFill patternType=\"none\"/></fill><fill>{fill}</fill></fills>\
             <cellXfs><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\"/><xf numFmtId=\"200\" fontId=\"1\" fillId=\"1\">{alignment}</xf></cellXfs>\
             <dxfs><dxf>{rule}</dxf></dxfs></styleSheet>"
        );
        let links = related("worksheet", "worksheets/sheet1.xml").replace(
            "</Relationships>",
            "<Relationship Id=\"r2\" Type=\"x/styles\" Target=\"styles.xml\"/></Relationships>",
        );
        let links = links.replace(
            "x/styles",
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles",
        );
        let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
        let bytes = packed(&[
            ("[Content_Types].xml", "<Types><Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/></Types>".to_owned()),
            ("_rels/.rels", related("officeDocument", "xl/workbook.xml")),
            ("xl/workbook.xml", format!("<workbook {main}>{windows}<sheets><sheet name=\"P\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>")),
            ("xl/_rels/workbook.xml.rels", links),
            ("xl/styles.xml", styles),
            ("xl/worksheets/sheet1.xml", format!("<worksheet {main}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>")),
        ]);
        fate(&read(&bytes, "a.xlsx").unwrap())
    }
}

#[test]
fn formats_that_show_other_words_or_none_hide_a_cell() {
    for (code, expected) in [
        ("", Fate::Shown),
        (";;;", MARKED),
        ("0;0;0;@", Fate::Shown),
        ("0;0;0;", MARKED),
        ("0;-0", Fate::Shown),
        ("0;0;0;_x", MARKED),
        ("0;0;0;&quot;Open&quot;", OTHER),
        ("0;0;0;&quot;On: &quot;@", Fate::Shown),
        ("0;0;0;[White]@", ALIKE),
        ("[Red]@", Fate::Shown),
    ] {
        assert_eq!(TestSheet { code, ..TestSheet::default() }.fate(), expected, "{code}");
    }
}

#[test]
fn cells_of_the_colour_behind_them_or_too_small_are_hidden() {
    let solid = |hex: &str| {
        format!("<patternFill patternType=\"solid\"><fgColor rgb=\"FF{hex}\"/></patternFill>")
    };
    let (white, dark) = (solid("FFFFFF").leak(), solid("1F3864").leak());
    let gradient = "<gradientFill><stop position=\"0\"/></gradientFill>";
    for (font, fill, expected) in [
        ("<color rgb=\"FFFFFFFF\"/>", "", ALIKE),
        ("<color theme=\"0\"/>", "", ALIKE),
        ("<color indexed=\"9\"/>", "", ALIKE),
        ("<color theme=\"1\"/>", "", Fate::Shown),
        ("<color rgb=\"FFFFFFFF\"/>", dark, Fate::Shown),
        ("<color rgb=\"FFFFFFFF\"/>", gradient, Fate::Shown),
        ("<color rgb=\"FFFFFFFF\"/>", white, ALIKE),
        ("<color rgb=\"FF1F3864\"/>", dark, ALIKE),
        ("<sz val=\"1\"/>", "", TINY),
        ("<sz val=\"6\"/>", "", Fate::Shown),
    ] {
        let sheet = TestSheet { font: font.to_owned(), fill, ..TestSheet::default() };
        assert_eq!(sheet.fate(), expected, "{font} on {fill}");
    }
    for (run, expected) in [
        ("<color rgb=\"FFFFFFFF\"/>", ALIKE),
        ("<sz val=\"1\"/>", TINY),
        ("<color rgb=\"FFFF0000\"/>", Fate::Shown),
    ] {
        let sheet = TestSheet { run: run.to_owned(), ..TestSheet::default() };
        assert_eq!(sheet.fate(), expected, "{run}");
    }
    // Behind any number of parts that are seen.
    let seen = "<color rgb=\"FFFF0000\"/></rPr><t>x </t></r><r><rPr>".repeat(1_500);
    let behind = |last: &str| {
        TestSheet { run: format!("{seen}<color rgb=\"{last}\"/>"), ..TestSheet::default() }.fate()
    };
    assert_eq!((behind("FFFFFFFF"), behind("FF000000")), (ALIKE, Fate::Shown));
    let alignment = "<alignment horizontal=\"left\" indent=\"250\"/>";
    let outside = Fate::Marked(HiddenText::OutsidePage);
    assert_eq!(TestSheet { alignment, ..TestSheet::default() }.fate(), outside);
}

#[test]
fn rules_that_hold_for_a_cell_hide_it() {
    let white = "<font><color rgb=\"FFFFFFFF\"/></font>";
    let dark = "<font><color rgb=\"FFFFFFFF\"/></font><fill><patternFill><bgColor rgb=\"FF1F3864\"/></patternFill></fill>";
    let ruled = |at: &str, test: &str, rule: &'static str| {
        let after = format!(
            "<conditionalFormatting sqref=\"{at}\"><cfRule dxfId=\"0\" {test}</cfRule></conditionalFormatting>"
        );
        TestSheet { after, rule, ..TestSheet::default() }.fate()
    };
    let formula = |formula: &str| format!("type=\"expression\"><formula>{formula}</formula>");
    assert_eq!(ruled("A1 B2:B9", &formula("TRUE"), white), ALIKE);
    assert_eq!(ruled("B2", &formula("1=1"), white), ALIKE);
    assert_eq!(ruled("B2", &formula("1=1"), "<numFmt formatCode=\";;;\"/>"), MARKED);
    assert_eq!(ruled("B2", "type=\"notContainsBlanks\">", white), ALIKE);
    assert_eq!(ruled("B2", "type=\"containsText\" text=\"dues\">", white), ALIKE);
    assert_eq!(ruled("B2", "type=\"containsText\" text=\"oil\">", white), Fate::Shown);
    assert_eq!(ruled("D4", &formula("TRUE"), white), Fate::Shown);
    assert_eq!(ruled("B2", &formula("TRUE"), dark), Fate::Shown);
    assert_eq!(ruled("B2", &formula("$A2=$A1"), white), Fate::Shown);
    // An unknown rule may paint the ground of white letters.
    let after = format!(
        "<conditionalFormatting sqref=\"B2\"><cfRule dxfId=\"0\" {}</cfRule></conditionalFormatting>",
        formula("A1=2")
    );
    let font = "<color rgb=\"FFFFFFFF\"/>".to_owned();
    let sheet = TestSheet { font: font.clone(), after, rule: dark, ..TestSheet::default() };
    assert_eq!(sheet.fate(), Fate::Shown);
    // One of more rules than are kept may do so too, and no more than that.
    let many = format!("<cfRule dxfId=\"0\" {}</cfRule>", formula("A1=2")).repeat(1_001);
    let after = format!("<conditionalFormatting sqref=\"D4\">{many}</conditionalFormatting>");
    let sheet = TestSheet { font, after: after.clone(), ..TestSheet::default() };
    assert_eq!(sheet.fate(), Fate::Shown);
    assert_eq!(TestSheet { code: ";;;", after, ..TestSheet::default() }.fate(), MARKED);
}

#[test]
fn cells_under_others_and_without_room_are_hidden() {
    let merged = |area: &str| {
        let after = format!("<mergeCells><mergeCell ref=\"{area}\"/></mergeCells>");
        TestSheet { after, ..TestSheet::default() }.fate()
    };
    let covered = Fate::Marked(HiddenText::CoveredByShape);
    assert_eq!(merged("A2:B2"), covered);
    assert_eq!(merged("B2:D4"), Fate::Shown);
    // Behind any number of others, and under more than one.
    let others: String =
        (5..12_005).map(|row| format!("D{row}:E{row}\"/><mergeCell ref=\"")).collect();
    assert_eq!(merged(&format!("{others}A2:B2")), covered);
    assert_eq!(merged(&format!("{others}B2:D4")), Fate::Shown);
    assert_eq!(merged("A1:C9\"/><mergeCell ref=\"B2:D4"), covered);
    assert_eq!(merged("A1:C1\"/><mergeCell ref=\"A3:C9\"/><mergeCell ref=\"C1:D9"), Fate::Shown);
    let columns = |last: &str| {
        let others: String =
            (5..5_005).map(|n| format!("<col min=\"{n}\" max=\"{n}\" hidden=\"1\"/>")).collect();
        let before = format!("<cols>{others}{last}</cols>");
        TestSheet { before, ..TestSheet::default() }.fate()
    };
    assert_eq!(columns("<col min=\"2\" max=\"2\" hidden=\"1\"/>"), MARKED);
    assert_eq!(columns("<col min=\"2\" max=\"2\" width=\"9\"/>"), Fate::Shown);
    for (before, expected) in [
        ("<sheetFormatPr defaultColWidth=\"0\"/>", MARKED),
        (
            "<sheetFormatPr defaultColWidth=\"0\"/><cols><col min=\"1\" max=\"3\" width=\"9\"/></cols>",
            Fate::Shown,
        ),
        // The row has a height of its own.
        ("<sheetFormatPr defaultRowHeight=\"0\"/>", Fate::Shown),
        ("<sheetFormatPr defaultRowHeight=\"15\"/>", Fate::Shown),
    ] {
        let sheet = TestSheet { before: before.to_owned(), ..TestSheet::default() };
        assert_eq!(sheet.fate(), expected, "{before}");
    }
    let windows = "<bookViews><workbookView visibility=\"hidden\"/></bookViews>";
    assert_eq!(TestSheet { windows, ..TestSheet::default() }.fate(), MARKED);
}
