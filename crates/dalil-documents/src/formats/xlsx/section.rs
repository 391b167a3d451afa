//! The effect of number formats on values: a part of a format may show nothing, or other words.

use crate::document::HiddenText;
use crate::formats::css::StyleColour;

/// A value, as far as it decides which part of a format it is shown by.
#[derive(Clone, Copy, Debug)]
pub(super) enum FormattedValue {
    Number(f64),
    Text,
}

/// The effect of the part of a format on its value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FormatEffect {
    /// Why the value cannot be seen.
    pub(super) hidden: Option<HiddenText>,
    /// The colour that it is shown in.
    pub(super) ink: Option<StyleColour>,
}

impl FormatEffect {
    /// The effect of a format on a value.
    pub(super) fn of(code: &str, value: FormattedValue) -> Self {
        let all = sections(code);
        // A format without any sign is the usual one.
        if code.is_empty() || all.len() == 1 && code.eq_ignore_ascii_case("general") {
            return Self::default();
        }
        let found = match value {
            FormattedValue::Text => text_section(&all),
            FormattedValue::Number(number) => number_section(&all, number),
        };
        found.map(|section| Self::of_section(section, value)).unwrap_or_default()
    }

    fn of_section(section: &str, value: FormattedValue) -> Self {
        let parts = FormatParts::of(section);
        let shows = match value {
            FormattedValue::Text => parts.text != TextPlace::Missing,
            FormattedValue::Number(_) => parts.number || parts.text != TextPlace::Missing,
        };
        let hidden = match (shows, parts.words) {
            (true, _) => None,
            (false, true) => Some(HiddenText::OtherLetters),
            (false, false) => Some(HiddenText::MarkedHidden),
        };
        Self { hidden, ink: parts.ink }
    }
}

/// The part for texts: the fourth, or the one with the sign for a text.
fn text_section<'c>(all: &[&'c str]) -> Option<&'c str> {
    let signed =
        || all.last().copied().filter(|last| FormatParts::of(last).text == TextPlace::Sign);
    all.get(3).copied().or_else(signed)
}

/// The part for a number: the first whose condition holds, or the one for its sign.
fn number_section<'c>(all: &[&'c str], number: f64) -> Option<&'c str> {
    let count = all
        .iter()
        .take(3)
        .take_while(|section| FormatParts::of(section).text != TextPlace::Sign)
        .count();
    let own = all.get(..count)?;
    if own.iter().any(|section| condition(section).is_some()) {
        let holds = |section: &&&str| condition(section).is_none_or(|one| one.holds(number));
        return own.iter().find(holds).copied();
    }
    let at = match count {
        0 | 1 => 0,
        2 => usize::from(number < 0.0),
        _ if number > 0.0 => 0,
        _ if number < 0.0 => 1,
        _ => 2,
    };
    own.get(at).copied()
}

/// The parts of a format, which semicolons part outside of quotes and brackets.
fn sections(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut quoted, mut bracketed) = (0, false, false);
    let mut chars = code.char_indices();
    while let Some((at, ch)) = chars.next() {
        match ch {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '\\' => drop(chars.next()),
            '[' => bracketed = true,
            ']' => bracketed = false,
            ';' if !bracketed => {
                found.extend(code.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(code.get(start..));
    found
}

/// Whether a text has a place in a part of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TextPlace {
    #[default]
    Missing,
    /// A general format shows everything.
    General,
    /// The sign for a text.
    Sign,
}

/// The contents of one part of a format.
#[derive(Debug, Default)]
struct FormatParts {
    /// A place for digits, a day or a time.
    number: bool,
    text: TextPlace,
    /// Words of its own.
    words: bool,
    ink: Option<StyleColour>,
}

impl FormatParts {
    fn of(section: &str) -> Self {
        let mut parts = Self::default();
        let general = section.to_ascii_lowercase().contains("general");
        if general {
            (parts.number, parts.text) = (true, TextPlace::General);
        }
        let mut chars = section.chars();
        while let Some(ch) = chars.next() {
            match ch {
                '"' => {
                    let mut inside = chars.by_ref().take_while(|ch| *ch != '"');
                    parts.words |= inside.by_ref().any(|ch| !ch.is_whitespace());
                    inside.for_each(drop);
                }
                '[' => {
                    let inside: String = chars.by_ref().take_while(|ch| *ch != ']').collect();
                    parts.ink = parts.ink.or_else(|| named_ink(&inside));
                    // `[h]` counts hours beyond a day.
                    parts.number |= matches!(
                        inside.to_ascii_lowercase().as_str(),
                        "h" | "hh" | "m" | "mm" | "s" | "ss"
                    );
                }
                '\\' => parts.words |= chars.next().is_some_and(|ch| !ch.is_whitespace()),
                // A space as wide as the next character, or a fill with it.
                '_' | '*' => drop(chars.next()),
                '@' => parts.text = TextPlace::Sign,
                '0' | '#' | '?' => parts.number = true,
                'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' | 's' | 'S' | 'b' | 'B'
                    if !general =>
                {
                    parts.number = true;
                }
                ch => parts.words |= ch.is_alphanumeric() && !general,
            }
        }
        parts
    }
}

/// A condition at the beginning of a part: `[>=50]`.
struct SectionCondition<'c> {
    sign: &'c str,
    than: f64,
}

fn condition(section: &str) -> Option<SectionCondition<'_>> {
    section.split('[').skip(1).find_map(|part| {
        let inside = part.split(']').next()?;
        let digits = inside.find(|ch: char| !matches!(ch, '<' | '>' | '='))?;
        let (sign, than) = inside.split_at_checked(digits)?;
        let than = than.trim().parse().ok()?;
        (!sign.is_empty()).then_some(SectionCondition { sign, than })
    })
}

impl SectionCondition<'_> {
    fn is_equal(&self, number: f64) -> bool {
        (number - self.than).abs() < f64::EPSILON
    }

    fn holds(&self, number: f64) -> bool {
        match self.sign {
            "<" => number < self.than,
            "<=" => number <= self.than,
            ">" => number > self.than,
            ">=" => number >= self.than,
            "<>" => !self.is_equal(number),
            _ => self.is_equal(number),
        }
    }
}

/// The colours that a format has names for (ECMA-376-1, 18.8.31).
fn named_ink(name: &str) -> Option<StyleColour> {
    let paint = match name.to_ascii_lowercase().replace(' ', "").as_str() {
        "black" | "color1" => [0, 0, 0],
        "white" | "color2" => [255, 255, 255],
        "red" | "color3" => [255, 0, 0],
        "green" | "color4" => [0, 255, 0],
        "blue" | "color5" => [0, 0, 255],
        "yellow" | "color6" => [255, 255, 0],
        "magenta" | "color7" => [255, 0, 255],
        "cyan" | "color8" => [0, 255, 255],
        other if other.starts_with("color") => return Some(StyleColour::Other),
        _ => return None,
    };
    Some(StyleColour::Paint(paint))
}
