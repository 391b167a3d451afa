//! Times: UTC, to the millisecond, and always an argument.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use thiserror::Error;

#[cfg(test)]
mod tests;

/// A moment, in whole milliseconds, written `2026-01-03T14:30:00.000Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Timestamp);

impl Time {
    /// What a time looks like, for messages.
    pub const EXPECTED: &'static str = "an RFC 3339 time such as `2026-01-03T14:30:00Z`";

    /// A moment so many milliseconds after 1970; `None` outside the years 0 to 9999.
    pub fn from_millis(millis: i64) -> Option<Self> {
        let stamp = Timestamp::from_millisecond(millis).ok()?;
        (FIRST..=LAST).contains(&stamp.as_second()).then_some(Self(stamp))
    }

    /// Milliseconds after 1970.
    pub fn millis(self) -> i64 {
        self.0.as_millisecond()
    }

    /// How long after `earlier` this is, in whole days, rounded down; negative when before it.
    pub fn days_since(self, earlier: Self) -> i64 {
        (self.millis() - earlier.millis()).div_euclid(DAY)
    }
}

/// Text that is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}", Time::EXPECTED)]
pub struct NotATime;

impl FromStr for Time {
    type Err = NotATime;

    /// Reads RFC 3339 with any offset, and drops what is finer than a millisecond.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The parser takes more than RFC 3339 allows: a space for the `T`,
        // missing seconds, a zone in brackets. One spelling is enough.
        let bytes = text.as_bytes();
        let at = |n: usize| bytes.get(n).copied().unwrap_or(0);
        let shaped = bytes.len() >= 20
            && (at(4), at(7), at(10), at(13), at(16)) == (b'-', b'-', b'T', b':', b':')
            && bytes.iter().skip(17).all(|byte| byte.is_ascii_digit() || b".+-:Z".contains(byte));
        let stamp: Timestamp = text.parse().map_err(|_| NotATime)?;
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

/// A day in milliseconds.
const DAY: i64 = 86_400_000;
/// 0000-01-01T00:00:00Z and 9999-12-30T22:00:00Z, the last second the calendar crate can hold.
const FIRST: i64 = -62_167_219_200;
const LAST: i64 = 253_402_207_200;
