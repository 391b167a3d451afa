//! `dalil verify` on PDFs, whose attachments a child process takes out.

use std::fs;
use std::io::Write as _;

use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::Value;

use crate::run::{dalil, root};

const KEY: &str = "dalil.example/tenant-1+c039b92c+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs";

/// The sealed file of the vector `pack/sealed.json`.
fn sealed() -> Vec<u8> {
    let vector = fs::read(root().join("spec/vectors/pack/sealed.json")).unwrap();
    let vector: Value = serde_json::from_slice(&vector).unwrap();
    vector["input"].to_string().into_bytes()
}

/// A PDF of one empty page with files attached.
fn pdf(attached: &[(&str, &[u8])]) -> Vec<u8> {
    let names: String =
        (0..attached.len()).map(|n| format!("({}) {} 0 R ", attached[n].0, 4 + 2 * n)).collect();
    let mut objects = vec![
        format!(
            "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [{names}] >> >> >>"
        )
        .into_bytes(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>".to_vec(),
    ];
    for (n, (name, bytes)) in attached.iter().enumerate() {
        let stream = 5 + 2 * n;
        let file =
            format!("<< /Type /Filespec /F ({name}) /UF ({name}) /EF << /F {stream} 0 R >> >>");
        objects.push(file.into_bytes());
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        packed.write_all(bytes).unwrap();
        let packed = packed.finish().unwrap();
        let head = format!(
            "<< /Type /EmbeddedFile /Filter /FlateDecode /Length {} >>\nstream\n",
            packed.len()
        );
        objects.push([head.as_bytes(), &packed, b"\nendstream"].concat());
    }
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = String::new();
    for (n, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", file.len());
        file.extend(format!("{} 0 obj\n", n + 1).bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let (start, count) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n\
         startxref\n{start}\n%%EOF\n"
    );
    file.extend(end.bytes());
    file
}

/// Verifies a file and compares everything that does not pass.
#[track_caller]
fn check(file: &[u8], exit: i32, expected: &Expect) {
    let args = ["verify", "-", "--key", KEY, "--at", "2026-02-01T00:00:00Z"];
    let output = dalil(&args, file);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let mut told = String::new();
    for finding in report["findings"].as_array().unwrap() {
        if finding["verdict"] != "pass" || finding["part"] == "attachments" {
            told += &format!("{finding}\n");
        }
    }
    expected.assert_eq(&told);
    assert_eq!(output.exit, exit);
}

#[test]
fn a_pack_that_is_attached_to_a_pdf_is_verified() {
    check(
        &pdf(&[("history.json", b"{}"), ("pack.json", &sealed())]),
        1,
        &expect![[r#"
            {"message":"2, `pack.json` among them","part":"attachments","verdict":"pass"}
            {"message":"expected `pack.json` and `history.json`, or `ledger.json`, that can be pressed, found others","part":"pages","verdict":"fail"}
        "#]],
    );
    let mut forged = sealed();
    let at = forged.windows(7).position(|part| part == b"\"sig\":\"").unwrap() + 7;
    forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
    check(
        &pdf(&[("pack.json", &forged)]),
        1,
        &expect![[r#"
        {"message":"1, `pack.json` among them","part":"attachments","verdict":"pass"}
        {"message":"expected a signature by a trusted key over these bytes, found none","part":"signature","verdict":"fail"}
        {"message":"not compared, as what is attached does not hold","part":"pages","verdict":"incomplete"}
    "#]],
    );
}

#[test]
fn every_byte_of_an_attached_pack_counts() {
    let sealed = sealed();
    for at in (0..sealed.len()).step_by(sealed.len() / 7) {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        let file = pdf(&[("pack.json", &changed)]);
        let output = dalil(&["verify", "-", "--key", KEY, "--at", "2026-02-01T00:00:00Z"], &file);
        assert_eq!(output.exit, 1, "byte {at}: {}", output.stdout);
    }
}

#[test]
fn a_pdf_without_one_pack_or_with_too_much_is_refused() {
    check(
        &pdf(&[]),
        1,
        &expect![[r#"
        {"message":"expected one attached file `pack.json` or `ledger.json`, found 0","part":"attachments","verdict":"fail"}
    "#]],
    );
    check(
        &pdf(&[("pack.json", &sealed()), ("pack.json", b"{}")]),
        1,
        &expect![[r#"
        {"message":"expected one attached file `pack.json` or `ledger.json`, found 2","part":"attachments","verdict":"fail"}
    "#]],
    );
    check(
        &pdf(&[("pack.json", &vec![0; 80 << 20])]),
        1,
        &expect![[r#"
        {"message":"expected attached files of at most 67108864 bytes, found others","part":"attachments","verdict":"fail"}
    "#]],
    );
    check(
        b"%PDF-1.7\nnothing\n",
        1,
        &expect![[r#"
        {"message":"expected a PDF with pages, found none that could be read","part":"attachments","verdict":"fail"}
    "#]],
    );
}

#[test]
fn a_trail_and_a_list_are_for_a_statement_alone() {
    let folder = root().join("spec/vectors");
    let export = fs::read(folder.join("trail/export.json")).unwrap();
    let export: Value = serde_json::from_slice(&export).unwrap();
    let export = export["input_text"].as_str().unwrap().as_bytes().to_vec();
    let (trail, list) = (
        "spec/vectors/completeness/files/trail.jsonl",
        "spec/vectors/completeness/files/expected.json",
    );
    let mut told = String::new();
    for (file, given) in [
        (sealed(), ["--trail", trail]),
        (pdf(&[("pack.json", &sealed())]), ["--expected", list]),
        (export, ["--trail", trail]),
        (b"{}".to_vec(), ["--expected", list]),
    ] {
        let args = ["verify", "-", "--key", KEY, "--at", "2026-02-01T00:00:00Z"];
        let output = dalil(&[&args[..], &given].concat(), &file);
        told += &format!("{}{}exit {}\n", output.stdout, output.stderr, output.exit);
    }
    expect![[r#"
        error: expected a statement of completeness for `--trail`, found another file
        hint: leave it out, or give what `dalil record missing --sign` made
        exit 2
        error: expected a statement of completeness for `--expected`, found another file
        hint: leave it out, or give what `dalil record missing --sign` made
        exit 2
        error: expected a statement of completeness for `--trail`, found another file
        hint: leave it out, or give what `dalil record missing --sign` made
        exit 2
        error: expected a statement of completeness for `--expected`, found another file
        hint: leave it out, or give what `dalil record missing --sign` made
        exit 2
    "#]]
    .assert_eq(&told);
}
