//! Glyphs: the text that a page draws, with the place of each character.

use std::ops::Deref;
use std::rc::Rc;

use super::bidi::DirectionCount;
use super::fold;
use super::ink::GlyphInk;
use crate::document::HiddenText;

/// One glyph, or several that the file declares to be one piece of text.
#[derive(Clone, Debug)]
pub(super) struct PdfGlyph {
    pub(super) text: Rc<GlyphText>,
    /// The pen's position, in points from the top left corner of the page.
    pub(super) from: [f32; 2],
    /// Where the pen went.
    pub(super) to: [f32; 2],
    /// From its foot to its head, one em long.
    pub(super) up: [f32; 2],
    /// The middle of a mark's ink.
    pub(super) ink: Option<[f32; 2]>,
    pub(super) bold: bool,
    /// Whether its rendering mode paints nothing.
    pub(super) unpainted: bool,
    /// Its paint.
    pub(super) paint: GlyphInk,
    /// How high an em of it is over its line, or how wide, where that is less.
    pub(super) height: f32,
    /// Why it cannot be seen.
    pub(super) hidden: Option<HiddenText>,
}

impl PdfGlyph {
    /// Whether it has the size and the way up of another, and is as hidden.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.hidden == other.hidden && self.up.map(f32::to_bits) == other.up.map(f32::to_bits)
    }
}

/// The text of a glyph, with what every step asks of it: glyphs of one code share it.
#[derive(Debug)]
pub(super) struct GlyphText {
    text: Box<str>,
    /// Whether it is nothing but white space.
    pub(super) is_blank: bool,
    /// Whether it is nothing but marks that belong on letters.
    pub(super) is_mark: bool,
    pub(super) is_ascii: bool,
    pub(super) directions: DirectionCount,
}

impl From<String> for GlyphText {
    fn from(text: String) -> Self {
        let mut directions = DirectionCount::default();
        directions.add(&text);
        Self {
            is_blank: text.trim().is_empty(),
            is_mark: text.chars().all(fold::is_mark),
            is_ascii: text.is_ascii(),
            directions,
            text: text.into(),
        }
    }
}

impl GlyphText {
    /// Whether the file does not give some of its letters.
    pub(super) fn is_unknown(&self) -> bool {
        !self.is_ascii && self.text.contains(fold::UNKNOWN_GLYPH)
    }
}

impl Deref for GlyphText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}
