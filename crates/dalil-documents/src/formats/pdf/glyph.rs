//! Glyphs: the text that a page draws, with the place of each character.

use std::rc::Rc;

use super::ink::GlyphInk;
use crate::document::HiddenText;

/// One glyph, or several that are said to be one piece of text.
#[derive(Clone, Debug)]
pub(super) struct PdfGlyph {
    pub(super) text: Rc<str>,
    /// Where the pen stood, in points from the top left corner of the page.
    pub(super) from: [f32; 2],
    /// Where the pen went.
    pub(super) to: [f32; 2],
    /// From its foot to its head, one em long.
    pub(super) up: [f32; 2],
    /// The middle of a mark's ink.
    pub(super) ink: Option<[f32; 2]>,
    pub(super) bold: bool,
    /// Whether the page says that it is not to be painted.
    pub(super) unpainted: bool,
    /// What it is painted with.
    pub(super) paint: GlyphInk,
    /// Along its line, as long as an em is there.
    pub(super) em: [f32; 2],
    /// Why it cannot be seen.
    pub(super) hidden: Option<HiddenText>,
}
