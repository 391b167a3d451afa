//! Hostile files: made small here, so that none is in the repository.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Numbers that look random, the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % limit.max(1) as u64).unwrap()
    }
}

type File = (&'static str, Vec<u8>);

/// Whole files of the formats that are read apart.
pub(crate) fn seeds() -> Vec<File> {
    let paragraph = "All permanent employees shall receive 15 days of paid annual leave.";
    let lines: Vec<String> = (0..40).map(|n| format!("{n}. {paragraph}")).collect();
    let content = lines.iter().map(|line| format!("({line}) Tj 0 -14 Td ")).collect::<String>();
    let body = format!("BT /F1 10 Tf 40 800 Td {content}ET");
    let text = lines.iter().map(|line| format!("<w:p><w:r><w:t>{line}</w:t></w:r></w:p>"));
    let html = lines.iter().map(|line| format!("<p>{line}</p>")).collect::<String>();
    let mail = format!("From: a@example\r\nSubject: Leave\r\n\r\n{}\r\n", lines.join("\r\n"));
    vec![
        ("seed.pdf", pdf(&[stream("", body.as_bytes())], 2)),
        ("packed.pdf", pdf(&[stream("/Filter /FlateDecode", &deflated(body.as_bytes()))], 2)),
        ("seed.docx", docx(&text.collect::<String>())),
        ("seed.html", format!("<html><body><h1>Leave</h1>{html}</body></html>").into_bytes()),
        ("seed.eml", mail.into_bytes()),
    ]
}

/// A seed that was cut, changed or mixed with another.
pub(crate) fn damaged(seeds: &[File], dice: &mut Dice) -> (&'static str, &'static str, Vec<u8>) {
    let (name, bytes) = &seeds[dice.below(seeds.len())];
    let mut bytes = bytes.clone();
    let at = dice.below(bytes.len());
    let what = match dice.below(5) {
        0 => {
            bytes.truncate(at.max(1));
            "cut"
        }
        1 => {
            for _ in 0..=dice.below(30) {
                let at = dice.below(bytes.len());
                bytes[at] ^= 1 << dice.below(8);
            }
            "flipped"
        }
        2 => {
            let (_, other) = &seeds[dice.below(seeds.len())];
            bytes.truncate(at.max(1));
            bytes.extend_from_slice(&other[dice.below(other.len())..]);
            "spliced"
        }
        3 => {
            let end = (at + dice.below(2000)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = dice.below(bytes.len());
            bytes.splice(to..to, piece);
            "doubled"
        }
        _ => {
            let end = (at + dice.below(64)).min(bytes.len());
            let filler = [b'0', b'9', 0xff, b'<', b'('][dice.below(5)];
            bytes[at..end].fill(filler);
            "overwritten"
        }
    };
    (*name, what, bytes)
}

/// Bombs and monsters, each small on the wire.
pub(crate) fn monsters() -> Vec<File> {
    let zeros = vec![0; 64 << 20];
    let spaces = vec![b' '; 64 << 20];
    let nested = |open: &str, shut: &str, depth: usize| {
        format!("{}deep{}", open.repeat(depth), shut.repeat(depth)).into_bytes()
    };
    let deep = "<w:tbl><w:tr><w:tc>".repeat(50_000) + &"</w:tc></w:tr></w:tbl>".repeat(50_000);
    let twice = stream("/Filter [/FlateDecode /FlateDecode]", &deflated(&deflated(&zeros)));
    let parts =
        (0..2000).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n"));
    let entities = (0..30).map(|n| format!("<!ENTITY e{} \"&e{n};&e{n};&e{n};\">", n + 1));
    let laughs = format!("<!DOCTYPE w [<!ENTITY e0 \"ha\">{}]>", entities.collect::<String>());
    vec![
        ("pages.pdf", pdf(&[stream("", b"BT /F1 9 Tf 40 40 Td (A page.) Tj ET")], 10_000)),
        ("bomb.pdf", pdf(&[stream("/Filter /FlateDecode", &deflated(&zeros))], 1)),
        ("bombs.pdf", pdf(&[twice], 50)),
        ("deep.pdf", tree(5000)),
        ("loop.pdf", cyclic()),
        ("liar.pdf", liar()),
        ("wide.pdf", wide()),
        ("brackets.pdf", pdf(&[stream("", &nested("[", "]", 200_000))], 1)),
        ("bomb.docx", zipped(&[("word/document.xml", &spaces)])),
        (
            "bombs.docx",
            zipped(&[
                ("word/document.xml", &spaces),
                ("word/styles.xml", &spaces),
                ("word/numbering.xml", &spaces),
            ]),
        ),
        (
            "nested.docx",
            (0..20).fold(docx("<w:p/>"), |inner, _| zipped(&[("word/document.xml", &inner)])),
        ),
        ("overlap.docx", overlapping(&docx("<w:p><w:r><w:t>Again</w:t></w:r></w:p>"))),
        ("lies.docx", lying(&zipped(&[("word/document.xml", &spaces)]))),
        ("deep.docx", docx(&deep)),
        (
            "laughs.docx",
            zipped(&[("word/document.xml", format!("{laughs}<w>&e30;</w>").as_bytes())]),
        ),
        ("files.docx", many()),
        ("bomb.xlsx", zipped(&[("xl/workbook.xml", &spaces), ("xl/sharedStrings.xml", &spaces)])),
        ("deep.html", nested("<div>", "</div>", 200_000)),
        ("open.html", nested("<b>", "", 500_000)),
        ("deep.eml", parts.collect::<String>().into_bytes()),
        ("zeros.pdf", zeros[..1 << 20].to_vec()),
        ("empty.docx", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec()),
        ("archive.zip", zipped(&[("manifest-sha256.txt", &spaces), ("data/pack.json", &spaces)])),
        ("deep.json", nested("[", "]", 100_000)),
    ]
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn stream(more: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("<< /Length {} {more} >>\nstream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}

/// Objects with a table of their offsets.
fn written(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = String::new();
    for (n, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend_from_slice(format!("{} 0 obj\n", n + 1).as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let (size, start) = (objects.len() + 1, file.len());
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file.extend_from_slice(end.as_bytes());
    file
}

const CATALOG: &[u8] = b"<< /Type /Catalog /Pages 2 0 R >>";
const FONT: &[u8] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

fn page(parent: usize, contents: usize) -> Vec<u8> {
    format!(
        "<< /Type /Page /Parent {parent} 0 R /MediaBox [0 0 595 842] /Contents {contents} 0 R \
         /Resources << /Font << /F1 3 0 R >> >> >>"
    )
    .into_bytes()
}

/// A PDF with `pages` pages that share contents.
fn pdf(contents: &[Vec<u8>], pages: usize) -> Vec<u8> {
    let first = 4 + contents.len();
    let kids = (0..pages).map(|n| format!("{} 0 R ", first + n)).collect::<String>();
    let all = format!("<< /Type /Pages /Count {pages} /Kids [{kids}] >>").into_bytes();
    let mut objects = vec![CATALOG.to_vec(), all, FONT.to_vec()];
    objects.extend_from_slice(contents);
    objects.extend((0..pages).map(|n| page(2, 4 + n % contents.len())));
    written(&objects)
}

/// A page with a ledger attached, as a press would attach it.
pub(crate) fn with_ledger(ledger: &[u8]) -> Vec<u8> {
    let catalog = b"<< /Type /Catalog /Pages 2 0 R /Lang (en) /Names << /EmbeddedFiles << \
        /Names [(ledger.json) 6 0 R] >> >> >>";
    let pages = b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>";
    let spec = b"<< /Type /Filespec /F (ledger.json) /UF (ledger.json) /EF << /F 7 0 R >> >>";
    let file = stream("/Type /EmbeddedFile /Filter /FlateDecode", &deflated(ledger));
    let text = stream("", b"BT /F1 9 Tf 40 40 Td (A page.) Tj ET");
    let objects = [catalog.to_vec(), pages.to_vec(), FONT.to_vec(), page(2, 5), text];
    written(&[&objects[..], &[spec.to_vec(), file]].concat())
}

/// A tree of pages in which every node has one child.
fn tree(depth: usize) -> Vec<u8> {
    let mut objects = vec![CATALOG.to_vec()];
    objects.extend(
        (0..depth)
            .map(|n| format!("<< /Type /Pages /Count 1 /Kids [{} 0 R] >>", n + 3).into_bytes()),
    );
    objects.push(page(depth + 1, depth + 3));
    objects.push(stream("", b"BT (end) Tj ET"));
    written(&objects)
}

/// Pages that are their own parents, and a table that names itself as the one before.
fn cyclic() -> Vec<u8> {
    let pages = b"<< /Type /Pages /Count 2 /Kids [2 0 R 2 0 R 3 0 R] >>".to_vec();
    let other = b"<< /Type /Pages /Count 2 /Kids [2 0 R 3 0 R] /Parent 3 0 R >>".to_vec();
    let file = written(&[CATALOG.to_vec(), pages, other]);
    let text = String::from_utf8(file).unwrap();
    let start = text.split("startxref\n").nth(1).unwrap().split('\n').next().unwrap().to_owned();
    text.replace("/Root 1 0 R", &format!("/Root 1 0 R /Prev {start}")).into_bytes()
}

/// Numbers that promise more than there is.
fn liar() -> Vec<u8> {
    let pages = b"<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>".to_vec();
    let mut long = stream("", b"BT (short) Tj ET");
    long.splice(..13, *b"<< /Length 99");
    let text = String::from_utf8_lossy(&written(&[CATALOG.to_vec(), pages, page(2, 4), long]))
        .into_owned();
    text.replace("/Size 5", "/Size 4294967295").into_bytes()
}

/// A million names for one page.
fn wide() -> Vec<u8> {
    let kids = "4 0 R ".repeat(1_000_000);
    let pages = format!("<< /Type /Pages /Count 1000000 /Kids [{kids}] >>").into_bytes();
    written(&[CATALOG.to_vec(), pages, FONT.to_vec(), page(2, 5), stream("", b"BT (one) Tj ET")])
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        zip.start_file(*name, packed).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn docx(body: &str) -> Vec<u8> {
    let types = b"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
        <Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-\
        officedocument.wordprocessingml.document.main+xml\"/></Types>";
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let document = format!("<w:document xmlns:w=\"{space}\"><w:body>{body}</w:body></w:document>");
    zipped(&[("[Content_Types].xml", types), ("word/document.xml", document.as_bytes())])
}

/// An archive with a list of files that is longer than their content.
fn many() -> Vec<u8> {
    let names: Vec<String> = (0..20_000).map(|n| format!("word/{n}.xml")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    zipped(&files)
}

/// The directory of an archive, and where it begins.
fn directory(zip: &[u8]) -> (usize, usize) {
    let end = zip.len() - 22;
    let field = |at: usize| u32::from_le_bytes(zip[end + at..end + at + 4].try_into().unwrap());
    (field(16) as usize, field(12) as usize)
}

/// Every entry of the directory many times, all of them at the same bytes.
fn overlapping(zip: &[u8]) -> Vec<u8> {
    const TIMES: u16 = 1000;
    let times = usize::from(TIMES);
    let (start, size) = directory(zip);
    let (entries, mut end) = (&zip[start..start + size], zip[zip.len() - 22..].to_vec());
    let count = u16::from_le_bytes([end[10], end[11]]) * TIMES;
    end[8..10].copy_from_slice(&count.to_le_bytes());
    end[10..12].copy_from_slice(&count.to_le_bytes());
    end[12..16].copy_from_slice(&u32::try_from(size * times).unwrap().to_le_bytes());
    [&zip[..start], &entries.repeat(times), &end].concat()
}

/// A directory that claims that the first file is a few bytes long.
fn lying(zip: &[u8]) -> Vec<u8> {
    let mut zip = zip.to_vec();
    let (start, _) = directory(&zip);
    zip[start + 24..start + 28].copy_from_slice(&16_u32.to_le_bytes());
    zip[22..26].copy_from_slice(&16_u32.to_le_bytes());
    zip
}
