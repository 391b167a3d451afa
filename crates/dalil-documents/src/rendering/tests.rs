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
    check(
        "policy.md",
        POLICY.as_bytes(),
        NONE,
        &expect![[r#"
        Some("Leave") found false cut false
        h1 Leave
        h2 1 Term
        p Permanent staff have 15 days of leave a year & more.
        l • once / • twice a / 1. first / 2. second
        h2 2 Rates
        t None
          #None Grade | Days
          None A | 15
          None B | 22
        q A note.
        p The end of 15 days.
    "#]],
    );
}

#[test]
fn quoted_words_are_marked_and_what_differs_among_them() {
    let words = "Permanent staff have **15 days** of leave a year";
    let wanted = RenderingQuery { words, differing: "15 days", ..NONE };
    check(
        "policy.md",
        POLICY.as_bytes(),
        wanted,
        &expect![[r#"
        Some("Leave") found true cut false
        h1 Leave
        h2 1 Term
        p [!Permanent staff have ]{15 days}[ of leave a year] & more.
        l • once / • twice a / 1. first / 2. second
        h2 2 Rates
        t None
          #None Grade | Days
          None A | 15
          None B | 22
        q A note.
        p The end of 15 days.
    "#]],
    );
    // The second of two places that have the words, since that is their stated offset.
    let offset = POLICY.find("15 days.");
    let wanted = RenderingQuery { words: "15 days", offset, max_bytes: 25, ..NONE };
    check(
        "policy.md",
        POLICY.as_bytes(),
        wanted,
        &expect![[r#"
        Some("Leave") found true cut true
        p f [!15 days].
    "#]],
    );
    let wanted = RenderingQuery { words: "B | 22", differing: "22", max_bytes: 60, ..NONE };
    check(
        "policy.md",
        POLICY.as_bytes(),
        wanted,
        &expect![[r#"
        Some("Leave") found true cut true
        t None
          None [!B] | {22}
    "#]],
    );
}

#[test]
fn a_page_is_shown_alone() {
    check(
        "policy.md",
        POLICY.as_bytes(),
        RenderingQuery { page: Some(2), ..NONE },
        &expect![[r#"
        Some("Leave") found false cut false
        h2 2 Rates
        t None
          #None Grade | Days
          None A | 15
          None B | 22
        q A note.
        p The end of 15 days.
    "#]],
    );
    let wanted = RenderingQuery { page: Some(9), max_bytes: 40, ..NONE };
    check(
        "policy.md",
        POLICY.as_bytes(),
        wanted,
        &expect![[r#"
        Some("Leave") found false cut true
        h1 Le
    "#]],
    );
}

#[test]
fn a_sheet_is_a_table_with_the_numbers_of_its_rows() {
    let bytes = include_bytes!("../../tests/files/rates.xlsx");
    check(
        "rates.xlsx",
        bytes,
        NONE,
        &expect![[r#"
        Some("Rates") found false cut false
        h1 Rates
        t Some("Rates")
          Some(1) Item | Rate | Share | From
          Some(2) Item: Crane hour | Rate: 1,250.50 SAR | Share: 15.0% | From: 2026-01-01
          Some(3) Item: ساعة رافعة | Rate: 990 | Share: 7.5% | From: 2026-02-01
        h1 ملاحظات
        t Some("ملاحظات")
          Some(1) تسري الأسعار حتى نهاية السنة.
    "#]],
    );
}

#[test]
fn a_page_of_html_is_shown_by_its_parts() {
    let bytes = include_bytes!("../../tests/files/page.html");
    let wanted = RenderingQuery { words: "receive 15 days of paid", differing: "15 days", ..NONE };
    check(
        "page.html",
        bytes,
        wanted,
        &expect![[r#"
        Some("Leave policy") found true cut false
        l Home
        h1 Leave policy
        p All permanent employees [!receive ]{15 days}[ of paid] annual leave.
        Fractions are rounded up.
        h2 3.2 Applications & approval
        l Apply in writing / by form / Wait
        q Silence is not approval.
        t None
          #None Grade | Days
          None A | 15
        c leave = 15
        h2 الإجازة السنوية
        p مدتها 15 يوماً.
    "#]],
    );
}

#[test]
fn a_word_file_is_shown_by_its_parts() {
    let bytes = include_bytes!("../../tests/files/leave.ar.docx");
    check(
        "leave.ar.docx",
        bytes,
        RenderingQuery { max_bytes: 600, ..NONE },
        &expect![[r#"
        Some("سياسة الإجازات") found false cut true
        h1 سياسة الإجازات
        h1 الإجازة السنوية
        p يستحق كل موظف دائم إجازة سنوية مدفوعة مدتها 15 يوماً.
        h2 الطلبات
        p يبيّن الطلب:
        l 1. الأيام / 2. النائب
    "#]],
    );
}

#[test]
fn what_no_reader_sees_is_shown_only_where_it_is_quoted() {
    let page = b"<p>Seen by all.</p><p style='color:#fff;background:#fff'>Not seen by anybody.</p>";
    check(
        "page.html",
        page,
        NONE,
        &expect![[r#"
        None found false cut false
        p Seen by all.
    "#]],
    );
    let wanted = RenderingQuery { words: "Not seen by anybody.", ..NONE };
    check(
        "page.html",
        page,
        wanted,
        &expect![[r#"
        None found true cut false
        p Seen by all.
        p [!Not seen by anybody.]
    "#]],
    );
}

#[test]
fn words_of_markdown_that_no_reader_sees_are_marked() {
    let page = b"Leave is 15 <b hidden>or 30 </b>days.\n\n<p>Fees <i hidden>are not</i> due.</p>\n\nThe end.\n";
    check(
        "page.md",
        page,
        NONE,
        &expect![[r#"
        None found false cut false
        p Leave is 15 <b hidden>[…]</b>days.
        p <p>Fees <i hidden>[…]</i> due.</p>
        p The end.
    "#]],
    );
    let words = "Leave is 15 <b hidden>[…]</b>days.";
    let wanted = RenderingQuery { words, differing: "15", offset: Some(0), ..NONE };
    check(
        "page.md",
        page,
        wanted,
        &expect![[r#"
        None found true cut false
        p [!Leave is ]{15}[ <b hidden>[…]</b>days.]
        p <p>Fees <i hidden>[…]</i> due.</p>
        p The end.
    "#]],
    );
    let wanted = RenderingQuery { words: "<p>Fees <i hidden>[…]</i> due.</p>", ..NONE };
    check(
        "page.md",
        page,
        wanted,
        &expect![[r#"
        None found true cut false
        p Leave is 15 <b hidden>[…]</b>days.
        p [!<p>Fees <i hidden>[…]</i> due.</p>]
        p The end.
    "#]],
    );
    let wanted = RenderingQuery { words: "Leave is […] weeks.", ..NONE };
    check(
        "page.md",
        page,
        wanted,
        &expect![[r#"
        None found false cut false
        p Leave is 15 <b hidden>[…]</b>days.
        p <p>Fees <i hidden>[…]</i> due.</p>
        p The end.
    "#]],
    );
}

#[test]
fn an_empty_document_has_nothing_to_show() {
    check(
        "empty.txt",
        b"a",
        RenderingQuery { max_bytes: 0, ..NONE },
        &expect![[r#"
        None found false cut true
        p 
    "#]],
    );
}
