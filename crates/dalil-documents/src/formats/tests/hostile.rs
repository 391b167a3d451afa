//! Files made to break a reader: each ends in a document with problems or in a refusal.

use std::io::{Cursor, Write as _};

use expect_test::{Expect, expect};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::unseen::{Fate, word, workbook};
use super::{check_law, file};
use crate::document::ParsedDocument;
use crate::document::wire::DocumentDecodeError;
use crate::formats::read;

const FILES: [&str; 8] = [
    "leave.en.docx",
    "leave.ar.docx",
    "rates.xlsx",
    "page.html",
    "notice.en.eml",
    "notice.ar.eml",
    "suppliers.csv",
    "clauses.ar.txt",
];

#[test]
fn truncated_and_corrupted_files_are_read_or_refused() {
    for name in FILES {
        let whole = file(name);
        let mut random = 0x9e37_79b9_u64;
        for round in 0..rounds() {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(random >> 33).unwrap() % whole.len();
            let mut bytes = whole.clone();
            match round % 4 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << (random >> 61),
                2 => drop(bytes.drain(at..(at + 16).min(whole.len()))),
                _ => {
                    let end = (at + 64).min(whole.len());
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
            }
            if let Ok(document) = read(&bytes, name) {
                check_law(&document);
            }
        }
    }
}

/// How many damaged files of each kind: few in every run, thousands with `DALIL_ROUNDS=2000`.
fn rounds() -> usize {
    std::env::var_os("DALIL_ROUNDS").and_then(|rounds| rounds.to_str()?.parse().ok()).unwrap_or(40)
}

#[track_caller]
fn check(bytes: &[u8], name: &str, expected: &Expect) {
    let said = match read(bytes, name) {
        Ok(document) => {
            check_law(&document);
            let problems: Vec<_> =
                document.problems.iter().map(|problem| problem.message.as_str()).collect();
            format!("{} blocks, {} bytes {problems:?}", document.blocks.len(), document.text.len())
        }
        Err(unreadable) => unreadable.to_string(),
    };
    expected.assert_eq(&said);
}

#[test]
fn depth_costs_nothing() {
    let deep = |open: &str, close: &str| {
        [open.repeat(100_000), "word".to_owned(), close.repeat(100_000)].concat()
    };
    check(deep("<div>", "</div>").as_bytes(), "a.html", &expect!["1 blocks, 4 bytes []"]);
    check(deep("<table><tr><td>", "").as_bytes(), "a.html", &expect!["1 blocks, 4 bytes []"]);
    check(deep("<ul><li>", "").as_bytes(), "a.html", &expect!["1 blocks, 4 bytes []"]);
    check(deep("> ", "").as_bytes(), "a.md", &expect!["1 blocks, 200004 bytes []"]);
    check(deep("- ", "").as_bytes(), "a.md", &expect!["1 blocks, 200004 bytes []"]);
    check(deep("[", "]").as_bytes(), "a.md", &expect!["1 blocks, 200004 bytes []"]);
    check(deep("*_", "_*").as_bytes(), "a.md", &expect!["1 blocks, 400004 bytes []"]);
    let nested = format!(
        "Subject: a\r\nTo: b\r\n{}",
        "Content-Type: message/rfc822\r\n\r\n".repeat(100_000)
    );
    check(
        nested.as_bytes(),
        "a.eml",
        &expect!["expected at most 100 messages inside one, found 100000"],
    );
    let xml = deep("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>");
    check(
        &package("word/document.xml", xml.as_bytes()),
        "a.docx",
        &expect!["0 blocks, 0 bytes []"],
    );
    let boxes = deep("<w:p><w:r>", "</w:r></w:p>");
    check(
        &package("word/document.xml", boxes.as_bytes()),
        "a.docx",
        &expect!["0 blocks, 0 bytes []"],
    );
}

#[test]
fn size_is_bounded() {
    check("a".repeat(3_000_000).as_bytes(), "a.txt", &expect!["1 blocks, 3000000 bytes []"]);
    check(
        "a\n\n".repeat(150_000).as_bytes(),
        "a.md",
        &expect![[
            r#"100000 blocks, 450000 bytes ["expected at most 100000 blocks, found 50000 more; they are one"]"#
        ]],
    );
    check(
        "a,b\n".repeat(150_000).as_bytes(),
        "a.csv",
        &expect![[
            r#"100000 blocks, 600000 bytes ["expected at most 100000 blocks, found 50000 more; they are one"]"#
        ]],
    );
    check(
        "\"".repeat(100_001).as_bytes(),
        "a.csv",
        &expect![[
            r#"0 blocks, 100001 bytes ["expected a closing quotation mark, found the end; the rest is one row"]"#
        ]],
    );
    let heading = format!("# {}\n\n", "long ".repeat(10_000));
    check(
        format!("{heading}{}", "a\n\n".repeat(20_000)).as_bytes(),
        "a.md",
        &expect!["20001 blocks, 110004 bytes []"],
    );
    check(
        &package("word/document.xml", &vec![b' '; 40 << 20]),
        "a.docx",
        &expect!["expected a file that unpacks to at most 10193500 bytes, found more"],
    );
    // A sheet may have any name.
    for name in ["xl/worksheets/sheet1.xml", "xl/media/sheet1.png"] {
        check(
            &package(name, &vec![b' '; 40 << 20]),
            "a.xlsx",
            &expect!["expected a file that unpacks to at most 10193500 bytes, found more"],
        );
    }
}

#[test]
fn levels_of_an_outline_that_nobody_counts_to_are_none() {
    let words = "<w:r><w:t>Dues are waived.</w:t></w:r>";
    let level = "<w:pPr><w:outlineLvl w:val=\"4294967295\"/></w:pPr>";
    assert_eq!(word(&format!("<w:p>{level}{words}</w:p>"), ""), Fate::Shown);
    let style = format!("<w:style w:type=\"paragraph\" w:styleId=\"Q\">{level}</w:style>");
    let styled = format!("<w:p><w:pPr><w:pStyle w:val=\"Q\"/></w:pPr>{words}</w:p>");
    assert_eq!(word(&styled, &style), Fate::Shown);
}

#[test]
fn rows_with_too_many_cells_are_counted_as_rows() {
    let cells = "<c t=\"inlineStr\"><is><t>a</t></is></c>".repeat(300);
    let rows = format!("<row r=\"1\">{cells}</row><row r=\"2\">{cells}</row>");
    check(
        &workbook("", &rows),
        "a.xlsx",
        &expect![[
            r#"3 blocks, 2046 bytes ["expected at most 256 cells in a row, found more in 2 rows; the rest was left out"]"#
        ]],
    );
}

#[test]
fn a_document_type_is_not_followed() {
    let xml = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><w:p><w:r><w:t>&b;</w:t></w:r></w:p>";
    check(
        &package("word/document.xml", xml.as_bytes()),
        "a.docx",
        &expect![[
            r#"0 blocks, 0 bytes ["expected markup to its end, found a document type at byte 54"]"#
        ]],
    );
    let entity = "<w:p><w:r><w:t>a &lt; &b; &#x41;</w:t></w:r></w:p>";
    check(
        &package("word/document.xml", entity.as_bytes()),
        "a.docx",
        &expect!["1 blocks, 9 bytes []"],
    );
}

/// A package with one file in it.
fn package(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

#[test]
fn bytes_of_documents_that_were_changed_are_refused() {
    let bytes = read(&file("page.html"), "page.html").unwrap().to_bytes();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        assert_eq!(ParsedDocument::from_bytes(&changed), Err(DocumentDecodeError), "{at}");
        assert_eq!(ParsedDocument::from_bytes(&bytes[..at]), Err(DocumentDecodeError), "{at}");
    }
}

#[test]
fn bytes_with_a_true_sum_and_false_fields_are_refused() {
    let bytes = read(&file("page.html"), "page.html").unwrap().to_bytes();
    let (head, rest) = bytes.split_at(37);
    for at in 0..rest.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut rest = rest.to_vec();
            rest[at] ^= flip;
            let sum = dalil_proof::digest::Digest::of(&rest);
            let changed = [&head[..5], sum.as_bytes(), &rest].concat();
            if let Ok(document) = ParsedDocument::from_bytes(&changed) {
                for block in &document.blocks {
                    assert!(document.text.get(block.start..block.end).is_some());
                }
            }
        }
    }
}
