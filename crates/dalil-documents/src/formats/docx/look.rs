//! How the letters of a run look, as far as that hides them.

use crate::document::HiddenText;
use crate::formats::css::{self, StyleColour};
use crate::formats::xml::XmlStartTag;

/// What the properties of a run or a style say; nothing is not said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RunProperties {
    /// Not shown at all.
    vanish: Option<bool>,
    /// Not shown where the text is shown as a page of the web.
    web: Option<bool>,
    white: Option<bool>,
    tiny: Option<bool>,
    shaded: Option<bool>,
}

impl RunProperties {
    /// Takes a property of a run.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>) {
        match tag.name() {
            "vanish" => self.vanish = Some(tag.is_on()),
            "specVanish" if tag.is_on() => self.vanish = Some(true),
            "webHidden" => self.web = Some(tag.is_on()),
            "color" => {
                let is_white = |hex: String| css::from_hex(&hex).is_like(StyleColour::WHITE);
                self.white = Some(tag.get("val").is_some_and(is_white));
            }
            "sz" => self.tiny = tag.number("val").map(|halves| halves < MIN_VISIBLE_HALF_POINTS),
            "shd" | "highlight" => self.shaded = Some(is_shade(tag)),
            _ => {}
        }
    }

    /// What this says, else what another does.
    pub(super) fn over(self, other: Self) -> Self {
        Self {
            vanish: self.vanish.or(other.vanish),
            web: self.web.or(other.web),
            white: self.white.or(other.white),
            tiny: self.tiny.or(other.tiny),
            shaded: self.shaded.or(other.shaded),
        }
    }

    /// Whether it is left out, as Word leaves it out.
    pub(super) fn vanishes(self) -> bool {
        self.vanish == Some(true)
    }

    /// Why it cannot be seen, on a ground that may be coloured.
    pub(super) fn unseen(self, shaded: bool) -> Option<HiddenText> {
        let shaded = shaded || self.shaded == Some(true);
        if self.web == Some(true) {
            Some(HiddenText::MarkedHidden)
        } else if self.tiny == Some(true) {
            Some(HiddenText::TinySize)
        } else {
            (self.white == Some(true) && !shaded).then_some(HiddenText::BackgroundColour)
        }
    }
}

/// Whether shading has a colour of its own.
pub(super) fn is_shade(tag: &XmlStartTag<'_>) -> bool {
    let fill = tag.get("fill").or_else(|| tag.get("val"));
    let patterned =
        tag.get("val").is_some_and(|value| !matches!(value.as_str(), "clear" | "nil" | "none"));
    patterned
        || fill.is_some_and(|fill| {
            !matches!(
                fill.to_ascii_lowercase().as_str(),
                "" | "auto" | "ffffff" | "clear" | "none" | "nil"
            )
        })
}

/// Half points: the bound that PDF has too.
const MIN_VISIBLE_HALF_POINTS: u32 = 5;
