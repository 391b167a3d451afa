//! Counted things: the forms that a number asks of an Arabic noun.

/// The place of a counted noun in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// As a subject.
    Nominative,
    /// As an object.
    Accusative,
    /// After a preposition.
    Genitive,
}

/// The forms of a noun that is counted.
pub(super) struct Noun {
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

impl Noun {
    /// So many of them; nought has no form of its own and takes the plural.
    pub(super) fn counted(&self, count: usize, case: Case) -> String {
        let Self { one: [one, one_object], two: [two, two_else], few, many, hundred } = self;
        match (count, count % 100) {
            (1, _) if case == Case::Accusative => (*one_object).to_owned(),
            (1, _) => (*one).to_owned(),
            (2, _) if case == Case::Nominative => (*two).to_owned(),
            (2, _) => (*two_else).to_owned(),
            (0, _) | (_, 3..=10) => format!("{count} {few}"),
            (_, 11..) => format!("{count} {many}"),
            (_, 0..=2) => format!("{count} {hundred}"),
        }
    }
}

/// `1 source`, `2 sources`.
pub(super) fn english(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

pub(super) const SOURCE: Noun = Noun {
    one: ["مصدر واحد", "مصدرًا واحدًا"],
    two: ["مصدران", "مصدرين"],
    few: "مصادر",
    many: "مصدرًا",
    hundred: "مصدر",
};

pub(super) const CALL: Noun = Noun {
    one: ["استدعاء واحد", "استدعاءً واحدًا"],
    two: ["استدعاءان", "استدعاءين"],
    few: "استدعاءات",
    many: "استدعاءً",
    hundred: "استدعاء",
};

pub(super) const CLAIM: Noun = Noun {
    one: ["ادعاء واحد", "ادعاءً واحدًا"],
    two: ["ادعاءان", "ادعاءين"],
    few: "ادعاءات",
    many: "ادعاءً",
    hundred: "ادعاء",
};
