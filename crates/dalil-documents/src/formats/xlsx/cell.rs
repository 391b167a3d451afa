//! Values as a sheet shows them.

use calamine::{DataRef, ExcelDateTime};

#[cfg(test)]
mod tests;

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

/// A number under a format: decimals, thousands, per cent and the text around them.
fn number_shown(value: f64, code: &str) -> String {
    // The second section is for negative numbers; here they have a sign in place of it.
    let section = code.split_once(';').map_or(code, |(first, _)| first);
    let Some(shape) = NumberFormatSection::of(section) else { return general(value) };
    let scaled = if shape.percent { value * 100.0 } else { value };
    let scaled = scaled / 1000_f64.powi(shape.scale);
    let digits = rounded(scaled.abs(), shape.decimals);
    let digits = without_zeros(&digits, shape.decimals - shape.least_decimals);
    let is_zero = digits.chars().all(|ch| matches!(ch, '0' | '.'));
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    let digits = if shape.thousands { grouped(digits) } else { digits.to_owned() };
    format!("{}{sign}{digits}{}", shape.before, shape.after)
}

/// A section of a number format.
#[derive(Debug, Default)]
struct NumberFormatSection {
    decimals: usize,
    /// The decimals that are shown where they are zero too.
    least_decimals: usize,
    thousands: bool,
    /// How many thousands it is divided by, one after the other.
    scale: i32,
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
        // Commas that part thousands if digits follow, and else divide by them.
        let mut commas = 0;
        let mut chars = section.chars();
        while let Some(ch) = chars.next() {
            match ch {
                '0' | '#' | '?' => {
                    placed += 1;
                    shape.thousands |= std::mem::take(&mut commas) > 0;
                    shape.decimals += usize::from(point);
                    if point && ch == '0' {
                        shape.least_decimals = shape.decimals;
                    }
                }
                '.' if placed > 0 => {
                    point = true;
                    shape.scale += std::mem::take(&mut commas);
                }
                ',' => commas += i32::from(placed > 0),
                '"' => {
                    let text: String = chars.by_ref().take_while(|ch| *ch != '"').collect();
                    shape.beside(placed, &text);
                }
                // `[$€-407]` is a currency and its locale; colours and conditions show nothing.
                '[' => {
                    let text: String = chars.by_ref().take_while(|ch| *ch != ']').collect();
                    if let Some(sign) = text.strip_prefix('$') {
                        let sign = sign.split_once('-').map_or(sign, |(sign, _)| sign);
                        shape.beside(placed, sign);
                    }
                }
                '\\' => {
                    if let Some(ch) = chars.next() {
                        shape.beside(placed, ch.encode_utf8(&mut [0; 4]));
                    }
                }
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
        shape.scale += commas;
        let usual = shape.decimals <= MAX_DECIMALS && shape.scale <= MAX_SCALE_COMMAS;
        (placed > 0 && usual).then_some(shape)
    }

    fn beside(&mut self, placed: usize, text: &str) {
        if placed == 0 { self.before.push_str(text) } else { self.after.push_str(text) }
    }
}

/// A number with `decimals` decimals, of the fifteen digits that a sheet keeps: half of the last
/// one is rounded away from zero.
fn rounded(value: f64, decimals: usize) -> String {
    let plain = || format!("{value:.decimals$}");
    let exact = format!("{value:.14e}");
    let parts = exact.split_once('e').and_then(|(digits, power)| {
        let digits: u128 = digits.replace('.', "").parse().ok()?;
        Some((digits, power.parse::<i64>().ok()?))
    });
    let Some((digits, power)) = parts else { return plain() };
    // The digits stand for a whole number of units of the last decimal, times a power of ten.
    let shift = power.saturating_sub(14).saturating_add_unsigned(decimals as u64);
    let ten = |power: u64| u32::try_from(power).ok().and_then(|power| 10_u128.checked_pow(power));
    let whole = match (ten(shift.unsigned_abs()), shift >= 0) {
        (Some(factor), true) => digits.checked_mul(factor),
        (Some(factor), false) => Some((digits + factor / 2) / factor),
        (None, false) => Some(0),
        (None, true) => None,
    };
    let Some(whole) = whole else { return plain() };
    let text = format!("{whole:0>width$}", width = decimals + 1);
    match text.split_at_checked(text.len() - decimals) {
        Some((whole, rest)) if !rest.is_empty() => format!("{whole}.{rest}"),
        _ => text,
    }
}

/// A number without up to `most` zeros at the end of its decimals.
fn without_zeros(digits: &str, most: usize) -> &str {
    let mut short = digits;
    for _ in 0..most {
        let Some(rest) = short.strip_suffix('0') else { break };
        short = rest;
    }
    short.strip_suffix('.').unwrap_or(short)
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
/// Commas behind the digits; a sheet of a whole economy has four.
const MAX_SCALE_COMMAS: i32 = 8;
