//! A page as a picture.
//!
//! Our own interpreter first runs over the page and counts the cost: a page that draws too much
//! is refused before rendering. The limits of the process stop other excesses, such as a huge
//! image stream.

use std::sync::Arc;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::font;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{RenderCache, RenderSettings};
use hayro_font::StandardFont;
use hayro_syntax::Pdf;

use super::content::{self, PdfReadBudget};
use super::font::PdfFonts;
use super::optional::OptionalLayers;
use super::quotation::page;
use super::{MAX_DOCUMENT_CONTENT_BYTES, MAX_DOCUMENT_OPERATORS, refusal};
use crate::formats::format::UnreadableFile;
use crate::page_refusal::PageRefusal;

/// Draws a page, in PNG.
pub(in crate::formats) fn draw(bytes: &[u8], number: u32) -> Result<Vec<u8>, UnreadableFile> {
    let bytes = Arc::new(bytes.to_vec());
    let pdf = Pdf::new(Arc::clone(&bytes)).map_err(refusal)?;
    let size = page(pdf.pages(), number)?.render_dimensions();
    check_cost(&pdf, number)?;
    let drawn = hayro::hayro_syntax::Pdf::new(bytes).ok();
    // Two versions of one parser: a file that they read differently must not look like another.
    let own = drawn.as_ref().and_then(|drawn| drawn.pages().get(number as usize - 1));
    let own = own.filter(|own| is_alike(own.render_dimensions(), size));
    let own = own.ok_or(PageRefusal::Damaged)?;
    let scale = scale(size)?;
    let settings = RenderSettings {
        x_scale: scale,
        y_scale: scale,
        width: Some(pixels(size.0, scale)),
        height: Some(pixels(size.1, scale)),
        bg_color: WHITE,
    };
    let picture = hayro::render(own, &RenderCache::new(), &interpreter(), &settings);
    picture.into_png().map_err(|_| PageRefusal::Damaged.into())
}

/// Refuses a page that costs more than a page of a document does.
fn check_cost(pdf: &Pdf, number: u32) -> Result<(), UnreadableFile> {
    let mut budget =
        PdfReadBudget { operators: MAX_DOCUMENT_OPERATORS, bytes: MAX_DOCUMENT_CONTENT_BYTES };
    let page = page(pdf.pages(), number)?;
    let canvas = content::draw(page, &mut PdfFonts::new(), &OptionalLayers::of(pdf), &mut budget);
    if canvas.cut {
        return Err(PageRefusal::Endless.into());
    }
    if canvas.image_pixels > MAX_IMAGE_PIXELS {
        let (most, pixels) = (MAX_IMAGE_PIXELS, canvas.image_pixels);
        return Err(PageRefusal::LargeImage { most, pixels }.into());
    }
    Ok(())
}

/// The number of pixels per point, such that the picture is as wide as a screen shows it, and not
/// larger than allowed.
fn scale((width, height): (f32, f32)) -> Result<f32, UnreadableFile> {
    let most = (MAX_PICTURE_PIXELS / (width * height)).sqrt().min(MAX_PICTURE_SIDE_PIXELS / height);
    let scale = (PICTURE_WIDTH_PIXELS / width).min(most);
    // A page of a hundred metres by one point would have a side of less than a pixel.
    if width.min(height) * scale >= MIN_PICTURE_SIDE_PIXELS {
        return Ok(scale);
    }
    Err(PageRefusal::TooNarrow(width, height).into())
}

/// How many pixels a side has.
fn pixels(side: f32, scale: f32) -> u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a side is positive, and `scale` makes none longer than a picture may be"
    )]
    let pixels = (side * scale).round() as u16;
    pixels
}

fn is_alike(one: (f32, f32), other: (f32, f32)) -> bool {
    (one.0 - other.0).abs() < MAX_SIZE_DIFFERENCE_POINTS
        && (one.1 - other.1).abs() < MAX_SIZE_DIFFERENCE_POINTS
}

/// The fonts and maps that a PDF need not bring: those that the text is read with.
fn interpreter() -> InterpreterSettings {
    InterpreterSettings {
        font_resolver: Arc::new(|query| {
            let wanted = match query {
                font::FontQuery::Standard(wanted) => *wanted,
                font::FontQuery::Fallback(wanted) => wanted.pick_standard_font(),
            };
            Some(outlines(wanted).get_font_data())
        }),
        cmap_resolver: Arc::new(hayro_cmap::load_embedded),
        ..InterpreterSettings::default()
    }
}

/// The same font of the crate that has its outlines.
fn outlines(wanted: font::StandardFont) -> StandardFont {
    match wanted {
        font::StandardFont::Helvetica => StandardFont::Helvetica,
        font::StandardFont::HelveticaBold => StandardFont::HelveticaBold,
        font::StandardFont::HelveticaOblique => StandardFont::HelveticaOblique,
        font::StandardFont::HelveticaBoldOblique => StandardFont::HelveticaBoldOblique,
        font::StandardFont::Courier => StandardFont::Courier,
        font::StandardFont::CourierBold => StandardFont::CourierBold,
        font::StandardFont::CourierOblique => StandardFont::CourierOblique,
        font::StandardFont::CourierBoldOblique => StandardFont::CourierBoldOblique,
        font::StandardFont::TimesRoman => StandardFont::TimesRoman,
        font::StandardFont::TimesBold => StandardFont::TimesBold,
        font::StandardFont::TimesItalic => StandardFont::TimesItalic,
        font::StandardFont::TimesBoldItalic => StandardFont::TimesBoldItalic,
        font::StandardFont::ZapfDingBats => StandardFont::ZapfDingBats,
        font::StandardFont::Symbol => StandardFont::Symbol,
    }
}

/// As wide as the pane of a wide screen at twice its density; A4 has 150 pixels to the inch so.
const PICTURE_WIDTH_PIXELS: f32 = 1240.0;
/// A sheet of A4 has 2.2 million; a plan of A0 is drawn smaller.
const MAX_PICTURE_PIXELS: f32 = 4_000_000.0;
const MIN_PICTURE_SIDE_PIXELS: f32 = 16.0;
const MAX_PICTURE_SIDE_PIXELS: f32 = 16_000.0;
/// A scan of A3 at 600 pixels to the inch has 70 million.
const MAX_IMAGE_PIXELS: u64 = 100_000_000;
const MAX_SIZE_DIFFERENCE_POINTS: f32 = 0.5;
