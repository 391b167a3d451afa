//! Times: UTC, to the millisecond, and always an argument.

use std::fmt;
use std::str::FromStr;

use dalil_phrasebook::{Phrase, expected};
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, Timestamp};
use serde::{Serialize, Serializer};
use thiserror::Error;

#[cfg(test)]
mod tests;

/// A moment, in whole milliseconds, written `2026-01-03T14:30:00.000Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Timestamp);

impl Time {
    /// The form of a time, for messages.
    pub const EXPECTED: Phrase = expected::rfc_3339_time();

    /// The moment `millis` milliseconds after 1970; `None` outside the years 0 to 9999.
    pub fn from_millis(millis: i64) -> Option<Self> {
        let stamp = Timestamp::from_millisecond(millis).ok()?;
        (MIN_UNIX_SECONDS..=MAX_UNIX_SECONDS).contains(&stamp.as_second()).then_some(Self(stamp))
    }

    /// Reads a time in the one spelling that it is written in; other spellings are `None`.
    pub fn from_spelling(text: &[u8]) -> Option<Self> {
        let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T', rest @ ..] = text else {
            return None;
        };
        let [h0, h1, b':', i0, i1, b':', s0, s1, b'.', f0, f1, f2, b'Z'] = rest else {
            return None;
        };
        let number = |digits: &[u8]| {
            let add = |sum: i16, digit: &u8| {
                digit.is_ascii_digit().then(|| 10 * sum + i16::from(digit - b'0'))
            };
            digits.iter().try_fold(0, add)
        };
        let small = |digits: &[u8]| number(digits).and_then(|small| i8::try_from(small).ok());
        let date = (number(&[*y0, *y1, *y2, *y3])?, small(&[*m0, *m1])?, small(&[*d0, *d1])?);
        let hour = (small(&[*h0, *h1])?, small(&[*i0, *i1])?, small(&[*s0, *s1])?);
        let nanos = i32::from(number(&[*f0, *f1, *f2])?) * 1_000_000;
        // The calendar refuses 30 February and the like.
        let stamp = DateTime::new(date.0, date.1, date.2, hour.0, hour.1, hour.2, nanos).ok()?;
        Self::from_millis(Offset::UTC.to_timestamp(stamp).ok()?.as_millisecond())
    }

    /// Milliseconds after 1970.
    pub fn millis(self) -> i64 {
        self.0.as_millisecond()
    }

    /// How long after `earlier` this is, in whole days, rounded down; negative when before it.
    pub fn days_since(self, earlier: Self) -> i64 {
        (self.millis() - earlier.millis()).div_euclid(DAY_MILLIS)
    }

    /// The same day and hour `years` years later, in UTC; 1 March where the year has no 29
    /// February.
    ///
    /// `None` after the year 9999.
    pub fn years_later(self, years: u8) -> Option<Self> {
        let here = self.0.to_zoned(TimeZone::UTC).datetime();
        let later = here.checked_add(Span::new().years(years)).ok()?;
        // The calendar crate goes back to 28 February, which is a day too early.
        let later = if later.day() == here.day() { later } else { later.tomorrow().ok()? };
        let stamp = later.to_zoned(TimeZone::UTC).ok()?.timestamp();
        Self::from_millis(stamp.as_millisecond())
    }
}

/// Text that is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}", Time::EXPECTED.english())]
pub struct NotATime;

impl FromStr for Time {
    type Err = NotATime;

    /// Parses RFC 3339 with any offset, and drops fractions of a millisecond.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The parser takes more than RFC 3339 allows: a space for the `T`,
        // missing seconds, a zone in brackets. One spelling is enough.
        let bytes = text.as_bytes();
        let at = |n: usize| bytes.get(n).copied().unwrap_or(0);
        let shaped = bytes.len() >= 20
            && (at(4), at(7), at(10), at(13), at(16)) == (b'-', b'-', b'T', b':', b':')
            && bytes.iter().skip(17).all(|byte| byte.is_ascii_digit() || b".+-:Z".contains(byte));
        let stamp: Timestamp = text.parse().map_err(|_| NotATime)?;
        // Rounded down before 1970 as well, so that dropping digits never makes a time later.
        let millis = stamp.as_nanosecond().div_euclid(1_000_000);
        let time = i64::try_from(millis).ok().and_then(Self::from_millis);
        time.filter(|_| shaped).ok_or(NotATime)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The most that the clocks of two machines may differ: a minute.
pub const MAX_CLOCK_SKEW_MILLIS: i64 = 60_000;
/// A day in milliseconds.
const DAY_MILLIS: i64 = 86_400_000;
/// 0000-01-01T00:00:00Z and 9999-12-30T22:00:00Z, the last second the calendar crate can hold.
const MIN_UNIX_SECONDS: i64 = -62_167_219_200;
const MAX_UNIX_SECONDS: i64 = 253_402_207_200;
