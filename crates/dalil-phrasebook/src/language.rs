//! The languages that people read and are asked in.

use serde::{Serialize, Serializer};

/// A language that people read and are asked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `en`.
    English,
    /// `ar`.
    Arabic,
}

impl Language {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 2] = [("en", Self::English), ("ar", Self::Arabic)];

    /// Its tag, as BCP 47 has it.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Arabic => "ar",
        }
    }

    /// The one that belongs to this language. Only the phrasebook chooses: others ask for a phrase.
    pub(crate) fn pick<T>(self, english: T, arabic: T) -> T {
        match self {
            Self::English => english,
            Self::Arabic => arabic,
        }
    }

    /// The language of a text: Arabic when at least half of its letters are.
    pub fn of(text: &str) -> Self {
        let letters = text.chars().filter(|ch| ch.is_alphabetic());
        let (mut arabic, mut other) = (0_usize, 0_usize);
        for ch in letters {
            let is_arabic = matches!(ch, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}');
            *(if is_arabic { &mut arabic } else { &mut other }) += 1;
        }
        // A text without letters is a tie of nothing, and counts as English.
        if arabic > 0 && arabic >= other { Self::Arabic } else { Self::English }
    }
}

/// Its tag.
impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.tag())
    }
}
