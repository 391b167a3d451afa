//! Numbers as they are written: those that a double holds exactly, and the others.
//!
//! `serde_json` gives numbers as doubles, rounded. The digits are still
//! in the text, so they are read again, number by number, where one of them may
//! have been rounded.

use std::borrow::Cow;

use dalil_phrasebook::{bound, hint};

use super::{Json, JsonPath, MAX_INTEGER, integer};
use crate::fault::{Fault, FaultCollector, quoted};

/// A number of a text that no double holds exactly.
pub(super) struct InexactNumber<'t> {
    /// How many numbers come before it.
    ordinal: usize,
    /// Where it begins, in bytes.
    start: usize,
    spelling: &'t str,
}

/// Every number of a text that parsed which a double does not hold as it is written.
pub(super) fn inexact_numbers(text: &str) -> Vec<InexactNumber<'_>> {
    // The text has parsed, so quotes and escapes are balanced and numbers well formed.
    let (mut in_string, mut escaped) = (false, false);
    let (mut ordinal, mut start) = (0, None);
    let mut found = Vec::new();
    // The space ends a number that ends the text.
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'0'..=b'9' | b'-' => start = start.or(Some(at)),
            // Inside a number these continue it; `true` and `false` have an `e` of their own.
            b'.' | b'e' | b'E' | b'+' => {}
            _ => {
                let Some(begin) = start.take() else { continue };
                let Some(spelling) = text.get(begin..at) else { continue };
                // A number that no double can hold is not counted here: the parser refuses it.
                let is_held = spelling.parse::<f64>().is_ok_and(f64::is_finite);
                if is_held && exact(spelling).is_none() {
                    found.push(InexactNumber { ordinal, start: begin, spelling });
                }
                ordinal += 1;
            }
        }
    }
    found
}

/// The double that is the number that is written, if there is one.
///
/// With 17 digits every double is distinct from every other, so a number of as many has no more
/// information than a double. A longer one has more, unless it has the digits of the double,
/// rounded to as many. So every number that a program with doubles writes, with any number of
/// digits, is exact.
pub(super) fn exact(spelling: &str) -> Option<f64> {
    let value = spelling.parse::<f64>().ok().filter(|value| value.is_finite())?;
    let is_whole = value.fract() == 0.0 && value.abs() < MIN_EXPONENT_NUMBER;
    // Above 2^53 - 1 a double is the nearest to several integers, so readers would disagree.
    if is_whole && integer(value).is_none() {
        return None;
    }
    let digits = mantissa(spelling).bytes().filter(u8::is_ascii_digit);
    let is_exact = match digits.skip_while(|digit| *digit == b'0').count() {
        0 => true,
        // So small that nothing is left of it.
        _ if value == 0.0 => false,
        1..=DOUBLE_DIGITS => true,
        _ => is_rounding(value, &significant(spelling)),
    };
    is_exact.then_some(value)
}

/// Whether the digits are those of the double, rounded to as many.
fn is_rounding(value: f64, digits: &str) -> bool {
    match digits.len() {
        ..=DOUBLE_DIGITS => true,
        count @ ..=MAX_DOUBLE_DIGITS => {
            let precision = count - 1;
            digits == significant(&format!("{value:.precision$e}"))
        }
        _ => false,
    }
}

/// The digits of a number from the first that is not zero to the last.
fn significant(spelling: &str) -> String {
    let digits: String = mantissa(spelling).chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

/// A number without its exponent.
fn mantissa(spelling: &str) -> &str {
    spelling.split_once(['e', 'E']).map_or(spelling, |(mantissa, _)| mantissa)
}

/// Refuses each of `inexact`, at its place in `value`, which was read from the same text.
pub(super) fn refuse(value: &Json<'_>, inexact: &[InexactNumber<'_>], faults: &FaultCollector) {
    let mut walk = NumberWalk { inexact, seen: 0, faults };
    walk.visit(&JsonPath::ROOT, value);
}

/// A walk over the numbers of a value, in the order of their text.
struct NumberWalk<'w> {
    inexact: &'w [InexactNumber<'w>],
    seen: usize,
    faults: &'w FaultCollector,
}

impl NumberWalk<'_> {
    fn visit(&mut self, at: &JsonPath<'_>, value: &Json<'_>) {
        // The recursion is as deep as the JSON, which its parser bounds at 127 levels.
        match value {
            Json::Null | Json::Bool(_) | Json::Text(_) => {}
            Json::Number(value) => self.number(at, *value),
            Json::List(items) => {
                items.iter().enumerate().for_each(|(n, item)| self.visit(&at.index(n), item));
            }
            Json::Object(members) => {
                members.iter().for_each(|(key, item)| self.visit(&at.key(key), item));
            }
        }
    }

    fn number(&mut self, at: &JsonPath<'_>, value: f64) {
        if let Some((next, rest)) = self.inexact.split_first()
            && next.ordinal == self.seen
        {
            self.inexact = rest;
            self.faults.push_with(|| fault(at, next.spelling, value));
        }
        self.seen += 1;
    }
}

fn fault(at: &JsonPath<'_>, spelling: &str, value: f64) -> Fault {
    let is_integer = !spelling.contains(['.', 'e', 'E']) || value.fract() == 0.0;
    if is_integer && value.abs() < MIN_EXPONENT_NUMBER && value != 0.0 {
        let expected = bound::an_integer_from_to(MAX_INTEGER);
        let hint = hint::write_larger_numbers_as_strings();
        return Fault::new("json", at, expected, quoted(spelling)).hint(hint);
    }
    let expected = bound::a_number_that_a_double_holds();
    Fault::new("json", at, expected, quoted(spelling)).hint(hint::write_it_as_a_string())
}

/// The text with each of `inexact` as a string of its own spelling.
pub(super) fn as_strings<'t>(text: &'t str, inexact: &[InexactNumber<'_>]) -> Cow<'t, str> {
    let mut whole = String::with_capacity(text.len() + 2 * inexact.len());
    let mut end = 0;
    for number in inexact {
        whole.push_str(text.get(end..number.start).unwrap_or_default());
        whole.push('"');
        whole.push_str(number.spelling);
        whole.push('"');
        end = number.start + number.spelling.len();
    }
    whole.push_str(text.get(end..).unwrap_or_default());
    Cow::Owned(whole)
}

/// From here on ECMAScript, and so the canonical form, writes an exponent.
const MIN_EXPONENT_NUMBER: f64 = 1e21;
/// With this many digits every double is distinct: C calls it `DBL_DECIMAL_DIG`.
const DOUBLE_DIGITS: usize = 17;
/// No double has more digits than this.
const MAX_DOUBLE_DIGITS: usize = 767;
