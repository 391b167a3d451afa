//! What the text of an element looks like, by its style and that of the elements around it.
//!
//! There is no layout: a window stands in for boxes whose size is not said.

use super::custom::{self, CustomProperties};
use super::declaration::Declaration;
use super::effect::{self, LetterScale};
use super::ink::LetterInk;
use super::length::LengthBasis;
use super::placement::{self, BoxPlace};
use super::shorthand::{self, PropertyValues};
use super::values::{BoxKind, ElementStyle, StyleValues, TakenValue};
use crate::document::hidden::HiddenText;

/// What an element is before anything is said of it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::formats) struct ElementKind {
    pub(in crate::formats) shape: BoxKind,
    /// Values that browsers give it by themselves.
    pub(in crate::formats) usual: &'static [(&'static str, &'static str)],
    /// Whether it is the root of a page or its body.
    pub(in crate::formats) is_page: bool,
}

/// Whether text is shown at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::formats) enum TextFate {
    #[default]
    Seen,
    Hidden(HiddenText),
    /// Hidden by the element itself, so that it is certain.
    LeftOut,
}

/// What text in an element looks like.
#[derive(Clone, Debug, Default)]
pub(in crate::formats) struct TextLook {
    /// What nothing inside can take back.
    ended: TextFate,
    /// What an element inside may take back: `visibility`.
    shown: TextFate,
    opacity: f32,
    pub(super) ink: LetterInk,
    pub(super) letters: LetterScale,
    pub(super) place: BoxPlace,
    pub(in crate::formats) custom: CustomProperties,
    /// Whether nothing beside text is behind an element, so that it may cover others.
    pub(in crate::formats) covers: Option<placement::CoveredArea>,
}

impl TextLook {
    /// The text of a page of which nothing is said.
    pub(in crate::formats) fn of_page() -> Self {
        Self { opacity: 1.0, ..Self::default() }
    }

    /// The text in an element inside of one that looks like this.
    pub(in crate::formats) fn inner(&self, kind: ElementKind, style: &ElementStyle) -> Self {
        let values = StyleValues { values: &style.values, usual: kind.usual };
        let mut look = self.clone();
        (look.custom, look.covers) = (style.custom.clone(), None);
        let display = values.own("display");
        if display == "none" {
            look.end(if style.is_hidden_by_itself {
                TextFate::LeftOut
            } else {
                TextFate::Hidden(HiddenText::MarkedHidden)
            });
            return look;
        }
        look.see(&values, style.is_hidden_by_itself);
        let shape = self.shape(kind, display, &values);
        look.letters.take(&values, self.letters);
        let basis = LengthBasis { font: look.letters.font, whole: None };
        if shape == BoxKind::Contents {
            look.ink.take_letters(&values);
            look.place.shape = self.place.shape;
            return look;
        }
        look.fade(&values, basis);
        if shape != BoxKind::Inline {
            look.letters.scale(&values);
            look.end_if(effect::is_turned_away(&values), HiddenText::MarkedHidden);
            look.end_if(values.is("content-visibility", &["hidden"]), HiddenText::MarkedHidden);
        }
        let replaced = values.own("content");
        look.end_if(
            replaced.contains("url(") || replaced.contains("gradient("),
            HiddenText::OtherLetters,
        );
        look.ink.take(&values, kind.is_page);
        let reason = look.place.take(&self.place, shape, &values, basis);
        look.end(reason.map_or(TextFate::Seen, TextFate::Hidden));
        look.place.layer(&values, look.ink.paints(), kind.is_page);
        if look.ink.paints() && self.ended == TextFate::Seen {
            look.covers = placement::covered(&values, basis);
        }
        look
    }

    /// Why text in the element itself is not seen, or how certain it is.
    pub(in crate::formats) fn fate(&self) -> TextFate {
        let own =
            self.letters.reason().or_else(|| self.place.reason()).or_else(|| self.ink.reason());
        [self.ended, self.shown]
            .into_iter()
            .find(|fate| *fate != TextFate::Seen)
            .unwrap_or_else(|| own.map_or(TextFate::Seen, TextFate::Hidden))
    }

    /// Whether it takes over nothing that hides or colours text.
    pub(in crate::formats) fn is_usual(&self) -> bool {
        self.fate() == TextFate::Seen && self.ink.is_usual()
    }

    /// Whether elements in it of which nothing is said look otherwise.
    pub(in crate::formats) fn is_special(&self) -> bool {
        let BoxPlace { shape, is_placing, is_raised, .. } = self.place;
        let is_odd = matches!(shape, BoxKind::Flex | BoxKind::Contents);
        is_odd || is_placing || is_raised || self.covers.is_some() || self.ink.paints()
    }

    /// The look of elements in it of which nothing is said.
    pub(in crate::formats) fn handed_on(&self) -> Self {
        let mut look = self.clone();
        look.covers = None;
        look.place.hand_on();
        look.ink.hand_on();
        look
    }

    /// Whether it places those in it that are taken out of the flow.
    pub(in crate::formats) fn places(&self) -> bool {
        self.place.is_placing
    }

    /// Whether it may lie over others.
    pub(in crate::formats) fn is_raised(&self) -> bool {
        self.place.is_raised
    }

    /// Hides all that is inside, whatever it says.
    pub(in crate::formats) fn end(&mut self, fate: TextFate) {
        if self.ended == TextFate::Seen {
            self.ended = fate;
        }
    }

    /// Takes back what hides the element, but for the looks of its letters.
    pub(in crate::formats) fn reveal(&mut self) {
        (self.ended, self.shown, self.opacity) = (TextFate::Seen, TextFate::Seen, 1.0);
    }

    fn end_if(&mut self, hides: bool, reason: HiddenText) {
        if hides {
            self.end(TextFate::Hidden(reason));
        }
    }

    /// The part of a dark page.
    pub(in crate::formats) fn darken(&mut self) {
        self.ink.darken();
    }

    fn see(&mut self, values: &StyleValues<'_>, is_by_itself: bool) {
        match values.taken("visibility") {
            TakenValue::Taken => {}
            TakenValue::Own("hidden" | "collapse") if is_by_itself => {
                self.shown = TextFate::LeftOut;
            }
            TakenValue::Own("hidden" | "collapse") => {
                self.shown = TextFate::Hidden(HiddenText::MarkedHidden);
            }
            TakenValue::Own(_) | TakenValue::Initial => self.shown = TextFate::Seen,
        }
    }

    fn fade(&mut self, values: &StyleValues<'_>, basis: LengthBasis) {
        self.opacity *= effect::opacity(values);
        let is_gone = effect::is_faint(self.opacity)
            || effect::is_masked(values, basis)
            || effect::is_blurred(values, basis);
        self.end_if(is_gone, HiddenText::FullTransparency);
    }

    /// How an element is laid out, by what it says and what it is in.
    fn shape(&self, kind: ElementKind, display: &str, values: &StyleValues<'_>) -> BoxKind {
        let own = match display {
            "" => kind.shape,
            "contents" => return BoxKind::Contents,
            "inline" | "ruby" | "run-in" | "inline flow" => BoxKind::Inline,
            _ if display.contains("flex") || display.contains("grid") => BoxKind::Flex,
            _ if display.starts_with("table-") => BoxKind::TablePart,
            _ => BoxKind::Block,
        };
        let is_taken_out = values.is("position", &["absolute", "fixed"])
            || values.is("float", &["left", "right", "inline-start", "inline-end"])
            || self.place.shape == BoxKind::Flex;
        if own == BoxKind::Inline && is_taken_out { BoxKind::Block } else { own }
    }
}

/// Whether declarations hide by themselves the element that they are for.
pub(super) fn hides(declarations: &[Declaration]) -> bool {
    let mut style = PropertyValues::new();
    let custom = CustomProperties::default();
    for Declaration { name, value, .. } in declarations {
        if let Some(value) = custom::resolved(value, &custom) {
            shorthand::set(&mut style, name, &value);
        }
    }
    of_values(&style).is_some()
}

/// How values hide the text of a block, whatever stands around it.
pub(super) fn of_values(values: &PropertyValues) -> Option<HiddenText> {
    let style = ElementStyle { values: values.clone(), ..ElementStyle::default() };
    match TextLook::of_page().inner(ElementKind::default(), &style).fate() {
        TextFate::Seen => None,
        TextFate::Hidden(reason) => Some(reason),
        TextFate::LeftOut => Some(HiddenText::MarkedHidden),
    }
}
