//! Values as a sheet shows them.

use calamine::{DataRef, ExcelDateTime};

/// The text of a cell whose number format is `code`.
pub(super) fn shown(value: &DataRef<'_>, code: &str) -> String {
    match value {
        DataRef::Int(number) => {
            #[expect(clippy::cast_precision_loss, reason = "a sheet has no other numbers")]
            let float = *number as f64;
            number_shown(float, code)
        }
        DataRef::Float(number) => number_shown(*number, code),
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::DateTime(time) => time_shown(time),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}

/// A day, a time of day, both, or a duration.
fn time_shown(time: &ExcelDateTime) -> String {
    let value = time.as_f64();
    if !value.is_finite() || !(0.0..MAX_SERIAL_DAY).contains(&value) {
        return general(value);
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    if time.is_duration() {
        // A serial number is a fraction of days: three hours may be a hair below 3.
        let hours = (value * 24.0 + 1e-9).floor();
        return format!("{hours}:{minute:02}:{second:02}");
    }
    let clock = if second == 0 {
        format!("{hour:02}:{minute:02}")
    } else {
        format!("{hour:02}:{minute:02}:{second:02}")
    };
    // A serial number below 1 has no day: it is a time of day.
    match (value < 1.0, (hour, minute, second)) {
        (true, _) => clock,
        (false, (0, 0, 0)) => format!("{year:04}-{month:02}-{day:02}"),
        (false, _) => format!("{year:04}-{month:02}-{day:02} {clock}"),
    }
}

/// A number under a format: decimals, thousands, per cent and what stands around them.
fn number_shown(value: f64, code: &str) -> String {
    let mut sections = code.split(';');
    // The second section is for negative numbers; here they have a sign in place of it.
    let section = sections.next().unwrap_or_default();
    let Some(shape) = NumberFormatSection::of(section) else { return general(value) };
    let scaled = if shape.percent { value * 100.0 } else { value };
    let digits = format!("{:.*}", shape.decimals, scaled.abs());
    // -0.001 in two decimals is shown as 0.00, without a sign.
    let is_zero = digits.chars().all(|ch| matches!(ch, '0' | '.'));
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    let digits = if shape.thousands { grouped(&digits) } else { digits };
    format!("{}{sign}{digits}{}", shape.before, shape.after)
}

/// What a section of a number format says.
#[derive(Debug, Default)]
struct NumberFormatSection {
    decimals: usize,
    thousands: bool,
    percent: bool,
    before: String,
    after: String,
}

impl NumberFormatSection {
    /// Reads a section; nothing for those that write a number in another way.
    fn of(section: &str) -> Option<Self> {
        let mut shape = Self::default();
        let mut placed = 0_usize;
        let mut point = false;
        let mut chars = section.chars();
        while let Some(ch) = chars.next() {
            match ch {
                '0' | '#' | '?' => {
                    placed += 1;
                    shape.decimals += usize::from(point && ch == '0');
                }
                '.' if placed > 0 => point = true,
                ',' => shape.thousands = true,
                '"' => {
                    let text: String = chars.by_ref().take_while(|ch| *ch != '"').collect();
                    shape.beside(placed, &text);
                }
                // `[$€-407]` is a currency and its locale; colours and conditions show nothing.
                '[' => {
                    let text: String = chars.by_ref().take_while(|ch| *ch != ']').collect();
                    let sign = text.strip_prefix('$').map(|text| text.split('-').next());
                    shape.beside(placed, sign.flatten().unwrap_or_default());
                }
                '\\' => shape.beside(placed, &chars.next().map(String::from).unwrap_or_default()),
                // A space as wide as the next character, or a fill with it (ECMA-376-1, 18.8.31).
                '_' | '*' => drop(chars.next()),
                '%' => {
                    shape.percent = true;
                    shape.beside(placed, "%");
                }
                '-' | '+' | '(' | ')' | ' ' | '$' | '€' | '£' | '﷼' => {
                    shape.beside(placed, ch.encode_utf8(&mut [0; 4]));
                }
                // Dates, exponents and fractions are not written: the number stays plain.
                _ => return None,
            }
        }
        (placed > 0 && shape.decimals <= MAX_DECIMALS).then_some(shape)
    }

    fn beside(&mut self, placed: usize, text: &str) {
        if placed == 0 { self.before.push_str(text) } else { self.after.push_str(text) }
    }
}

/// A number as a sheet shows it without a format: fifteen digits, no more.
fn general(value: f64) -> String {
    let rounded = format!("{value:.14e}").parse().unwrap_or(value);
    format!("{rounded}")
}

fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if !rest.is_empty() {
        text.push('.');
        text.push_str(rest);
    }
    text
}

/// The day after the last that a sheet can hold, 31 December 9999.
const MAX_SERIAL_DAY: f64 = 2_958_466.0;
const MAX_DECIMALS: usize = 30;
