//! Colours of style sheets, as far as they decide whether text can be told from its background.

use std::collections::BTreeMap;

use super::{MIN_OPACITY, number};

/// A colour, as far as it matters what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum StyleColour {
    /// Red, green and blue.
    Paint([u8; 3]),
    /// Fully transparent.
    Nothing,
    /// One that is not understood, or a picture.
    Other,
}

impl StyleColour {
    pub(in crate::formats) const BLACK: Self = Self::Paint([0, 0, 0]);
    pub(in crate::formats) const WHITE: Self = Self::Paint([255, 255, 255]);

    /// Whether nobody tells the two apart.
    pub(in crate::formats) fn is_like(self, other: Self) -> bool {
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
pub(in crate::formats) fn colours(
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
    (text(style), behind)
}

/// The colour of the letters: that of their fill goes before that of the text.
pub(super) fn text(style: &BTreeMap<String, String>) -> Option<StyleColour> {
    let value = |name: &str| style.get(name).and_then(|value| colour(value));
    value("-webkit-text-fill-color").or_else(|| value("color"))
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
    let function = value.strip_suffix(')').and_then(|value| value.split_once('('));
    let Some((function, inside)) = function else { return Some(StyleColour::Other) };
    let parts: Vec<&str> = inside.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
    let alpha = parts.get(3).and_then(|share| number(share));
    if alpha.is_some_and(|share| share < MIN_OPACITY) {
        return Some(StyleColour::Nothing);
    }
    let paint = match function {
        "rgb" | "rgba" => light(&parts),
        "hsl" | "hsla" => hue(&parts),
        _ => None,
    };
    // With a share that is not understood it may be anything.
    let paint = paint.filter(|_| parts.len() < 4 || alpha.is_some());
    Some(paint.map_or(StyleColour::Other, StyleColour::Paint))
}

fn light(parts: &[&str]) -> Option<[u8; 3]> {
    let [red, green, blue, ..] = parts else { return None };
    let channel = |part: &str| match part.strip_suffix('%') {
        Some(share) => share.parse::<f32>().ok().map(|share| share * 2.55),
        None => part.parse().ok(),
    };
    Some([byte(channel(red)?), byte(channel(green)?), byte(channel(blue)?)])
}

/// Hue, saturation and lightness as red, green and blue (CSS Color 4, 7.1).
fn hue(parts: &[&str]) -> Option<[u8; 3]> {
    let [hue, saturation, lightness, ..] = parts else { return None };
    let hue: f32 = hue.strip_suffix("deg").unwrap_or(hue).parse().ok()?;
    let share = |part: &str| part.strip_suffix('%').unwrap_or(part).parse::<f32>().ok();
    let (saturation, lightness) = (share(saturation)? / 100.0, share(lightness)? / 100.0);
    let spread = saturation * lightness.min(1.0 - lightness);
    let channel = |from: f32| {
        let at = (from + hue.rem_euclid(360.0) / 30.0) % 12.0;
        let step = (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0);
        byte((lightness - spread * step) * 255.0)
    };
    Some([channel(0.0), channel(8.0), channel(4.0)])
}

/// A colour in hexadecimal digits, of which three, four, six and eight mean one.
pub(in crate::formats) fn from_hex(hex: &str) -> StyleColour {
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

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// Steps of 255 that nobody tells apart, for each of the three channels.
const MAX_ALIKE_CHANNEL_STEPS: u8 = 12;
/// The sixteen names of HTML 4, and those that are nearly white.
const NAMED_COLOURS: [(&str, [u8; 3]); 24] = [
    ("white", [255, 255, 255]),
    ("black", [0, 0, 0]),
    ("snow", [255, 250, 250]),
    ("ivory", [255, 255, 240]),
    ("ghostwhite", [248, 248, 255]),
    ("floralwhite", [255, 250, 240]),
    ("mintcream", [245, 255, 250]),
    ("whitesmoke", [245, 245, 245]),
    ("silver", [192, 192, 192]),
    ("gray", [128, 128, 128]),
    ("grey", [128, 128, 128]),
    ("maroon", [128, 0, 0]),
    ("red", [255, 0, 0]),
    ("purple", [128, 0, 128]),
    ("fuchsia", [255, 0, 255]),
    ("magenta", [255, 0, 255]),
    ("green", [0, 128, 0]),
    ("lime", [0, 255, 0]),
    ("olive", [128, 128, 0]),
    ("yellow", [255, 255, 0]),
    ("navy", [0, 0, 128]),
    ("blue", [0, 0, 255]),
    ("teal", [0, 128, 128]),
    ("aqua", [0, 255, 255]),
];
