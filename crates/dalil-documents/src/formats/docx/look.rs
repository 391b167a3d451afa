//! How the letters of a run look, as far as that hides them.

use super::theme::ThemeColours;
use crate::document::HiddenText;
use crate::formats::css::{self, StyleColour};
use crate::formats::xml::XmlStartTag;

/// The properties of a run or a style; none for one that is not stated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RunProperties {
    /// Not shown at all.
    vanish: Option<bool>,
    /// Not shown where the text is shown as a page of the web.
    web: Option<bool>,
    ink: Option<StyleColour>,
    /// The fill of the letters in place of `ink`, as an effect (Word 2010).
    fill: Option<StyleColour>,
    /// Whether the outline of the letters is drawn, as an effect.
    outlined: Option<bool>,
    half_points: Option<u32>,
    /// The size of letters that are written from the right, or are marked as of such a script.
    complex_half_points: Option<u32>,
    complex: Option<bool>,
    /// The space between letters, in twentieths of a point.
    apart: Option<i32>,
    /// How wide letters are, in hundredths.
    stretch: Option<u32>,
    /// How wide the whole run is, in twentieths of a point.
    fitted: Option<u32>,
    shade: Option<StyleColour>,
    highlight: Option<StyleColour>,
    /// The effect whose parts come next.
    effect: Option<LetterEffect>,
}

/// An effect on letters that has parts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LetterEffect {
    Fill,
    Outline,
}

impl RunProperties {
    /// Takes a property of a run.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>, theme: &ThemeColours) {
        if let Some(effect) = self.effect
            && self.take_effect(effect, tag, theme)
        {
            return;
        }
        self.effect = None;
        match tag.name() {
            "vanish" => self.vanish = Some(tag.is_on()),
            "specVanish" if tag.is_on() => self.vanish = Some(true),
            "webHidden" => self.web = Some(tag.is_on()),
            "color" => self.ink = theme.of(tag, ["val", "themeColor"]),
            "sz" => self.half_points = tag.number("val"),
            "szCs" => self.complex_half_points = tag.number("val"),
            "rtl" | "cs" if tag.is_on() => self.complex = Some(true),
            // A paragraph has an element of this name too, with other attributes.
            "spacing" => {
                let apart = tag.get("val").and_then(|value| value.parse().ok());
                self.apart = apart.or(self.apart);
            }
            "w" => {
                let share =
                    tag.get("val").and_then(|share| share.trim_end_matches('%').parse().ok());
                self.stretch = share;
            }
            "fitText" => self.fitted = tag.number("val"),
            "shd" => self.shade = shade(tag, theme),
            "highlight" => self.highlight = tag.get("val").as_deref().and_then(highlight),
            "textFill" => self.effect = Some(LetterEffect::Fill),
            "textOutline" => self.effect = Some(LetterEffect::Outline),
            _ => {}
        }
    }

    /// Takes a tag if it is a part of an effect; returns whether it is one.
    fn take_effect(
        &mut self,
        effect: LetterEffect,
        tag: &XmlStartTag<'_>,
        theme: &ThemeColours,
    ) -> bool {
        let value = || tag.value("val");
        let paint = match tag.name() {
            "noFill" => StyleColour::Nothing,
            "solidFill" | "gradFill" | "pattFill" => StyleColour::Other,
            "srgbClr" => css::from_hex(&value()),
            "schemeClr" => theme.named(&value()).unwrap_or(StyleColour::Other),
            // How much it lets through, in thousandths of a hundredth.
            "alpha"
                if tag.number("val").is_some_and(|share| share > MAX_LETTER_TRANSPARENCY_UNITS) =>
            {
                StyleColour::Nothing
            }
            "alpha" => return true,
            // A colour that is changed may be any.
            "tint" | "shade" | "hueMod" | "sat" | "satOff" | "satMod" | "lum" | "lumOff"
            | "lumMod" => {
                if matches!((effect, self.fill), (LetterEffect::Fill, Some(StyleColour::Paint(_))))
                {
                    self.fill = Some(StyleColour::Other);
                }
                return true;
            }
            _ => return false,
        };
        match effect {
            LetterEffect::Fill => self.fill = Some(paint),
            LetterEffect::Outline => self.outlined = Some(paint != StyleColour::Nothing),
        }
        true
    }

    /// These properties, and another's where they are not stated.
    pub(super) fn over(self, other: Self) -> Self {
        Self {
            vanish: self.vanish.or(other.vanish),
            web: self.web.or(other.web),
            ink: self.ink.or(other.ink),
            fill: self.fill.or(other.fill),
            outlined: self.outlined.or(other.outlined),
            half_points: self.half_points.or(other.half_points),
            complex_half_points: self.complex_half_points.or(other.complex_half_points),
            complex: self.complex.or(other.complex),
            apart: self.apart.or(other.apart),
            stretch: self.stretch.or(other.stretch),
            fitted: self.fitted.or(other.fitted),
            shade: self.shade.or(other.shade),
            highlight: self.highlight.or(other.highlight),
            effect: None,
        }
    }

    /// Whether it is left out, as Word leaves it out.
    pub(super) fn vanishes(self) -> bool {
        self.vanish == Some(true)
    }

    /// Why it cannot be seen on a ground of this colour.
    pub(super) fn unseen(self, ground: StyleColour) -> Option<HiddenText> {
        let ground = self.highlight.or(self.shade).unwrap_or(ground);
        let is_outlined = self.outlined == Some(true);
        if self.web == Some(true) {
            Some(HiddenText::MarkedHidden)
        } else if self.is_tiny() {
            Some(HiddenText::TinySize)
        } else if self.fill == Some(StyleColour::Nothing) && !is_outlined {
            Some(HiddenText::FullTransparency)
        } else {
            let is_alike = self.fill.or(self.ink).is_some_and(|ink| ink.is_like(ground));
            (is_alike && !is_outlined).then_some(HiddenText::BackgroundColour)
        }
    }

    /// Whether the letters are too small, too narrow or too close to be read.
    fn is_tiny(self) -> bool {
        let size = match self.complex {
            Some(true) => self.complex_half_points,
            Some(false) | None => self.half_points,
        };
        // Half points are ten twentieths, so that this is four tenths of an em.
        let most = i64::from(size.unwrap_or(USUAL_HALF_POINTS)) * 4;
        size.is_some_and(|size| size < MIN_VISIBLE_HALF_POINTS)
            || self.stretch.is_some_and(|share| share < MIN_VISIBLE_STRETCH_PERCENT)
            || self.fitted.is_some_and(|wide| wide < MIN_VISIBLE_TWIPS)
            || self.apart.is_some_and(|apart| i64::from(apart) < -most)
    }
}

/// The colour of shading; nothing for shading that lets the ground through.
pub(super) fn shade(tag: &XmlStartTag<'_>, theme: &ThemeColours) -> Option<StyleColour> {
    let is_auto =
        |name: &str| tag.get(name).is_none_or(|value| matches!(value.as_str(), "auto" | ""));
    match tag.get("val").as_deref() {
        Some("nil" | "none") => None,
        None | Some("clear") if is_auto("fill") && tag.get("themeFill").is_none() => None,
        None | Some("clear") => theme.of(tag, ["fill", "themeFill"]),
        Some("solid") if is_auto("color") && tag.get("themeColor").is_none() => {
            Some(StyleColour::BLACK)
        }
        Some("solid") => theme.of(tag, ["color", "themeColor"]),
        // A pattern of two colours.
        Some(_) => Some(StyleColour::Other),
    }
}

/// The colour of a marker pen (ECMA-376-1, 17.18.40).
fn highlight(name: &str) -> Option<StyleColour> {
    let paint = match name {
        "black" => [0, 0, 0],
        "blue" => [0, 0, 255],
        "cyan" => [0, 255, 255],
        "darkBlue" => [0, 0, 128],
        "darkCyan" => [0, 128, 128],
        "darkGray" => [128, 128, 128],
        "darkGreen" => [0, 128, 0],
        "darkMagenta" => [128, 0, 128],
        "darkRed" => [128, 0, 0],
        "darkYellow" => [128, 128, 0],
        "green" => [0, 255, 0],
        "lightGray" => [192, 192, 192],
        "magenta" => [255, 0, 255],
        "red" => [255, 0, 0],
        "white" => [255, 255, 255],
        "yellow" => [255, 255, 0],
        _ => return None,
    };
    Some(StyleColour::Paint(paint))
}

/// Half points: the bound that PDF has too.
const MIN_VISIBLE_HALF_POINTS: u32 = 5;
/// The size of Word's letters where none is stated.
const USUAL_HALF_POINTS: u32 = 20;
/// Letters of a tenth of their width are strokes.
const MIN_VISIBLE_STRETCH_PERCENT: u32 = 10;
/// Two points, in twentieths: lower lines, narrower words and lower rows show nothing.
pub(super) const MIN_VISIBLE_TWIPS: u32 = 40;
/// More transparent letters cannot be distinguished from paper, in thousandths of a hundredth.
const MAX_LETTER_TRANSPARENCY_UNITS: u32 = 95_000;
