//! The places and backgrounds of paragraphs and tables, as far as these hide them.

use super::look::{self, MIN_VISIBLE_TWIPS};
use super::theme::ThemeColours;
use crate::document::HiddenText;
use crate::formats::css::StyleColour;
use crate::formats::xml::XmlStartTag;

/// The properties of a paragraph or of its style; none for one that is not stated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ParagraphPlacing {
    /// The colour behind it.
    pub(super) ground: Option<StyleColour>,
    /// Why none of it can be seen.
    pub(super) hidden: Option<HiddenText>,
}

impl ParagraphPlacing {
    /// Takes a property of a paragraph.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>, theme: &ThemeColours) {
        let hidden = match tag.name() {
            "shd" => {
                self.ground = look::shade(tag, theme);
                None
            }
            // Lines of an exact height cut higher letters.
            "spacing" if is_exact(tag, "lineRule") => flat(tag, "line"),
            "ind" => {
                let side = |names: [&str; 2]| twips(tag, names[0]).or_else(|| twips(tag, names[1]));
                let first = twips(tag, "firstLine").unwrap_or(0);
                let hanging = twips(tag, "hanging").unwrap_or(0);
                let start = side(["left", "start"]).unwrap_or(0) + first - hanging;
                is_outside(start).then_some(HiddenText::OutsidePage)
            }
            "framePr" => {
                let outside = ["x", "y"].iter().filter_map(|side| twips(tag, side)).any(is_outside);
                let outside = outside.then_some(HiddenText::OutsidePage);
                outside.or_else(|| flat(tag, "h").filter(|_| is_exact(tag, "hRule")))
            }
            _ => None,
        };
        self.hidden = self.hidden.or(hidden);
    }

    /// These properties, and another's where they are not stated.
    pub(super) fn over(self, other: Self) -> Self {
        Self { ground: self.ground.or(other.ground), hidden: self.hidden.or(other.hidden) }
    }
}

/// Why a table with this property cannot be seen.
pub(super) fn table_unseen(tag: &XmlStartTag<'_>) -> Option<HiddenText> {
    let sides: &[&str] = match tag.name() {
        "tblpPr" => &["tblpX", "tblpY"],
        "tblInd" => &["w"],
        _ => &[],
    };
    let outside = sides.iter().filter_map(|side| twips(tag, side)).any(is_outside);
    outside.then_some(HiddenText::OutsidePage)
}

/// Why a row with this property cannot be seen.
pub(super) fn row_unseen(tag: &XmlStartTag<'_>) -> Option<HiddenText> {
    match tag.name() {
        "hidden" => tag.is_on().then_some(HiddenText::MarkedHidden),
        "trHeight" if is_exact(tag, "hRule") => flat(tag, "val"),
        "ins" => Some(HiddenText::UnacceptedInsertion),
        _ => None,
    }
}

fn is_exact(tag: &XmlStartTag<'_>, name: &str) -> bool {
    tag.get(name).is_some_and(|rule| rule == "exact")
}

/// A height at which letters are cut away.
fn flat(tag: &XmlStartTag<'_>, name: &str) -> Option<HiddenText> {
    let is_flat = tag.number(name).is_some_and(|height| height < MIN_VISIBLE_TWIPS);
    is_flat.then_some(HiddenText::TinySize)
}

fn twips(tag: &XmlStartTag<'_>, name: &str) -> Option<i32> {
    // A tenth of the range of 32 bits is beyond any page.
    tag.get(name)?.parse().ok().map(|at: i32| at.clamp(-MAX_TWIPS, MAX_TWIPS))
}

/// Whether text that begins here is beside any page.
fn is_outside(at: i32) -> bool {
    !(MIN_PAGE_TWIPS..=MAX_PAGE_TWIPS).contains(&at)
}

const MAX_TWIPS: i32 = 100_000_000;
/// Five inches to the left of the margin, in twentieths of a point.
const MIN_PAGE_TWIPS: i32 = -7200;
/// The widest sheet of Word is of 22 inches; one of A3 on its side is of 16 and a half.
const MAX_PAGE_TWIPS: i32 = 24_000;
