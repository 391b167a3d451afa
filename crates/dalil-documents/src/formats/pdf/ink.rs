//! Colours, as far as they are white.

use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Name, Number, Object};
use hayro_syntax::page::Resources;

use super::paint::PaintState;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InkColour {
    White,
    Other,
}

/// What the numbers of a colour mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InkSpace {
    /// Light adds up: all ones are white.
    Light,
    /// Ink adds up: all zeros are white.
    Ink,
    Unknown,
}

/// The paint after an operator that sets a colour; nothing for other operators.
pub(super) fn after(
    op: &Op<'_, '_>,
    paint: &PaintState,
    resources: &Resources<'_>,
) -> Option<PaintState> {
    let values = |parts: &[&Number]| parts.iter().map(|part| part.as_f64()).collect::<Vec<_>>();
    let mut next = paint.clone();
    match op {
        Op::NonStrokeColorDeviceGray(gray) => {
            next.space = InkSpace::Light;
            next.fill = colour(next.space, &values(&[&gray.0]));
        }
        Op::StrokeColorDeviceGray(gray) => {
            next.stroke_space = InkSpace::Light;
            next.stroke = colour(next.stroke_space, &values(&[&gray.0]));
        }
        Op::NonStrokeColorDeviceRgb(rgb) => {
            next.space = InkSpace::Light;
            next.fill = colour(next.space, &values(&[&rgb.0, &rgb.1, &rgb.2]));
        }
        Op::StrokeColorDeviceRgb(rgb) => {
            next.stroke_space = InkSpace::Light;
            next.stroke = colour(next.stroke_space, &values(&[&rgb.0, &rgb.1, &rgb.2]));
        }
        Op::NonStrokeColorCmyk(ink) => {
            next.space = InkSpace::Ink;
            next.fill = colour(next.space, &values(&[&ink.0, &ink.1, &ink.2, &ink.3]));
        }
        Op::StrokeColorCmyk(ink) => {
            next.stroke_space = InkSpace::Ink;
            next.stroke = colour(next.stroke_space, &values(&[&ink.0, &ink.1, &ink.2, &ink.3]));
        }
        Op::ColorSpaceNonStroke(space) => {
            // A space begins with its initial colour, black in device spaces (PDF 32000, 8.6.8).
            next.space = space_of(space.0, resources);
            next.fill = InkColour::Other;
        }
        Op::NonStrokeColor(parts) => {
            next.fill = colour_of(next.space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        Op::NonStrokeColorNamed(parts) if parts.1.is_none() => {
            next.fill = colour_of(next.space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        // The name is that of a pattern, which may have any colours.
        Op::NonStrokeColorNamed(_) => next.fill = InkColour::Other,
        Op::ColorSpaceStroke(space) => {
            next.stroke_space = space_of(space.0, resources);
            next.stroke = InkColour::Other;
        }
        Op::StrokeColor(parts) => {
            next.stroke =
                colour_of(next.stroke_space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        Op::StrokeColorNamed(parts) if parts.1.is_none() => {
            next.stroke =
                colour_of(next.stroke_space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        Op::StrokeColorNamed(_) => next.stroke = InkColour::Other,
        _ => return None,
    }
    Some(next)
}

fn colour_of(space: InkSpace, parts: &[f64]) -> InkColour {
    // Four numbers are inks wherever they are known.
    let space = if parts.len() == 4 && space == InkSpace::Light { InkSpace::Ink } else { space };
    colour(space, parts)
}

fn space_of(name: &Name<'_>, resources: &Resources<'_>) -> InkSpace {
    match &**name {
        b"DeviceRGB" | b"DeviceGray" | b"CalRGB" | b"CalGray" => return InkSpace::Light,
        b"DeviceCMYK" => return InkSpace::Ink,
        _ => {}
    }
    let object = resources.get_color_space(name);
    let first = match object {
        Some(Object::Array(parts)) => parts.iter::<Object<'_>>().next().and_then(Object::into_name),
        Some(other) => other.into_name(),
        None => None,
    };
    match first.as_deref() {
        Some(b"ICCBased" | b"CalRGB" | b"CalGray" | b"DeviceRGB" | b"DeviceGray") => {
            InkSpace::Light
        }
        Some(b"DeviceCMYK") => InkSpace::Ink,
        _ => InkSpace::Unknown,
    }
}

/// The colour of numbers in a space.
fn colour(space: InkSpace, parts: &[f64]) -> InkColour {
    let white = match space {
        InkSpace::Light => parts.iter().all(|part| *part >= MIN_WHITE_SHARE),
        InkSpace::Ink => parts.iter().all(|part| *part <= 1.0 - MIN_WHITE_SHARE),
        InkSpace::Unknown => false,
    };
    if white && !parts.is_empty() { InkColour::White } else { InkColour::Other }
}

/// Full light but for a twenty-fifth cannot be told from paper.
const MIN_WHITE_SHARE: f64 = 0.96;
