use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{RenderedPart, RenderingQuery, TextMark, TextRun};
use crate::formats::read;

const NONE: RenderingQuery<'_> =
    RenderingQuery { words: "", differing: "", offset: None, page: None, max_bytes: 10_000 };

fn words(runs: &[TextRun]) -> String {
    let said = |run: &TextRun| {
        let first = if run.is_first { "!" } else { "" };
        match run.mark {
            TextMark::Plain => run.text.clone(),
            TextMark::Quoted => format!("[{first}{}]", run.text),
            TextMark::Differs => format!("{{{first}{}}}", run.text),
        }
    };
    runs.iter().map(said).collect()
}

/// Compares all of a rendering.
#[track_caller]
fn check(name: &str, bytes: &[u8], wanted: RenderingQuery<'_>, expected: &Expect) {
    let rendering = read(bytes, name).unwrap().rendered(&wanted);
    let mut shown = String::new();
    let (title, found, cut) = (&rendering.title, rendering.is_found, rendering.is_cut);
    writeln!(shown, "{title:?} found {found} cut {cut}").unwrap();
    for part in &rendering.parts {
        match part {
            RenderedPart::Heading(level, runs) => writeln!(shown, "h{level} {}", words(runs)),
            RenderedPart::Paragraph(runs) => writeln!(shown, "p {}", words(runs)),
            RenderedPart::Quote(runs) => writeln!(shown, "q {}", words(runs)),
            RenderedPart::Code(runs) => writeln!(shown, "c {}", words(runs)),
            RenderedPart::List(items) => {
                let items: Vec<String> = items.iter().map(|runs| words(runs)).collect();
                writeln!(shown, "l {}", items.join(" / "))
            }
            RenderedPart::Table(table) => {
                writeln!(shown, "t {:?}", table.caption).unwrap();
                for row in &table.rows {
                    let cells: Vec<String> = row.cells.iter().map(|runs| words(runs)).collect();
                    let head = if row.is_header { "#" } else { "" };
                    writeln!(shown, "  {head}{:?} {}", row.number, cells.join(" | ")).unwrap();
                }
                Ok(())
            }
        }
        .unwrap();
    }
    expected.assert_eq(&shown);
}

const POLICY: &str = "# Leave\n\n<!-- page 1 -->\n\n## 1 Term\n\nPermanent staff have **15 days** of \
    leave\na year & more.\n\n- once\n- twice `a`\n\n1. first\n2. second\n\n<!-- page 2 -->\n\n## 2 \
    Rates\n\n| Grade | Days |\n|---|---|\n| A | 15 |\n| B | 22 |\n\n> A note.\n\nThe end of 15 days.\n";

#[test]
fn markdown_is_shown_without_its_signs() {
    check("policy.md", POLICY.as_bytes(), NONE, &expect![[""]]);
}

#[test]
fn quoted_words_are_marked_and_what_differs_among_them() {
    let words = "Permanent staff have **15 days** of leave a year";
    let wanted = RenderingQuery { words, differing: "15 days", ..NONE };
    check("policy.md", POLICY.as_bytes(), wanted, &expect![[""]]);
    // The second of two places that have the words, since that is where they are said to be.
    let offset = POLICY.find("15 days.");
    let wanted = RenderingQuery { words: "15 days", offset, max_bytes: 25, ..NONE };
    check("policy.md", POLICY.as_bytes(), wanted, &expect![[""]]);
    let wanted = RenderingQuery { words: "B | 22", differing: "22", max_bytes: 60, ..NONE };
    check("policy.md", POLICY.as_bytes(), wanted, &expect![[""]]);
}

#[test]
fn a_page_is_shown_alone() {
    check("policy.md", POLICY.as_bytes(), RenderingQuery { page: Some(2), ..NONE }, &expect![[""]]);
    let wanted = RenderingQuery { page: Some(9), max_bytes: 40, ..NONE };
    check("policy.md", POLICY.as_bytes(), wanted, &expect![[""]]);
}

#[test]
fn a_sheet_is_a_table_with_the_numbers_of_its_rows() {
    let bytes = include_bytes!("../../tests/files/rates.xlsx");
    check("rates.xlsx", bytes, NONE, &expect![[""]]);
}

#[test]
fn a_page_of_html_is_shown_by_its_parts() {
    let bytes = include_bytes!("../../tests/files/page.html");
    let wanted = RenderingQuery { words: "receive 15 days of paid", differing: "15 days", ..NONE };
    check("page.html", bytes, wanted, &expect![[""]]);
}

#[test]
fn a_letter_of_a_word_processor_is_shown_by_its_parts() {
    let bytes = include_bytes!("../../tests/files/leave.ar.docx");
    check("leave.ar.docx", bytes, RenderingQuery { max_bytes: 600, ..NONE }, &expect![[""]]);
}

#[test]
fn what_no_reader_sees_is_shown_only_where_it_is_quoted() {
    let page = b"<p>Seen by all.</p><p style='color:#fff;background:#fff'>Not seen by anybody.</p>";
    check("page.html", page, NONE, &expect![[""]]);
    let wanted = RenderingQuery { words: "Not seen by anybody.", ..NONE };
    check("page.html", page, wanted, &expect![[""]]);
}

#[test]
fn an_empty_document_has_nothing_to_show() {
    check("empty.txt", b"a", RenderingQuery { max_bytes: 0, ..NONE }, &expect![[""]]);
}
