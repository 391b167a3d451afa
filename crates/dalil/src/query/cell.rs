//! Converts the values of a database to JSON without loss.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use serde::{Serialize, Serializer};

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResultColumn {
    pub(super) name: String,
    /// The type, in the database's own word.
    pub(super) kind: String,
}

/// One value of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlCell {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number that has no sign.
    Unsigned(u64),
    /// A finite double.
    Number(f64),
    /// Text, and everything that JSON has no form for: decimals, times, arrays.
    Text(String),
    /// Bytes, in JSON `base64:` and their Base64.
    Bytes(Vec<u8>),
}

impl SqlCell {
    /// How much room it takes, about.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) => 4,
            Self::Integer(_) | Self::Unsigned(_) | Self::Number(_) => 8,
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A double; infinities and NaN become text.
    pub(super) fn number(value: f64) -> Self {
        // JSON has no infinities and no NaN (RFC 8259, 6).
        if value.is_finite() { Self::Number(value) } else { Self::Text(value.to_string()) }
    }

    /// A whole number from its digits; text, if it is too long for 64 bits.
    pub(super) fn digits(digits: &str) -> Self {
        let signed = digits.parse().map(Self::Integer);
        let either = signed.or_else(|_| digits.parse().map(Self::Unsigned));
        either.unwrap_or_else(|_| Self::text(digits))
    }

    /// A double from its digits; text, if it is none.
    pub(super) fn double(digits: &str) -> Self {
        match digits.parse::<f64>() {
            Ok(value) if value.is_finite() => Self::Number(value),
            Ok(_) | Err(_) => Self::text(digits),
        }
    }

    /// A time as SQL writes it, `2026-01-03 14:30:00+00`, in the form of RFC 3339 where it has one.
    pub(super) fn time(written: &str) -> Self {
        // `YYYY-MM-DD hh:mm:ss` at least. Years of five digits and `infinity` stay as they are.
        let whole = written.len() >= 19 && written.as_bytes().get(10) == Some(&b' ');
        if !whole || written.ends_with("BC") {
            return Self::text(written);
        }
        let joined = written.replacen(' ', "T", 1);
        // The session is in UTC, so no other offset occurs.
        Self::Text(match joined.strip_suffix("+00") {
            Some(utc) => format!("{utc}Z"),
            None => joined,
        })
    }

    /// Text if the bytes are, the bytes if they are not.
    pub(super) fn text_or_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::text(text),
            Err(_) => Self::Bytes(bytes.to_vec()),
        }
    }
}

impl Serialize for SqlCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => {
                serializer.serialize_str(&format!("base64:{}", STANDARD.encode(bytes)))
            }
        }
    }
}

/// The bytes that hex digits encode.
pub(super) fn unhexed(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.len().is_multiple_of(2).then(|| pairs.map(byte).collect())?
}

/// A part of a URL, with `%2F` and the like undone.
pub(super) fn unescaped(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}
