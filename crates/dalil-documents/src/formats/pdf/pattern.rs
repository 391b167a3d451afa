//! Patterns and masks, as far as all that they paint has one colour, or they paint nothing.

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::dict::keys::RESOURCES;
use hayro_syntax::object::{Dict, Name, Object, Stream};
use hayro_syntax::page::Resources;

use super::ink::{self, InkColour, InkSpace, MAX_SPACE_DEPTH};
use super::paint::PaintState;
use super::unpack;

/// The colour of a pattern, with these numbers for one that has no colours of its own.
pub(super) fn colour(
    name: &Name<'_>,
    space: &InkSpace,
    own: &[f64],
    resources: &Resources<'_>,
    lookups: &mut usize,
) -> InkColour {
    if *lookups == 0 {
        return InkColour::Unknown;
    }
    match resources.get_pattern(name) {
        Some(Object::Stream(tile)) => {
            let painted = painted(&tile, resources, lookups);
            let is_uncoloured = tile.dict().get::<u32>(&b"PaintType"[..]) == Some(2);
            match (painted, space) {
                (InkColour::Clear, _) => InkColour::Clear,
                (_, InkSpace::Pattern(base)) if is_uncoloured => ink::colour(base, own),
                (painted, _) => painted,
            }
        }
        Some(Object::Dict(dict)) if ink::takes_one(lookups) => {
            shading(&dict).unwrap_or(InkColour::Unknown)
        }
        _ => InkColour::Unknown,
    }
}

/// The colour of a shading from one colour to the same.
fn shading(pattern: &Dict<'_>) -> Option<InkColour> {
    let shading = pattern.get::<Dict<'_>>(&b"Shading"[..])?;
    let base = ink::object_space(shading.get::<Object<'_>>(&b"ColorSpace"[..])?, MAX_SPACE_DEPTH);
    let function = shading.get::<Object<'_>>(&b"Function"[..])?;
    let InkSpace::Tint(first, last) = ink::tint(&base, &function)? else { return None };
    let (first, last) = (InkColour::of(first), InkColour::of(last));
    (first == last).then_some(first)
}

/// The one colour that a stream paints in, or that it paints nothing. It takes some of `lookups`,
/// and without any left is unknown.
pub(super) fn painted(
    stream: &Stream<'_>,
    around: &Resources<'_>,
    lookups: &mut usize,
) -> InkColour {
    if !ink::takes_one(lookups) {
        return InkColour::Unknown;
    }
    let Ok(bytes) = unpack::stream(stream, MAX_PATTERN_BYTES) else {
        *lookups = lookups.saturating_sub(MAX_PATTERN_BYTES / BYTES_PER_LOOKUP);
        return InkColour::Unknown;
    };
    *lookups = lookups.saturating_sub(bytes.len() / BYTES_PER_LOOKUP);
    let own = stream.dict().get::<Dict<'_>>(RESOURCES).map(Resources::new);
    let resources = own.as_ref().unwrap_or(around);
    let mut paint = PaintState::default();
    let mut found = InkColour::Clear;
    let mut ops = TypedIter::new(&bytes);
    let mut count = 0;
    let mut own_lookups = MAX_PATTERN_LOOKUPS;
    while let Some(op) = ops.next() {
        count += 1;
        if count > MAX_PATTERN_OPERATORS {
            return InkColour::Unknown;
        }
        let one = match &op {
            Op::FillPathNonZero(_)
            | Op::FillPathNonZeroCompatibility(_)
            | Op::FillPathEvenOdd(_) => paint.fill,
            Op::StrokePath(_) | Op::CloseAndStrokePath(_) => paint.stroke,
            Op::XObject(_)
            | Op::InlineImage(_)
            | Op::Shading(_)
            | Op::ShowText(_)
            | Op::ShowTexts(_)
            | Op::SetGraphicsState(_)
            | Op::NextLineAndShowText(_)
            | Op::ShowTextWithParameters(_)
            | Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => return InkColour::Unknown,
            // A pattern inside of a pattern is not followed.
            Op::NonStrokeColorNamed(_) | Op::StrokeColorNamed(_) => {
                paint.fill = InkColour::Unknown;
                paint.stroke = InkColour::Unknown;
                continue;
            }
            op => {
                ink::set(op, &mut paint, resources, &mut own_lookups);
                continue;
            }
        };
        found = match found {
            InkColour::Clear => one,
            same if same == one => same,
            _ => return InkColour::Unknown,
        };
    }
    found
}

/// A larger one is taken to have many colours.
const MAX_PATTERN_BYTES: usize = 1 << 16;
const MAX_PATTERN_OPERATORS: usize = 10_000;
/// The colour spaces that one pattern names.
const MAX_PATTERN_LOOKUPS: usize = 16;
/// A longer pattern costs as much as several short ones.
const BYTES_PER_LOOKUP: usize = 1024;
