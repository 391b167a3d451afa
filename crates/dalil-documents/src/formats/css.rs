//! Style sheets, as far as they hide text.
//!
//! Only rules that an author writes to hide text are interpreted; there is no layout.
//! A colour hides text if it equals the background colour of the same rule, or is
//! white where no background is given.

use std::collections::BTreeMap;

use crate::document::hidden::HiddenText;

mod attribute;
mod colour;
mod effect;
mod rules;
mod selector;
mod sheet;

pub(super) use colour::{StyleColour, colours, from_hex};
pub(super) use rules::{StyleMarks, StyleRules};

/// The declarations of a style, names and values in lower case without space or comments.
pub(super) fn declarations(style: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for part in uncommented(style).split(';').take(MAX_DECLARATIONS) {
        let Some((name, value)) = part.split_once(':') else { continue };
        let name = name.trim().to_ascii_lowercase();
        let value: String =
            value.to_ascii_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        // What is important is behind a `!`, and may have a space before it.
        let value =
            value.split_once('!').map_or(value.as_str(), |(value, _)| value).trim().to_owned();
        found.insert(unescaped(&name), unescaped(&value));
    }
    found
}

/// What attributes of an element say that a style says too.
pub(super) fn attribute_style(
    name: &str,
    value: impl Fn(&str) -> Option<String>,
) -> BTreeMap<String, String> {
    let text = if name == "body" { "text" } else { "color" };
    [("color", text), ("background-color", "bgcolor")]
        .into_iter()
        .filter_map(|(key, attribute)| {
            Some((key.to_owned(), value(attribute)?.to_ascii_lowercase()))
        })
        .collect()
}

/// How declarations hide the text of an element, whatever stands around it.
pub(super) fn unseen(style: &BTreeMap<String, String>) -> Option<HiddenText> {
    // Most elements have none, and a page can have a million.
    if style.is_empty() {
        return None;
    }
    let value = |name: &str| style.get(name).map_or("", String::as_str);
    let is = |name: &str, words: &[&str]| words.contains(&value(name));
    if is("display", &["none"])
        || is("visibility", &["hidden", "collapse"])
        || is("content-visibility", &["hidden"])
    {
        return Some(HiddenText::MarkedHidden);
    }
    if effect::is_transparent(style) {
        return Some(HiddenText::FullTransparency);
    }
    if points(value("font-size"))
        .or_else(|| font_points(value("font")))
        .is_some_and(|size| size < MIN_VISIBLE_POINTS)
        || effect::is_shrunk(style)
    {
        return Some(HiddenText::TinySize);
    }
    // A box without height still shows its text, unless what overflows is cut off.
    let flat = ["width", "height", "max-height", "max-width"]
        .iter()
        .any(|side| points(value(side)).is_some_and(|size| size < MIN_VISIBLE_POINTS));
    let cuts =
        ["overflow", "overflow-x", "overflow-y"].iter().any(|name| is(name, &["hidden", "clip"]));
    if flat && cuts || effect::is_far(style) || is_clipped(value("clip-path"), value("clip")) {
        return Some(HiddenText::OutsidePage);
    }
    None
}

fn number(value: &str) -> Option<f32> {
    match value.strip_suffix('%') {
        Some(share) => share.trim().parse::<f32>().ok().map(|share| share / 100.0),
        None => value.parse().ok(),
    }
}

/// A length in points, near enough.
pub(super) fn points(value: &str) -> Option<f32> {
    let value = value.split(' ').next()?;
    let end = value.find(|ch: char| !(ch.is_ascii_digit() || matches!(ch, '.' | '-' | '+')));
    let (digits, unit) = value.split_at_checked(end.unwrap_or(value.len()))?;
    let number: f32 = digits.parse().ok()?;
    // There is no layout: a font of 12 points and a window of 600 stand in for what is relative.
    let scale = match unit {
        "" | "px" => 0.75,
        "pt" => 1.0,
        "em" | "rem" | "ch" | "ex" => 12.0,
        "%" => 0.12,
        "vw" | "vh" => 6.0,
        "in" => 72.0,
        "cm" => 28.3,
        "mm" => 2.83,
        _ => return None,
    };
    Some(number * scale)
}

/// The size in a `font` of several words: the first length in it, as a weight has no unit.
fn font_points(value: &str) -> Option<f32> {
    let words = value.split(' ').filter_map(|word| word.split('/').next());
    let mut sizes = words.filter(|word| {
        word.starts_with(|ch: char| ch.is_ascii_digit() || ch == '.')
            && (word.ends_with(|ch: char| ch.is_alphabetic() || ch == '%') || is_zero(word))
    });
    sizes.find_map(points)
}

fn is_zero(number: &str) -> bool {
    number.parse() == Ok(0.0_f32)
}

/// Whether a clip leaves nothing.
fn is_clipped(path: &str, rect: &str) -> bool {
    let path: String = path.split_whitespace().collect();
    let zero = |inside: &str| {
        inside
            .split([',', ' '])
            .filter(|part| !part.is_empty())
            .all(|part| points(part).is_some_and(|side| side.abs() <= 1.0))
    };
    let rect = rect.strip_prefix("rect(").and_then(|rest| rest.strip_suffix(')'));
    let inset = path.strip_prefix("inset(").and_then(|rest| rest.split('%').next());
    inset.and_then(|share| share.parse::<f32>().ok()).is_some_and(|share| share >= 50.0)
        || matches!(
            path.as_str(),
            "circle(0)"
                | "circle(0px)"
                | "circle(0%)"
                | "polygon(00)"
                | "polygon(00,00,00)"
                | "polygon(00,00,00,00)"
        )
        || rect.is_some_and(zero)
}

/// A text without the comments in it.
fn uncommented(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        plain.push_str(before);
        // A comment that nothing closes takes the rest (CSS Syntax 3, 4.3.2).
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

/// A word whose letters may be written by their codes: `\6e one` is `none`.
fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        if ch != '\\' {
            plain.push(ch);
            continue;
        }
        // One to six digits, then one space that belongs to them (CSS Syntax 3, 4.3.7).
        let mut code = 0;
        let mut digits = 0;
        while digits < 6
            && let Some(digit) = chars.peek().and_then(|ch| ch.to_digit(16))
        {
            code = code * 16 + digit;
            digits += 1;
            chars.next();
        }
        if digits > 0 {
            chars.next_if_eq(&' ');
            plain.extend(char::from_u32(code));
        } else {
            plain.extend(chars.next());
        }
    }
    plain.to_ascii_lowercase()
}

const MAX_DECLARATIONS: usize = 200;
/// Letters below a point and a half are specks on paper: the bound that PDF has too.
const MIN_VISIBLE_POINTS: f32 = 1.5;
/// A twentieth of full paint cannot be told from paper.
const MIN_OPACITY: f32 = 0.05;
