//! Text that a reader of the document does not see, in every format but PDF.

use std::io::{Cursor, Write as _};

use expect_test::expect;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{check_law, read};
use crate::document::{HiddenText, ParsedDocument};
use crate::sentence::sentences;

/// Whether the words about dues are left out, not read in a block that is, marked, or shown.
#[derive(Debug, PartialEq)]
pub(super) enum Fate {
    LeftOut,
    Unread,
    Marked(HiddenText),
    Shown,
}

#[track_caller]
pub(super) fn fate(document: &ParsedDocument) -> Fate {
    check_law(document);
    let find = |word: &str| {
        let holds = |text: &str| text.replace('\u{200B}', "").contains(word);
        document.blocks.iter().find(|block| holds(document.slice(block)))
    };
    let is_noted = || document.problems.iter().any(|one| one.message.contains("does not see"));
    let Some(block) = find("Dues are waived") else { return Fate::LeftOut };
    let at = document.slice(block).find("Dues are waived").map(|at| block.start + at);
    if let Some(reason) = block.hidden {
        assert!(is_noted());
        return Fate::Marked(reason);
    }
    if at.is_some_and(|at| document.unshown.iter().any(|part| part.contains(&at))) {
        assert!(is_noted());
        return Fate::Unread;
    }
    Fate::Shown
}

pub(super) fn packed(files: &[(&str, String)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

pub(super) fn related(kind: &str, target: &str) -> String {
    format!(
        "<Relationships><Relationship Id=\"r1\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/></Relationships>"
    )
}

/// The fate of the words about dues in a Word text with this body and these styles.
pub(super) fn word(body: &str, styles: &str) -> Fate {
    let space = "xmlns:w=\"w\" xmlns:v=\"v\"";
    let bytes = packed(&[
        ("[Content_Types].xml", "<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>".to_owned()),
        ("_rels/.rels", related("officeDocument", "word/document.xml")),
        ("word/document.xml", format!("<w:document {space}><w:body><w:p><w:r><w:t>Open.</w:t></w:r></w:p>{body}</w:body></w:document>")),
        ("word/_rels/document.xml.rels", related("styles", "styles.xml")),
        ("word/styles.xml", format!("<w:styles {space}>{styles}</w:styles>")),
    ]);
    fate(&read(&bytes, "a.docx").unwrap())
}

#[test]
fn runs_of_word_that_cannot_be_seen() {
    let text = "<w:t>Dues are waived.</w:t>";
    let run = |look: &str| word(&format!("<w:p><w:r><w:rPr>{look}</w:rPr>{text}</w:r></w:p>"), "");
    assert_eq!(run(""), Fate::Shown);
    assert_eq!(run("<w:vanish/>"), Fate::LeftOut);
    assert_eq!(run("<w:specVanish/>"), Fate::LeftOut);
    assert_eq!(run("<w:webHidden/>"), Fate::Marked(HiddenText::MarkedHidden));
    assert_eq!(run("<w:color w:val=\"FFFFFF\"/>"), Fate::Marked(HiddenText::BackgroundColour));
    assert_eq!(
        run("<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"clear\" w:fill=\"003366\"/>"),
        Fate::Shown
    );
    assert_eq!(run("<w:sz w:val=\"1\"/>"), Fate::Marked(HiddenText::TinySize));
    assert_eq!(run("<w:sz w:val=\"18\"/>"), Fate::Shown);
}

#[test]
fn styles_boxes_and_insertions_of_word_that_cannot_be_seen() {
    let text = "<w:t>Dues are waived.</w:t>";
    let style = |kind: &str| {
        format!(
            "<w:style w:type=\"{kind}\" w:styleId=\"Q\"><w:name w:val=\"Q\"/><w:rPr><w:vanish/></w:rPr></w:style>"
        )
    };
    let based = format!(
        "{}<w:style w:type=\"character\" w:styleId=\"R\"><w:basedOn w:val=\"Q\"/></w:style>",
        style("character")
    );
    let runs =
        |id: &str| format!("<w:p><w:r><w:rPr><w:rStyle w:val=\"{id}\"/></w:rPr>{text}</w:r></w:p>");
    assert_eq!(word(&runs("Q"), &style("character")), Fate::LeftOut);
    assert_eq!(word(&runs("R"), &based), Fate::LeftOut);
    let paragraph = format!("<w:p><w:pPr><w:pStyle w:val=\"Q\"/></w:pPr><w:r>{text}</w:r></w:p>");
    assert_eq!(word(&paragraph, &style("paragraph")), Fate::LeftOut);
    let framed = |style: &str| {
        let inside = format!("<w:txbxContent><w:p><w:r>{text}</w:r></w:p></w:txbxContent>");
        word(
            &format!(
                "<w:p><w:r><w:pict><v:shape style=\"{style}\"><v:textbox>{inside}</v:textbox></v:shape></w:pict></w:r></w:p>"
            ),
            "",
        )
    };
    assert_eq!(
        framed("position:absolute;visibility:hidden"),
        Fate::Marked(HiddenText::MarkedHidden)
    );
    assert_eq!(framed("position:absolute;left:-4000pt"), Fate::Marked(HiddenText::OutsidePage));
    assert_eq!(framed("position:absolute;left:40pt"), Fate::Shown);
    let inserted = format!("<w:p><w:ins w:id=\"1\"><w:r>{text}</w:r></w:ins></w:p>");
    assert_eq!(word(&inserted, ""), Fate::Marked(HiddenText::UnacceptedInsertion));
    let white = "<w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr>";
    let cell = |properties: &str| {
        word(
            &format!(
                "<w:tbl><w:tr><w:tc>{properties}<w:p><w:r>{white}{text}</w:r></w:p></w:tc></w:tr></w:tbl>"
            ),
            "",
        )
    };
    assert_eq!(cell(""), Fate::Marked(HiddenText::BackgroundColour));
    assert_eq!(cell("<w:tcPr><w:shd w:val=\"clear\" w:fill=\"1F3864\"/></w:tcPr>"), Fate::Shown);
}

#[test]
fn a_hidden_row_of_a_table_inside_another_hides_the_row_around_it() {
    let cell = |inside: &str| format!("<w:tbl><w:tr><w:tc>{inside}<w:p/></w:tc></w:tr></w:tbl>");
    let inner = |look: &str| {
        cell(&format!("<w:p><w:r><w:rPr>{look}</w:rPr><w:t>Dues are waived.</w:t></w:r></w:p>"))
    };
    let around = |inner: &str| cell(&format!("<w:p><w:r><w:t>Ship</w:t></w:r></w:p>{inner}"));
    let white = inner("<w:color w:val=\"FFFFFF\"/>");
    assert_eq!(word(&around(&white), ""), Fate::Marked(HiddenText::BackgroundColour));
    assert_eq!(word(&around(&inner("")), ""), Fate::Shown);
}

#[test]
fn what_all_paragraphs_of_word_look_like_can_hide_them() {
    let body = "<w:p><w:r><w:t>Dues are waived.</w:t></w:r></w:p>";
    let defaults = |look: &str| {
        format!("<w:docDefaults><w:rPrDefault><w:rPr>{look}</w:rPr></w:rPrDefault></w:docDefaults>")
    };
    let usual = |look: &str| {
        format!(
            "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"N\"><w:rPr>{look}</w:rPr></w:style>"
        )
    };
    let (white, tiny, dark) =
        ("<w:color w:val=\"FFFFFF\"/>", "<w:sz w:val=\"1\"/>", "<w:color w:val=\"222222\"/>");
    assert_eq!(word(body, &defaults(white)), Fate::Marked(HiddenText::BackgroundColour));
    assert_eq!(word(body, &usual(tiny)), Fate::Marked(HiddenText::TinySize));
    assert_eq!(word(body, &usual("<w:vanish/>")), Fate::LeftOut);
    assert_eq!(word(body, &[defaults(white), usual(dark)].concat()), Fate::Shown);
    assert_eq!(word(body, &defaults("<w:sz w:val=\"22\"/>")), Fate::Shown);
}

/// A workbook with one sheet of these columns and rows.
pub(super) fn workbook(columns: &str, rows: &str) -> Vec<u8> {
    let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
    packed(&[
        ("[Content_Types].xml", "<Types><Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/></Types>".to_owned()),
        ("_rels/.rels", related("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", format!("<workbook {main} xmlns:r=\"{RELATIONS}\"><sheets><sheet name=\"P\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>")),
        ("xl/_rels/workbook.xml.rels", related("worksheet", "worksheets/sheet1.xml")),
        ("xl/worksheets/sheet1.xml", format!("<worksheet {main}>{columns}<sheetData>{rows}</sheetData></worksheet>")),
    ])
}

#[test]
fn rows_and_columns_of_a_sheet_that_cannot_be_seen() {
    let cell =
        |at: &str, text: &str| format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let sheet = |columns: &str, row: &str| {
        let rows = format!(
            "<row r=\"1\">{}{}</row><row r=\"2\" {row}>{}{}</row>",
            cell("A1", "Ship"),
            cell("B1", "Rule"),
            cell("A2", "tug"),
            cell("B2", "Dues are waived"),
        );
        fate(&read(&workbook(columns, &rows), "a.xlsx").unwrap())
    };
    let marked = Fate::Marked(HiddenText::MarkedHidden);
    assert_eq!(sheet("", ""), Fate::Shown);
    for row in
        ["hidden=\"1\"", "hidden =\"1\"", "hidden='true'", "ht='0'", "ht = \"0\"", "ht=\".2\""]
    {
        assert_eq!(sheet("", row), marked, "{row}");
    }
    assert_eq!(sheet("", "ht=\"0\" customHeight=\"1\""), marked);
    assert_eq!(sheet("<cols><col min=\"2\" max=\"2\" hidden=\"1\"/></cols>", ""), marked);
    assert_eq!(sheet("<cols><col min=\"3\" max=\"3\" hidden=\"1\"/></cols>", ""), Fate::Shown);
}

/// The fate of the words about dues on a page with this head and this body.
fn page(head: &str, body: &str) -> Fate {
    let text = format!("<html><head>{head}</head><body><p>Open.</p>{body}</body></html>");
    fate(&read(text.as_bytes(), "a.html").unwrap())
}

#[test]
fn rules_hide_the_elements_that_they_are_for() {
    let inside = "<div class=w><p class='q r'>Dues are waived.</p></div>";
    let ruled = |rule: &str| page(&format!("<style>{rule}</style>"), inside);
    for rule in [
        "body .q {display:none}",
        "body > div .q {display:none}",
        ".w .q {display:none}",
        "p.q.r {display:none}",
        "P.q {display:none}",
        ":root .q {display:none}",
        ".w:not(.open) .q {display:none}",
        ".q:not(.open) {display:none}",
        ".q:not(.open, .r.open):not(.shut) {display:none}",
        ".q:not(:hover) {display:none}",
        "@media screen, print {.q {display:none}}",
        "@media not print {.q {display:none}}",
    ] {
        assert_eq!(ruled(rule), Fate::Marked(HiddenText::MarkedHidden), "{rule}");
    }
    for rule in [
        ".closed .q {display:none}",
        ".q.closed {display:none}",
        "span.q {display:none}",
        ".w:hover .q {display:none}",
        ".q:hover {display:none}",
        ".q:not(.r) {display:none}",
        ".q:not(.open, p.r) {display:none}",
        ".q:not(.open)::before {display:none}",
        ".x + .q {display:none}",
        ".x ~ .w .q {display:none}",
        "@media print {.q {display:none}}",
        "@media only print, print and (color) {.q {display:none}}",
        ".q {display:none} .w .q {display:block}",
    ] {
        assert_eq!(ruled(rule), Fate::Shown, "{rule}");
    }
    let after = "<div class=w>Ship</div><p class=q>Dues are waived.</p>";
    assert_eq!(page("<style>.w .q {display:none}</style>", after), Fate::Shown);
}

#[test]
fn a_rule_for_what_stands_after_another_needs_the_other() {
    let marked = Fate::Marked(HiddenText::MarkedHidden);
    let after = |first: &str| {
        let rule = "<style>.x + .q {display:none}</style>";
        page(rule, &format!("{first}<p class=q>Dues are waived.</p>"))
    };
    assert_eq!(after("<p class=x>Ship</p>"), marked);
    assert_eq!(after("<hr class=x>"), marked);
    assert_eq!(after("<p class=y>Ship</p>"), Fate::Shown);
    assert_eq!(after("<p class=q>Ship</p>"), Fate::Shown);
    let inside = "<p class=x>Ship<div class=w><p class=q>Dues are waived.</div>";
    assert_eq!(page("<style>.x ~ .w > .q {display:none}</style>", inside), marked);
}

#[test]
fn every_rule_keeps_its_conditions() {
    let inside = "<div class=w><p class='q r'>Dues are waived.</p></div>";
    let among = |others: usize, style: &str, last: &str| {
        let many: String = (0..others).map(|nth| format!(".c{nth} .q {{{style}}}")).collect();
        page(&format!("<style>{many} {last} {{display:none}}</style>"), inside)
    };
    let marked = Fate::Marked(HiddenText::MarkedHidden);
    assert_eq!(among(40, "color:red", ".w .q"), marked);
    assert_eq!(among(40, "display:none", ".z .q"), Fate::Shown);
    // Among more rules than are looked through, a hiding rule is not lost.
    assert_eq!(among(1_100, "color:red", ".w .q"), marked);
    let far = (0..20).map(|nth| format!(".c{nth} ")).collect::<String>();
    assert_eq!(among(0, "", &format!("{far} .w .q")), Fate::Shown);
}

#[test]
fn an_element_hides_until_it_ends_as_browsers_see_it() {
    let words = "Dues are waived.";
    for body in [
        format!("<ul><li hidden>a<ul><li>b</li></ul>{words}</li><li>c</li></ul>"),
        format!("<ul><li hidden>a<ul><li>b<li>c</ul>{words}<li>d</ul>"),
        format!("<table><tr hidden><td>a<table><tr><td>b</table>{words}</td></tr></table>"),
        format!(
            "<table><tr><td hidden>a<table><tr><td>b</td></tr></table>{words}</td></tr></table>"
        ),
        format!("<li hidden>a</ul>{words}"),
        format!("<div hidden/>{words}</div>"),
        format!("<p hidden>a<button><div>{words}</div></button>"),
        // Outside of a table, the tag of a cell is ignored.
        format!("<p hidden>a<td>{words}"),
    ] {
        assert_eq!(page("", &body), Fate::LeftOut, "{body}");
    }
    for body in [
        format!("<ul><li hidden>a<li>{words}</ul>"),
        format!("<ul><li hidden>a</ul><p>{words}"),
        format!("<ul><li hidden>a<ul><li>b<li>c</ul>d<li>{words}</ul>"),
        format!("<table><tr><td hidden>a<td>{words}</table>"),
        format!("<table><tr hidden><td>a<tr><td>{words}</table>"),
        format!("<table><tr><td hidden>a</table>{words}"),
        format!("<p hidden>a<div>{words}</div>"),
        format!("<p hidden>a<li>{words}"),
        format!("<dl><dt><p hidden>a<dd>{words}</dl>"),
        format!("<p hidden>a<hgroup><h2>{words}</h2></hgroup>"),
        format!("<p hidden>a<dir><li>{words}</dir>"),
        format!("<table><tr><td><p hidden>a<td>{words}</table>"),
        format!("<table><tr><th><p hidden>a<tr><td>{words}</table>"),
        format!("<svg/><p>{words}"),
    ] {
        assert_eq!(page("", &body), Fate::Shown, "{body}");
    }
    let deep = format!("{}<i style='font-size:0'>{words}", "<b style='color:#000'>".repeat(70));
    assert_eq!(page("", &deep), Fate::Marked(HiddenText::TinySize));
}

#[test]
fn a_hidden_word_of_a_cell_marks_its_row() {
    let row = |style: &str| {
        page(
            "",
            &format!(
                "<table><tr><td>Tugs: <i style='{style}'>Dues are waived.</i> See below</td><td>x</td></tr></table>"
            ),
        )
    };
    assert_eq!(row("font-size:0"), Fate::Marked(HiddenText::TinySize));
    assert_eq!(row("color:white"), Fate::Marked(HiddenText::BackgroundColour));
    assert_eq!(row("font-size:9px"), Fate::Shown);
}

#[test]
fn what_is_hidden_among_too_many_blocks_does_not_pass_as_seen() {
    let many = "<p>a".repeat(crate::formats::MAX_BLOCKS);
    let body = |style: &str| format!("{many}<p style='{style}'>Dues are waived.<p>End.");
    assert_eq!(page("", &body("font-size:0")), Fate::Marked(HiddenText::TinySize));
    assert_eq!(page("", &body("")), Fate::Shown);
}

#[test]
fn parts_of_a_page_that_cannot_be_seen() {
    let styled =
        |style: &str| page("", &format!("<p style=\"{style}\">Dues are waived.</p><p>End."));
    for style in [
        "display:none",
        "display:\tnone",
        "display:/* x */none !important",
        "display:none ! important",
        "DISPLAY : NONE",
        "display:n\\6f ne",
        "visibility:hidden",
    ] {
        assert_eq!(styled(style), Fate::LeftOut, "{style}");
    }
    for (style, reason) in [
        ("font-size:0", HiddenText::TinySize),
        ("font:700 0px x", HiddenText::TinySize),
        ("font:italic 700 0/1 x", HiddenText::TinySize),
        ("opacity:0", HiddenText::FullTransparency),
        ("color:transparent", HiddenText::FullTransparency),
        ("color:#fff;background:#ffffff", HiddenText::BackgroundColour),
        ("color:white", HiddenText::BackgroundColour),
        ("position:absolute;left:-9000px", HiddenText::OutsidePage),
        ("clip-path:inset(100%)", HiddenText::OutsidePage),
        ("height:0;overflow:hidden", HiddenText::OutsidePage),
    ] {
        assert_eq!(styled(style), Fate::Marked(reason), "{style}");
    }
    for style in [
        "color:white;background:#036",
        "opacity:0.9",
        "font-size:9px",
        "font:700 9px/0 x",
        "left:-4px",
    ] {
        assert_eq!(styled(style), Fate::Shown, "{style}");
    }
    let words = "Dues are waived.";
    let marked = Fate::Marked(HiddenText::MarkedHidden);
    assert_eq!(
        page("<style>p.q, .z {display:none}</style>", &format!("<p class='a q'>{words}</p>")),
        marked
    );
    assert_eq!(
        page("<style>@media print{.q{display:none}}</style>", &format!("<p class=q>{words}</p>")),
        Fate::Shown
    );
    assert_eq!(page("", &format!("<noscript>{words}</noscript>")), marked);
    let closed = format!("<details><summary>More</summary>{words}</details>");
    assert_eq!(page("", &closed), Fate::Marked(HiddenText::ClosedSection));
    assert_eq!(page("", &closed.replace("<details>", "<details open>")), Fate::Shown);
    assert_eq!(
        page("", &format!("<div style='background:#024'><p style='color:#fff'>{words}</p></div>")),
        Fate::Shown
    );
}

#[test]
fn effects_and_colours_of_a_page_that_leave_nothing_to_see() {
    let styled =
        |style: &str| page("", &format!("<p style=\"{style}\">Dues are waived.</p><p>End."));
    for (style, reason) in [
        ("filter:blur(1px) opacity(0)", HiddenText::FullTransparency),
        ("color:rgba(0,0,0,1%)", HiddenText::FullTransparency),
        ("-webkit-text-fill-color:transparent", HiddenText::FullTransparency),
        (
            "mask-image:linear-gradient(to top, transparent, transparent)",
            HiddenText::FullTransparency,
        ),
        ("color:hsl(0,0%,100%)", HiddenText::BackgroundColour),
        ("color:hsl(240deg 100% 50%);background:#00f", HiddenText::BackgroundColour),
        ("--ink:#fff;color:var(--ink)", HiddenText::BackgroundColour),
        ("color:var(--none, white)", HiddenText::BackgroundColour),
        ("zoom:.001", HiddenText::TinySize),
        ("transform:rotate(4deg) scale(0.01)", HiddenText::TinySize),
        ("scale:0", HiddenText::TinySize),
        ("position:absolute;inset:-999px auto auto -9999px", HiddenText::OutsidePage),
        ("position:fixed;top:200vh", HiddenText::OutsidePage),
        ("transform:translate(-2000px, 0)", HiddenText::OutsidePage),
        ("text-indent:100%;overflow:hidden", HiddenText::OutsidePage),
    ] {
        assert_eq!(styled(style), Fate::Marked(reason), "{style}");
    }
    for style in [
        "filter:opacity(0.9)",
        "background:linear-gradient(red,blue) text;color:transparent",
        "-webkit-background-clip:text;-webkit-text-fill-color:transparent",
        "mask-image:linear-gradient(black, transparent)",
        "color:hsl(0,0%,100%);background:hsl(0,0%,10%)",
        "color:var(--none)",
        "zoom:1",
        "zoom:0",
        "transform:scale(0.9)",
        "transform:translateY(-9px)",
        "position:fixed;top:100%;transform:translateY(-100%)",
        "position:absolute;top:100%",
        "margin:0 -9999px",
    ] {
        assert_eq!(styled(style), Fate::Shown, "{style}");
    }
}

#[test]
fn elements_of_a_page_that_nobody_sees_at_first_or_ever() {
    let words = "Dues are waived.";
    let closed = Fate::Marked(HiddenText::ClosedSection);
    assert_eq!(page("", &format!("<div popover>{words}</div>")), closed);
    assert_eq!(page("", &format!("<select><option>a<option>{words}</select>")), closed);
    assert_eq!(page("", &format!("<select size=4><option>{words}</select>")), Fate::Shown);
    for body in [
        format!("<noembed>{words}</noembed>"),
        format!("<ruby>x<rp>{words}</rp></ruby>"),
        format!("<math><mi>x</mi><annotation>{words}</annotation></math>"),
    ] {
        assert_eq!(page("", &body), Fate::LeftOut, "{body}");
    }
}

#[test]
fn rules_hide_by_attributes_alternatives_nesting_and_custom_properties() {
    let inside =
        "<div class=w data-kind='note plain'><p class='q r' lang=en-GB>Dues are waived.</p></div>";
    let ruled = |rule: &str| page(&format!("<style>{rule}</style>"), inside);
    for rule in [
        "[lang] {display:none}",
        "p[lang='en-GB'].q {display:none}",
        "[lang|=en] {display:none}",
        "[lang^=en][lang$=GB][lang*='-'] {display:none}",
        "[data-kind~=note] .q {display:none}",
        ".q:not([dir]) {display:none}",
        ":is(.q, .k) {display:none}",
        ".q:is(.k, p) {display:none}",
        ".w :where(.k, .q.r) {display:none}",
        ".w {.q {display:none}}",
        ".w {color:red; & > .q {display:none}}",
        ".q {@media screen {display:none}}",
        ".k {content:'{'} .q {display:none}",
        ".q {display:none",
    ] {
        assert_eq!(ruled(rule), Fate::Marked(HiddenText::MarkedHidden), "{rule}");
    }
    for rule in [
        "[dir] {display:none}",
        "[lang=fr] {display:none}",
        "[lang^=''] {display:none}",
        "[data-kind=note] .q {display:none}",
        ".q:not([lang]) {display:none}",
        ":is(.k, .l) {display:none}",
        ".k {.q {display:none}}",
        ".k {& .q {display:none}} .w {color:red}",
        "@media print {.w {.q {display:none}}}",
        ".q {@media print {display:none}}",
    ] {
        assert_eq!(ruled(rule), Fate::Shown, "{rule}");
    }
    let white = Fate::Marked(HiddenText::BackgroundColour);
    assert_eq!(ruled(":root {--c:#fff} .q {color:var(--c)}"), white);
    assert_eq!(ruled(":root {--c:var(--d); --d:#fff} .q {color:var(--c)}"), white);
    assert_eq!(ruled(":root {--c:#fff} .dark {--c:#000} .q {color:var(--c)}"), white);
    assert_eq!(ruled(":root {--c:#fff} .w {--c:#000} .q {color:var(--c)}"), Fate::Shown);
    assert_eq!(
        ruled(":root {--c:#fff; --b:#036} .q {color:var(--c);background:var(--b)}"),
        Fate::Shown
    );
}

#[test]
fn parts_of_plain_text_that_cannot_be_seen() {
    let marked = Fate::Marked(HiddenText::MarkedHidden);
    let markdown = |text: &str| fate(&read(text.as_bytes(), "a.md").unwrap());
    assert_eq!(
        markdown("Open <span style=\"display:none\">Dues are waived.</span> to all."),
        Fate::Unread
    );
    assert_eq!(markdown("Open.\n\n<p hidden>Dues are waived.</p>\n"), marked);
    assert_eq!(markdown("Open.\n\n<div hidden/>Dues are waived.</div>\n"), marked);
    assert_eq!(markdown("Open.\n\n<img hidden/>Dues are waived.\n"), Fate::Shown);
    assert_eq!(markdown("Open.\n\n[//]: # (Dues are waived.)\n"), marked);
    assert_eq!(markdown("Open.\n\n<!-- Dues are waived. -->\n"), Fate::LeftOut);
    assert_eq!(markdown("Write `<p hidden>` where Dues are waived."), Fate::Shown);
    // An element hides the Markdown between its tags, whatever blocks that is.
    for text in [
        "Open.\n\n<div hidden>\n\nDues are waived.\n\n</div>\n\nOpen.\n",
        "Open.\n\n<div style=\"display:none\">\n\n- Dues are waived.\n\n</div>\n",
        "<div hidden>\n\n<div>\n\nOpen.\n\n</div>\n\nDues are waived.\n\n</div>\n",
        "<x-note hidden>\n\nDues are waived.\n\n</x-note>\n",
        "<section hidden>\n\n| a |\n|---|\n| Dues are waived. |\n",
        "<li hidden>\n\nDues are waived.\n\n</li>\n",
        "<div title=\"\n\nDues are waived.\n",
        "<div><!--\n\nDues are waived.\n",
    ] {
        assert_eq!(markdown(text), marked, "{text}");
    }
    let long =
        format!("<div data-a=\"{}\" hidden>\n\nDues are waived.\n\n</div>\n", "a".repeat(9000));
    assert_eq!(markdown(&long), marked);
    for text in [
        "<div hidden>\n\nOpen.\n\n</div>\n\nDues are waived.\n",
        "<p hidden>Open.\n\nDues are waived.\n",
        "Open <span hidden>to all.\n\nDues are waived.\n",
        "```\n<div hidden>\n```\n\nDues are waived.\n",
        "Write `<div hidden>`.\n\nDues are waived.\n",
        "<!-- <div hidden> -->\n\nDues are waived.\n",
        "> <div hidden>\n\nDues are waived.\n",
        "- <div hidden>\n\nDues are waived.\n",
    ] {
        assert_eq!(markdown(text), Fate::Shown, "{text}");
    }
    let spaced: String = "Dues are waived.".chars().flat_map(|ch| [ch, '\u{200B}']).collect();
    assert_eq!(
        fate(&read(spaced.as_bytes(), "a.txt").unwrap()),
        Fate::Marked(HiddenText::InvisibleCharacters)
    );
    let judged =
        read("Open <span style=\"display:none\">Dues</span> to all.".as_bytes(), "a.md").unwrap();
    assert_eq!(judged.judged_text(0), "Open to all.");
}

#[test]
fn plain_text_that_is_steered_or_far_away_is_hidden() {
    let plain = |text: &str| fate(&read(text.as_bytes(), "a.txt").unwrap());
    let steered = Fate::Marked(HiddenText::InvisibleCharacters);
    let outside = Fate::Marked(HiddenText::OutsidePage);
    assert_eq!(plain("Open.\n\n\u{1B}[8mDues are waived.\u{1B}[0m\n"), steered);
    assert_eq!(plain("Open.\n\nDues are waived.\rShips wait here.\n"), steered);
    assert_eq!(plain("Open.\r\rDues are waived.\rShips wait.\r"), Fate::Shown);
    assert_eq!(plain("Open.\r\n\r\nDues are waived.\r\n"), Fate::Shown);
    for selector in ['\u{FE0E}', '\u{E0100}', '\u{34F}', '\u{206A}'] {
        let sign = format!("Dues are waived. o{selector}p{selector}e{selector}n{selector}");
        assert_eq!(plain(&sign), steered, "{selector:?}");
    }
    for signs in [
        "\u{2764}\u{FE0F}\u{2600}\u{FE0F}\u{2601}\u{FE0F}",
        "Wales \u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F} 3",
        "1\u{FE0F}\u{20E3} 2\u{FE0F}\u{20E3} 3\u{FE0F}\u{20E3} 4\u{FE0F}\u{20E3}",
        "\u{1780}\u{200B}\u{1781}\u{200B}\u{1782}\u{200B}\u{1783}",
    ] {
        assert_eq!(plain(&format!("Dues are waived. {signs}")), Fate::Shown, "{signs:?}");
    }
    assert_eq!(plain(&format!("Open.{}Dues are waived.\n", " ".repeat(600))), outside);
    assert_eq!(plain(&format!("Open.{}Dues are waived.\n", "\t".repeat(120))), outside);
    assert_eq!(plain(&format!("Open.{}Dues are waived.\n", " ".repeat(40))), Fate::Shown);
    assert_eq!(plain(&format!("Open.{}Dues are waived.\n", "\n".repeat(2000))), outside);
    assert_eq!(plain(&format!("Open.{}Dues are waived.\n", "\n".repeat(20))), Fate::Shown);
}

#[test]
fn sheets_and_the_colours_of_the_page_hide_in_markdown_too() {
    let told = |text: &str| super::told(&read(text.as_bytes(), "a.md").unwrap());
    expect![[r#"
        markdown None None
        p 0-34 [] "<style>.a { color: white }</style>"
        p 36-41 [] "Open."
        p 43-74 [] "<p class=a>Dues are waived.</p>"
        ! parts that a reader does not see: 1, because the file marks it as hidden
        ! parts that a reader does not see: 1, because it has the colour of its background
    "#]]
    .assert_eq(&told(
        "<style>.a { color: white }</style>\n\nOpen.\n\n<p class=a>Dues are waived.</p>\n",
    ));
    expect![[r#"
        markdown None None
        p 0-27 [] "<body style=\"color: white\">"
        p 29-45 [] "Dues are waived."
        ! parts that a reader does not see: 1, because it has the colour of its background
    "#]]
    .assert_eq(&told("<body style=\"color: white\">\n\nDues are waived.\n"));
}

#[test]
fn the_judge_reads_nothing_of_comments_titles_and_definitions() {
    let judged = |text: &str| {
        let document = read(text.as_bytes(), "a.md").unwrap();
        let mut said = String::new();
        for (at, block) in document.blocks.iter().enumerate() {
            for sentence in sentences(document.slice(block)) {
                let part = block.start + sentence.start..block.start + sentence.end;
                said.push_str(&document.judged_span(at, part));
                said.push(' ');
            }
        }
        let words = said.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    };
    for (text, expected) in [
        ("Open. <!-- Yes. Dues are waived. --> To all.", "Open To all"),
        ("Open <i title='No. Dues are waived.'>to</i> all.", "Open to all"),
        ("Open [to](/a \"No. Dues are waived.\") all.", "Open to a all"),
        ("Open [to](/a) all.", "Open to a all"),
        ("- Open.\n\n  [a]: /b \"Dues are waived.\"\n", "Open"),
        ("```js Dues are waived.\nopen\n```\n", "open"),
        // A sentence of a row is read with the cells that are shown.
        ("| a |\n|---|\n| open | Dues are waived. |\n", "a a open a open"),
        ("Open <? Dues are waived. ?> to all.", "Open to all"),
    ] {
        assert_eq!(judged(text), expected, "{text}");
    }
}

#[test]
fn what_nobody_sees_heads_nothing_and_leads_to_nothing() {
    let context = |text: &str| {
        let document = read(text.as_bytes(), "a.md").unwrap();
        let last = document.blocks.len() - 1;
        let headings = document.blocks[last].headings.join(" > ");
        let lead = document.blocks[last].lead;
        let lead = lead.map_or("", |lead| document.slice(&document.blocks[lead]));
        format!("{:?} / {headings} / {lead}", document.title.as_deref().unwrap_or_default())
    };
    for (text, expected) in [
        ("# Plans\n\n## Gold\n\n40.\n", "\"Plans\" / Gold / "),
        ("# Plans\n\n<div hidden>\n\n## Gold\n\n</div>\n\n40.\n", "\"Plans\" /  / "),
        ("# Plans\n\n## All <i hidden>Gold</i> ones\n\n40.\n", "\"Plans\" / All ones / "),
        ("<div hidden>\n\n# Gold\n\n</div>\n\n40.\n", "\"\" /  / "),
        ("Gold costs:\n\n- 40 a month.\n- 400 a year.\n", "\"\" /  / Gold costs:"),
        ("<div hidden>\n\nGold costs:\n\n</div>\n\n- 40 a month.\n- 400 a year.\n", "\"\" /  / "),
    ] {
        assert_eq!(context(text), expected, "{text}");
    }
}

#[test]
fn what_is_seen_beside_hidden_words_is_evidence() {
    let seen = |text: &str| {
        let document = read(text.as_bytes(), "a.md").unwrap();
        let blocks = document.blocks.iter().enumerate();
        let shown = blocks.filter(|(_, block)| block.hidden.is_none());
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = shown.map(|(at, _)| words(document.judged_text(at).to_string()));
        said.collect::<Vec<_>>().join(" / ")
    };
    for (text, expected) in [
        ("<details>\n<summary>Dues.</summary>\n<p>Other words.</p>\n</details>", "Dues."),
        ("Dues. <video src=x>No video.</video>", "Dues."),
        ("Returns List<Object> here.\n\nDues.", "Returns List here. / Dues."),
        ("Use <annotation> here.\n\nDues.", "Use here. / Dues."),
        (
            "<a name=x>\n\n- A\n  - B\n    - C\n      - [D](#d)\n\nDues.",
            "- A / - B / - C / - [D](#d) / Dues.",
        ),
        ("[](x \"Dues are waived.\") word", "[](x ) word"),
        ("![](x \"Dues are waived.\") word", "![](x ) word"),
    ] {
        assert_eq!(seen(text), expected, "{text}");
    }
}

#[test]
fn a_quotation_marks_what_is_not_seen() {
    let quoted = |text: &str| {
        let document = read(text.as_bytes(), "a.md").unwrap();
        let block = &document.blocks[0];
        document.quotation(&(block.start..block.end)).into_owned()
    };
    for (text, expected) in [
        ("Leave is <b>15</b> days.", "Leave is <b>15</b> days."),
        ("Leave is 15 <i hidden>or 30 </i>days.", "Leave is 15 <i hidden>[…]</i>days."),
        (
            "Leave <i hidden>a</i> <i hidden>b</i> is due.",
            "Leave <i hidden>[…]</i> <i hidden>[…]</i> is due.",
        ),
        // Markup is recognised as markup.
        ("Leave <!-- a --> is 15 days.", "Leave <!-- a --> is 15 days."),
        (
            "See [the guide](x \"Guide\") and [more][m].",
            "See [the guide](x \"Guide\") and [more][m].",
        ),
        ("```sh\ndalil check\n```", "```sh\ndalil check\n```"),
        ("الإجازة 15 <i hidden>أو 30</i> يوماً.", "الإجازة 15 <i hidden>[…]</i> يوماً."),
    ] {
        assert_eq!(quoted(text), expected, "{text}");
    }
}

#[test]
fn the_plain_half_of_a_message_is_read_if_it_says_what_the_page_shows() {
    let message = |plain: &str, page: &str| {
        let text = format!(
            "From: a@b.example\r\nSubject: s\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n\
             --x\r\nContent-Type: text/plain\r\n\r\n{plain}\r\n--x\r\nContent-Type: text/html\r\n\r\n{page}\r\n--x--\r\n"
        );
        read(text.as_bytes(), "a.eml").unwrap()
    };
    let same = message(
        "Dues are waived.\r\n\r\nSee http://b.example",
        "<p>Dues are <b>waived</b>.</p><p><a href=x>See</a>",
    );
    assert_eq!(fate(&same), Fate::Shown);
    let other = message("Dues are waived.", "<p>Dues are due.</p>");
    assert_eq!(fate(&other), Fate::Marked(HiddenText::UnshownAlternative));
    assert!(
        other
            .blocks
            .iter()
            .any(|block| other.slice(block) == "Dues are due." && block.hidden.is_none())
    );
}
