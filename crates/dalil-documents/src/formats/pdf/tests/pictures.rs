//! Pages as pictures: the drawing, its place, and refusals.

use std::io::Cursor;

use hayro::vello_cpu::Pixmap;

use super::FILES;
use super::hostile::{deflated, file, page, pages_with, stream};
use crate::formats::page_picture;
use crate::formats::pdf::quotation::find;
use crate::quotation::PageQuotation;

const ENGLISH: &[u8] = include_bytes!("../../../../tests/files/pdf/typst_en.pdf");
const ARABIC: &[u8] = include_bytes!("../../../../tests/files/pdf/typst_ar.pdf");

const NO_PAGES: &str = "expected a PDF with pages, found none that could be read";

fn drawn(bytes: &[u8], page: u32) -> Pixmap {
    Pixmap::from_png(Cursor::new(page_picture(bytes, page).unwrap())).unwrap()
}

/// The part of a box of a page that is dark, in hundredths.
fn ink(picture: &Pixmap, width: f32, edges: [f32; 4]) -> usize {
    let scale = f32::from(picture.width()) / width;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "edges lie on the page"
    )]
    let [left, top, right, bottom] = edges.map(|edge| (edge * scale) as usize);
    let (mut dark, mut all) = (0, 0);
    for y in top..bottom.min(usize::from(picture.height())) {
        for x in left..right.min(usize::from(picture.width())) {
            let pixel = picture.data()[y * usize::from(picture.width()) + x];
            dark += usize::from(pixel.g < 128);
            all += 1;
        }
    }
    dark * 100 / all.max(1)
}

/// The ink of a page is inside of the boxes of its words, and beside them is none.
#[track_caller]
fn check(bytes: &[u8], words: &str) {
    let wanted = PageQuotation { page: 1, words: words.to_owned(), differing: String::new() };
    let found = find(bytes, &wanted).unwrap();
    let picture = drawn(bytes, 1);
    assert!(!found.areas.is_empty());
    for area in &found.areas {
        assert!((4..50).contains(&ink(&picture, found.width, area.edges)), "{area:?}");
        let [left, top, right, bottom] = area.edges;
        // The margin on either side of the text column is empty.
        for margin in [[10.0, top, left.min(60.0), bottom], [right.max(535.0), top, 585.0, bottom]]
        {
            assert_eq!(ink(&picture, found.width, margin), 0, "{margin:?}");
        }
    }
}

#[test]
fn words_are_drawn_where_their_boxes_are() {
    check(ENGLISH, "Every employee is entitled to 15 days of paid leave per year.");
    check(ARABIC, "يستحق كل موظف إجازة مدفوعة الأجر مدتها 15 يومًا في السنة");
}

#[test]
fn every_file_is_drawn_as_large_as_it_is_shown() {
    let mut sizes = Vec::new();
    for bytes in FILES {
        match page_picture(bytes, 1) {
            Ok(png) => {
                let picture = Pixmap::from_png(Cursor::new(&png)).unwrap();
                let is_inked = picture.data().iter().any(|pixel| pixel.g < 128);
                sizes.push((picture.width(), picture.height(), is_inked, png.len() < 600_000));
            }
            Err(unreadable) => assert!(unreadable.message.contains("password"), "{unreadable}"),
        }
    }
    assert!(sizes.iter().all(|size| size.0 == 1240 && size.2 && size.3), "{sizes:?}");
    assert!(sizes.len() >= 8, "{sizes:?}");
}

#[test]
fn letters_of_a_font_that_is_not_in_the_file_are_drawn() {
    let bytes = page(
        "BT /F1 40 Tf 100 600 Td (Helvetica) Tj ET",
        "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>",
    );
    assert!(ink(&drawn(&bytes, 1), 612.0, [100.0, 160.0, 270.0, 195.0]) > 10);
}

/// A file of one page of this size.
fn sized(media_box: &str) -> Vec<u8> {
    file(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [{media_box}] >>").into_bytes(),
    ])
}

#[track_caller]
fn refused(bytes: &[u8], page: u32, expected: &str) {
    let said = page_picture(bytes, page).map(|png| png.len());
    assert_eq!(said.map_err(|unreadable| unreadable.message), Err(expected.to_owned()));
}

#[test]
fn a_large_page_is_drawn_smaller_and_one_without_measure_is_refused() {
    // 1240 pixels wide, and as high as is nearest: 1240 × 3370 ÷ 2384 = 1752.9.
    let picture = drawn(&sized("0 0 2384 3370"), 1);
    assert_eq!((picture.width(), picture.height()), (1240, 1753));
    // Of 4 million pixels: √(4,000,000 × 600 ÷ 14,400) = 408.2 wide, and 9798.0 high.
    let picture = drawn(&sized("0 0 600 14400"), 1);
    assert_eq!((picture.width(), picture.height()), (408, 9798));
    let most = "expected a page of 3 to 14400 points, found one of ";
    refused(&sized("0 0 1000000 1000000"), 1, &format!("{most}1000000 × 1000000"));
    // No number of a PDF has an exponent (PDF 32000, 7.3.3): this is no box, and so no page.
    refused(&sized("0 0 1e30 800"), 1, NO_PAGES);
    // One that is written out is larger than any number that is computed with.
    let huge = format!("0 0 1{} 800", "0".repeat(60));
    refused(&sized(&huge), 1, &format!("{most}inf × 800"));
    refused(
        &sized("0 0 14400 4"),
        1,
        "expected a page that can be shown, found one of 14400 × 4 points",
    );
}

#[test]
fn a_page_that_is_not_there_is_refused() {
    refused(ENGLISH, 0, "expected a page from 1 to 1, found 0");
    refused(ENGLISH, 2, "expected a page from 1 to 1, found 2");
    refused(ENGLISH, u32::MAX, "expected a page from 1 to 1, found 4294967295");
    refused(b"%PDF-1.7", 1, NO_PAGES);
    let catalog = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
    let empty = file(&[catalog, b"<< /Type /Pages /Kids [] /Count 0 >>".to_vec()]);
    for page in [0, 1, 2] {
        refused(&empty, page, NO_PAGES);
    }
}

#[test]
fn what_draws_without_an_end_is_refused_before_it_is_drawn() {
    let forms = (6..16)
        .map(|next| {
            let entries = format!(
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {next} 0 R >> >>"
            );
            stream(&entries, "/X Do ".repeat(10).as_bytes())
        })
        .collect();
    let endless = "expected a page that can be drawn, found one that draws without an end";
    refused(&pages_with("/X Do", "/XObject << /X 5 0 R >>", forms), 1, endless);
    let packed = deflated(&vec![b' '; 80 << 20]);
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>".to_vec(),
        stream("/Filter /FlateDecode", &packed),
    ];
    refused(&file(&objects), 1, endless);
}

#[test]
fn an_image_of_more_pixels_than_a_scan_has_is_refused() {
    let image = stream(
        "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 \
         /ColorSpace /DeviceRGB /Filter /FlateDecode",
        &deflated(&[0; 1000]),
    );
    let bytes = pages_with("600 0 0 600 0 0 cm /X Do", "/XObject << /X 5 0 R >>", vec![image]);
    let expected = "expected images of at most 100000000 pixels, found one of 3600000000";
    refused(&bytes, 1, expected);
}
