//! The values that count for an element.

use super::custom::CustomProperties;
use super::length::{LengthBasis, USUAL_FONT_PIXELS};
use super::shorthand::PropertyValues;

/// How an element is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::formats) enum BoxKind {
    /// Among the words of a line: sizes, clips and transformations mean nothing.
    Inline,
    #[default]
    Block,
    /// A block whose parts are blocks, whatever they are by themselves.
    Flex,
    /// A part of a table, which grows with its text.
    TablePart,
    /// None of its own: only what it hands on counts.
    Contents,
}

/// What counts for an element.
#[derive(Debug, Default)]
pub(in crate::formats) struct ElementStyle {
    pub(in crate::formats) values: PropertyValues,
    pub(in crate::formats) custom: CustomProperties,
    /// Whether a declaration of the element itself hides it.
    pub(in crate::formats) is_hidden_by_itself: bool,
    /// Whether anything is said of it.
    pub(in crate::formats) is_some: bool,
}

/// The values of a style, with what is said of all of them.
#[derive(Clone, Copy)]
pub(super) struct StyleValues<'s> {
    pub(super) values: &'s PropertyValues,
    pub(super) usual: &'static [(&'static str, &'static str)],
}

/// What a style says of a property that elements take over from those around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TakenValue<'s> {
    Taken,
    Initial,
    Own(&'s str),
}

impl<'s> StyleValues<'s> {
    fn said(&self, name: &str) -> Option<&'s str> {
        let own = self.values.get(name).or_else(|| self.values.get("all"));
        let usual = || self.usual.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        own.map(String::as_str).or_else(usual)
    }

    /// The value of a property that elements do not take over; empty where there is none.
    pub(super) fn own(&self, name: &str) -> &'s str {
        self.said(name).filter(|value| !WIDE_VALUES.contains(value)).unwrap_or("")
    }

    pub(super) fn is(&self, name: &str, words: &[&str]) -> bool {
        words.contains(&self.own(name))
    }

    /// The value of a property that elements take over.
    pub(super) fn taken(&self, name: &str) -> TakenValue<'s> {
        match self.said(name) {
            None | Some("inherit" | "unset") => TakenValue::Taken,
            Some("initial") => TakenValue::Initial,
            Some(value) => TakenValue::Own(value),
        }
    }
}

/// The size of letters that a value says.
pub(super) fn font_size(value: &str, around: f32) -> Option<f32> {
    let share = match value {
        "xx-small" => 0.5625,
        "x-small" => 0.625,
        "small" => 0.8125,
        "medium" | "math" => 1.0,
        "large" => 1.125,
        "x-large" => 1.5,
        "xx-large" => 2.0,
        "xxx-large" | "-webkit-xxx-large" => 3.0,
        "smaller" => return Some(around / 1.2),
        "larger" => return Some(around * 1.2),
        _ => return LengthBasis { font: around, whole: Some(around) }.pixels(value),
    };
    Some(share * USUAL_FONT_PIXELS)
}

const WIDE_VALUES: [&str; 3] = ["inherit", "initial", "unset"];
