//! Counted things: the forms that a number asks of an Arabic noun.

use std::fmt;

/// The place of a counted noun in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrammaticalCase {
    /// As a subject.
    Nominative,
    /// As an object.
    Accusative,
    /// After a preposition.
    Genitive,
}

/// The forms of a noun that is counted.
pub(super) struct CountedNoun {
    /// One, as a subject or after a preposition, and as an object.
    one: [&'static str; 2],
    /// Two, as a subject, and anywhere else.
    two: [&'static str; 2],
    /// From three to ten: the plural.
    few: &'static str,
    /// From eleven to ninety-nine: the singular in the accusative.
    many: &'static str,
    /// A hundred and what begins a hundred: the singular in the genitive.
    hundred: &'static str,
}

impl CountedNoun {
    /// So many of them; nought has no form of its own and takes the plural.
    pub(super) fn counted(&self, count: usize, case: GrammaticalCase) -> String {
        let Self { one: [one, one_object], two: [two, two_else], few, many, hundred } = self;
        // Arabic counts by the last two digits: 103 takes the form of 3, and 111 that of 11.
        match (count, count % 100) {
            (1, _) if case == GrammaticalCase::Accusative => (*one_object).to_owned(),
            (1, _) => (*one).to_owned(),
            (2, _) if case == GrammaticalCase::Nominative => (*two).to_owned(),
            (2, _) => (*two_else).to_owned(),
            (0, _) | (_, 3..=10) => format!("{} {few}", digits(count)),
            (_, 11..) => format!("{} {many}", digits(count)),
            (_, 0..=2) => format!("{} {hundred}", digits(count)),
        }
    }
}

/// A number in the digits that the pages of a document in Arabic are counted in: `١٥`.
pub(super) fn digits(number: impl fmt::Display) -> String {
    let digit =
        |ch: char| ch.to_digit(10).and_then(|digit| char::from_u32(ARABIC_ZERO_CODE + digit));
    number.to_string().chars().map(|ch| digit(ch).unwrap_or(ch)).collect()
}

/// `1 source`, `2 sources`.
pub(super) fn english(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

pub(super) const SOURCE_NOUN: CountedNoun = CountedNoun {
    one: ["مصدر واحد", "مصدرًا واحدًا"],
    two: ["مصدران", "مصدرين"],
    few: "مصادر",
    many: "مصدرًا",
    hundred: "مصدر",
};

pub(super) const CALL_NOUN: CountedNoun = CountedNoun {
    one: ["استدعاء واحد", "استدعاءً واحدًا"],
    two: ["استدعاءان", "استدعاءين"],
    few: "استدعاءات",
    many: "استدعاءً",
    hundred: "استدعاء",
};

pub(super) const CLAIM_NOUN: CountedNoun = CountedNoun {
    one: ["ادعاء واحد", "ادعاءً واحدًا"],
    two: ["ادعاءان", "ادعاءين"],
    few: "ادعاءات",
    many: "ادعاءً",
    hundred: "ادعاء",
};

/// The code of `٠`.
const ARABIC_ZERO_CODE: u32 = 0x660;
