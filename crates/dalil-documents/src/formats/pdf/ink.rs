//! Colours, as far as they are computed here.

use std::rc::Rc;

use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::dict::keys::N;
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Stream};
use hayro_syntax::page::Resources;

use super::paint::PaintState;
use super::{pattern, unpack};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InkColour {
    /// Red, green and blue, rounded to steps that a reader cannot distinguish.
    Paint([u8; 3]),
    /// None at all: a pattern in which nothing is drawn, an ink that no press has.
    Clear,
    /// One that is not computed here.
    Unknown,
}

impl InkColour {
    pub(super) const BLACK: Self = Self::Paint([0; 3]);
    pub(super) const WHITE: Self = Self::Paint([LIGHT_STEPS; 3]);

    pub(super) fn of(light: [f64; 3]) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a few steps, clamped"
        )]
        Self::Paint(
            light.map(|share| (share.clamp(0.0, 1.0) * f64::from(LIGHT_STEPS)).round() as u8),
        )
    }
}

/// How a paint blends with the ground below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InkBlend {
    Normal,
    /// White stays white under any paint.
    KeepsWhite,
    /// The same, and black leaves everything as it is.
    Screens,
    /// Black leaves everything as it is, and white turns it around.
    Inverts,
    /// White leaves everything as it is.
    Multiplies,
    Unknown,
}

impl InkBlend {
    /// By its name (PDF 32000, tables 136 and 137).
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"Normal" | b"Compatible" => Self::Normal,
            b"Screen" | b"Lighten" | b"ColorDodge" => Self::Screens,
            b"Overlay" | b"SoftLight" | b"ColorBurn" | b"Hue" | b"Saturation" | b"Color" => {
                Self::KeepsWhite
            }
            b"Difference" | b"Exclusion" => Self::Inverts,
            b"Multiply" | b"Darken" => Self::Multiplies,
            b"HardLight" | b"Luminosity" => Self::Unknown,
            _ => return None,
        })
    }
}

/// The paint of a letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlyphInk {
    pub(super) colour: InkColour,
    pub(super) blend: InkBlend,
}

impl GlyphInk {
    /// Whether nothing of it is seen on a ground.
    pub(super) fn vanishes_on(self, ground: InkColour) -> bool {
        let is_known = self.colour != InkColour::Unknown;
        let same = is_known && self.colour == ground;
        match self.blend {
            InkBlend::Normal | InkBlend::Unknown => same,
            InkBlend::KeepsWhite => same || ground == InkColour::WHITE,
            InkBlend::Screens => {
                same || ground == InkColour::WHITE || self.colour == InkColour::BLACK
            }
            InkBlend::Inverts => self.colour == InkColour::BLACK,
            InkBlend::Multiplies => same || self.colour == InkColour::WHITE,
        }
    }
}

/// The meaning of a colour's numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum InkSpace {
    /// Light adds up: all ones are white.
    Light,
    /// Ink adds up: all zeros are white.
    Ink,
    /// A lightness of a hundred and two hues.
    Lab,
    /// A list of colours.
    List(Rc<[InkColour]>),
    /// One ink: the colour of none of it, of all of it, and of shares between the two.
    Tint([f64; 3], [f64; 3]),
    /// An ink that no press has.
    Nothing,
    /// Patterns, and the colours of those that have none of their own.
    Pattern(Rc<Self>),
    Unknown,
}

/// Sets the colour that an operator sets, or returns that it sets none. Each lookup is taken from
/// `lookups`; when none is left, the colour is unknown.
pub(super) fn set(
    op: &Op<'_, '_>,
    paint: &mut PaintState,
    resources: &Resources<'_>,
    lookups: &mut usize,
) -> bool {
    let values = |parts: &[&Number]| parts.iter().map(|part| part.as_f64()).collect::<Vec<_>>();
    match op {
        Op::NonStrokeColorDeviceGray(gray) => {
            paint.space = InkSpace::Light;
            paint.fill = colour(&paint.space, &values(&[&gray.0]));
        }
        Op::StrokeColorDeviceGray(gray) => {
            paint.stroke_space = InkSpace::Light;
            paint.stroke = colour(&paint.stroke_space, &values(&[&gray.0]));
        }
        Op::NonStrokeColorDeviceRgb(rgb) => {
            paint.space = InkSpace::Light;
            paint.fill = colour(&paint.space, &values(&[&rgb.0, &rgb.1, &rgb.2]));
        }
        Op::StrokeColorDeviceRgb(rgb) => {
            paint.stroke_space = InkSpace::Light;
            paint.stroke = colour(&paint.stroke_space, &values(&[&rgb.0, &rgb.1, &rgb.2]));
        }
        Op::NonStrokeColorCmyk(ink) => {
            paint.space = InkSpace::Ink;
            paint.fill = colour(&paint.space, &values(&[&ink.0, &ink.1, &ink.2, &ink.3]));
        }
        Op::StrokeColorCmyk(ink) => {
            paint.stroke_space = InkSpace::Ink;
            paint.stroke = colour(&paint.stroke_space, &values(&[&ink.0, &ink.1, &ink.2, &ink.3]));
        }
        Op::ColorSpaceNonStroke(space) => {
            // A space begins with its initial colour, black in device spaces (PDF 32000, 8.6.8).
            paint.space = space_of(space.0, resources, lookups);
            paint.fill = initial(&paint.space);
        }
        Op::NonStrokeColor(parts) => {
            paint.fill = colour_of(&paint.space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        Op::NonStrokeColorNamed(parts) if parts.1.is_none() => {
            paint.fill = colour_of(&paint.space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        Op::NonStrokeColorNamed(parts) => {
            let own = values(&parts.0.iter().collect::<Vec<_>>());
            let name = parts.1.as_ref();
            paint.fill = name.map_or(InkColour::Unknown, |name| {
                pattern::colour(name, &paint.space, &own, resources, lookups)
            });
        }
        Op::ColorSpaceStroke(space) => {
            paint.stroke_space = space_of(space.0, resources, lookups);
            paint.stroke = initial(&paint.stroke_space);
        }
        Op::StrokeColor(parts) => {
            paint.stroke =
                colour_of(&paint.stroke_space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        Op::StrokeColorNamed(parts) if parts.1.is_none() => {
            paint.stroke =
                colour_of(&paint.stroke_space, &values(&parts.0.iter().collect::<Vec<_>>()));
        }
        Op::StrokeColorNamed(_) => paint.stroke = InkColour::Unknown,
        _ => return false,
    }
    true
}

fn colour_of(space: &InkSpace, parts: &[f64]) -> InkColour {
    // Four numbers are inks wherever they are known.
    let space = if parts.len() == 4 && *space == InkSpace::Light { &InkSpace::Ink } else { space };
    colour(space, parts)
}

fn space_of(name: &Name<'_>, resources: &Resources<'_>, lookups: &mut usize) -> InkSpace {
    named_space(name).unwrap_or_else(|| {
        let object = takes_one(lookups).then(|| resources.get_color_space(name)).flatten();
        object.map_or(InkSpace::Unknown, |object| object_space(object, MAX_SPACE_DEPTH))
    })
}

/// Takes one from the rest, if any is left; returns whether it did.
pub(super) fn takes_one(left: &mut usize) -> bool {
    let less = left.checked_sub(1);
    *left = less.unwrap_or(0);
    less.is_some()
}

fn named_space(name: &[u8]) -> Option<InkSpace> {
    match name {
        b"Pattern" => Some(InkSpace::Pattern(Rc::new(InkSpace::Unknown))),
        b"DeviceRGB" | b"DeviceGray" | b"CalRGB" | b"CalGray" | b"RGB" | b"G" => {
            Some(InkSpace::Light)
        }
        b"DeviceCMYK" | b"CMYK" => Some(InkSpace::Ink),
        _ => None,
    }
}

pub(super) fn object_space(object: Object<'_>, depth: usize) -> InkSpace {
    let Object::Array(parts) = object else {
        let name = object.into_name();
        return name.and_then(|name| named_space(&name)).unwrap_or(InkSpace::Unknown);
    };
    let mut parts = parts.iter::<Object<'_>>();
    let Some(kind) = parts.next().and_then(Object::into_name) else { return InkSpace::Unknown };
    let Some(depth) = depth.checked_sub(1) else { return InkSpace::Unknown };
    match &*kind {
        b"ICCBased" => InkSpace::Light,
        b"Lab" => InkSpace::Lab,
        b"Pattern" => {
            let base = parts.next().map(|base| object_space(base, depth));
            InkSpace::Pattern(Rc::new(base.unwrap_or(InkSpace::Unknown)))
        }
        b"Indexed" | b"I" => {
            let base =
                parts.next().and_then(|base| Some((width(&base)?, object_space(base, depth))));
            let table = parts.nth(1);
            base.zip(table)
                .and_then(|((width, base), table)| list(&base, width, table))
                .unwrap_or(InkSpace::Unknown)
        }
        b"Separation" => {
            if parts.next().and_then(Object::into_name).is_some_and(|name| *name == *b"None") {
                return InkSpace::Nothing;
            }
            let base = parts.next().map(|base| object_space(base, depth));
            let function = parts.next();
            base.zip(function)
                .and_then(|(base, way)| tint(&base, &way))
                .unwrap_or(InkSpace::Unknown)
        }
        kind => named_space(kind).unwrap_or(InkSpace::Unknown),
    }
}

/// How many numbers a colour has in a space whose numbers are shares.
fn width(space: &Object<'_>) -> Option<usize> {
    let (kind, profile) = match space {
        Object::Name(name) => (name.clone(), None),
        Object::Array(parts) => {
            let mut parts = parts.iter::<Object<'_>>();
            (parts.next().and_then(Object::into_name)?, parts.next())
        }
        _ => return None,
    };
    match (&*kind, profile) {
        (b"DeviceGray" | b"G" | b"CalGray", _) => Some(1),
        (b"DeviceRGB" | b"RGB" | b"CalRGB", _) => Some(3),
        (b"DeviceCMYK" | b"CMYK", _) => Some(4),
        (b"ICCBased", Some(Object::Stream(profile))) => {
            let count = profile.dict().get::<u32>(N)?;
            usize::try_from(count).ok().filter(|count| matches!(count, 1 | 3 | 4))
        }
        _ => None,
    }
}

/// A space of colours that are listed as bytes of another space, `width` for each.
fn list(base: &InkSpace, width: usize, table: Object<'_>) -> Option<InkSpace> {
    let bytes = match table {
        Object::String(text) => text.as_bytes().to_vec(),
        Object::Stream(stream) => unpack::stream(&stream, MAX_LIST_BYTES).ok()?.into_owned(),
        _ => return None,
    };
    let share =
        |bytes: &[u8]| bytes.iter().map(|byte| f64::from(*byte) / 255.0).collect::<Vec<_>>();
    let colours = bytes.chunks_exact(width).take(256).map(|part| colour_of(base, &share(part)));
    Some(InkSpace::List(colours.collect()))
}

/// A space of one ink whose function is known at both of its ends.
pub(super) fn tint(base: &InkSpace, function: &Object<'_>) -> Option<InkSpace> {
    let (dict, stream) = match function {
        Object::Dict(dict) => (dict.clone(), None),
        Object::Stream(stream) => (stream.dict().clone(), Some(stream)),
        _ => return None,
    };
    let ends = match (dict.get::<u32>(&b"FunctionType"[..])?, stream) {
        (2, _) => [numbers(&dict, b"C0")?, numbers(&dict, b"C1")?],
        (0, Some(stream)) => sampled_ends(stream)?,
        _ => return None,
    };
    let [none, all] = ends.map(|parts| light(base, &parts));
    Some(InkSpace::Tint(none?, all?))
}

/// The first and the last of the samples of a function (PDF 32000, 7.10.2).
fn sampled_ends(stream: &Stream<'_>) -> Option<[Vec<f64>; 2]> {
    let dict = stream.dict();
    let range = numbers(dict, b"Range")?;
    let decode = numbers(dict, b"Decode").unwrap_or_else(|| range.clone());
    let width = range.len() / 2;
    let sizes = dict.get::<Array<'_>>(&b"Size"[..])?;
    let size = sizes.iter::<u32>().next()?;
    // Samples of other widths, and those that are not read from the first to the last, are not
    // followed.
    let is_whole = numbers(dict, b"Encode").is_none_or(|encode| match *encode {
        [first, last] => first.abs() < 0.5 && (last + 1.0 - f64::from(size)).abs() < 0.5,
        _ => false,
    });
    if dict.get::<u32>(&b"BitsPerSample"[..]) != Some(8) || !is_whole || width == 0 {
        return None;
    }
    let bytes = unpack::stream(stream, MAX_LIST_BYTES).ok()?;
    let mut samples = bytes.chunks_exact(width).take(usize::try_from(size).ok()?);
    let first = samples.next()?;
    let last = samples.next_back().unwrap_or(first);
    Some([first, last].map(|sample| {
        let ends = decode.chunks_exact(2).zip(range.chunks_exact(2));
        let values = sample.iter().zip(ends).filter_map(|(byte, (decode, range))| {
            let ([from, to], [least, most]) = (decode, range) else { return None };
            let value = from + f64::from(*byte) / 255.0 * (to - from);
            // Not `clamp`, which wants the first to be the least.
            Some(value.min(*most).max(*least))
        });
        values.collect()
    }))
}

fn numbers(dict: &Dict<'_>, key: &[u8]) -> Option<Vec<f64>> {
    let all = dict.get::<Array<'_>>(key)?;
    Some(all.iter::<Number>().take(MAX_NUMBERS).map(|one| one.as_f64()).collect())
}

fn initial(space: &InkSpace) -> InkColour {
    match space {
        InkSpace::Light | InkSpace::Ink | InkSpace::Lab => InkColour::BLACK,
        InkSpace::List(colours) => colours.first().copied().unwrap_or(InkColour::Unknown),
        InkSpace::Tint(_, all) => InkColour::of(*all),
        InkSpace::Nothing => InkColour::Clear,
        InkSpace::Pattern(_) | InkSpace::Unknown => InkColour::Unknown,
    }
}

/// The colour of numbers in a space.
pub(super) fn colour(space: &InkSpace, parts: &[f64]) -> InkColour {
    match (space, parts) {
        (InkSpace::Nothing, _) => InkColour::Clear,
        (InkSpace::List(colours), [index]) => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "an index of a list of 256, clamped"
            )]
            let index = index.clamp(0.0, 255.0) as usize;
            colours.get(index).copied().unwrap_or(InkColour::Unknown)
        }
        _ => light(space, parts).map_or(InkColour::Unknown, InkColour::of),
    }
}

/// Red, green and blue of numbers in a space.
fn light(space: &InkSpace, parts: &[f64]) -> Option<[f64; 3]> {
    match (space, parts) {
        (InkSpace::Light, [gray]) => Some([*gray; 3]),
        (InkSpace::Light, [red, green, blue]) => Some([*red, *green, *blue]),
        (InkSpace::Ink, [cyan, magenta, yellow, black]) => {
            Some([cyan, magenta, yellow].map(|ink| (1.0 - ink) * (1.0 - black)))
        }
        // Without hues it is a gray; the others are not computed.
        (InkSpace::Lab, [lightness, a, b]) if a.abs() < 2.0 && b.abs() < 2.0 => {
            Some([lightness / 100.0; 3])
        }
        (InkSpace::Tint(none, all), [share]) => {
            let mut mixed = *none;
            for (part, end) in mixed.iter_mut().zip(all) {
                *part += (end - *part) * share.clamp(0.0, 1.0);
            }
            Some(mixed)
        }
        _ => None,
    }
}

/// The steps of light; colours within a step look the same: full light but for a fiftieth is white.
const LIGHT_STEPS: u8 = 25;
const MAX_LIST_BYTES: usize = 1 << 16;
/// Numbers of an array that a function has.
const MAX_NUMBERS: usize = 64;
/// Spaces within spaces.
pub(super) const MAX_SPACE_DEPTH: usize = 4;
