use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};

use super::read;
use crate::document::{Document, Kind, Place};

mod hostile;
mod plain;

/// Everything about a document, a line for each block.
pub(crate) fn told(document: &Document) -> String {
    let Document { digest: _, format, title, date, text: _, blocks, problems } = document;
    let date = date.as_ref().map(ToString::to_string);
    let mut out = format!("{} {title:?} {date:?}\n", format.word());
    for block in blocks {
        let kind = match block.kind {
            Kind::Heading(level) => format!("h{level}"),
            Kind::Paragraph => "p".to_owned(),
            Kind::Item => "item".to_owned(),
            Kind::Row => "row".to_owned(),
            Kind::Quote => "quote".to_owned(),
            Kind::Code => "code".to_owned(),
        };
        let page = block.page.map(|page| format!(" p{page}")).unwrap_or_default();
        let place = match block.place {
            Place::Bytes { start, end } => format!("{start}-{end}"),
            Place::Paragraph(number) => format!("¶{number}"),
            Place::Row { sheet, row } => format!("sheet {sheet} row {row}"),
            Place::Part { part, start, end } => format!("part {part} {start}-{end}"),
            Place::Area { .. } => "area".to_owned(),
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
pub(crate) fn check_law(document: &Document) {
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.start >= end && block.end > block.start, "{block:?}");
        assert!(!document.slice(block).is_empty(), "{block:?}");
        end = block.end;
    }
    assert_eq!(Document::from_bytes(&document.to_bytes()).as_ref(), Ok(document));
}

#[test]
fn a_word_text_has_headings_numbers_tables_and_no_deletions() {
    check_file("leave.en.docx", &expect![""]);
}

#[test]
fn a_word_text_in_arabic() {
    check_file("leave.ar.docx", &expect![""]);
}

#[test]
fn a_workbook_shows_values_as_its_sheets_do() {
    check_file("rates.xlsx", &expect![""]);
}

#[test]
fn a_page_shows_what_its_reader_sees() {
    check_file("page.html", &expect![""]);
}

#[test]
fn a_message_has_a_head_a_body_and_attachments_that_are_not_opened() {
    check_file("notice.en.eml", &expect![""]);
}

#[test]
fn a_message_in_html_is_read_as_a_page() {
    check_file("notice.ar.eml", &expect![""]);
}

#[test]
fn a_table_in_text_keeps_its_records() {
    check_file("suppliers.csv", &expect![""]);
}

#[test]
fn plain_text_has_headings_by_number_and_pages_by_form_feed() {
    check_file("clauses.en.txt", &expect![""]);
}

#[test]
fn arabic_text_of_an_old_encoding_is_recognised() {
    check_file("clauses.ar.txt", &expect![""]);
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
        "docx; `a.pdf` is Word text, whatever its name says; 1 tracked deletions were left out",
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
