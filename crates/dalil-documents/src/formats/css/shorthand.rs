//! Declarations as the properties that they set, as far as these hide text.

use std::collections::BTreeMap;

use super::colour::ColourValue;
use super::length::LengthBasis;
use super::syntax;

/// The values of properties, by name.
pub(in crate::formats) type PropertyValues = BTreeMap<String, String>;

/// Sets what a declaration says; one that no browser understands says nothing.
pub(super) fn set(style: &mut PropertyValues, name: &str, value: &str) {
    match value {
        // Back to what the browser says by itself.
        "revert" => return reset(style, name),
        "revert-layer" => return,
        _ => {}
    }
    let is_wide = matches!(value, "inherit" | "initial" | "unset");
    if name == "all" {
        if is_wide {
            style.retain(|known, _| known.starts_with("--"));
            style.insert("all".to_owned(), value.to_owned());
        }
        return;
    }
    if let Some(longs) = longhands(name) {
        let parts =
            if is_wide { Some(vec![value.to_owned(); longs.len()]) } else { spread(name, value) };
        for (long, part) in longs.iter().zip(parts.into_iter().flatten()) {
            style.insert((*long).to_owned(), part);
        }
        return;
    }
    let name = physical(name);
    if is_wide || is_valid(name, value) {
        style.insert(name.to_owned(), value.to_owned());
    }
}

fn reset(style: &mut PropertyValues, name: &str) {
    if name == "all" {
        return style.clear();
    }
    match longhands(name) {
        Some(longs) => longs.iter().for_each(|long| drop(style.remove(*long))),
        None => drop(style.remove(physical(name))),
    }
}

/// The properties that one stands for.
fn longhands(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "background" => {
            &["background-color", "background-image", "background-clip", "background-size"]
        }
        "font" => &["font-size", "line-height"],
        "overflow" => &["overflow-x", "overflow-y"],
        "inset" => &["top", "right", "bottom", "left"],
        "inset-block" => &["top", "bottom"],
        "inset-inline" => &["left", "right"],
        "margin" => &["margin-top", "margin-right", "margin-bottom", "margin-left"],
        "margin-block" => &["margin-top", "margin-bottom"],
        "margin-inline" => &["margin-left", "margin-right"],
        "padding" => &["padding-top", "padding-right", "padding-bottom", "padding-left"],
        "padding-block" => &["padding-top", "padding-bottom"],
        "padding-inline" => &["padding-left", "padding-right"],
        "mask" | "-webkit-mask" => &["mask-image", "mask-size"],
        "-webkit-text-stroke" => &["-webkit-text-stroke-width", "-webkit-text-stroke-color"],
        "animation" | "-webkit-animation" => {
            &["animation-name", "animation-fill-mode", "animation-play-state"]
        }
        _ => return None,
    })
}

/// The name of the same property where writing goes from left to right.
fn physical(name: &str) -> &str {
    match name {
        "inset-block-start" => "top",
        "inset-block-end" => "bottom",
        "inset-inline-start" => "left",
        "inset-inline-end" => "right",
        "margin-block-start" => "margin-top",
        "margin-inline-start" => "margin-left",
        "margin-inline-end" => "margin-right",
        "padding-block-start" => "padding-top",
        "padding-block-end" => "padding-bottom",
        "padding-inline-start" => "padding-left",
        "padding-inline-end" => "padding-right",
        "block-size" => "height",
        "inline-size" => "width",
        "max-block-size" => "max-height",
        "max-inline-size" => "max-width",
        "overflow-inline" => "overflow-x",
        "overflow-block" => "overflow-y",
        "-webkit-background-clip" => "background-clip",
        "-webkit-mask-image" => "mask-image",
        "-webkit-mask-size" => "mask-size",
        "-webkit-transform" => "transform",
        "-webkit-filter" => "filter",
        "-webkit-opacity" => "opacity",
        "-webkit-clip-path" => "clip-path",
        "-webkit-backface-visibility" => "backface-visibility",
        "-webkit-animation-name" => "animation-name",
        "-webkit-animation-fill-mode" => "animation-fill-mode",
        other => other,
    }
}

/// The values of the properties that one stands for, in their order.
fn spread(name: &str, value: &str) -> Option<Vec<String>> {
    let words = syntax::words(value);
    let owned = |text: &str| text.to_owned();
    match name {
        "background" => background(value),
        "font" => font(&words),
        "mask" | "-webkit-mask" => {
            let is_image = |word: &&&str| word.contains("gradient(") || word.starts_with("url(");
            let image = words.iter().find(is_image).map_or("none", |word| *word);
            Some(vec![owned(image), size(value)])
        }
        "-webkit-text-stroke" => {
            let width = words.iter().find(|word| LengthBasis::PAGE.pixels(word).is_some());
            let colour = words.iter().find(|word| ColourValue::of(word).is_some());
            Some(vec![owned(width.unwrap_or(&"0")), owned(colour.unwrap_or(&"currentcolor"))])
        }
        "animation" | "-webkit-animation" => Some(animation(value)),
        // A second box is told by another second word only.
        "overflow" | "inset-block" | "inset-inline" | "margin-block" | "margin-inline"
        | "padding-block" | "padding-inline" => {
            let [first, rest @ ..] = words.as_slice() else { return None };
            let all = [*first, rest.first().unwrap_or(first)];
            let long = longhands(name)?;
            let is_known = long.iter().zip(all).all(|(long, word)| is_valid(long, word));
            (is_known && rest.len() < 2).then(|| all.map(owned).to_vec())
        }
        _ => {
            let all = match words.as_slice() {
                [all] => [*all; 4],
                [sides, beside] => [*sides, *beside, *sides, *beside],
                [top, beside, bottom] => [*top, *beside, *bottom, *beside],
                [top, right, bottom, left] => [*top, *right, *bottom, *left],
                _ => return None,
            };
            all.iter().all(|word| is_valid("top", word)).then(|| all.map(owned).to_vec())
        }
    }
}

/// Colour, picture, clip and size of a background of several layers, the last of which has the
/// colour.
fn background(value: &str) -> Option<Vec<String>> {
    let layers = syntax::split(value, b',');
    let words: Vec<&str> = layers.last().map_or_else(Vec::new, |last| syntax::words(last));
    let colour = words.iter().find(|word| ColourValue::of(word).is_some());
    let is_image = |word: &&&str| word.contains('(') && ColourValue::of(word).is_none();
    let all = layers.iter().flat_map(|layer| syntax::words(layer)).collect::<Vec<_>>();
    let image = all.iter().find(is_image);
    let is_word = |word: &&str| {
        word.contains('(')
            || ColourValue::of(word).is_some()
            || BACKGROUND_WORDS.contains(word)
            || LengthBasis::PAGE.of(1.0).pixels(word).is_some()
            || *word == "/"
            || word.split('/').all(|part| {
                BACKGROUND_WORDS.contains(&part) || LengthBasis::PAGE.of(1.0).pixels(part).is_some()
            })
    };
    if !all.iter().all(is_word) {
        return None;
    }
    let clip = if all.contains(&"text") { "text" } else { "border-box" };
    let text = |word: Option<&&str>, other: &str| word.map_or(other, |word| *word).to_owned();
    Some(vec![text(colour, "transparent"), text(image, "none"), clip.to_owned(), size(value)])
}

/// What is behind the slash of a picture's place.
fn size(value: &str) -> String {
    let behind = value.split_once('/').filter(|(before, _)| !before.contains('('));
    behind.map_or("auto", |(_, size)| size.trim()).to_owned()
}

/// The size in a `font`, and what is behind a slash after it.
fn font(words: &[&str]) -> Option<Vec<String>> {
    // The family is behind the size; a weight is a number too, without a unit.
    for (at, word) in words.iter().enumerate() {
        let (size, height) = word.split_once('/').unwrap_or((word, "normal"));
        let is_weight = size.parse::<f32>().is_ok_and(|number| number >= 1.0);
        if is_valid("font-size", size) && !is_weight && !matches!(size, "normal") {
            return (at + 1 < words.len()).then(|| vec![size.to_owned(), height.to_owned()]);
        }
    }
    None
}

/// The name of an animation, and what holds before and behind it.
fn animation(value: &str) -> Vec<String> {
    let last = syntax::split(value, b',').last().copied().unwrap_or("");
    let words = syntax::words(last);
    let fill = words.iter().find(|word| matches!(**word, "forwards" | "backwards" | "both"));
    let state = words.iter().find(|word| matches!(**word, "paused" | "running"));
    // A time may be negative, and the first letter of a name may be a hyphen.
    let is_time = |word: &str| {
        word.trim_start_matches(['-', '+']).starts_with(|ch: char| ch.is_ascii_digit() || ch == '.')
    };
    let is_name =
        |word: &&&str| !is_time(word) && !word.contains('(') && !ANIMATION_WORDS.contains(*word);
    let name = words.iter().find(is_name);
    let text = |word: Option<&&str>, other: &str| word.map_or(other, |word| *word).to_owned();
    vec![text(name, "none"), text(fill, "none"), text(state, "running")]
}

/// Whether a browser understands a value; properties that are not looked at take any.
pub(super) fn is_valid(name: &str, value: &str) -> bool {
    let is_length = || LengthBasis::PAGE.of(1.0).pixels(value).is_some();
    match name {
        "display" => {
            syntax::words(value).iter().all(|word| DISPLAY_WORDS.contains(word))
                && !(value.contains(' ') && value.contains("none"))
        }
        "visibility" => matches!(value, "visible" | "hidden" | "collapse"),
        "content-visibility" => matches!(value, "visible" | "hidden" | "auto"),
        "position" => matches!(
            value,
            "static" | "relative" | "absolute" | "fixed" | "sticky" | "-webkit-sticky"
        ),
        "overflow-x" | "overflow-y" => {
            matches!(value, "visible" | "hidden" | "clip" | "scroll" | "auto" | "overlay")
        }
        "color" | "background-color" | "-webkit-text-fill-color" | "-webkit-text-stroke-color" => {
            ColourValue::of(value).is_some()
        }
        "opacity" | "scale" | "zoom" | "z-index" | "-webkit-text-stroke-width" => {
            matches!(value, "none" | "normal" | "auto" | "reset" | "thin" | "medium" | "thick")
                || syntax::words(value)
                    .iter()
                    .all(|word| LengthBasis::PAGE.of(1.0).pixels(word).is_some())
        }
        "font-size" => FONT_SIZE_WORDS.contains(&value) || is_length() && !value.starts_with('-'),
        "top" | "right" | "bottom" | "left" | "margin-top" | "margin-right" | "margin-bottom"
        | "margin-left" | "padding-top" | "padding-right" | "padding-bottom" | "padding-left" => {
            value == "auto" || value.contains("anchor(") || is_length()
        }
        "width" | "height" | "max-width" | "max-height" => {
            SIZE_WORDS.contains(&value)
                || value.starts_with("fit-content(")
                || value.contains("calc-size(")
                || is_length() && !value.starts_with('-')
        }
        "text-indent" => {
            syntax::words(value).iter().any(|word| LengthBasis::PAGE.of(1.0).pixels(word).is_some())
        }
        "letter-spacing" => value == "normal" || is_length(),
        _ => true,
    }
}

/// Whether a value is a length but for its unit.
pub(super) fn lacks_unit(name: &str, value: &str) -> bool {
    let is_length = LENGTH_PROPERTIES.contains(&name);
    is_length && value.parse::<f32>().is_ok_and(|number| number != 0.0)
}

/// Properties whose values are lengths.
const LENGTH_PROPERTIES: [&str; 18] = [
    "top",
    "right",
    "bottom",
    "left",
    "width",
    "height",
    "max-width",
    "max-height",
    "min-width",
    "min-height",
    "margin-left",
    "margin-top",
    "margin-right",
    "text-indent",
    "font-size",
    "letter-spacing",
    "inset-inline-start",
    "inset-block-start",
];
const BACKGROUND_WORDS: [&str; 28] = [
    "none",
    "transparent",
    "repeat",
    "no-repeat",
    "repeat-x",
    "repeat-y",
    "space",
    "round",
    "fixed",
    "scroll",
    "local",
    "left",
    "right",
    "top",
    "bottom",
    "center",
    "cover",
    "contain",
    "auto",
    "border-box",
    "padding-box",
    "content-box",
    "text",
    "border-area",
    "x-start",
    "y-start",
    "x-end",
    "y-end",
];
const ANIMATION_WORDS: [&str; 19] = [
    "forwards",
    "backwards",
    "both",
    "paused",
    "running",
    "infinite",
    "linear",
    "ease",
    "ease-in",
    "ease-out",
    "ease-in-out",
    "step-start",
    "step-end",
    "normal",
    "reverse",
    "alternate",
    "alternate-reverse",
    "none",
    "auto",
];
const FONT_SIZE_WORDS: [&str; 12] = [
    "xx-small",
    "x-small",
    "small",
    "medium",
    "large",
    "x-large",
    "xx-large",
    "xxx-large",
    "smaller",
    "larger",
    "math",
    "-webkit-xxx-large",
];
const SIZE_WORDS: [&str; 11] = [
    "auto",
    "none",
    "min-content",
    "max-content",
    "fit-content",
    "stretch",
    "-webkit-fill-available",
    "-webkit-min-content",
    "-webkit-max-content",
    "-webkit-fit-content",
    "contain",
];
const DISPLAY_WORDS: [&str; 34] = [
    "none",
    "inline",
    "block",
    "inline-block",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "table",
    "inline-table",
    "table-row",
    "table-cell",
    "table-caption",
    "table-column",
    "table-column-group",
    "table-row-group",
    "table-header-group",
    "table-footer-group",
    "list-item",
    "contents",
    "flow-root",
    "flow",
    "ruby",
    "ruby-text",
    "math",
    "run-in",
    "-webkit-box",
    "-webkit-inline-box",
    "-webkit-flex",
    "-webkit-inline-flex",
    "inline-math",
    "block-math",
    "grid-lanes",
    "inline-grid-lanes",
];
