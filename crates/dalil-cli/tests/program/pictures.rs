//! Pages of a PDF as pictures, drawn by a process with limits.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use dalil::sandbox::{InputFile, PageQuotation, SandboxLimits, SandboxReader};
use expect_test::expect;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::run::{put, root};

fn reader(limits: SandboxLimits) -> SandboxReader {
    SandboxReader::new(PathBuf::from(env!("CARGO_BIN_EXE_dalil")), limits)
}

/// The result of drawing in a line: the size of the picture, or why there is none.
fn told(reader: &SandboxReader, bytes: &[u8], page: u32) -> String {
    match reader.picture(InputFile { name: "a.pdf", bytes }, page) {
        Ok(png) => {
            let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
            format!("{} × {}", side(16), side(20))
        }
        Err(unread) => unread.to_string(),
    }
}

/// A page with an image of such entries.
fn with_image(entries: &str, data: &[u8]) -> Vec<u8> {
    let head = format!(
        "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 600 600] >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /X 5 0 R \
         >> >> >>\nendobj\n\
         4 0 obj\n<< /Length 24 >>\nstream\n600 0 0 600 0 0 cm /X Do\nendstream\nendobj\n\
         5 0 obj\n<< /Type /XObject /Subtype /Image {entries} /Length {} >>\nstream\n",
        data.len()
    );
    let tail = b"\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n";
    [head.as_bytes(), data, tail].concat()
}

fn zeros(mebibytes: usize) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..mebibytes {
        packed.write_all(&zeros).unwrap();
    }
    packed.finish().unwrap()
}

#[test]
fn a_page_is_drawn_elsewhere_and_its_words_are_found() {
    let reader = reader(SandboxLimits::usual());
    let bytes =
        std::fs::read(root().join("crates/dalil-documents/tests/files/pdf/typst_en.pdf")).unwrap();
    assert_eq!(told(&reader, &bytes, 1), "1240 × 1754");
    assert_eq!(told(&reader, &bytes, 2), "`a.pdf`: expected a page from 1 to 1, found 2");
    let words = "Every employee is entitled to 15 days of paid leave per year.".to_owned();
    let wanted = PageQuotation { page: 1, words, differing: "15 days".to_owned() };
    let found = reader.quoted(InputFile { name: "a.pdf", bytes: &bytes }, &wanted).unwrap();
    expect![[r#"
        1 1 595.2756 841.8898

        70.9 215 366.5 226.2 q
        217.7 215 256.8 226.2 d
    "#]]
    .assert_eq(&String::from_utf8(found.to_bytes()).unwrap());
    let other = reader.quoted(InputFile { name: "a.pdf", bytes: b"<p>" }, &wanted);
    assert_eq!(
        other.unwrap_err().to_string(),
        "`a.pdf`: expected a PDF with pages, found none that could be read"
    );
}

/// An image of a small size that unpacks to two gigabytes, and one that is as large as it claims.
#[test]
fn an_image_that_unpacks_to_more_than_there_is_memory_costs_itself_alone() {
    let reader = reader(SandboxLimits { memory: 400 << 20, ..SandboxLimits::usual() });
    let gray = "/Width 9000 /Height 9000 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    let bomb = with_image(&format!("{gray} /Filter /FlateDecode"), &zeros(2048));
    let stopped =
        "`a.pdf`: expected its reader to finish, found that it ran out of its 400 MiB of memory";
    assert_eq!(told(&reader, &bomb, 1), stopped);
    let small = "/Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    assert_eq!(told(&reader, &with_image(small, &[0, 255, 255, 0]), 1), "1240 × 1240");
    let large = "/Width 20000 /Height 20000 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    assert_eq!(
        told(&reader, &with_image(large, &[0]), 1),
        "`a.pdf`: expected images of at most 100000000 pixels, found one of 400000000"
    );
}

#[test]
fn drawing_has_the_time_that_reading_has() {
    let time = Duration::from_millis(1);
    let limits =
        SandboxLimits { time, time_per_megabyte: Duration::ZERO, ..SandboxLimits::usual() };
    let gray = "/Width 9000 /Height 9000 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    let slow = with_image(&format!("{gray} /Filter /FlateDecode"), &zeros(77));
    assert_eq!(
        told(&reader(limits), &slow, 1),
        "`a.pdf`: expected to read it within 1ms, found no end"
    );
}

/// A page tree that is its own child: the two versions of the parser must both end.
#[test]
fn pages_that_are_their_own_parents_end() {
    let file = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
        2 0 obj\n<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 /MediaBox [0 0 99 99] >>\nendobj\n\
        3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n";
    // Both end by themselves, with far less than they are given: otherwise a limit would be the
    // error.
    let limits = SandboxLimits { time: Duration::from_secs(20), ..SandboxLimits::usual() };
    let reader = reader(limits);
    let damaged = "`a.pdf`: expected a page that can be drawn, found one that is damaged";
    assert_eq!(told(&reader, file, 1), damaged);
    let words = PageQuotation { page: 1, words: "none".to_owned(), differing: String::new() };
    let source = InputFile { name: "a.pdf", bytes: file };
    let found = reader.quoted(source, &words).unwrap();
    assert_eq!((found.page, found.areas.len()), (1, 0));
}

/// A program that answers with something that is no picture.
#[test]
fn what_is_no_picture_is_not_passed_on() {
    let folder = std::env::temp_dir().join(format!("dalil-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("liar");
    // A frame of the kind of a picture, with eight bytes that are no PNG.
    let script = "#!/bin/sh\nprintf '\\007\\010\\000\\000\\000\\000\\000\\000\\000notapng!'\ncat > /dev/null\n";
    put(&program, script.as_bytes());
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&program, mode).unwrap();
    let liar = SandboxReader::new(program, SandboxLimits::usual());
    assert_eq!(
        told(&liar, b"%PDF-1.7", 1),
        "`a.pdf`: expected a document from its reader, found other bytes"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A form that draws itself twice, and so on: only time ends it.
#[test]
fn a_form_that_draws_itself_ends_with_its_time() {
    let file = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
        2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 600 600] >>\nendobj\n\
        3 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /X 5 0 R \
        >> >> >>\nendobj\n\
        4 0 obj\n<< /Length 5 >>\nstream\n/X Do\nendstream\nendobj\n\
        5 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 99 99] \
        /Resources << /XObject << /X 5 0 R >> >> /Length 26 >>\nstream\n\
        0 0 50 50 re f /X Do /X Do\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n";
    let time = Duration::from_secs(2);
    let limits =
        SandboxLimits { time, time_per_megabyte: Duration::ZERO, ..SandboxLimits::usual() };
    assert_eq!(
        told(&reader(limits), file, 1),
        "`a.pdf`: expected to read it within 2s, found no end"
    );
}
