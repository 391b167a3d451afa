use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};

use super::read;
use crate::document::{BlockKind, BlockLocation, ParsedDocument};

mod hostile;
mod notes;
mod plain;
mod structure;
mod unseen;
mod unseen_page;
mod unseen_sheet;
mod unseen_word;

/// Everything about a document, a line for each block.
pub(crate) fn told(document: &ParsedDocument) -> String {
    let ParsedDocument {
        digest: _,
        format,
        title,
        date,
        text: _,
        blocks,
        tables: _,
        problems,
        unshown: _,
        hidden_words: _,
    } = document;
    let date = date.as_ref().map(ToString::to_string);
    let mut out = format!("{} {title:?} {date:?}\n", format.word());
    for block in blocks {
        let kind = match block.kind {
            BlockKind::Heading(level) => format!("h{level}"),
            BlockKind::Paragraph => "p".to_owned(),
            BlockKind::Item => "item".to_owned(),
            BlockKind::Row => "row".to_owned(),
            BlockKind::Quote => "quote".to_owned(),
            BlockKind::Code => "code".to_owned(),
        };
        let page = block.page.map(|page| format!(" p{page}")).unwrap_or_default();
        let place = match block.place {
            BlockLocation::Bytes { start, end } => format!("{start}-{end}"),
            BlockLocation::Paragraph(number) => format!("¶{number}"),
            BlockLocation::Row { sheet, row } => format!("sheet {sheet} row {row}"),
            BlockLocation::Part { part, start, end } => format!("part {part} {start}-{end}"),
            BlockLocation::Area { .. } => "area".to_owned(),
        };
        let path = block.headings.join(" > ");
        writeln!(out, "{kind}{page} {place} [{path}] {:?}", document.slice(block)).unwrap();
    }
    for problem in problems {
        let place = problem.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        writeln!(out, "! {place}{}", problem.message).unwrap();
    }
    out
}

pub(crate) fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap()
}

#[track_caller]
fn check_file(name: &str, expected: &Expect) {
    let document = read(&file(name), name).unwrap();
    check_law(&document);
    expected.assert_eq(&told(&document));
}

/// Blocks are in order, apart, and not empty.
#[track_caller]
pub(crate) fn check_law(document: &ParsedDocument) {
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.start >= end && block.end > block.start, "{block:?}");
        assert!(!document.slice(block).is_empty(), "{block:?}");
        end = block.end;
    }
    assert_eq!(ParsedDocument::from_bytes(&document.to_bytes()).as_ref(), Ok(document));
}

#[test]
fn a_word_text_has_headings_numbers_tables_and_no_deletions() {
    check_file(
        "leave.en.docx",
        &expect![[r#"
            docx Some("Leave policy") Some("2026-01-01T09:30:00Z")
            h1 ¶1 [] "Leave policy"
            h1 ¶2 [] "Annual leave"
            p ¶3 [Annual leave] "All permanent employees receive 15 days of paid annual leave."
            h2 ¶4 [Annual leave] "Applications"
            p ¶5 [Annual leave > Applications] "An application states:"
            item ¶6 [Annual leave > Applications] "1. the days"
            item ¶7 [Annual leave > Applications] "2. the deputy"
            row ¶8 [Annual leave > Applications] "Grade | Days"
            row ¶10 [Annual leave > Applications] "A | 15"
            row ¶12 [Annual leave > Applications] "B | 20"
            p ¶14 [Annual leave > Applications] "Notice is 15 days."
            p ¶15 [] "HR-B-04"
            ! tracked deletions left out: 1
            ! parts that a reader does not see: 1, because it is an insertion that nobody has accepted
        "#]],
    );
}

#[test]
fn a_word_text_in_arabic() {
    check_file(
        "leave.ar.docx",
        &expect![[r#"
            docx Some("سياسة الإجازات") Some("2026-01-01T09:30:00Z")
            h1 ¶1 [] "سياسة الإجازات"
            h1 ¶2 [] "الإجازة السنوية"
            p ¶3 [الإجازة السنوية] "يستحق كل موظف دائم إجازة سنوية مدفوعة مدتها 15 يوما\u{64b}."
            h2 ¶4 [الإجازة السنوية] "الطلبات"
            p ¶5 [الإجازة السنوية > الطلبات] "يبي\u{651}ن الطلب:"
            item ¶6 [الإجازة السنوية > الطلبات] "1. الأيام"
            item ¶7 [الإجازة السنوية > الطلبات] "2. النائب"
            row ¶8 [الإجازة السنوية > الطلبات] "الدرجة | الأيام"
            row ¶10 [الإجازة السنوية > الطلبات] "أ | ١٥"
            row ¶12 [الإجازة السنوية > الطلبات] "ب | ٢٠"
            p ¶14 [الإجازة السنوية > الطلبات] "Notice is 15 days."
            p ¶15 [] "HR-B-04"
            ! tracked deletions left out: 1
            ! parts that a reader does not see: 1, because it is an insertion that nobody has accepted
        "#]],
    );
}

#[test]
fn a_workbook_shows_values_as_its_sheets_do() {
    check_file(
        "rates.xlsx",
        &expect![[r#"
        xlsx Some("Rates") Some("2026-11-15T09:05:57Z")
        h1 sheet 1 row 1 [] "Rates"
        row sheet 1 row 1 [Rates] "Item | Rate | Share | From"
        row sheet 1 row 2 [Rates] "Item: Crane hour | Rate: 1,250.50 SAR | Share: 15.0% | From: 2026-01-01"
        row sheet 1 row 3 [Rates] "Item: ساعة رافعة | Rate: 990 | Share: 7.5% | From: 2026-02-01"
        h1 sheet 2 row 1 [] "ملاحظات"
        row sheet 2 row 1 [ملاحظات] "تسري الأسعار حتى نهاية السنة."
        ! sheet `Secret`: a hidden sheet was not read
    "#]],
    );
}

#[test]
fn a_page_shows_what_its_reader_sees() {
    check_file(
        "page.html",
        &expect![[r#"
        html Some("Leave policy") Some("2026-01-01")
        item 216-220 [] "Home"
        h1 245-257 [] "Leave policy"
        p 266-368 [] "All permanent employees receive 15\u{a0}days of paid annual leave.\nFractions are rounded up."
        h2 377-408 [] "3.2 Applications & approval"
        item 422-438 [3.2 Applications & approval] "Apply in writing"
        item 446-453 [3.2 Applications & approval] "by form"
        item 472-476 [3.2 Applications & approval] "Wait"
        quote 497-521 [3.2 Applications & approval] "Silence is not approval."
        row 554-567 [3.2 Applications & approval] "Grade | Days"
        row 580-590 [3.2 Applications & approval] "A | 15"
        code 613-624 [3.2 Applications & approval] "leave = 15"
        h2 684-713 [] "الإجازة السنوية"
        p 734-772 [الإجازة السنوية] "مدتها 15 يوما\u{64b}."
        ! letters that the page hides left out: 8
    "#]],
    );
}

#[test]
fn a_message_has_a_head_a_body_and_attachments_that_are_not_opened() {
    check_file(
        "notice.en.eml",
        &expect![[r#"
            eml Some("Port closure") Some("2026-01-01T09:30:00+03:00")
            p part 1 0-132 [] "From: Huda Salem <huda@barzamar.example>\nTo: Operations <ops@barzamar.example>\nDate: 2026-01-01T09:30:00+03:00\nSubject: Port closure"
            p part 2 3-29 [] "The port is closed."
            p part 3 0-9 [] "Dear all,"
            p part 3 13-45 [] "The port is closed on 3 January."
            p part 3 49-62 [] "> Is it open?"
            ! attachment `plan.pdf` was not read
            ! parts that a reader does not see: 3, because a reader is shown another version of it
        "#]],
    );
}

#[test]
fn lines_of_a_message_end_with_one_sign_and_places_count_both() {
    let message = b"From: a@b.example\r\nSubject: s\r\nContent-Type: text/plain; charset=utf-8\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\n\
        The port is clo=\r\nsed on\r\n3 January.\r\n\r\n- caf=C3=A9\r\n- tea\r\n";
    let document = read(message, "a.eml").unwrap();
    check_law(&document);
    expect![[r#"
        eml Some("s") None
        p part 1 0-28 [] "From: a@b.example\nSubject: s"
        p part 2 0-33 [] "The port is closed on\n3 January."
        item part 2 37-44 [] "- café"
        item part 2 46-51 [] "- tea"
    "#]]
    .assert_eq(&told(&document));
    let page = b"Content-Type: text/html\r\nSubject: s\r\n\r\n<pre>one\r\ntwo</pre>";
    assert!(!read(page, "a.eml").unwrap().text.contains('\r'));
}

#[test]
fn a_message_in_html_is_read_as_a_page() {
    check_file(
        "notice.ar.eml",
        &expect![[r#"
            eml Some("إغلاق الميناء") Some("2026-01-01T09:30:00+03:00")
            p part 1 0-145 [] "From: Huda Salem <huda@barzamar.example>\nTo: Operations <ops@barzamar.example>\nDate: 2026-01-01T09:30:00+03:00\nSubject: إغلاق الميناء"
            h1 part 2 4-14 [] "إغلاق"
            p part 2 22-66 [إغلاق] "ي\u{64f}غلق الميناء في 3 يناير."
            ! letters that the page hides left out: 7
        "#]],
    );
}

#[test]
fn a_table_in_text_keeps_its_records() {
    check_file(
        "suppliers.csv",
        &expect![[r#"
        csv None None
        row 0-20 [] "Supplier;Amount;Note"
        row 21-56 [Supplier | Amount | Note] "Qasfara;1,250.50;\"pays late;\noften\""
        row 57-83 [Supplier | Amount | Note] "شركة برزمار;990;"
    "#]],
    );
}

#[test]
fn plain_text_has_headings_by_number_and_pages_by_form_feed() {
    check_file(
        "clauses.en.txt",
        &expect![[r#"
            text None None
            p p1 0-18 [] "SERVICES AGREEMENT"
            p p1 20-80 [] "This agreement begins on 1 March 2025\nand lasts three years."
            h1 p1 82-91 [] "4 Payment"
            h2 p1 93-101 [4 Payment] "4.1 Term"
            p p1 102-133 [4 Payment > 4.1 Term] "The client pays within 30 days."
            h2 p1 135-147 [4 Payment] "4.2 Interest"
            p p1 148-163 [4 Payment > 4.2 Interest] "Late sums bear:"
            item p1 164-176 [4 Payment > 4.2 Interest] "- 5 % a year"
            item p1 177-198 [4 Payment > 4.2 Interest] "- costs of collection"
            p p1 200-238 [4 Payment > 4.2 Interest] "1 apple a day is no heading.\nArticle 5"
            p p2 241-262 [4 Payment > 4.2 Interest] "Page two begins here."
        "#]],
    );
}

#[test]
fn arabic_text_of_an_old_encoding_is_recognised() {
    check_file(
        "clauses.ar.txt",
        &expect![[r#"
        text None None
        h1 0-8 [] "المادة 1"
        p 10-62 [المادة 1] "تبدأ هذه الاتفاقية في 1 مارس 2025 وتستمر ثلاث سنوات."
        h1 64-72 [] "المادة 2"
        p 74-100 [المادة 2] "يدفع العميل خلال 30 يوما\u{64b}."
        ! expected UTF-8, found other bytes; read as windows-1256
    "#]],
    );
}

#[test]
fn files_are_read_as_what_they_are_whatever_they_are_called() {
    let check = |bytes: &[u8], name: &str, expected: &str| {
        let said = match read(bytes, name) {
            Ok(document) => {
                let problems: String =
                    document.problems.iter().map(|one| format!("; {}", one.message)).collect();
                format!("{}{problems}", document.format.word())
            }
            Err(unreadable) => {
                format!("{unreadable}; hint: {}", unreadable.hint.clone().unwrap_or_default())
            }
        };
        assert_eq!(said, expected, "{name}");
    };
    check(
        &file("leave.en.docx"),
        "a.pdf",
        "docx; `a.pdf` is Word text, whatever its name says; tracked deletions left out: 1; parts that a reader does not see: 1, because it is an insertion that nobody has accepted",
    );
    check(
        &file("rates.xlsx"),
        "a.docx",
        "xlsx; `a.docx` is an Excel workbook, whatever its name says; a hidden sheet was not read",
    );
    check(b"<!DOCTYPE html><p>a", "a.txt", "html; `a.txt` is HTML, whatever its name says");
    check(b"From: a@b\r\nSubject: s\r\n\r\nbody", "a", "eml");
    check(b"plain words", "a.docx", "text; `a.docx` is text, whatever its name says");
    check(b"plain words", "README", "text");
    check(b"", "empty.txt", "text");
    check(
        b"a\0b",
        "a.txt",
        "expected a document, found bytes that are no text; hint: documents are PDF, DOCX, XLSX, HTML, Markdown, text, CSV and EML",
    );
    check(
        b"\xd0\xcf\x11\xe0\xa1\xb1",
        "a.doc",
        "expected a document, found an Office file of the old kind, or one with a password; hint: save it as DOCX, XLSX or PDF",
    );
    check(
        b"{\\rtf1 a}",
        "a.txt",
        "expected a document, found rich text; hint: save it as DOCX, XLSX or PDF",
    );
    check(
        b"\x89PNG\r\n",
        "a.md",
        "expected a document, found a picture; hint: recognise its text first, and give that",
    );
    check(
        b"PK\x03\x04other",
        "a.docx",
        "expected a document, found an archive of other files; hint: unpack it and give the documents in it",
    );
}
