//! Shapes that hold text: where they are, how large, and of which colour.

use super::theme::ThemeColours;
use crate::document::HiddenText;
use crate::formats::css::{self, StyleColour};
use crate::formats::xml::XmlStartTag;

/// The shapes that are open, one inside the other.
#[derive(Debug, Default)]
pub(super) struct DocxShapes {
    open: Vec<DocxShape>,
    /// Those that are too deep to be followed.
    unfollowed: usize,
    /// Whether the properties of a shape are open.
    in_properties: bool,
    /// Whether an element with the offset of a shape is open.
    in_offset: bool,
    /// The side of a page that the distance is along, where it begins at an edge.
    side: Option<usize>,
}

#[derive(Debug, Default)]
struct DocxShape {
    hidden: Option<HiddenText>,
    /// Its fill, once that is known.
    fill: Option<ShapeFill>,
    /// Whether others of its group may be behind it.
    is_amid: bool,
    /// The offsets of its left and its upper edge from its anchor, in English metric units.
    offsets: [Option<i64>; 2],
    /// Whether it is too flat for a letter.
    flat: bool,
}

#[derive(Clone, Copy, Debug)]
enum ShapeFill {
    /// It lets the background through.
    Nothing,
    Paint(StyleColour),
}

impl DocxShapes {
    /// How many are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes the shapes that a broken part of a file left open.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Why text in all of them cannot be seen.
    pub(super) fn hidden(&self) -> Option<HiddenText> {
        let flat = |shape: &DocxShape| shape.flat.then_some(HiddenText::TinySize);
        self.open.iter().find_map(|shape| shape.hidden.or_else(|| flat(shape)))
    }

    /// The colour of the innermost that has one, of those from a depth on.
    pub(super) fn ground(&self, from: usize, to: usize) -> Option<StyleColour> {
        let inner = self.open.get(from..to).unwrap_or_default().iter().rev();
        inner.into_iter().find_map(|shape| match shape.fill {
            Some(ShapeFill::Paint(paint)) => Some(paint),
            Some(ShapeFill::Nothing) | None => shape.is_amid.then_some(StyleColour::Other),
        })
    }

    /// Takes a tag if it is a part of a shape; returns whether it is one.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>, theme: &ThemeColours) -> bool {
        match tag.name() {
            "shape" | "rect" | "roundrect" | "oval" | "drawing" => self.begin(tag),
            "spPr" => {
                self.in_properties = true;
                self.open.last_mut().into_iter().for_each(DocxShape::begin_member);
            }
            "positionH" => self.side = begins_at_edge(tag).then_some(0),
            "positionV" => self.side = begins_at_edge(tag).then_some(1),
            "posOffset" => self.in_offset = true,
            _ => {
                let in_properties = self.in_properties;
                let Some(shape) = self.open.last_mut() else { return false };
                return shape.take(tag) || in_properties && shape.paint(tag, theme);
            }
        }
        true
    }

    fn begin(&mut self, tag: &XmlStartTag<'_>) {
        if self.open.len() == MAX_SHAPE_DEPTH {
            self.unfollowed += 1;
        } else {
            self.open.push(DocxShape::of(tag));
        }
    }

    /// Ends an element.
    pub(super) fn end(&mut self, name: &str) {
        match name {
            "shape" | "rect" | "roundrect" | "oval" | "drawing" => {
                match self.unfollowed.checked_sub(1) {
                    Some(left) => self.unfollowed = left,
                    None => drop(self.open.pop()),
                }
            }
            "spPr" => self.in_properties = false,
            "positionH" | "positionV" => self.side = None,
            "posOffset" => self.in_offset = false,
            _ => {}
        }
    }

    /// The number inside of an element with the offset of a shape.
    pub(super) fn text(&mut self, text: &str) {
        if self.in_offset
            && let Some(side) = self.side
            && let Some(shape) = self.open.last_mut()
            && let Some(offset) = shape.offsets.get_mut(side)
            && let Ok(units) = text.trim().parse()
        {
            offset.get_or_insert(units);
        }
    }
}

impl DocxShape {
    /// A shape of the older markup has its looks in its tag; a drawing has none there.
    fn of(tag: &XmlStartTag<'_>) -> Self {
        let mut style = css::declarations(&tag.value("style"));
        // In a group a length without a unit is in the units of the group.
        style.retain(|name, value| {
            let number: Option<f32> = value.parse().ok();
            !VML_LENGTHS.contains(&name.as_str()) || number.is_none_or(|length| length == 0.0)
        });
        let points = |name: &str| style.get(name).and_then(|value| css::points(value));
        let is_hidden = style.get("mso-hide").is_some_and(|what| what == "all");
        let is_far = ["left", "top", "margin-left", "margin-top"]
            .iter()
            .any(|side| points(side).is_some_and(|at| at > MAX_OFFSET_POINTS));
        let hidden = css::unseen(&style)
            .or_else(|| is_hidden.then_some(HiddenText::MarkedHidden))
            .or_else(|| is_far.then_some(HiddenText::OutsidePage));
        let flat = ["width", "height"]
            .iter()
            .any(|side| points(side).is_some_and(|size| size < MIN_BOX_POINTS));
        let is_clear = tag.get("filled").is_some_and(|fill| matches!(fill.as_str(), "f" | "false"));
        let paint = tag.get("fillcolor").map(|colour| ShapeFill::Paint(fill_colour(&colour)));
        let fill = if is_clear { Some(ShapeFill::Nothing) } else { paint };
        Self { hidden, fill, is_amid: false, offsets: [None; 2], flat }
    }

    /// Begins the properties of a shape: a drawing of a group has several, each with its own fill.
    fn begin_member(&mut self) {
        self.is_amid |= matches!(self.fill.take(), Some(ShapeFill::Paint(_)));
    }

    fn take(&mut self, tag: &XmlStartTag<'_>) -> bool {
        match tag.name() {
            // Inside of the `drawing` that it describes.
            "docPr" => {
                let hides = tag.get("hidden").is_some_and(|value| value == "1" || value == "true");
                self.hidden = self.hidden.or(hides.then_some(HiddenText::MarkedHidden));
            }
            "extent" => {
                let sides =
                    ["cx", "cy"].map(|side| tag.get(side).and_then(|size| size.parse().ok()));
                self.flat = sides.iter().flatten().any(|size: &i64| *size < MIN_BOX_UNITS);
                let is_far = |(at, size): (Option<i64>, Option<i64>)| {
                    at.is_some_and(|at| {
                        at.saturating_add(size.unwrap_or(0)) < MIN_OFFSET_UNITS
                            || at > MAX_OFFSET_UNITS
                    })
                };
                if self.offsets.into_iter().zip(sides).any(is_far) {
                    self.hidden = self.hidden.or(Some(HiddenText::OutsidePage));
                }
            }
            // A picture of a group may be behind the next shape.
            "pic" => self.is_amid = true,
            // The shape grows with its text.
            "spAutoFit" => self.flat = false,
            // The style of a shape fills it where the shape has no fill of its own.
            "fillRef" if tag.number("idx").is_none_or(|index| index > 0) => {
                self.fill.get_or_insert(ShapeFill::Paint(StyleColour::Other));
            }
            // A fill of the older markup, which may be a picture.
            "fill" if tag.get("type").is_some() => {
                self.fill = Some(ShapeFill::Paint(StyleColour::Other));
            }
            _ => return false,
        }
        true
    }

    /// Takes a part of a shape's fill; the first one that sets it counts.
    fn paint(&mut self, tag: &XmlStartTag<'_>, theme: &ThemeColours) -> bool {
        let value = || tag.value("val");
        let fill = match tag.name() {
            "noFill" => ShapeFill::Nothing,
            "gradFill" | "blipFill" | "pattFill" | "grpFill" => {
                ShapeFill::Paint(StyleColour::Other)
            }
            "srgbClr" => ShapeFill::Paint(css::from_hex(&value())),
            "schemeClr" => ShapeFill::Paint(theme.named(&value()).unwrap_or(StyleColour::Other)),
            // A colour that is changed may be any.
            "lumMod" | "lumOff" | "shade" | "tint" | "alpha" => {
                self.fill = self.fill.map(|_| ShapeFill::Paint(StyleColour::Other));
                return true;
            }
            _ => return false,
        };
        self.fill.get_or_insert(fill);
        true
    }
}

/// Whether the distances inside of an element begin at an edge of the page or of its text: one
/// from a paragraph, a line or the lower margin may be far below zero on the page.
fn begins_at_edge(tag: &XmlStartTag<'_>) -> bool {
    tag.get("relativeFrom").is_none_or(|from| {
        matches!(from.as_str(), "page" | "margin" | "column" | "leftMargin" | "topMargin")
    })
}

/// The colour of a fill in the older markup: a name or a number, and after it how it was chosen.
fn fill_colour(value: &str) -> StyleColour {
    let word = value.split(' ').next().unwrap_or("");
    css::named(&word.to_ascii_lowercase())
}

/// Shapes within shapes.
const MAX_SHAPE_DEPTH: usize = 64;
/// Two points: no letter has room.
const MIN_BOX_POINTS: f32 = 2.0;
const MIN_BOX_UNITS: i64 = 25_400;
/// An inch and a half to the left of where it hangs is beside the page for all of a shape.
const MIN_OFFSET_UNITS: i64 = -1_371_600;
/// The widest sheet of Word, 22 inches.
const MAX_OFFSET_UNITS: i64 = 20_116_800;
const MAX_OFFSET_POINTS: f32 = 1584.0;
/// The properties that place or size a shape of the older markup.
const VML_LENGTHS: [&str; 8] =
    ["left", "top", "right", "bottom", "width", "height", "margin-left", "margin-top"];
