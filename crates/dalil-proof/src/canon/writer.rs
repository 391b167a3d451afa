//! Writing values as they are visited, members sorted when their object ends.
//!
//! A value is written once, in place. Only an object whose members did not come
//! in canonical order is moved, so a type whose fields are declared in that
//! order costs no more than plain JSON.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::mem;

use serde::Serialize;
use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::canon::NotCanonical;
use crate::json::MAX_INTEGER;
use crate::text_scan::{is_plain_key, plain_length};

/// The canonical bytes so far.
#[derive(Default)]
pub(super) struct CanonicalWriter {
    pub(super) bytes: Vec<u8>,
    /// The place where members are put in order, kept between objects.
    sorted: Vec<u8>,
    /// The members of all objects that are open, those of the innermost last.
    members: Vec<MemberSpan>,
}

impl CanonicalWriter {
    /// A number as ECMAScript writes it.
    fn double(&mut self, value: f64) -> Result<(), NotCanonical> {
        if !value.is_finite() {
            return Err(NotCanonical::custom(format!("the number {value}")));
        }
        let mut digits = ryu_js::Buffer::new();
        self.bytes.extend(digits.format_finite(value).as_bytes());
        Ok(())
    }

    /// An integer: its digits where it is exact, the nearest double otherwise.
    #[expect(clippy::cast_precision_loss, reason = "JSON has no other numbers than doubles")]
    fn integer(&mut self, value: i128) -> Result<(), NotCanonical> {
        let exact = u64::try_from(value.unsigned_abs()).ok().filter(|size| *size <= MAX_INTEGER);
        let Some(mut rest) = exact else { return self.double(value as f64) };
        // 2^53 - 1 has 16 digits.
        let mut digits = [0; 17];
        let mut used = 0;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
            used += 1;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            self.bytes.push(b'-');
        }
        self.bytes.extend(digits.iter().skip(digits.len() - used));
        Ok(())
    }

    /// A string, with no more escapes than JSON needs.
    fn text(&mut self, text: &str) {
        self.bytes.push(b'"');
        self.content(text.as_bytes());
        self.bytes.push(b'"');
    }

    /// Writes the content of a string, between its quotes.
    fn content(&mut self, mut rest: &[u8]) {
        loop {
            let (plain, others) = rest.split_at_checked(plain_length(rest)).unwrap_or((rest, &[]));
            self.bytes.extend(plain);
            let Some((byte, after)) = others.split_first() else { return };
            self.escape(*byte);
            rest = after;
        }
    }

    /// A byte of a string that must be escaped.
    fn escape(&mut self, byte: u8) {
        // RFC 8785, section 3.2.2.2: these seven short escapes, `\u00xx` in lower case for other
        // control characters, and nothing else is escaped.
        let short = match byte {
            b'"' => b'"',
            b'\\' => b'\\',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0c => b'f',
            b'\r' => b'r',
            _ => {
                let hex = |nibble: u8| nibble + if nibble < 10 { b'0' } else { b'a' - 10 };
                self.bytes.extend([b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte & 0xf)]);
                return;
            }
        };
        self.bytes.extend([b'\\', short]);
    }

    /// Puts the members of an object that starts at `start` in order; `first` of all is its first.
    fn sort(&mut self, start: usize, first: usize) -> Result<(), NotCanonical> {
        let mut all = mem::take(&mut self.members);
        let members = all.get_mut(first..).unwrap_or_default();
        // Equal keys are never in order, so an object with a key twice always comes here.
        let is_twice = Cell::new(false);
        members.sort_by(|one, other| {
            let order = self.order(one, other);
            is_twice.set(is_twice.get() || order == Ordering::Equal);
            order
        });
        // A sort compares all that come to stand side by side, so it has met every key that is
        // there twice.
        if is_twice.get() {
            self.refuse_repeated(members)?;
        }
        // The largest member is moved where it lies and the others are kept apart meanwhile, so that
        // little is copied beside a long text or list. Inner objects are closed before their outer
        // one, so one buffer serves every depth.
        let largest = members.iter().copied().max_by_key(MemberSpan::length).unwrap_or_default();
        let mut before = 0;
        self.sorted.clear();
        for (n, member) in members.iter().enumerate() {
            if n > 0 {
                self.sorted.push(b',');
            }
            if member.start == largest.start {
                before = self.sorted.len();
            } else {
                self.sorted.extend(self.bytes.get(member.start..member.end).unwrap_or_default());
            }
        }
        let (before, after) = self.sorted.split_at_checked(before).unwrap_or_default();
        let place = start + before.len();
        self.bytes.copy_within(largest.start..largest.end, place);
        self.bytes.truncate(place + largest.length());
        self.bytes.extend(after);
        if let Some(front) = self.bytes.get_mut(start..place) {
            front.copy_from_slice(before);
        }
        self.members = all;
        Ok(())
    }

    /// Refuses the first key of sorted members that is there twice.
    fn refuse_repeated(&self, members: &[MemberSpan]) -> Result<(), NotCanonical> {
        for pair in members.windows(2) {
            let [one, other] = pair else { continue };
            if self.order(one, other) == Ordering::Equal {
                let key = String::from_utf8_lossy(self.key(one));
                return Err(NotCanonical::custom(format!("the key `{key}` twice")));
            }
        }
        Ok(())
    }

    /// The order of RFC 8785: by the UTF-16 code units of the keys. Bytes give the
    /// same as long as they are ASCII and nothing in them is escaped.
    fn order(&self, one: &MemberSpan, other: &MemberSpan) -> Ordering {
        // UTF-16 has surrogates from 0xD800 for characters above U+FFFF, so those keys come before
        // U+E000 to U+FFFF, and in bytes after.
        if one.plain && other.plain && one.prefix != other.prefix {
            return one.prefix.cmp(&other.prefix);
        }
        self.order_of_keys(one, other)
    }

    /// The same for keys that do not differ in their first bytes, or have escapes.
    fn order_of_keys(&self, one: &MemberSpan, other: &MemberSpan) -> Ordering {
        let (first, second) = (self.key(one), self.key(other));
        if one.plain && other.plain { first.cmp(second) } else { units(first).cmp(&units(second)) }
    }

    /// The content of a member's key, between its quotes.
    fn key(&self, member: &MemberSpan) -> &[u8] {
        // The closing quote and the colon are before the value.
        self.bytes.get(member.start + 1..member.value.saturating_sub(2)).unwrap_or_default()
    }
}

/// A member of an object that is being written, `"key":value` without a comma.
#[derive(Clone, Copy, Default)]
struct MemberSpan {
    start: usize,
    /// Where the value starts.
    value: usize,
    end: usize,
    /// Whether the key is ASCII without an escape.
    plain: bool,
    /// The first bytes of the key as a number, which orders plain keys that differ in them.
    prefix: u64,
}

impl MemberSpan {
    fn length(&self) -> usize {
        self.end.saturating_sub(self.start)
    }
}

/// An object that is being written.
pub(super) struct ObjectWriter<'w> {
    writer: &'w mut CanonicalWriter,
    /// Where its first member starts.
    start: usize,
    /// How many members of objects around it come before its own.
    first: usize,
    ordered: bool,
    /// What else closes with it: the object around a variant with fields.
    outer: &'static [u8],
}

impl<'w> ObjectWriter<'w> {
    fn new(writer: &'w mut CanonicalWriter, outer: &'static [u8]) -> Self {
        writer.bytes.push(b'{');
        let (start, first) = (writer.bytes.len(), writer.members.len());
        Self { writer, start, first, ordered: true, outer }
    }

    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotCanonical> {
        let start = self.next();
        key.serialize(&mut *self.writer)?;
        // Keys of a map can be of any type in serde. Strings alone begin with a quote.
        if self.writer.bytes.get(start) != Some(&b'"') {
            return Err(NotCanonical::custom("a key that is not a string"));
        }
        self.begin(start);
        Ok(())
    }

    /// The same for the name of a field, which is known to be a string.
    fn name(&mut self, name: &str) {
        let start = self.next();
        self.writer.text(name);
        self.begin(start);
    }

    /// Where the next member starts.
    fn next(&mut self) -> usize {
        if self.writer.members.len() > self.first {
            self.writer.bytes.push(b',');
        }
        self.writer.bytes.len()
    }

    /// Begins the member whose key was written from `start` on.
    fn begin(&mut self, start: usize) {
        let end = self.writer.bytes.len();
        let key = self.writer.bytes.get(start + 1..end - 1).unwrap_or_default();
        let plain = is_plain_key(key);
        let prefix = prefix(key);
        self.writer.bytes.push(b':');
        let value = end + 1;
        let member = MemberSpan { start, value, end: value, plain, prefix };
        // Once out of order, an object is sorted at its end.
        if self.ordered {
            let last = self.writer.members.get(self.first..).and_then(<[MemberSpan]>::last);
            self.ordered =
                last.is_none_or(|last| self.writer.order(last, &member) == Ordering::Less);
        }
        self.writer.members.push(member);
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        value.serialize(&mut *self.writer)?;
        let end = self.writer.bytes.len();
        if let Some(member) = self.writer.members.last_mut() {
            member.end = end;
        }
        Ok(())
    }

    fn close(self) -> Result<(), NotCanonical> {
        if !self.ordered {
            self.writer.sort(self.start, self.first)?;
        }
        self.writer.members.truncate(self.first);
        self.writer.bytes.push(b'}');
        self.writer.bytes.extend(self.outer);
        Ok(())
    }
}

/// An array that is being written.
pub(super) struct ArrayWriter<'w> {
    writer: &'w mut CanonicalWriter,
    first: bool,
    close: &'static [u8],
}

impl<'w> ArrayWriter<'w> {
    fn new(writer: &'w mut CanonicalWriter, close: &'static [u8]) -> Self {
        writer.bytes.push(b'[');
        Self { writer, first: true, close }
    }

    fn item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), NotCanonical> {
        if !mem::take(&mut self.first) {
            self.writer.bytes.push(b',');
        }
        item.serialize(&mut *self.writer)
    }

    fn end(self) {
        self.writer.bytes.extend(self.close);
    }
}

macro_rules! integers {
    ($($method:ident $kind:ty),*) => {
        $(fn $method(self, value: $kind) -> Result<(), NotCanonical> {
            self.integer(value.into())
        })*
    };
}

impl<'w> Serializer for &'w mut CanonicalWriter {
    type Ok = ();
    type Error = NotCanonical;
    type SerializeSeq = ArrayWriter<'w>;
    type SerializeTuple = ArrayWriter<'w>;
    type SerializeTupleStruct = ArrayWriter<'w>;
    type SerializeTupleVariant = ArrayWriter<'w>;
    type SerializeMap = ObjectWriter<'w>;
    type SerializeStruct = ObjectWriter<'w>;
    type SerializeStructVariant = ObjectWriter<'w>;

    integers!(serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64);

    fn serialize_bool(self, value: bool) -> Result<(), NotCanonical> {
        self.bytes.extend(if value { b"true".as_slice() } else { b"false" });
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), NotCanonical> {
        self.double(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<(), NotCanonical> {
        self.double(value)
    }

    fn serialize_char(self, value: char) -> Result<(), NotCanonical> {
        self.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), NotCanonical> {
        self.text(value);
        Ok(())
    }

    /// As `serialize_str` of the same text, which is never held apart.
    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), NotCanonical> {
        self.bytes.push(b'"');
        write!(StringContent(self), "{value}").map_err(NotCanonical::custom)?;
        self.bytes.push(b'"');
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), NotCanonical> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), NotCanonical> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotCanonical> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NotCanonical> {
        self.bytes.extend(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), NotCanonical> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), NotCanonical> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotCanonical> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NotCanonical> {
        let mut object = ObjectWriter::new(self, b"");
        object.name(variant);
        object.value(value)?;
        object.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ArrayWriter<'w>, NotCanonical> {
        Ok(ArrayWriter::new(self, b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<ArrayWriter<'w>, NotCanonical> {
        Ok(ArrayWriter::new(self, b"]"))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<ArrayWriter<'w>, NotCanonical> {
        Ok(ArrayWriter::new(self, b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ArrayWriter<'w>, NotCanonical> {
        self.bytes.push(b'{');
        self.text(variant);
        self.bytes.push(b':');
        Ok(ArrayWriter::new(self, b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ObjectWriter<'w>, NotCanonical> {
        Ok(ObjectWriter::new(self, b""))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ObjectWriter<'w>, NotCanonical> {
        Ok(ObjectWriter::new(self, b""))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ObjectWriter<'w>, NotCanonical> {
        self.bytes.push(b'{');
        self.text(variant);
        self.bytes.push(b':');
        Ok(ObjectWriter::new(self, b"}"))
    }
}

macro_rules! lists {
    ($($kind:ident $method:ident),*) => {
        $(impl $kind for ArrayWriter<'_> {
            type Ok = ();
            type Error = NotCanonical;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), NotCanonical> {
                self.item(item)
            }

            fn end(self) -> Result<(), NotCanonical> {
                ArrayWriter::end(self);
                Ok(())
            }
        })*
    };
}

lists!(SerializeSeq serialize_element, SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

macro_rules! objects {
    ($($kind:ident),*) => {
        $(impl $kind for ObjectWriter<'_> {
            type Ok = ();
            type Error = NotCanonical;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), NotCanonical> {
                self.name(key);
                self.value(value)
            }

            fn end(self) -> Result<(), NotCanonical> {
                self.close()
            }
        })*
    };
}

objects!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for ObjectWriter<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotCanonical> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotCanonical> {
        self.value(value)
    }

    fn end(self) -> Result<(), NotCanonical> {
        self.close()
    }
}

/// Where a value that can be displayed is written, between quotes.
struct StringContent<'w>(&'w mut CanonicalWriter);

impl fmt::Write for StringContent<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.content(text.as_bytes());
        Ok(())
    }
}

/// The first eight bytes of a key, those that it lacks as zeros, which no key has.
fn prefix(key: &[u8]) -> u64 {
    match key.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => {
            let shift = 64 - 8 * key.len();
            let value = key.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
            u32::try_from(shift).ok().and_then(|shift| value.checked_shl(shift)).unwrap_or(0)
        }
    }
}

/// The UTF-16 code units of a key as it is written.
fn units(key: &[u8]) -> Vec<u16> {
    // These bytes were written by `text`, so they are always a JSON string.
    let text: String = serde_json::from_slice(&[b"\"", key, b"\""].concat()).unwrap_or_default();
    text.encode_utf16().collect()
}
