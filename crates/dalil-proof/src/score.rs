//! Scores: confidences and similarities, exact to a ten-thousandth.

use std::fmt;

use dalil_phrasebook::{Phrase, bound};
use serde::{Serialize, Serializer};

#[cfg(test)]
mod tests;

/// A number from 0 to 1 in whole ten-thousandths.
///
/// Kept as an integer so that comparing, averaging and hashing give the same
/// answer on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u16);

impl Score {
    /// The form of a score, for messages.
    pub const EXPECTED: Phrase = bound::score();
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// As much as not.
    pub const HALF: Self = Self(Self::UNITS_PER_ONE / 2);
    /// 0.25.
    pub const QUARTER: Self = Self(Self::UNITS_PER_ONE / 4);
    /// Certainty.
    pub const ONE: Self = Self(Self::UNITS_PER_ONE);

    const UNITS_PER_ONE: u16 = 10_000;

    /// Rounds to the nearest ten-thousandth; `None` outside 0 to 1 or when not finite.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked first"
    )]
    pub fn new(value: f64) -> Option<Self> {
        // No range contains NaN, so it is refused here as well.
        (0.0..=1.0)
            .contains(&value)
            .then(|| Self((value * f64::from(Self::UNITS_PER_ONE)).round() as u16))
    }

    /// Rounds as [`Score::new`] does; below 0 or NaN counts as 0, above 1 as 1.
    pub fn clamped(value: f64) -> Self {
        Self::new(value.clamp(0.0, 1.0)).unwrap_or(Self::ZERO)
    }

    /// A score in ten-thousandths; `None` above one.
    pub const fn from_units(units: u16) -> Option<Self> {
        if units <= Self::UNITS_PER_ONE { Some(Self(units)) } else { None }
    }

    /// A share to the nearest ten-thousandth, half up; nothing of nothing.
    pub fn share(part: usize, whole: usize) -> Option<Self> {
        let (part, whole) = (part as u128, whole as u128);
        // part / whole × 10,000, half up, in integers that no count in memory overflows.
        let units = (part * 20_000 + whole).checked_div(2 * whole)?;
        u16::try_from(units).ok().and_then(Self::from_units)
    }

    /// The score in ten-thousandths.
    pub const fn units(self) -> u16 {
        self.0
    }

    /// The score as the nearest double, for display and for JSON.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::UNITS_PER_ONE)
    }

    /// The score times `percent` hundredths, rounded half up; `percent` above 100 counts as 100.
    pub fn scaled(self, percent: u16) -> Self {
        let scaled = (u32::from(self.0) * u32::from(percent.min(100)) + 50) / 100;
        Self(u16::try_from(scaled).unwrap_or(Self::UNITS_PER_ONE))
    }

    /// The score as a whole percentage, rounded half up.
    pub const fn percent(self) -> u16 {
        (self.0 + 50) / 100
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            // Some serializers write `0.0` and `1.0`; canonical JSON has `0` and `1`.
            Self::ZERO => serializer.serialize_u8(0),
            Self::ONE => serializer.serialize_u8(1),
            Self(_) => serializer.serialize_f64(self.value()),
        }
    }
}
