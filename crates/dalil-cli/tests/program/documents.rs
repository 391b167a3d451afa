//! `dalil bundle --against`: documents become chunks of a bundle.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use crate::run::{Output, dalil_in, folder, put};

/// A folder with a request and documents, and a bundle of it.
#[track_caller]
fn bundle(folder: &Path, policy: &Value, more: &[&str]) -> Output {
    let part = json!({"document_id": "given", "chunk_index": 0, "text": "of the request"});
    let request = json!({
        "evidence_refs": {"doc_chunks": [part]},
        "policy": policy,
        "created_utc": "2026-01-03T14:30:00Z",
    });
    let args = [&["bundle", "-", "--against", "docs"], more].concat();
    dalil_in(folder, &[], &args, request.to_string().as_bytes())
}

/// Checks a bundle in short: its items, cuts and problems; then standard error.
#[track_caller]
fn check(output: &Output, expected: &Expect) {
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    let list = |name: &str| reply[name].as_array().unwrap().clone();
    let mut lines = vec![format!("exit {}", output.exit)];
    for item in list("items") {
        let source = &item["source_ref"];
        let metadata = &item["metadata"];
        lines.push(format!(
            "{} {} {} {} {}",
            source["document_id"].as_str().unwrap(),
            source["chunk_index"],
            metadata["page_number"],
            metadata["heading_path"],
            item["content"],
        ));
    }
    lines.extend(list("cuts").iter().map(|cut| format!("cut {cut}")));
    lines.extend(list("problems").iter().map(|problem| format!("problem {problem}")));
    lines.push(output.stderr.clone());
    expected.assert_eq(&lines.join("\n"));
}

/// A Word text with these paragraphs.
fn docx(paragraphs: &[&str]) -> Vec<u8> {
    let body: String =
        paragraphs.iter().map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")).collect();
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let text = format!("<w:document xmlns:w=\"{space}\"><w:body>{body}</w:body></w:document>");
    let mut package = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [("[Content_Types].xml", "<Types/>"), ("word/document.xml", &text)] {
        package.start_file(name, SimpleFileOptions::default()).unwrap();
        package.write_all(content.as_bytes()).unwrap();
    }
    package.finish().unwrap().into_inner()
}

/// A sheet with one row of two cells.
fn xlsx(cells: [&str; 2]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package_space = "http://schemas.openxmlformats.org/package/2006";
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns=\"{package_space}/relationships\"><Relationship Id=\"r1\" \
             Type=\"{office}/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let cell = |(name, text): (&str, &str)| {
        format!("<c r=\"{name}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    };
    let cells: String = ["A1", "B1"].into_iter().zip(cells).map(cell).collect();
    let files = [
        ("[Content_Types].xml", format!("<Types xmlns=\"{package_space}/content-types\"/>")),
        ("_rels/.rels", related("officeDocument", "xl/workbook.xml")),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"S\" \
                 sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        ("xl/_rels/workbook.xml.rels", related("worksheet", "worksheets/sheet1.xml")),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                "<worksheet xmlns=\"{main}\"><sheetData><row r=\"1\">{cells}</row></sheetData></worksheet>"
            ),
        ),
    ];
    let mut package = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        package.start_file(name, SimpleFileOptions::default()).unwrap();
        package.write_all(content.as_bytes()).unwrap();
    }
    package.finish().unwrap().into_inner()
}

#[test]
fn quotations_from_word_texts_and_sheets_are_looked_for_when_a_pack_is_assembled() {
    let folder = folder("documents/quoted");
    let run = |args: &[&str], input: &[u8]| dalil_in(&folder, &[], args, input);
    let begun = run(&["tenant", "create", "acme", "--origin", "dalil.example/acme"], b"");
    assert_eq!(begun.exit, 0, "{}", begun.stderr);
    let files = [
        ("report.docx", docx(&["The committee scored Najd 87 points."]), "scored Najd 87 points"),
        ("scores.xlsx", xlsx(["Najd", "scored 87 points"]), "scored 87 points"),
    ];
    for (name, bytes, excerpt) in &files {
        put(&folder.join(name), bytes);
        assert_eq!(run(&["document", "add", name], b"").exit, 0);
        for (n, points) in ["87", "99"].into_iter().enumerate() {
            let id = format!("dec-{name}-{n}");
            let decision = json!({
                "decision_id": id, "tenant_id": "acme", "entity_id": "tender-1",
                "agent_name": "award_agent", "approval_class": "A2", "reversibility_class": "R1",
                "sensitivity_class": "S1", "confidence": 0.9,
                "evidence": [{
                    "source": "report", "uri": "lake://reports/1", "confidence": 0.9,
                    "excerpt": excerpt.replace("87", points),
                    "content_hash": dalil_proof::digest::Digest::of(bytes).to_string(),
                    "retrieved_at": "2026-01-03T10:00:00Z"}],
                "created_at": "2026-01-03T12:00:00Z"});
            let recorded = run(&["decision", "record", "-"], decision.to_string().as_bytes());
            assert_eq!(recorded.exit, 0, "{}", recorded.stderr);
            let sealed = run(&["pack", "assemble", "--decision", &id], b"");
            let expected = if points == "87" { 0 } else { 1 };
            assert_eq!(sealed.exit, expected, "{name} {points}: {}", sealed.stderr);
            assert_eq!(sealed.stdout.contains("not_verbatim"), expected == 1, "{}", sealed.stdout);
        }
    }
}

fn corpus(name: &str) -> std::path::PathBuf {
    let folder = folder(&format!("documents/{name}"));
    let paragraphs = ["Leave is 15 days. Ask hr@example.com.", "الإجازة 15 يوماً."];
    put(&folder.join("docs/a.docx"), &docx(&paragraphs));
    put(&folder.join("docs/b.md"), "# دليل\n\n## الدوام\n\nالدوام ثماني ساعات.\n".as_bytes());
    put(&folder.join("docs/scan.png"), b"\x89PNG\r\n\x1a\n");
    folder
}

#[test]
fn documents_are_read_masked_and_stand_after_the_chunks_of_the_request() {
    let folder = corpus("masked");
    check(
        &bundle(&folder, &json!({"enable_redaction": true}), &[]),
        &expect![[r###"
        exit 0
        given 0 null null "of the request"
        a.docx 0 null null "Leave is 15 days. Ask [EMAIL_REDACTED]."
        a.docx 1 null null "الإجازة 15 يوماً."
        b.md 0 null null "# دليل"
        b.md 1 null null "## الدوام"
        b.md 2 null ["الدوام"] "الدوام ثماني ساعات."
        problem {"document_id":"scan.png","message":"expected a document, found a picture","path":"documents[2]","reason":"unreadable"}
        problem: `scan.png`: expected a document, found a picture
    "###]],
    );
}

#[test]
fn a_query_takes_the_chunks_that_rank_first() {
    let folder = corpus("query");
    let more = ["--query", "كم ساعات الدوام؟", "--top", "2"];
    check(
        &bundle(&folder, &json!({}), &more),
        &expect![[r#"
            exit 0
            given 0 null null "of the request"
            b.md 2 null ["الدوام"] "الدوام ثماني ساعات."
            a.docx 1 null null "الإجازة 15 يوماً."
            problem {"document_id":"scan.png","message":"expected a document, found a picture","path":"documents[2]","reason":"unreadable"}
            problem: `scan.png`: expected a document, found a picture
        "#]],
    );
}

#[test]
fn what_does_not_fit_is_a_cut_and_what_is_shortened_needs_a_lake() {
    let folder = corpus("cut");
    put(&folder.join("docs/long.txt"), "ن".repeat(80).as_bytes());
    check(
        &bundle(&folder, &json!({"max_items": 2}), &[]),
        &expect![[r#"
        exit 0
        given 0 null null "of the request"
        a.docx 0 null null "Leave is 15 days. Ask hr@example.com."
        cut {"byte_count":29,"evidence_id":"doc:e25d6590bb42:1","reason":"max_items"}
        cut {"byte_count":10,"evidence_id":"doc:11dd481a3da4:0","reason":"max_items"}
        cut {"byte_count":15,"evidence_id":"doc:11dd481a3da4:1","reason":"max_items"}
        cut {"byte_count":35,"evidence_id":"doc:11dd481a3da4:2","reason":"max_items"}
        cut {"byte_count":160,"evidence_id":"doc:78213e19f08d:0","reason":"max_items"}
        problem {"document_id":"scan.png","message":"expected a document, found a picture","path":"documents[3]","reason":"unreadable"}
        problem: `scan.png`: expected a document, found a picture
    "#]],
    );
    let short = json!({"max_item_bytes": 101});
    let output = bundle(&folder, &short, &[]);
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    let refused = &reply["refused"][0];
    assert_eq!(
        (output.exit, &refused["rule"], &refused["path"]),
        (1, &json!("needs_lake"), &json!("documents[2].chunks[0]"))
    );
    fs::create_dir(folder.join("lake")).unwrap();
    let output = bundle(&folder, &short, &["--lake", "lake"]);
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    let shortened = &reply["items"].as_array().unwrap().last().unwrap()["full_ref"];
    let kept = fs::read(folder.join("lake").join(shortened["lake_uri"].as_str().unwrap())).unwrap();
    assert_eq!((output.exit, kept), (0, "ن".repeat(80).into_bytes()));
}

#[test]
fn the_index_changes_no_byte_and_without_one_nothing_is_written() {
    let folder = corpus("index");
    let inside = |name: &str| fs::read_dir(folder.join(name)).unwrap().count();
    let plain = bundle(&folder, &json!({}), &["--no-index"]).stdout;
    assert_eq!(inside("."), 1);
    assert_eq!(bundle(&folder, &json!({}), &[]).stdout, plain);
    assert_eq!((inside("."), inside(".dalil/index")), (2, 2));
    assert_eq!(bundle(&folder, &json!({}), &[]).stdout, plain);
    assert_eq!(bundle(&folder, &json!({}), &["--index", "other"]).stdout, plain);
    assert_eq!((inside("."), inside("other/index")), (3, 2));
}

#[test]
fn a_prompt_on_a_pipe_is_what_the_digests_name() {
    let folder = corpus("prompt");
    put(&folder.join("docs/b.md"), b"One\x1b[2J.\n");
    fs::remove_file(folder.join("docs/a.docx")).unwrap();
    let output = bundle(&folder, &json!({}), &["--format", "prompt"]);
    assert_eq!(output.exit, 0);
    assert!(output.stdout.contains("\nOne\u{1b}[2J.\n--- "), "{:?}", output.stdout);
}

#[test]
fn documents_that_are_not_there_could_not_run() {
    let folder = corpus("none");
    fs::remove_dir_all(folder.join("docs")).unwrap();
    let output = bundle(&folder, &json!({}), &[]);
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    expect![[r#"
        error: expected a file or folder, found `docs`: No such file or directory (os error 2)
        hint: give files or folders to `--against`
    "#]]
    .assert_eq(&output.stderr);
    for args in [["bundle", "-", "--query", "x"].as_slice(), &["bundle", "-", "--no-index"]] {
        assert_eq!(dalil_in(&folder, &[], args, b"{}").exit, 2, "{args:?}");
    }
    for query in ["", " \t", "?!"] {
        let output = bundle(&folder, &json!({}), &["--query", query]);
        assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{query:?}");
        let said = format!(
            "error: invalid value '{query}' for '--query <TEXT>': expected words to look for\n"
        );
        assert!(output.stderr.starts_with(&said), "{}", output.stderr);
    }
    let zero = ["bundle", "-", "--against", ".", "--query", "x", "--top", "0"];
    assert_eq!(dalil_in(&folder, &[], &zero, b"{}").exit, 2);
}
