//! Streams that unpack to more than they may.

use hayro_syntax::Pdf;
use hayro_syntax::object::{ObjectIdentifier, Stream};

use super::hostile::{deflated, file, problems, stream};
use crate::formats::pdf::unpack::{UnpackFailure, check};

/// Checks streams of these filters and bytes against the size that they have, and one byte less.
#[track_caller]
fn check_size(filters: &str, packed: &[u8]) {
    let object = stream(&format!("/Filter [{filters}]"), packed);
    let pdf = with_pages(object);
    let held = pdf.xref().get::<Stream<'_>>(ObjectIdentifier::new(4, 0)).unwrap();
    let size = held.decoded_data().unwrap().len();
    assert!(size > packed.len(), "{filters}");
    assert_eq!(check(&held, size), Ok(()), "{filters}");
    assert_eq!(check(&held, size - 1), Err(UnpackFailure::Large), "{filters}");
}

fn with_pages(object: Vec<u8>) -> Pdf {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>".to_vec(),
        object,
    ];
    Pdf::new(file(&objects)).unwrap()
}

fn in_hex(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).chain(*b">").collect()
}

/// Bytes in groups of five characters, the last of them filled with zeros.
fn in_base_85(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for group in bytes.chunks(4) {
        let mut whole = [0; 4];
        whole[..group.len()].copy_from_slice(group);
        let value = u32::from_be_bytes(whole);
        for power in (0..5).rev() {
            text.push(b'!' + u8::try_from(value / 85_u32.pow(power) % 85).unwrap());
        }
    }
    text.extend(b"~>");
    text
}

/// Codes that each stand for a byte more than the one before, and then many for the longest.
fn lzw_bomb(more: usize) -> Vec<u8> {
    let longest = vec![4095; more];
    let codes = [256, 32].into_iter().chain(258..4096).chain(longest);
    let mut bits = Vec::new();
    let mut size: u32 = 258;
    let mut is_first = true;
    for code in codes {
        let width = (32 - (size + 1).leading_zeros()).min(12);
        bits.extend((0..width).rev().map(|bit| code >> bit & 1 == 1));
        // The first code after a clearing adds none.
        match code {
            256 => {}
            _ if is_first => is_first = false,
            _ => size = (size + 1).min(4096),
        }
    }
    bits.chunks(8)
        .map(|byte| {
            (0..8).fold(0, |whole, bit| whole << 1 | u8::from(byte.get(bit) == Some(&true)))
        })
        .collect()
}

#[test]
fn what_a_stream_unpacks_to_is_known_before_it_is_unpacked() {
    let flat = deflated(&vec![b' '; 1 << 20]);
    check_size("/FlateDecode", &flat);
    check_size("/FlateDecode /FlateDecode", &deflated(&flat));
    check_size("/ASCIIHexDecode /FlateDecode", &in_hex(&flat));
    check_size("/ASCII85Decode /FlateDecode", &in_base_85(&flat));
    check_size("/RunLengthDecode", &[[129, b' '].repeat(5_000), vec![128]].concat());
    check_size("/LZWDecode", &lzw_bomb(100));
    check_size("/ASCIIHexDecode /LZWDecode", &in_hex(&lzw_bomb(100)));
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let flat = deflated(&vec![b' '; 80 << 20]);
    let refuses = |entries: &str, packed: &[u8]| {
        let pdf = with_pages(stream(entries, packed));
        let held = pdf.xref().get::<Stream<'_>>(ObjectIdentifier::new(4, 0)).unwrap();
        check(&held, 64 << 20)
    };
    let nine = (1..9).fold(flat.clone(), |packed, _| deflated(&packed));
    let filters = "/FlateDecode ".repeat(9);
    assert_eq!(refuses(&format!("/Filter [{filters}]"), &nine), Err(UnpackFailure::Large));
    let parts = "/Filter [/FlateDecode /FlateDecode] /DecodeParms [<< /Predictor 12 >> null]";
    assert_eq!(refuses(parts, &deflated(&flat)), Err(UnpackFailure::Large));
    let runs = [129, b' '].repeat(600_000);
    let order = "/Filter [/RunLengthDecode /FlateDecode]";
    assert_eq!(refuses(order, &runs), Err(UnpackFailure::Large));
    // The head is broken, and the parser reads the data after it.
    let headless = [b"\x00\x00", flat.get(2..).unwrap()].concat();
    assert_eq!(refuses("/Filter /FlateDecode", &headless), Err(UnpackFailure::Large));
}

#[test]
fn a_font_whose_map_unpacks_to_too_much_is_not_read() {
    let font =
        "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >> >>";
    let map = |size: usize| {
        let text =
            [b"begincmap 1 beginbfchar <41> <0042> endbfchar endcmap".to_vec(), vec![b' '; size]];
        stream("/Filter /FlateDecode", &deflated(&text.concat()))
    };
    let drawn = "BT /F 12 Tf 50 50 Td (A ship) Tj ET";
    let noted = |size: usize| problems(&super::hostile::pages_with(drawn, font, vec![map(size)]));
    assert_eq!(noted(80 << 20), ["page 1: some of its contents could not be unpacked"]);
    assert_eq!(
        noted(1 << 10),
        ["page 1: 1 of its characters cannot be seen; they are read all the same"]
    );
}

#[test]
fn every_page_with_a_font_that_is_not_read_says_so() {
    let map = [b"begincmap endcmap".to_vec(), vec![b' '; 80 << 20]].concat();
    let font =
        "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >> >>";
    let page = |drawn: u32| {
        let entries =
            format!("/Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Resources << {font} >>");
        format!("<< {entries} /Contents {drawn} 0 R >>").into_bytes()
    };
    let drawn =
        |words: &str| stream("", format!("BT /F 12 Tf 50 50 Td ({words}) Tj ET").as_bytes());
    let bytes = file(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>".to_vec(),
        page(4),
        drawn("A ship"),
        stream("/Filter /FlateDecode", &deflated(&map)),
        page(7),
        drawn("Another ship"),
    ]);
    let lost = |page: u32| format!("page {page}: some of its contents could not be unpacked");
    assert_eq!(problems(&bytes), [lost(1), lost(2)]);
}
