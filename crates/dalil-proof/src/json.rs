//! Strict, bounded parsing of JSON, before anything else reads it.
//!
//! Refused here, so that no two readers can disagree about a request:
//! duplicate keys, lone surrogates, numbers that a double does not hold as
//! they are written, nesting of more than 127 arrays and objects, anything after
//! the value.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use dalil_phrasebook::{Phrase, expected, found, hint};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::fault::{Fault, FaultCollector, Refused, quote, quoted};

mod fast_path;
mod number;
#[cfg(test)]
mod tests;

/// The largest integer that every JSON reader agrees on: 2^53 - 1.
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// A JSON value in which every object's keys are unique and every number is a finite double.
#[derive(Clone, Debug, PartialEq)]
pub enum Json<'j> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite double; integers up to [`MAX_INTEGER`] are exact.
    Number(f64),
    /// A string.
    Text(Cow<'j, str>),
    /// An array.
    List(Vec<Self>),
    /// An object, its keys in the order they came.
    Object(Vec<(Cow<'j, str>, Self)>),
}

/// The members of an object, in the order they came.
pub type JsonMembers<'j> = [(Cow<'j, str>, Json<'j>)];

impl<'j> Json<'j> {
    /// Parses one JSON value.
    ///
    /// # Errors
    /// The first syntax error with its line and column, or every duplicate key
    /// and every number that would be rounded, with its path.
    pub fn parse(text: &'j [u8]) -> Result<Self, Refused> {
        let text = utf_8(text)?;
        match fast_path::parse(text) {
            Some(value) => Ok(value),
            None => Self::parse_telling(text),
        }
    }

    /// Parses a text that may have faults, and reports them.
    fn parse_telling(text: &'j str) -> Result<Self, Refused> {
        let (faults, look) = (FaultCollector::default(), Cell::new(false));
        let mut parser = serde_json::Deserializer::from_str(text);
        let value = JsonValueSeed { at: &JsonPath::ROOT, faults: &faults, look: &look }
            .deserialize(&mut parser)
            .and_then(|value| parser.end().map(|()| value))
            .map_err(|error| syntax(&error))?;
        if look.get() {
            number::refuse(&value, &number::inexact_numbers(text), &faults);
        }
        faults.into_result(Some(value))
    }

    /// Parses the output of another system, whose numbers become strings of their spelling where
    /// a double does not hold them.
    ///
    /// # Errors
    /// As [`Json::parse`], but for those numbers.
    pub fn parse_foreign(text: &'j [u8]) -> Result<Self, Refused> {
        Self::parse(text).or_else(|refused| {
            let Ok(text) = utf_8(text) else { return Err(refused) };
            let kept = number::as_strings(text, &number::inexact_numbers(text));
            // Other faults are reported by the first reading, whose places are those of the
            // original text.
            Json::parse(kept.as_bytes()).map(Json::into_owned).map_err(|_| refused)
        })
    }

    /// The name of this kind of value, for messages.
    pub const fn kind(&self) -> Phrase {
        match self {
            Self::Null => found::null(),
            Self::Bool(_) => found::a_boolean(),
            Self::Number(_) => found::a_number(),
            Self::Text(_) => found::a_string(),
            Self::List(_) => found::an_array(),
            Self::Object(_) => found::an_object(),
        }
    }

    /// The found value for a message: itself where it is short, its kind otherwise.
    pub fn found(&self) -> Phrase {
        match self {
            Self::Null | Self::List(_) | Self::Object(_) => self.kind(),
            Self::Bool(value) => found::value(value),
            Self::Number(value) => found::value(value),
            Self::Text(text) => quoted(text),
        }
    }

    /// The value under `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The same value, owning all its text.
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(value),
            Self::Number(value) => Json::Number(value),
            Self::Text(text) => Json::Text(Cow::Owned(text.into_owned())),
            Self::List(items) => Json::List(items.into_iter().map(Self::into_owned).collect()),
            Self::Object(members) => Json::Object(
                members
                    .into_iter()
                    .map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned()))
                    .collect(),
            ),
        }
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.found().english())
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            // `1.0` is written `1` and -0 is written `0`, as ECMAScript and RFC 8785 have it.
            Self::Number(value) => match integer(*value) {
                Some(whole) => serializer.serialize_i64(whole),
                None => serializer.serialize_f64(*value),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// The integer that `value` is, when it is one and exact.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the range is checked first, and every integer in it is exact in both types"
)]
pub fn integer(value: f64) -> Option<i64> {
    let whole = value.fract() == 0.0 && value.abs() <= MAX_INTEGER as f64;
    whole.then_some(value as i64)
}

/// A place in a JSON value: a key or an index, and the place that holds it.
#[derive(Clone, Copy, Debug)]
pub struct JsonPath<'p> {
    parent: Option<&'p Self>,
    step: JsonPathStep<'p>,
}

#[derive(Clone, Copy, Debug)]
enum JsonPathStep<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl<'p> JsonPath<'p> {
    /// The whole value.
    pub const ROOT: Self = Self { parent: None, step: JsonPathStep::Root };

    /// The member `key` of the object here.
    pub fn key(&'p self, key: &'p str) -> Self {
        Self { parent: Some(self), step: JsonPathStep::Key(key) }
    }

    /// The item `index` of the array here.
    pub fn index(&'p self, index: usize) -> Self {
        Self { parent: Some(self), step: JsonPathStep::Index(index) }
    }
}

impl fmt::Display for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outer = self.parent.filter(|parent| !matches!(parent.step, JsonPathStep::Root));
        if let Some(outer) = outer {
            outer.fmt(f)?;
        }
        match self.step {
            JsonPathStep::Root => f.write_str("$"),
            JsonPathStep::Index(index) => write!(f, "[{index}]"),
            JsonPathStep::Key(key) if is_plain(key) => {
                f.write_str(if outer.is_some() { "." } else { "" })?;
                f.write_str(key)
            }
            JsonPathStep::Key(key) => write!(f, "[{}]", quote(key)),
        }
    }
}

/// Whether a key can be in a path without quoting.
fn is_plain(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !key.is_empty() && key.len() <= 64 && key.bytes().all(plain)
}

/// Reads a value with its path, so that faults can state the path.
#[derive(Clone, Copy)]
struct JsonValueSeed<'p> {
    at: &'p JsonPath<'p>,
    faults: &'p FaultCollector,
    /// Whether a number was met that a double may not hold exactly.
    look: &'p Cell<bool>,
}

impl<'j> DeserializeSeed<'j> for JsonValueSeed<'_> {
    type Value = Json<'j>;

    fn deserialize<D: Deserializer<'j>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'j> Visitor<'j> for JsonValueSeed<'_> {
    type Value = Json<'j>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "what is inexact is refused afterwards")]
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        self.look.set(self.look.get() || value.unsigned_abs() > MAX_INTEGER);
        Ok(Json::Number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "what is inexact is refused afterwards")]
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        self.look.set(self.look.get() || value > MAX_INTEGER);
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
        if !value.is_finite() {
            return Err(E::custom("number out of range"));
        }
        self.look.set(true);
        Ok(Json::Number(value))
    }

    fn visit_borrowed_str<E>(self, text: &'j str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let at = self.at.index(list.len());
            match items.next_element_seed(JsonValueSeed { at: &at, ..self })? {
                Some(item) => list.push(item),
                None => return Ok(Json::List(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'j>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut object: Vec<(Cow<'j, str>, Json<'j>)> = Vec::new();
        while let Some(key) = members.next_key_seed(self)? {
            let Json::Text(key) = key else { return Err(A::Error::custom("key is not a string")) };
            let at = self.at.key(&key);
            let value = members.next_value_seed(JsonValueSeed { at: &at, ..self })?;
            object.push((key, value));
        }
        // Keys are compared unescaped: `\u0061` is `a` once more.
        for key in duplicates(&object) {
            self.faults.push_with(|| {
                Fault::new(
                    "duplicate_key",
                    self.at.key(key),
                    expected::each_key_once(),
                    found::it_again(),
                )
                .hint(hint::two_readers_could_each_believe_a_different_one())
            });
        }
        Ok(Json::Object(object))
    }
}

/// The keys that occur more than once, each named once, in order of their text.
///
/// Small objects are compared pairwise, large ones sorted, so that an object
/// with a million keys costs no more than sorting it.
fn duplicates<'o>(object: &'o JsonMembers<'_>) -> Vec<&'o str> {
    const MAX_LINEAR_SEARCH_KEYS: usize = 12;
    let unique = |(n, (key, _)): (usize, &(Cow<'_, str>, Json<'_>))| {
        object.iter().skip(n + 1).all(|(other, _)| other != key)
    };
    // A small object without a repeat ends here, without an allocation.
    if object.len() <= MAX_LINEAR_SEARCH_KEYS && object.iter().enumerate().all(unique) {
        return Vec::new();
    }
    let mut keys: Vec<&str> = object.iter().map(|(key, _)| key.as_ref()).collect();
    keys.sort_unstable();
    let mut twice: Vec<&str> = keys
        .windows(2)
        .filter_map(|pair| (pair.first() == pair.last()).then(|| pair.first().copied()).flatten())
        .collect();
    twice.dedup();
    twice
}

fn utf_8(text: &[u8]) -> Result<&str, Fault> {
    simdutf8::compat::from_utf8(text).map_err(|error| {
        let found = found::a_byte_that_is_not_utf_8_at_offset(error.valid_up_to());
        Fault::new("json", "$", expected::utf_8_text(), found)
    })
}

/// Turns the parser's error into a fault at its line and column.
fn syntax(error: &serde_json::Error) -> Refused {
    // The parser has no codes for these errors, only words. Tests hold them: with other words
    // the message is less clear, and still a refusal.
    let text = error.to_string();
    let (line, column) = (error.line(), error.column());
    let place = format!(" at line {line} column {column}");
    let (what, hint) = match text.strip_suffix(&place).unwrap_or(&text) {
        "recursion limit exceeded" => {
            (found::nesting_deeper_than_127_levels(), hint::flatten_the_value())
        }
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            (found::half_of_a_surrogate_pair(), hint::write_the_character_itself_or_both_halves())
        }
        "number out of range" => {
            (found::a_number_larger_than_any_double(), hint::write_it_as_a_string())
        }
        other => (plainly(other), hint::check_it_with_a_json_linter()),
    };
    let found = if line == 0 { what } else { found::at_line(what, line, column) };
    Fault::new("json", "$", expected::one_json_value(), found).hint(hint).into()
}

/// The name of the text that the parser did not expect, without the parser's own "expected".
fn plainly(what: &str) -> Phrase {
    match what {
        "trailing characters" => found::more_text_after_it(),
        _ if what.starts_with("EOF") => found::the_end_of_the_text(),
        _ if what.starts_with("expected") => found::something_that_json_does_not_allow(),
        other => found::as_the_parser_says(other),
    }
}
