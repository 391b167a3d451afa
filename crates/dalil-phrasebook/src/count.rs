//! Counted things: the digits of a language, and the forms that a number asks of a noun.

use std::fmt;

use crate::language::Language;
use crate::phrase::{Phrase, PhraseArgument};

#[cfg(test)]
mod tests;

/// A number in the digits of the language: `15`, `١٥`.
#[derive(Clone, Copy, Debug)]
pub struct Numeral<T>(pub T);

impl<T: fmt::Display> PhraseArgument for Numeral<T> {
    fn write(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match language {
            Language::English => self.0.fmt(f),
            Language::Arabic => f.write_str(&arabic_digits(&self.0.to_string())),
        }
    }
}

/// A text with its digits as a document in Arabic has them.
pub fn arabic_digits(text: &str) -> String {
    let digit =
        |ch: char| ch.to_digit(10).and_then(|digit| char::from_u32(ARABIC_ZERO_CODE + digit));
    text.chars().map(|ch| digit(ch).unwrap_or(ch)).collect()
}

/// The place of a counted noun in its sentence, which Arabic hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammaticalCase {
    /// As a subject.
    Nominative,
    /// As an object.
    Accusative,
    /// After a preposition.
    Genitive,
}

/// A noun that is counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedNoun {
    english: EnglishForms,
    arabic: &'static ArabicForms,
}

#[derive(Clone, Copy, Debug)]
enum EnglishForms {
    /// The noun is understood: `2`.
    Left,
    /// One, and more: `1 source`, `2 sources`.
    Said([&'static str; 2]),
}

#[derive(Debug)]
struct ArabicForms {
    /// One, as a subject or after a preposition, and as an object.
    one: [&'static str; 2],
    /// Two, as a subject, and anywhere else.
    two: [&'static str; 2],
    /// From three to ten: the plural.
    few: &'static str,
    /// From eleven to ninety-nine: the singular in the accusative.
    many: &'static str,
    /// A hundred, and numbers that begin with a hundred: the singular in the genitive.
    hundred: &'static str,
}

impl CountedNoun {
    /// `2 sources`.
    pub const SOURCES: Self = Self::said(["source", "sources"], &SOURCE_FORMS);
    /// `2 further sources`.
    pub const FURTHER_SOURCES: Self =
        Self::said(["further source", "further sources"], &SOURCE_FORMS);
    /// `2 sources were`.
    pub const SOURCES_THAT_WERE: Self = Self::said(["source was", "sources were"], &SOURCE_FORMS);
    /// `2 tool calls are`.
    pub const CALLS_THAT_ARE: Self = Self::said(["tool call is", "tool calls are"], &CALL_FORMS);
    /// `2`, of calls.
    pub const OF_CALLS: Self = Self { english: EnglishForms::Left, arabic: &CALL_FORMS };
    /// `2 claims`.
    pub const CLAIMS: Self = Self::said(["claim", "claims"], &CLAIM_FORMS);

    const fn said(english: [&'static str; 2], arabic: &'static ArabicForms) -> Self {
        Self { english: EnglishForms::Said(english), arabic }
    }

    /// The count with the noun.
    pub fn counted(self, count: usize, case: GrammaticalCase) -> Phrase {
        let english = match self.english {
            EnglishForms::Left => count.to_string(),
            EnglishForms::Said([one, more]) => {
                format!("{count} {}", if count == 1 { one } else { more })
            }
        };
        Phrase::filled(english, self.arabic.counted(count, case))
    }
}

impl ArabicForms {
    /// Nought has no form of its own and takes the plural.
    fn counted(&self, count: usize, case: GrammaticalCase) -> String {
        let Self { one: [one, one_object], two: [two, two_else], few, many, hundred } = self;
        let digits = arabic_digits(&count.to_string());
        // Arabic counts by the last two digits: 103 takes the form of 3, and 111 that of 11.
        match (count, count % 100) {
            (1, _) if case == GrammaticalCase::Accusative => (*one_object).to_owned(),
            (1, _) => (*one).to_owned(),
            (2, _) if case == GrammaticalCase::Nominative => (*two).to_owned(),
            (2, _) => (*two_else).to_owned(),
            (0, _) | (_, 3..=10) => format!("{digits} {few}"),
            (_, 11..) => format!("{digits} {many}"),
            (_, 0..=2) => format!("{digits} {hundred}"),
        }
    }
}

const SOURCE_FORMS: ArabicForms = ArabicForms {
    one: ["مصدر واحد", "مصدرًا واحدًا"],
    two: ["مصدران", "مصدرين"],
    few: "مصادر",
    many: "مصدرًا",
    hundred: "مصدر",
};

const CALL_FORMS: ArabicForms = ArabicForms {
    one: ["استدعاء واحد", "استدعاءً واحدًا"],
    two: ["استدعاءان", "استدعاءين"],
    few: "استدعاءات",
    many: "استدعاءً",
    hundred: "استدعاء",
};

const CLAIM_FORMS: ArabicForms = ArabicForms {
    one: ["ادعاء واحد", "ادعاءً واحدًا"],
    two: ["ادعاءان", "ادعاءين"],
    few: "ادعاءات",
    many: "ادعاءً",
    hundred: "ادعاء",
};

/// The code of `٠`.
const ARABIC_ZERO_CODE: u32 = 0x660;
