//! Style sheets, as far as they hide text.
//!
//! Only rules that an author writes to hide text are interpreted; there is no layout.
//! A colour hides text if it equals the background colour of the same rule, or is
//! white where no background is given.

use std::collections::BTreeMap;

use crate::document::hidden::HiddenText;

mod rules;
mod selector;

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
    let value = |name: &str| style.get(name).map_or("", String::as_str);
    let is = |name: &str, words: &[&str]| words.contains(&value(name));
    if is("display", &["none"])
        || is("visibility", &["hidden", "collapse"])
        || is("content-visibility", &["hidden"])
    {
        return Some(HiddenText::MarkedHidden);
    }
    if number(value("opacity")).is_some_and(|share| share < MIN_OPACITY) {
        return Some(HiddenText::FullTransparency);
    }
    if points(value("font-size"))
        .or_else(|| font_points(value("font")))
        .is_some_and(|size| size < MIN_VISIBLE_POINTS)
        || is("transform", &["scale(0)", "scale(0,0)", "scale(0, 0)", "scalex(0)", "scaley(0)"])
    {
        return Some(HiddenText::TinySize);
    }
    // A box without height still shows its text, unless what overflows is cut off.
    let flat = ["width", "height", "max-height", "max-width"]
        .iter()
        .any(|side| points(value(side)).is_some_and(|size| size < MIN_VISIBLE_POINTS));
    let cuts =
        ["overflow", "overflow-x", "overflow-y"].iter().any(|name| is(name, &["hidden", "clip"]));
    // `left: -9999px` takes text off the screen without any word for hiding.
    let far =
        ["left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top", "margin"]
            .iter()
            .any(|side| points(value(side)).is_some_and(|at| at < -MIN_OFF_PAGE_POINTS));
    let shifted = value("transform").starts_with("translate") && value("transform").contains("-9");
    if flat && cuts || far || shifted || is_clipped(value("clip-path"), value("clip")) {
        return Some(HiddenText::OutsidePage);
    }
    let colour = colour(value("color"));
    if colour == Some(StyleColour::Nothing) {
        return Some(HiddenText::FullTransparency);
    }
    None
}

/// A colour, as far as it matters what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StyleColour {
    /// Red, green and blue.
    Paint([u8; 3]),
    /// Fully transparent.
    Nothing,
    /// One that is not understood, or a picture.
    Other,
}

impl StyleColour {
    pub(super) const WHITE: Self = Self::Paint([255, 255, 255]);

    /// Whether nobody tells the two apart.
    pub(super) fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Paint(one), Self::Paint(other)) => one
                .iter()
                .zip(other)
                .all(|(one, other)| one.abs_diff(other) <= MAX_ALIKE_CHANNEL_STEPS),
            _ => false,
        }
    }
}

/// The colours of text and background that declarations name.
pub(super) fn colours(
    style: &BTreeMap<String, String>,
) -> (Option<StyleColour>, Option<StyleColour>) {
    let value = |name: &str| style.get(name).map_or("", String::as_str);
    let pictured = !matches!(value("background-image"), "" | "none");
    // A background that is not understood may be dark: white text on it is not called hidden.
    let behind = match (value("background-color"), value("background")) {
        _ if pictured => Some(StyleColour::Other),
        ("", "") => None,
        ("", both) => Some(colour(both).unwrap_or(StyleColour::Other)),
        (own, _) => Some(colour(own).unwrap_or(StyleColour::Other)),
    };
    (colour(value("color")), behind)
}

/// The colour that a value names.
fn colour(value: &str) -> Option<StyleColour> {
    let value = value.trim();
    if value.is_empty() || matches!(value, "inherit" | "currentcolor" | "initial" | "unset") {
        return None;
    }
    if value == "transparent" {
        return Some(StyleColour::Nothing);
    }
    if let Some((_, paint)) = NAMED_COLOURS.iter().find(|(name, _)| *name == value) {
        return Some(StyleColour::Paint(*paint));
    }
    if let Some(hex) = value.strip_prefix('#') {
        return Some(from_hex(hex));
    }
    let inside = value
        .strip_prefix("rgba(")
        .or_else(|| value.strip_prefix("rgb("))
        .and_then(|rest| rest.strip_suffix(')'));
    let Some(inside) = inside else { return Some(StyleColour::Other) };
    let parts: Vec<f32> =
        inside.split([',', ' ', '/']).filter(|part| !part.is_empty()).filter_map(channel).collect();
    match parts.as_slice() {
        [_, _, _, alpha] if *alpha <= 0.0 => Some(StyleColour::Nothing),
        [red, green, blue, ..] => Some(StyleColour::Paint([*red, *green, *blue].map(byte))),
        _ => Some(StyleColour::Other),
    }
}

/// A colour in hexadecimal digits, of which three, four, six and eight mean one.
pub(super) fn from_hex(hex: &str) -> StyleColour {
    let digits: Option<Vec<u8>> =
        hex.chars().map(|ch| ch.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    match digits.as_deref() {
        Some([_, _, _, 0] | [_, _, _, _, _, _, 0, 0]) => StyleColour::Nothing,
        Some([r, g, b] | [r, g, b, _]) => StyleColour::Paint([r * 17, g * 17, b * 17]),
        Some([a, b, c, d, e, f, ..]) if matches!(hex.len(), 6 | 8) => {
            StyleColour::Paint([a * 16 + b, c * 16 + d, e * 16 + f])
        }
        _ => StyleColour::Other,
    }
}

fn channel(part: &str) -> Option<f32> {
    match part.strip_suffix('%') {
        Some(share) => share.parse::<f32>().ok().map(|share| share * 2.55),
        None => part.parse().ok(),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
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
/// Farther than the width of a page to the left of it.
const MIN_OFF_PAGE_POINTS: f32 = 300.0;
/// Steps of 255 that nobody tells apart, for each of the three channels.
const MAX_ALIKE_CHANNEL_STEPS: u8 = 12;
const NAMED_COLOURS: [(&str, [u8; 3]); 4] = [
    ("white", [255, 255, 255]),
    ("black", [0, 0, 0]),
    ("snow", [255, 250, 250]),
    ("ivory", [255, 255, 240]),
];
