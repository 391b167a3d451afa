//! Reading typed values out of JSON, with every fault of a request in one reply.
//!
//! A reader function takes a [`JsonReader`] and returns `Option<T>`: `None` means that at least one
//! fault was pushed, and its caller still reads the fields beside it. Only [`request`] turns the
//! faults into a refusal.
//!
//! ```
//! use dalil_proof::decode::{self, JsonReader, request};
//!
//! struct Person { name: String, age: u64 }
//!
//! fn person(reader: JsonReader<'_, '_>) -> Option<Person> {
//!     let mut fields = reader.object()?;
//!     let name = fields.required("name", decode::owned);
//!     let age = fields.required("age", |age| age.whole(0..=150));
//!     fields.done()?;
//!     Some(Person { name: name?, age: age? })
//! }
//!
//! let refused = request(br#"{"name":7,"height":1.8}"#, person).err().unwrap();
//! let paths: Vec<_> = refused.refused.iter().map(|fault| fault.path.as_str()).collect();
//! assert_eq!(paths, ["name", "age", "height"]);
//! ```

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use dalil_phrasebook::{Phrase, bound, expected, found, hint};

use crate::digest::Digest;
use crate::fault::{Fault, FaultCollector, Refused};
use crate::json::{Json, JsonMembers, JsonPath, integer};
use crate::score::Score;
use crate::time::Time;

#[cfg(test)]
mod tests;

/// Parses a request and reads it with `read`.
///
/// # Errors
/// Everything wrong with the JSON text, or everything wrong with its content.
pub fn request<T>(
    text: &[u8],
    read: impl FnOnce(JsonReader<'_, '_>) -> Option<T>,
) -> Result<T, Refused> {
    let json = Json::parse(text)?;
    value(&json, read)
}

/// Reads a value that was parsed before.
///
/// # Errors
/// Everything wrong with its content.
pub fn value<'j, T>(
    json: &'j Json<'j>,
    read: impl FnOnce(JsonReader<'_, 'j>) -> Option<T>,
) -> Result<T, Refused> {
    let faults = FaultCollector::default();
    let value = read(JsonReader { json, at: &JsonPath::ROOT, faults: &faults });
    faults.into_result(value)
}

/// A JSON value, its path, and the collector of its faults.
#[derive(Clone, Copy, Debug)]
pub struct JsonReader<'p, 'j> {
    /// The value itself.
    pub json: &'j Json<'j>,
    at: &'p JsonPath<'p>,
    faults: &'p FaultCollector,
}

impl<'p, 'j> JsonReader<'p, 'j> {
    /// The path of this value, for faults that a caller words itself.
    pub fn path(self) -> String {
        self.at.to_string()
    }

    /// The path of a member of this object, for faults that a caller words itself.
    pub fn member(self, name: &str) -> String {
        self.at.key(name).to_string()
    }

    /// Pushes a fault about this value: the expectation of `rule`, and the value found.
    pub fn refuse<T>(self, rule: &'static str, expected: impl Into<Phrase>) -> Option<T> {
        self.faults.push_with(|| match self.json {
            // `12` would read as the number that was wanted.
            Json::Text(_) if rule == TYPE_RULE => {
                Fault::new(rule, self.at, expected, found::the_string(self.json))
            }
            json => Fault::new(rule, self.at, expected, json.found()),
        });
        None
    }

    /// Pushes a fault that the caller has worded; its path should come from [`JsonReader::path`].
    pub fn push<T>(self, fault: Fault) -> Option<T> {
        self.faults.push(fault);
        None
    }

    /// Reads this value with faults of its own, for a caller that decides their meaning: returns
    /// the value and every fault, none of which reaches the request's faults.
    pub fn apart<T>(self, read: impl FnOnce(JsonReader<'_, 'j>) -> T) -> (T, Vec<Fault>) {
        let faults = FaultCollector::default();
        let value = read(JsonReader { json: self.json, at: self.at, faults: &faults });
        let faults = faults.into_result(Some(()));
        (value, faults.err().map_or_else(Vec::new, |Refused { refused }| refused))
    }

    /// A value that may be `null`: the outer `None` is a fault, the inner one absence.
    pub fn nullable<T>(self, read: impl FnOnce(Self) -> Option<T>) -> Option<Option<T>> {
        if *self.json == Json::Null { Some(None) } else { read(self).map(Some) }
    }

    /// A whole number in a range.
    pub fn whole(self, range: RangeInclusive<u64>) -> Option<u64> {
        let expected = || bound::a_whole_number_from_to(range.start(), range.end());
        let Json::Number(value) = self.json else { return self.refuse(TYPE_RULE, expected()) };
        let whole = integer(*value).and_then(|whole| u64::try_from(whole).ok());
        whole.filter(|whole| range.contains(whole)).or_else(|| self.refuse("range", expected()))
    }

    /// A string that parses as `T`.
    pub fn parsed<T: std::str::FromStr>(self, rule: &'static str, expected: Phrase) -> Option<T> {
        match self.json {
            Json::Text(text) => text.parse().ok().or_else(|| self.refuse(rule, expected)),
            _ => self.refuse(TYPE_RULE, expected),
        }
    }

    /// One of a closed set of words.
    pub fn choice<T: Copy>(self, words: &[(&str, T)]) -> Option<T> {
        let found = match self.json {
            Json::Text(text) => words.iter().find(|(word, _)| word == text),
            _ => None,
        };
        found.map(|(_, value)| *value).or_else(|| {
            let names: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            self.refuse("choice", expected::one_of(names.join(", ")))
        })
    }

    /// An array, each item read by `read`; faults of all items are gathered.
    pub fn list<T>(self, mut read: impl FnMut(JsonReader<'_, 'j>) -> Option<T>) -> Option<Vec<T>> {
        let Json::List(items) = self.json else {
            return self.refuse(TYPE_RULE, expected::an_array());
        };
        let mut values = Vec::with_capacity(items.len());
        for (n, json) in items.iter().enumerate() {
            let at = self.at.index(n);
            values.extend(read(JsonReader { json, at: &at, faults: self.faults }));
        }
        // An item that is missing here has pushed its fault.
        (values.len() == items.len()).then_some(values)
    }

    /// An array of at most `most` items; those of a longer one are not read.
    pub fn short_list<T>(
        self,
        most: usize,
        read: impl FnMut(JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<Vec<T>> {
        match self.json {
            Json::List(items) if items.len() > most => {
                let expected = bound::at_most_items(most);
                self.push(Fault::new("count", self.path(), expected, items.len()))
            }
            _ => self.list(read),
        }
    }

    /// An object with free keys, each value read by `read`.
    pub fn map<T>(
        self,
        mut read: impl FnMut(JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        let members = self.members(|_, value| read(value))?;
        Some(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The same, borrowed and in the order of the object; `read` is given the key as well.
    pub fn members<T>(
        self,
        mut read: impl FnMut(&'j str, JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<Vec<(&'j str, T)>> {
        let members = object(self)?;
        let mut values = Vec::with_capacity(members.len());
        for (key, json) in members {
            let at = self.at.key(key);
            let value = read(key, JsonReader { json, at: &at, faults: self.faults });
            values.extend(value.map(|value| (key.as_ref(), value)));
        }
        (values.len() == members.len()).then_some(values)
    }

    /// An object with known fields.
    pub fn object(self) -> Option<JsonFields<'p, 'j>> {
        object(self).map(|members| JsonFields::new(self, members))
    }
}

/// A string.
pub fn text<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j str> {
    match reader.json {
        Json::Text(text) => Some(text),
        _ => reader.refuse(TYPE_RULE, expected::a_string()),
    }
}

/// An object, its members as they are.
pub fn object<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j JsonMembers<'j>> {
    match reader.json {
        Json::Object(members) => Some(members),
        _ => reader.refuse(TYPE_RULE, expected::an_object()),
    }
}

/// A string, as an owned value.
pub fn owned(reader: JsonReader<'_, '_>) -> Option<String> {
    text(reader).map(str::to_owned)
}

/// A string with at least one character that is not white space.
pub fn filled(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = text(reader)?;
    if text.trim().is_empty() {
        reader.refuse("empty", expected::some_text())
    } else {
        Some(text.to_owned())
    }
}

/// A name or an id: some text, and no more of it than a line of a document holds.
pub fn label(reader: JsonReader<'_, '_>) -> Option<String> {
    at_most(reader, MAX_LABEL_CHARS)
}

/// Where something can be found: a URI or a reference.
pub fn place(reader: JsonReader<'_, '_>) -> Option<String> {
    at_most(reader, MAX_PLACE_CHARS)
}

fn at_most(reader: JsonReader<'_, '_>, most: usize) -> Option<String> {
    let text = filled(reader)?;
    // A character has at least one byte, so most texts need no counting.
    let length = if text.len() <= most { 0 } else { text.chars().count() };
    if length <= most {
        return Some(text);
    }
    let expected = bound::at_most_characters(most);
    reader.push(Fault::new("length", reader.path(), expected, length))
}

/// `true` or `false`.
pub fn flag(reader: JsonReader<'_, '_>) -> Option<bool> {
    match reader.json {
        Json::Bool(value) => Some(*value),
        _ => reader.refuse(TYPE_RULE, expected::true_or_false()),
    }
}

/// A finite number.
pub fn number(reader: JsonReader<'_, '_>) -> Option<f64> {
    match reader.json {
        Json::Number(value) => Some(*value),
        _ => reader.refuse(TYPE_RULE, bound::a_number()),
    }
}

/// A score: a number from 0 to 1.
pub fn score(reader: JsonReader<'_, '_>) -> Option<Score> {
    match reader.json {
        Json::Number(value) => {
            Score::new(*value).or_else(|| reader.refuse("range", Score::EXPECTED))
        }
        _ => reader.refuse(TYPE_RULE, Score::EXPECTED),
    }
}

/// A time.
pub fn time(reader: JsonReader<'_, '_>) -> Option<Time> {
    reader.parsed("time", Time::EXPECTED)
}

/// A digest in its long form, `sha256:` and 64 lower-case hex digits.
pub fn digest(reader: JsonReader<'_, '_>) -> Option<Digest> {
    reader.parsed("digest", Digest::EXPECTED)
}

/// Any value, kept as it is.
pub fn any(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    Some(reader.json.clone().into_owned())
}

/// The fields of an object, read one by one; a field that no reader asked for is unknown.
#[derive(Debug)]
pub struct JsonFields<'p, 'j> {
    reader: JsonReader<'p, 'j>,
    members: &'j JsonMembers<'j>,
    known: Vec<&'static str>,
    ignored: &'static [&'static str],
    /// One bit for each of the first 64 members that was asked for.
    asked: u64,
    /// The member after the one that was found last.
    next: usize,
}

impl<'p, 'j> JsonFields<'p, 'j> {
    fn new(reader: JsonReader<'p, 'j>, members: &'j JsonMembers<'j>) -> Self {
        // One allocation serves most objects; a request can hold a million of them.
        Self { reader, members, known: Vec::with_capacity(12), ignored: &[], asked: 0, next: 0 }
    }

    /// A field that must be there.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<T> {
        if let Some(json) = self.take(name) {
            return self.field(name, json, read);
        }
        let at = self.reader.at.key(name);
        let missing = || Fault::new("missing_field", at, expected::a_value(), found::nothing());
        self.reader.faults.push_with(missing);
        None
    }

    /// A field that may be absent or `null`: the outer `None` is a fault, the inner one absence.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take(name) {
            None | Some(Json::Null) => Some(None),
            Some(json) => self.field(name, json, read).map(Some),
        }
    }

    /// A field that may be absent, but not `null`.
    pub fn given<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take(name) {
            None => Some(None),
            Some(json) => self.field(name, json, read).map(Some),
        }
    }

    /// Fields that are known and not needed: any value, or none.
    pub fn ignored(&mut self, names: &'static [&'static str]) {
        self.ignored = names;
    }

    /// A field that may be absent or `null`, with the value it then has.
    pub fn or<T>(
        &mut self,
        name: &'static str,
        absent: T,
        read: impl FnOnce(JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<T> {
        self.optional(name, read).map(|value| value.unwrap_or(absent))
    }

    /// Pushes a fault for every field that was never asked for.
    pub fn done(self) -> Option<()> {
        let Self { reader, members, known, ignored, asked, .. } = self;
        // Keys are unique, so as many bits as members means that each was asked for. An object of
        // more than 64 members, or with ignored ones, is compared by name.
        if asked.count_ones() as usize == members.len() {
            return Some(());
        }
        let is_known = |key: &str| known.contains(&key) || ignored.contains(&key);
        let mut unknown = members.iter().filter(|(key, _)| !is_known(key)).peekable();
        let clean = unknown.peek().is_none();
        for (key, _) in unknown {
            reader.faults.push_with(|| {
                let expected = expected::only([known.as_slice(), ignored].concat().join(", "));
                let found = found::a_field_it_does_not_know();
                Fault::new("unknown_field", reader.at.key(key), expected, found)
                    .hint(hint::remove_the_field_or_correct_its_name())
            });
        }
        clean.then_some(())
    }

    /// The names of the fields that were never asked for, where they are no fault.
    pub fn unasked(self) -> impl Iterator<Item = &'j str> {
        let Self { members, known, ignored, asked, .. } = self;
        // As in `done`: when each was asked for, no name is compared.
        let rest = if asked.count_ones() as usize == members.len() { &[][..] } else { members };
        let names = rest.iter().map(|(key, _)| key.as_ref());
        names.filter(move |key| !known.contains(key) && !ignored.contains(key))
    }

    fn take(&mut self, name: &'static str) -> Option<&'j Json<'j>> {
        self.known.push(name);
        // Most requests give their fields in the order that they are asked for.
        let (before, after) = self.members.split_at_checked(self.next)?;
        let here = |(key, _): &(std::borrow::Cow<'_, str>, Json<'_>)| key == name;
        let place = match after.iter().position(here) {
            Some(place) => self.next + place,
            None => before.iter().position(here)?,
        };
        self.next = place + 1;
        // From the 65th member on there is no bit, and nothing is set.
        self.asked |= u32::try_from(place).ok().and_then(|bit| 1_u64.checked_shl(bit)).unwrap_or(0);
        self.members.get(place).map(|(_, json)| json)
    }

    fn field<T>(
        &self,
        name: &'static str,
        json: &'j Json<'j>,
        read: impl FnOnce(JsonReader<'_, 'j>) -> Option<T>,
    ) -> Option<T> {
        let at = self.reader.at.key(name);
        read(JsonReader { json, at: &at, faults: self.reader.faults })
    }
}

/// A value kept as it is, its members in order of their names, so that equal values are equal.
pub fn kept(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    let mut json = reader.json.clone().into_owned();
    sort_members(&mut json);
    Some(json)
}

fn sort_members(json: &mut Json<'static>) {
    match json {
        Json::Object(members) => {
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            members.iter_mut().for_each(|(_, value)| sort_members(value));
        }
        Json::List(items) => items.iter_mut().for_each(sort_members),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => {}
    }
}

const MAX_LABEL_CHARS: usize = 256;
const MAX_PLACE_CHARS: usize = 2048;
/// The rule that a value of another kind breaks.
const TYPE_RULE: &str = "type";
