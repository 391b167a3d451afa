//! Files made to cost more than they weigh.

use std::fmt::Write as _;
use std::io::Write as _;

use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::{read, shown};

/// A file of these objects, the first of which is its catalog; its table is left out.
pub(super) fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    for (number, object) in (1..).zip(objects) {
        bytes.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    bytes.extend_from_slice(b"trailer\n<< /Root 1 0 R >>\n");
    bytes
}

pub(super) fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
    object.extend_from_slice(data);
    object.extend_from_slice(b"\nendstream");
    object
}

pub(super) fn deflated(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A file of one page, with objects from number 5 on.
fn pages(contents: Vec<u8>, resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << {resources} >> >>"
    );
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.into_bytes(),
        contents,
    ];
    objects.extend(more);
    file(&objects)
}

/// A file of one page, with objects from number 5 on.
pub(super) fn pages_with(contents: &str, resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    pages(stream("", contents.as_bytes()), resources, more)
}

/// A file of one page.
pub(super) fn page(contents: &str, resources: &str) -> Vec<u8> {
    pages(stream("", contents.as_bytes()), resources, Vec::new())
}

#[track_caller]
fn check(bytes: &[u8], expected: &Expect) {
    expected.assert_eq(&shown(bytes));
}

#[test]
fn a_form_that_draws_itself_ends() {
    let form = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /X 5 0 R >> >>",
        b"BT 9 0 0 9 50 50 Tm (again) Tj ET /X Do /X Do",
    );
    check(
        &pages(stream("", b"/X Do"), "/XObject << /X 5 0 R >>", vec![form]),
        &expect![[r#"
        title None
        date false

        p1 paragraph [50 735 72 744] ()
        again
    "#]],
    );
}

#[test]
fn forms_within_forms_end() {
    let forms = (6..46)
        .map(|next| {
            let entries = format!(
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {next} 0 R >> >>"
            );
            stream(&entries, "/X Do ".repeat(10).as_bytes())
        })
        .collect();
    let bytes = pages(stream("", b"/X Do"), "/XObject << /X 5 0 R >>", forms);
    assert_eq!(problems(&bytes), ["page 1: it draws more than is read; the rest of it is missing"]);
}

/// Ten to the tenth forms, none of them too deep.
#[test]
fn wide_forms_end() {
    let forms = (6..16)
        .map(|next| {
            let entries = format!(
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {next} 0 R >> >>"
            );
            stream(&entries, "/X Do ".repeat(10).as_bytes())
        })
        .collect();
    let bytes = pages(stream("", b"/X Do"), "/XObject << /X 5 0 R >>", forms);
    assert_eq!(problems(&bytes), ["page 1: it draws more than is read; the rest of it is missing"]);
}

#[test]
fn what_unpacks_to_too_much_is_left_packed() {
    let large = deflated(&vec![b' '; 80 << 20]);
    let twice = deflated(&large);
    for (filter, data) in [("/FlateDecode", large), ("[/FlateDecode /FlateDecode]", twice)] {
        let bytes = pages(stream(&format!("/Filter {filter}"), &data), "", Vec::new());
        assert_eq!(
            problems(&bytes),
            ["page 1: it draws more than is read; the rest of it is missing"]
        );
    }
}

#[test]
fn a_page_that_cannot_be_unpacked_takes_no_other_with_it() {
    let data = deflated(b"BT /F 9 Tf 9 0 0 9 50 50 Tm (gone) Tj ET");
    // No columns: rows of no length.
    let broken = stream("/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 0 >>", &data);
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 612 792] >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>".to_vec(),
        broken,
        stream("", b"BT /F 9 Tf 50 50 Td (kept) Tj ET"),
    ];
    check(
        &file(&objects),
        &expect![[r#"
        title None
        date false
        problem: page 1: some of its contents could not be unpacked

        p2 paragraph [50 735 67 744] ()
        kept
    "#]],
    );
}

#[test]
fn a_tree_of_pages_that_holds_itself_ends() {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [2 0 R 3 0 R 4 0 R 3 0 R] /Count 9 >>".to_vec(),
        b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 9 >>".to_vec(),
        b"<< /Type /Page /Parent 4 0 R /MediaBox [0 0 99 99] /Contents 5 0 R >>".to_vec(),
        stream("", b"BT 9 0 0 9 50 50 Tm (one page) Tj ET"),
    ];
    check(
        &file(&objects),
        &expect![[r#"
        title None
        date false

        p1 paragraph [50 42 88 51] ()
        one page
    "#]],
    );
}

#[test]
fn a_deep_tree_of_pages_is_read() {
    let mut objects = vec![b"<< /Type /Catalog /Pages 2 0 R >>".to_vec()];
    for next in 3..5_003 {
        objects.push(format!("<< /Type /Pages /Kids [{next} 0 R] /Count 1 >>").into_bytes());
    }
    objects.push(b"<< /Type /Page /MediaBox [0 0 99 99] /Contents 5003 0 R >>".to_vec());
    objects.push(stream("", b"BT 9 0 0 9 50 50 Tm (deep) Tj ET"));
    check(
        &file(&objects),
        &expect![[r#"
        title None
        date false

        p1 paragraph [50 42 70 51] ()
        deep
    "#]],
    );
}

#[test]
fn ten_thousand_pages_are_read() {
    let mut kids = String::new();
    for page in 4..10_004 {
        write!(kids, "{page} 0 R ").unwrap();
    }
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count 10000 /MediaBox [0 0 199 99] >>").into(),
        stream("", b"BT 9 0 0 9 50 50 Tm (The same on every page) Tj ET"),
    ];
    objects.extend((0..10_000).map(|_| b"<< /Type /Page /Contents 3 0 R >>".to_vec()));
    let draft = read(&file(&objects)).unwrap();
    let last = draft.blocks.last().unwrap();
    assert_eq!((draft.blocks.len(), last.page, draft.problems.len()), (10_000, Some(10_000), 0));
}

#[test]
fn streams_of_objects_that_hold_themselves_end() {
    let objects = |held: &str| {
        let first = held.find('<').unwrap();
        let packed = deflated(held.as_bytes());
        let entries = format!("/Type /ObjStm /N 2 /First {first} /Filter /FlateDecode");
        [
            stream(&format!("{entries} /Extends 1 0 R"), &packed),
            stream(&format!("{entries} /Extends 1 0 R"), &packed),
        ]
    };
    // The catalog is in a stream that claims to be in the other.
    let own = objects("1 0 2 3 << /Type /Catalog /Pages 2 0 R >>");
    check(
        &file(&own),
        &expect![[r#"
        expected a PDF with pages, found none that could be read
        Some("open it in a viewer and save it again")
    "#]],
    );
    let many = stream("/Type /ObjStm /N 2147483647 /First 2147483647", b"1 0 2 0 3 0");
    check(
        &file(&[many]),
        &expect![[r#"
        expected a PDF with pages, found none that could be read
        Some("open it in a viewer and save it again")
    "#]],
    );
}

#[test]
fn a_table_that_goes_round_ends() {
    let mut bytes = page("BT 9 0 0 9 50 50 Tm (found all the same) Tj ET", "");
    let at = bytes.len();
    let table = format!(
        "xref\n0 4294967295\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R /Prev {at} /Size 4294967295 >>\nstartxref\n{at}\n%%EOF\n"
    );
    bytes.extend_from_slice(table.as_bytes());
    check(
        &bytes,
        &expect![[r#"
        title None
        date false

        p1 paragraph [50 735 124 744] ()
        found all the same
    "#]],
    );
    let size = "/Type /XRef /W [1 8 8] /Size 4294967295 /Index [0 4294967295] /Root 1 0 R";
    let mut bytes = page("BT 9 0 0 9 50 50 Tm (found all the same) Tj ET", "");
    let at = bytes.len();
    bytes.extend_from_slice(b"9 0 obj\n");
    bytes.extend(stream(
        &format!("{size} /Prev {at} /Filter /FlateDecode"),
        &deflated(&[0; 1 << 20]),
    ));
    bytes.extend_from_slice(format!("\nendobj\nstartxref\n{at}\n%%EOF\n").as_bytes());
    check(
        &bytes,
        &expect![[r#"
        title None
        date false

        p1 paragraph [50 735 124 744] ()
        found all the same
    "#]],
    );
}

#[test]
fn deep_nests_and_long_runs_are_read_or_passed_over() {
    let nest =
        |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    let after = "BT 9 0 0 9 50 50 Tm (after it) Tj ET";
    let runs = [
        nest("[", "]"),
        nest("<< /A ", " >>"),
        nest("q ", "Q "),
        nest("/P << /A 1 >> BDC ", "EMC "),
        nest("BT ", "ET "),
        "(".repeat(100_000),
    ];
    let read: Vec<String> = runs
        .iter()
        .map(|run| {
            let draft = read(&page(&format!("{run} {after}"), "")).unwrap();
            format!("{:?} {:?}", draft.text, problems_of(&draft))
        })
        .collect();
    expect![[r#"
        "" ["page 1: it has no text"]
        "" ["page 1: it has no text"]
        "after it" []
        "after it" []
        "after it" []
        "" ["page 1: it has no text"]"#]]
    .assert_eq(&read.join("\n"));
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids {} /Count 1 >>", nest("[", "]")).into_bytes(),
    ];
    check(
        &file(&objects),
        &expect![[r#"
        expected a PDF with pages, found none that could be read
        Some("open it in a viewer and save it again")
    "#]],
    );
}

#[test]
fn streams_whose_length_is_their_own_end() {
    let contents =
        b"<< /Length 4 0 R >>\nstream\nBT 9 0 0 9 50 50 Tm (own length) Tj ET\nendstream".to_vec();
    check(
        &pages(contents, "", Vec::new()),
        &expect![[r#"
        title None
        date false

        p1 paragraph [50 735 94 744] ()
        own length
    "#]],
    );
}

#[test]
fn fonts_without_a_name_of_their_own_are_told_apart() {
    let font = |code: &str| {
        format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /{code}] >> >>"
        )
    };
    let resources = format!("/Font << /F {} /G {} >>", font("one"), font("two"));
    check(
        &page("BT /F 20 Tf 50 50 Td (A) Tj /G 20 Tf (A) Tj ET", &resources),
        &expect![[r#"
            title None
            date false

            p1 paragraph [50 726 72 746] ()
            12
        "#]],
    );
}

pub(super) fn problems(bytes: &[u8]) -> Vec<String> {
    problems_of(&read(bytes).unwrap())
}

fn problems_of(draft: &crate::formats::DocumentDraft) -> Vec<String> {
    draft.problems.iter().map(ToString::to_string).collect()
}
