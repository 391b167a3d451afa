//! Colours of style sheets, as far as they decide whether text differs visibly from its background.

use super::length::{LengthBasis, share};
use super::named::NAMED_COLOURS;
use super::syntax;

/// A colour, as far as its value matters.
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

    /// Whether a reader cannot distinguish the two.
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

/// A paint, which may be partly transparent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paint {
    channels: [f32; 3],
    pub(super) alpha: f32,
}

impl Paint {
    pub(super) const BLACK: Self = Self { channels: [0.0; 3], alpha: 1.0 };
    pub(super) const WHITE: Self = Self { channels: [255.0; 3], alpha: 1.0 };
    const CLEAR: Self = Self { channels: [0.0; 3], alpha: 0.0 };

    fn of(channels: [f32; 3], alpha: f32) -> Self {
        Self { channels: channels.map(|one| one.clamp(0.0, 255.0)), alpha: alpha.clamp(0.0, 1.0) }
    }

    fn of_number(number: u32) -> Self {
        let [_, red, green, blue] = number.to_be_bytes();
        Self::of([red, green, blue].map(f32::from), 1.0)
    }

    /// The visible colour of it over another.
    pub(super) fn over(self, behind: StyleColour) -> StyleColour {
        match behind {
            StyleColour::Paint(under) => {
                let mut seen = [0; 3];
                for ((seen, own), under) in seen.iter_mut().zip(self.channels).zip(under) {
                    *seen = byte(own * self.alpha + f32::from(under) * (1.0 - self.alpha));
                }
                StyleColour::Paint(seen)
            }
            _ if self.alpha >= MIN_OPAQUE => StyleColour::Paint(self.channels.map(byte)),
            other => other,
        }
    }

    /// Whether nothing of it can be seen.
    pub(super) fn is_clear(self) -> bool {
        self.alpha < MIN_OPACITY
    }

    pub(super) fn is_opaque(self) -> bool {
        self.alpha >= MIN_OPAQUE
    }

    /// As much of it as this share, the rest of another.
    fn mixed(self, other: Self, own: f32) -> Self {
        let alpha = self.alpha * own + other.alpha * (1.0 - own);
        let mut channels = [0.0; 3];
        let both = self.channels.into_iter().zip(other.channels);
        for (channel, (one, two)) in channels.iter_mut().zip(both) {
            let sum = one * self.alpha * own + two * other.alpha * (1.0 - own);
            *channel = if alpha > 0.0 { sum / alpha } else { 0.0 };
        }
        Self::of(channels, alpha)
    }
}

/// The colour that a value gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColourValue {
    Paint(Paint),
    /// That of the letters.
    Current,
    /// One of a kind that is not understood.
    Unknown,
}

impl ColourValue {
    /// Reads a colour; nothing where a browser reads none either.
    pub(super) fn of(value: &str) -> Option<Self> {
        Self::nested(value.trim(), 0)
    }

    fn nested(value: &str, depth: usize) -> Option<Self> {
        match value {
            "currentcolor" => return Some(Self::Current),
            "transparent" => return Some(Self::Paint(Paint::CLEAR)),
            _ => {}
        }
        if let Some(digits) = value.strip_prefix('#') {
            return hex(digits).map(Self::Paint);
        }
        if let Ok(at) = NAMED_COLOURS.binary_search_by(|(name, _)| (*name).cmp(value)) {
            return NAMED_COLOURS.get(at).map(|(_, paint)| Self::Paint(Paint::of_number(*paint)));
        }
        let (name, inside) = syntax::function(value)?;
        if depth >= MAX_COLOUR_DEPTH {
            return Some(Self::Unknown);
        }
        match name {
            "color-mix" => mix(inside, depth),
            "light-dark" => {
                let light = syntax::split(inside, b',').first().copied().unwrap_or("");
                Self::nested(light.trim(), depth + 1)
            }
            "contrast-color" | "device-cmyk" => Some(Self::Unknown),
            _ => function(name, inside),
        }
    }

    /// Its paint, where this is the colour of the letters.
    pub(super) fn paint(self, current: Option<Paint>) -> Option<Paint> {
        match self {
            Self::Paint(paint) => Some(paint),
            Self::Current => current,
            Self::Unknown => None,
        }
    }
}

/// The colours that a gradient is made of.
pub(super) fn gradient_stops(inside: &str) -> Option<Vec<ColourValue>> {
    let parts = syntax::split(inside, b',');
    let mut stops = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let mut words = syntax::words(part).into_iter();
        match words.find_map(ColourValue::of) {
            Some(colour) => stops.push(colour),
            // The first is the direction, others may be the place of the middle.
            None if at == 0 || LengthBasis::PAGE.of(1.0).pixels(part.trim()).is_some() => {}
            None => return None,
        }
    }
    (!stops.is_empty()).then_some(stops)
}

fn function(name: &str, inside: &str) -> Option<ColourValue> {
    let parts: Vec<&str> = inside.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
    // One that is made of another colour may be any.
    if parts.first() == Some(&"from") {
        return Some(ColourValue::Unknown);
    }
    let parts = if name == "color" { parts.get(1..)? } else { &parts };
    let [one, two, three, rest @ ..] = parts else { return None };
    let alpha = match rest {
        [] | ["none"] => 1.0,
        [alpha] => share(alpha)?,
        _ => return None,
    };
    let scaled = |part: &str, whole: f32| match part {
        "none" => Some(0.0),
        _ => LengthBasis::PAGE.of(whole).pixels(part),
    };
    let all = |wholes: [f32; 3]| {
        let [first, second, third] = wholes;
        Some([scaled(one, first)?, scaled(two, second)?, scaled(three, third)?])
    };
    let channels = match name {
        "rgb" | "rgba" => all([255.0; 3])?,
        "color" => all([1.0; 3])?.map(|one| one * 255.0),
        // Their shares may be written without a sign.
        "hsl" | "hsla" => hue(all([360.0, 100.0, 100.0])?),
        "hwb" => hwb(all([360.0, 100.0, 100.0])?),
        "oklab" => oklab(all([1.0, 0.4, 0.4])?),
        "oklch" => oklab(polar(all([1.0, 0.4, 360.0])?)),
        "lab" => lab(all([100.0, 125.0, 125.0])?),
        "lch" => lab(polar(all([100.0, 150.0, 360.0])?)),
        _ => return None,
    };
    Some(ColourValue::Paint(Paint::of(channels, alpha)))
}

/// `color-mix(in srgb, white 20%, black)`, in whatever space, by its red, green and blue.
fn mix(inside: &str, depth: usize) -> Option<ColourValue> {
    let parts = syntax::split(inside, b',');
    let [_, one, two] = parts.as_slice() else { return Some(ColourValue::Unknown) };
    let part = |text: &str| {
        let mut words = syntax::words(text);
        let at = words.iter().position(|word| word.ends_with('%'));
        let share = at.map(|at| share(words.remove(at)));
        let colour = ColourValue::nested(words.first()?, depth + 1)?;
        Some((colour, share.flatten()))
    };
    let ((one, first), (two, second)) = (part(one)?, part(two)?);
    let own = match (first, second) {
        (None, None) => 0.5,
        (Some(first), None) => first,
        (None, Some(second)) => 1.0 - second,
        (Some(first), Some(second)) => first / (first + second).max(f32::EPSILON),
    };
    Some(match (one, two) {
        (ColourValue::Paint(one), ColourValue::Paint(two)) => {
            ColourValue::Paint(one.mixed(two, own))
        }
        _ => ColourValue::Unknown,
    })
}

/// Hue, saturation and lightness as red, green and blue (CSS Color 4, 7.1).
fn hue([hue, saturation, lightness]: [f32; 3]) -> [f32; 3] {
    let (saturation, lightness) = (saturation / 100.0, lightness / 100.0);
    let spread = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|from| {
        let at = (from + hue.rem_euclid(360.0) / 30.0) % 12.0;
        let step = (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0);
        (lightness - spread * step) * 255.0
    })
}

/// Hue, whiteness and blackness.
fn hwb([angle, white, black]: [f32; 3]) -> [f32; 3] {
    let (white, black) = (white / 100.0, black / 100.0);
    let sum = (white + black).max(1.0);
    hue([angle, 100.0, 50.0])
        .map(|one| one * (1.0 - white / sum - black / sum).max(0.0) + white / sum * 255.0)
}

/// Lightness, chroma and hue as lightness and two axes.
fn polar([lightness, chroma, hue]: [f32; 3]) -> [f32; 3] {
    let hue = hue.to_radians();
    [lightness, chroma * hue.cos(), chroma * hue.sin()]
}

fn oklab([lightness, green, blue]: [f32; 3]) -> [f32; 3] {
    let [long, middle, short] = [
        lightness + 0.396_337_8 * green + 0.215_803_76 * blue,
        lightness - 0.105_561_35 * green - 0.063_854_17 * blue,
        lightness - 0.089_484_18 * green - 1.291_485_5 * blue,
    ]
    .map(|one| one * one * one);
    [
        4.076_741_7 * long - 3.307_711_6 * middle + 0.230_969_94 * short,
        -1.268_438 * long + 2.609_757_4 * middle - 0.341_319_4 * short,
        -0.004_196_086 * long - 0.703_418_6 * middle + 1.707_614_7 * short,
    ]
    .map(gamma)
}

fn lab([lightness, green, blue]: [f32; 3]) -> [f32; 3] {
    let middle = (lightness + 16.0) / 116.0;
    let cube =
        |one: f32| if one > 6.0 / 29.0 { one * one * one } else { (116.0 * one - 16.0) / 903.3 };
    // The white of D50, as CSS has it.
    let [x, y, z] = [
        0.964_3 * cube(middle + green / 500.0),
        cube(middle),
        0.825_1 * cube(middle - blue / 200.0),
    ];
    [
        3.134_3 * x - 1.617_4 * y - 0.490_7 * z,
        -0.978_7 * x + 1.916_1 * y + 0.033_4 * z,
        0.072 * x - 0.229 * y + 1.405_7 * z,
    ]
    .map(gamma)
}

fn gamma(linear: f32) -> f32 {
    let linear = linear.clamp(0.0, 1.0);
    255.0
        * if linear <= 0.003_130_8 {
            linear * 12.92
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        }
}

/// A colour in hexadecimal digits, of which three, four, six and eight mean one.
fn hex(digits: &str) -> Option<Paint> {
    let digits: Option<Vec<f32>> = digits
        .chars()
        .map(|ch| ch.to_digit(16).and_then(|digit| u8::try_from(digit).ok()).map(f32::from))
        .collect();
    match digits?.as_slice() {
        [r, g, b] => Some(Paint::of([r * 17.0, g * 17.0, b * 17.0], 1.0)),
        [r, g, b, a] => Some(Paint::of([r * 17.0, g * 17.0, b * 17.0], a / 15.0)),
        [a, b, c, d, e, f, rest @ ..] => {
            let alpha = match rest {
                [] => 1.0,
                [high, low] => (high * 16.0 + low) / 255.0,
                _ => return None,
            };
            Some(Paint::of([a * 16.0 + b, c * 16.0 + d, e * 16.0 + f], alpha))
        }
        _ => None,
    }
}

/// A colour in hexadecimal digits, as attributes have it.
pub(in crate::formats) fn from_hex(digits: &str) -> StyleColour {
    hex(digits).map_or(StyleColour::Other, simple)
}

/// The colour of a name or a function.
pub(in crate::formats) fn named(value: &str) -> StyleColour {
    match ColourValue::of(value) {
        Some(ColourValue::Paint(paint)) => simple(paint),
        Some(ColourValue::Current | ColourValue::Unknown) | None => StyleColour::Other,
    }
}

fn simple(paint: Paint) -> StyleColour {
    if paint.is_clear() {
        StyleColour::Nothing
    } else {
        StyleColour::Paint(paint.channels.map(byte))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// The largest difference that a reader does not see, in steps of 255, for each of the three
/// channels.
const MAX_ALIKE_CHANNEL_STEPS: u8 = 12;
/// A twentieth of full paint cannot be distinguished from paper.
pub(super) const MIN_OPACITY: f32 = 0.05;
/// Nothing is seen through so much paint.
const MIN_OPAQUE: f32 = 0.95;
/// Colours that are mixed of others.
const MAX_COLOUR_DEPTH: usize = 8;
