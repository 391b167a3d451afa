//! Properties that show text without paint, in specks, or not from the front.

use super::colour::{self, ColourValue, MIN_OPACITY};
use super::length::{LengthBasis, USUAL_FONT_PIXELS, share};
use super::syntax;
use super::values::{StyleValues, TakenValue, font_size};
use crate::document::hidden::HiddenText;

/// How large letters are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetterScale {
    /// The size that is said, in pixels.
    pub(super) font: f32,
    /// Parts of it that are left in width and height.
    width: f32,
    height: f32,
    /// How far letters are from one another, in parts of their size.
    spacing: f32,
    /// Whether other signs stand in the place of letters.
    is_masked: bool,
}

impl Default for LetterScale {
    fn default() -> Self {
        Self { font: USUAL_FONT_PIXELS, width: 1.0, height: 1.0, spacing: 0.0, is_masked: false }
    }
}

impl LetterScale {
    /// Takes what is handed on.
    pub(super) fn take(&mut self, values: &StyleValues<'_>, around: Self) {
        match values.taken("font-size") {
            TakenValue::Taken => {}
            TakenValue::Initial => self.font = USUAL_FONT_PIXELS,
            TakenValue::Own(value) => {
                self.font = font_size(value, around.font).unwrap_or(self.font);
            }
        }
        match values.taken("letter-spacing") {
            TakenValue::Taken => {}
            TakenValue::Initial => self.spacing = 0.0,
            TakenValue::Own(value) => {
                let basis = LengthBasis { font: self.font, whole: Some(self.font) };
                self.spacing = basis.pixels(value).unwrap_or(0.0) / self.font.max(1.0);
            }
        }
        match values.taken("-webkit-text-security") {
            TakenValue::Taken => {}
            TakenValue::Initial => self.is_masked = false,
            TakenValue::Own(value) => self.is_masked = value != "none",
        }
    }

    /// Takes what is done to the box of an element.
    pub(super) fn scale(&mut self, values: &StyleValues<'_>) {
        // No zoom at all means the usual one.
        if let Some(zoom) = share(values.own("zoom")).filter(|zoom| *zoom > 0.0) {
            self.multiply(zoom, zoom);
        }
        let shares: Vec<f32> =
            syntax::words(values.own("scale")).into_iter().filter_map(share).collect();
        match shares.as_slice() {
            [both] => self.multiply(*both, *both),
            [width, height, ..] => self.multiply(*width, *height),
            [] => {}
        }
        for (name, inside) in syntax::functions(values.own("transform")) {
            self.transform(name, inside);
        }
        // `rotate: x 90deg` shows the edge of a plane.
        let rotate = syntax::words(values.own("rotate"));
        if let [axis @ ("x" | "y"), angle] | [angle, axis @ ("x" | "y")] = rotate.as_slice() {
            self.transform(if *axis == "x" { "rotatex" } else { "rotatey" }, angle);
        }
    }

    fn transform(&mut self, name: &str, inside: &str) {
        let parts = syntax::split(inside, b',');
        let parts: Vec<&str> = if parts.len() == 1 { syntax::words(inside) } else { parts };
        let numbers: Vec<f32> = parts.iter().filter_map(|part| share(part.trim())).collect();
        let edge = |angle: f32| angle.to_radians().cos();
        match (name, numbers.as_slice()) {
            ("scale", [both]) => self.multiply(*both, *both),
            ("scale" | "scale3d", [width, height, ..]) => self.multiply(*width, *height),
            ("scalex", [width]) => self.multiply(*width, 1.0),
            ("scaley", [height]) => self.multiply(1.0, *height),
            ("rotatex", [angle]) => self.multiply(1.0, edge(*angle)),
            ("rotatey", [angle]) => self.multiply(edge(*angle), 1.0),
            ("rotate3d", [x, y, _, angle]) if *x != 0.0 || *y != 0.0 => {
                self.multiply(1.0, edge(*angle));
            }
            ("matrix", [a, b, c, d, ..]) | ("matrix3d", [a, b, _, _, c, d, ..]) => {
                let wide = a.hypot(*b);
                // The height that is left is the area by the width.
                self.multiply(wide, (a * d - b * c) / wide.max(f32::EPSILON));
            }
            _ => {}
        }
    }

    fn multiply(&mut self, width: f32, height: f32) {
        self.width *= width.abs();
        self.height *= height.abs();
    }

    /// Why letters of this size are not read.
    pub(super) fn reason(&self) -> Option<HiddenText> {
        if self.font * self.width.min(self.height) < MIN_VISIBLE_PIXELS
            || self.spacing < MIN_LETTER_SPACING
        {
            return Some(HiddenText::TinySize);
        }
        self.is_masked.then_some(HiddenText::OtherLetters)
    }
}

/// How much of the paint of an element is left.
pub(super) fn opacity(values: &StyleValues<'_>) -> f32 {
    let own = share(values.own("opacity")).unwrap_or(1.0);
    let filters = syntax::functions(values.own("filter")).filter(|(name, _)| *name == "opacity");
    filters
        .fold(own, |left, (_, inside)| left * share(inside.trim()).unwrap_or(1.0))
        .clamp(0.0, 1.0)
}

pub(super) fn is_faint(opacity: f32) -> bool {
    opacity < MIN_OPACITY
}

/// Whether letters are blurred so far that none is told from another.
pub(super) fn is_blurred(values: &StyleValues<'_>, basis: LengthBasis) -> bool {
    let mut filters = syntax::functions(values.own("filter"));
    filters.any(|(name, inside)| {
        name == "blur" && basis.pixels(inside).is_some_and(|radius| radius >= basis.font * MIN_BLUR)
    })
}

/// Whether the back of an element is turned to the front, and is not shown.
pub(super) fn is_turned_away(values: &StyleValues<'_>) -> bool {
    let turns = syntax::functions(values.own("transform"))
        .filter(|(name, _)| matches!(*name, "rotatex" | "rotatey" | "rotate3d"))
        .filter_map(|(_, inside)| share(syntax::split(inside, b',').last()?.trim()));
    let single = syntax::words(values.own("rotate"));
    let single = single
        .iter()
        .any(|word| matches!(*word, "x" | "y"))
        .then(|| single.iter().find_map(|word| share(word)))
        .flatten();
    let facing = turns.chain(single).fold(1.0, |facing, angle| facing * angle.to_radians().cos());
    values.is("backface-visibility", &["hidden"]) && facing < 0.0
}

/// Whether a mask leaves nothing of an element.
pub(super) fn is_masked(values: &StyleValues<'_>, basis: LengthBasis) -> bool {
    let image = values.own("mask-image");
    if image.is_empty() || image == "none" {
        return false;
    }
    let size = syntax::words(values.own("mask-size"));
    let is_flat = |word: &&str| basis.of(100.0).pixels(word).is_some_and(|size| size < 1.0);
    if size.iter().any(is_flat) {
        return true;
    }
    let mut gradients = syntax::functions(image).filter(|(name, _)| name.ends_with("gradient"));
    gradients.any(|(_, inside)| {
        let stops = colour::gradient_stops(inside);
        stops.is_some_and(|stops| {
            stops.iter().all(|stop| matches!(stop, ColourValue::Paint(paint) if paint.is_clear()))
        })
    })
}

/// Letters below a point and a half are specks on paper: the bound that PDF has too.
const MIN_VISIBLE_PIXELS: f32 = 2.0;
/// So close, all letters stand on one place: half their size is the width of most.
const MIN_LETTER_SPACING: f32 = -0.4;
/// A radius of half the size of a letter.
const MIN_BLUR: f32 = 0.45;
