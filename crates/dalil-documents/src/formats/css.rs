//! Style sheets, as far as they hide text.
//!
//! The cascade is that of a browser: selectors over the elements of a page, layers, weights,
//! what is important, what is taken over, custom properties and conditions. Layout is not: what
//! text looks like follows from the properties that hide it.

use std::collections::BTreeMap;

use crate::document::hidden::HiddenText;
use declaration::Declaration;
use length::LengthBasis;

mod attribute;
mod colour;
mod condition;
mod custom;
mod declaration;
mod effect;
mod ink;
mod length;
mod look;
mod matching;
mod named;
mod placement;
mod rules;
mod selector;
mod selector_reader;
mod sheet;
mod shorthand;
mod syntax;
mod values;

pub(super) use colour::{StyleColour, from_hex, named};
pub(super) use look::{ElementKind, TextFate, TextLook};
pub(super) use placement::CoveredArea;
pub(super) use rules::StyleRules;
pub(super) use sheet::data_sheet;
pub(super) use values::BoxKind;

/// The declarations of a style, names and values in lower case without comments.
pub(super) fn declarations(style: &str) -> BTreeMap<String, String> {
    let all = Declaration::of_attribute(style);
    all.into_iter().map(|one| (one.name, one.value)).collect()
}

/// How declarations hide the text of an element, whatever stands around it.
pub(super) fn unseen(style: &BTreeMap<String, String>) -> Option<HiddenText> {
    // Most elements have none, and a page can have a million.
    if style.is_empty() {
        return None;
    }
    let mut values = BTreeMap::new();
    for (name, value) in style {
        shorthand::set(&mut values, name, value);
    }
    look::of_values(&values)
}

/// A length in points, near enough.
pub(super) fn points(value: &str) -> Option<f32> {
    let value = value.split(' ').next()?;
    LengthBasis::PAGE.of(length::WINDOW_WIDTH).pixels(value).map(|pixels| pixels * POINTS_OF_PIXEL)
}

const POINTS_OF_PIXEL: f32 = 0.75;
