//! The fast parser, for texts without faults.
//!
//! It gives up at the first irregularity, without a message:
//! [`Json::parse`] then parses the text again with `serde_json`, which gives the
//! fault and its place. So this parser may refuse a valid text, and must never
//! accept one that the other refuses, nor read it differently; tests compare
//! the two.
//!
//! The gain: one pass over the text in place of two, since it sees each
//! number as it is spelt, and one allocation of the right size for each array
//! and object.

use std::borrow::Cow;

use super::{Json, JsonMembers, MAX_INTEGER, duplicates, number};
use crate::text_scan;

/// Parses a text; `None` if there is anything in it that the other parser should look at.
pub(super) fn parse(text: &str) -> Option<Json<'_>> {
    let mut parser = FastParser { text, at: 0, items: Vec::new(), members: Vec::new() };
    let value = parser.value(0)?;
    parser.skip_white_space();
    (parser.at == text.len()).then_some(value)
}

struct FastParser<'j> {
    text: &'j str,
    /// How many bytes were read.
    at: usize,
    /// Items of the arrays that are open, the innermost last.
    items: Vec<Json<'j>>,
    /// Members of the objects that are open, the innermost last.
    members: Vec<(Cow<'j, str>, Json<'j>)>,
}

impl<'j> FastParser<'j> {
    fn value(&mut self, depth: usize) -> Option<Json<'j>> {
        self.skip_white_space();
        match self.peek()? {
            b'"' => self.string().map(Json::Text),
            b'{' => self.object(depth + 1),
            b'[' => self.list(depth + 1),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json<'j>> {
        self.open(depth)?;
        let start = self.members.len();
        if self.closes(b'}') {
            return Some(Json::Object(Vec::new()));
        }
        loop {
            self.skip_white_space();
            let key = self.string()?;
            self.skip_white_space();
            self.expect(b':')?;
            let value = self.value(depth)?;
            self.members.push((key, value));
            if !self.continues(b'}')? {
                break;
            }
        }
        let object = self.members.split_off(start);
        has_unique_keys(&object).then_some(Json::Object(object))
    }

    fn list(&mut self, depth: usize) -> Option<Json<'j>> {
        self.open(depth)?;
        let start = self.items.len();
        if self.closes(b']') {
            return Some(Json::List(Vec::new()));
        }
        loop {
            let item = self.value(depth)?;
            self.items.push(item);
            if !self.continues(b']')? {
                return Some(Json::List(self.items.split_off(start)));
            }
        }
    }

    /// Steps over a bracket that opens, unless it is one too many.
    fn open(&mut self, depth: usize) -> Option<()> {
        self.at += 1;
        (depth <= MAX_DEPTH).then_some(())
    }

    /// Whether an array or object closes at once.
    fn closes(&mut self, bracket: u8) -> bool {
        self.skip_white_space();
        self.expect(bracket).is_some()
    }

    /// Whether there is a comma; without one there must be the bracket.
    fn continues(&mut self, bracket: u8) -> Option<bool> {
        self.skip_white_space();
        let found = self.peek()?;
        self.at += 1;
        match found {
            b',' => Some(true),
            _ if found == bracket => Some(false),
            _ => None,
        }
    }

    fn string(&mut self) -> Option<Cow<'j, str>> {
        self.expect(b'"')?;
        let start = self.at;
        self.at += text_scan::plain_length(self.rest());
        if self.peek()? == b'"' {
            let text = self.text.get(start..self.at)?;
            self.at += 1;
            return Some(Cow::Borrowed(text));
        }
        self.escaped(start).map(Cow::Owned)
    }

    /// A string that starts at `start` and is read up to something that needs decoding.
    fn escaped(&mut self, start: usize) -> Option<String> {
        let mut whole = self.text.get(start..self.at)?.to_owned();
        loop {
            let found = self.peek()?;
            self.at += 1;
            match found {
                b'"' => return Some(whole),
                b'\\' => whole.push(self.escape()?),
                // A control character.
                _ => return None,
            }
            let plain = self.at;
            self.at += text_scan::plain_length(self.rest());
            whole.push_str(self.text.get(plain..self.at)?);
        }
    }

    /// The character of an escape, after its backslash.
    fn escape(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                if !(0xD800..0xE000).contains(&unit) {
                    return char::from_u32(unit.into());
                }
                self.expect(b'\\')?;
                self.expect(b'u')?;
                let pair = [unit, self.unit()?];
                // Of two halves that make no pair, the first is an error.
                return char::decode_utf16(pair).next()?.ok();
            }
            _ => return None,
        })
    }

    /// Four hex digits.
    fn unit(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..self.at + 4)?;
        // `from_str_radix` would take a sign.
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.at += 4;
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    }

    fn number(&mut self) -> Option<Json<'j>> {
        let start = self.at;
        let is_negative = self.expect(b'-').is_some();
        let whole = self.digits()?;
        // A zero in front of other digits is no number.
        if whole.count > 1 && whole.is_zero_first {
            return None;
        }
        if self.peek() != Some(b'.') && !self.has_exponent() && whole.count <= MAX_INTEGER_DIGITS {
            return exact_integer(is_negative, whole.value).map(Json::Number);
        }
        if self.expect(b'.').is_some() {
            let fraction = self.digits()?;
            if whole.count + fraction.count <= MAX_DECIMAL_DIGITS && !self.has_exponent() {
                return decimal(is_negative, &whole, &fraction).map(Json::Number);
            }
        }
        if self.expect(b'e').or_else(|| self.expect(b'E')).is_some() {
            let _sign = self.expect(b'+').or_else(|| self.expect(b'-'));
            self.digits()?;
        }
        number::exact(self.text.get(start..self.at)?).map(Json::Number)
    }

    fn has_exponent(&self) -> bool {
        matches!(self.peek(), Some(b'e' | b'E'))
    }

    /// A run of digits, at least one.
    fn digits(&mut self) -> Option<JsonDigits> {
        let is_zero_first = self.peek() == Some(b'0');
        let (mut value, mut count) = (0_u64, 0);
        for digit in self.rest().iter().map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 {
                break;
            }
            // The value of a run that is too long is not used.
            value = value.wrapping_mul(10).wrapping_add(digit.into());
            count += 1;
        }
        self.at += count;
        (count > 0).then_some(JsonDigits { value, count, is_zero_first })
    }

    fn word(&mut self, word: &str, value: Json<'j>) -> Option<Json<'j>> {
        self.rest().starts_with(word.as_bytes()).then(|| {
            self.at += word.len();
            value
        })
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'j [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }
}

struct JsonDigits {
    value: u64,
    count: usize,
    is_zero_first: bool,
}

#[expect(clippy::cast_precision_loss, reason = "integers of this size are exact")]
fn exact_integer(is_negative: bool, value: u64) -> Option<f64> {
    let magnitude = (value <= MAX_INTEGER).then_some(value as f64)?;
    Some(if is_negative { -magnitude } else { magnitude })
}

/// A number with so few digits that its digits and its power of ten are exact, so that one
/// division rounds it as it must be.
#[expect(clippy::cast_precision_loss, reason = "integers of this size are exact")]
fn decimal(is_negative: bool, whole: &JsonDigits, fraction: &JsonDigits) -> Option<f64> {
    let scale = POWERS_OF_TEN.get(fraction.count)?;
    let magnitude = (whole.value * scale + fraction.value) as f64 / *scale as f64;
    Some(if is_negative { -magnitude } else { magnitude })
}

/// Whether no key occurs twice.
fn has_unique_keys(object: &JsonMembers<'_>) -> bool {
    let mut seen = [0_u64; MAX_FINGERPRINTS];
    if object.len() > seen.len() {
        // Large objects often come in order, which is quick to see.
        return object.is_sorted_by(|(one, _), (other, _)| one < other)
            || duplicates(object).is_empty();
    }
    for (n, (key, _)) in object.iter().enumerate() {
        let print = fingerprint(key.as_bytes());
        if seen.iter().take(n).any(|other| *other == print) {
            return duplicates(object).is_empty();
        }
        if let Some(place) = seen.get_mut(n) {
            *place = print;
        }
    }
    true
}

/// A number that is the same for equal keys, and seldom for others.
fn fingerprint(key: &[u8]) -> u64 {
    let length = key.len() as u64;
    match (key.first_chunk(), key.last_chunk()) {
        (Some(first), Some(last)) => {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            first.rotate_left(17) ^ last ^ length
        }
        _ => key.iter().fold(length, |all, byte| all << 8 | u64::from(*byte)),
    }
}

/// As many arrays and objects within each other as `serde_json` takes.
const MAX_DEPTH: usize = 127;
/// Whole numbers with this many digits fit into 64 bits.
const MAX_INTEGER_DIGITS: usize = 18;
/// Decimals with this many digits are below 2^53, the limit of exact integers in a double.
const MAX_DECIMAL_DIGITS: usize = 15;
const POWERS_OF_TEN: [u64; MAX_DECIMAL_DIGITS + 1] = {
    let mut powers = [1; MAX_DECIMAL_DIGITS + 1];
    let mut n = 1;
    while n <= MAX_DECIMAL_DIGITS {
        #[expect(clippy::indexing_slicing, reason = "checked when this is compiled")]
        {
            powers[n] = 10 * powers[n - 1];
        }
        n += 1;
    }
    powers
};
/// Objects of up to this many members are compared by the fingerprints of their keys.
const MAX_FINGERPRINTS: usize = 16;
