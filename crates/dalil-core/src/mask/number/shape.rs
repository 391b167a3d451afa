//! What digit groups can be: each rule looks at digits, grouping and neighbours.

use std::ops::Range;

use crate::mask::builtin::Builtin;
use crate::mask::checksum::luhn;

/// Consecutive whole groups of a run.
pub(super) struct Shape<'s> {
    /// All the digits, as values.
    pub(super) digits: &'s [u8],
    /// How many digits each group has.
    pub(super) lengths: Vec<usize>,
    /// What stands between the groups.
    pub(super) joins: Vec<Join>,
    /// Whether a plus sign stands before.
    pub(super) plus: bool,
    /// What joins the first group to digits before it.
    pub(super) left: Join,
    /// What joins the last group to digits after it.
    pub(super) right: Join,
    /// Whether neither side touches a word.
    pub(super) whole: bool,
    /// The text around.
    pub(super) text: &'s str,
    /// Where the whole thing is, sign and bracket included.
    pub(super) range: Range<usize>,
}

/// What stands between two groups of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    None,
    Space,
    Hyphen,
    Dot,
    Paren,
}

impl Join {
    /// What a separating character is; `None` for any other character.
    pub(super) fn of(ch: char) -> Option<Self> {
        match ch {
            ' ' | '\u{a0}' | '\u{202f}' => Some(Self::Space),
            '-' | '\u{2010}' | '\u{2011}' => Some(Self::Hyphen),
            '.' => Some(Self::Dot),
            '(' | ')' => Some(Self::Paren),
            _ => None,
        }
    }

    /// What a gap of separating characters is: one of them, or a bracket with one beside it.
    pub(super) fn between(gap: &str) -> Self {
        let mut chars = gap.chars().filter_map(Self::of);
        match (chars.next(), chars.next()) {
            (Some(one), None) => one,
            (Some(Self::Paren), Some(_))
            | (Some(Self::Space | Self::Hyphen), Some(Self::Paren)) => Self::Paren,
            _ => Self::None,
        }
    }
}

impl Shape<'_> {
    /// Whether this is a number of its own, not a part of a dotted or hyphenated one.
    fn is_alone(&self) -> bool {
        let tight = |join: Join| matches!(join, Join::Dot | Join::Hyphen);
        self.whole && !tight(self.left) && !tight(self.right)
    }

    fn is_bare(&self) -> bool {
        self.joins.is_empty()
    }

    /// Whether every gap is the same, and one of these.
    fn is_joined_by(&self, joins: &[Join]) -> bool {
        self.joins.iter().all(|join| joins.contains(join) && self.joins.first() == Some(join))
    }

    /// Whether one of the words stands shortly before or after.
    fn is_near(&self, words: &[&str]) -> bool {
        let Range { start, end } = self.range;
        let before = (start.saturating_sub(BEFORE)..=start).find_map(|at| self.text.get(at..start));
        let last = self.text.len().min(end + AFTER);
        let after = (end..=last).rev().find_map(|at| self.text.get(end..at));
        [before, after].into_iter().flatten().any(|near| {
            let near = near.to_lowercase();
            words.iter().any(|word| holds_word(&near, word))
        })
    }

    /// Whether one of the words stands right before.
    fn is_after(&self, words: &[&str]) -> bool {
        let head = self.text.get(..self.range.start).unwrap_or_default();
        let head = head.trim_end_matches([' ', '\u{a0}', '(', '.']);
        words.iter().any(|word| {
            let tail = head.len().checked_sub(word.len()).and_then(|at| head.get(at..));
            tail.is_some_and(|tail| tail.to_lowercase() == *word)
        })
    }
}

/// Whether a text holds a word; an Arabic one may carry a prefix.
fn holds_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let letter = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
        !word.is_ascii() || !letter(before) && !letter(after)
    })
}

type Fits = fn(&Shape<'_>) -> bool;

/// The rules for numbers.
pub(super) const RULES: [(Builtin, Fits); 8] = [
    (Builtin::EmiratesId, emirates_id),
    (Builtin::SaudiVat, saudi_vat),
    (Builtin::CreditCard, credit_card),
    (Builtin::SaudiCr, saudi_cr),
    (Builtin::SaudiId, saudi_id),
    (Builtin::Ssn, ssn),
    (Builtin::Ip, ip_v4),
    (Builtin::Phone, phone),
];

/// 784, year of birth, seven digits, a check digit.
fn emirates_id(shape: &Shape<'_>) -> bool {
    let grouped = shape.lengths == [3, 4, 7, 1] && shape.is_joined_by(&[Join::Hyphen, Join::Space]);
    shape.digits.len() == 15
        && shape.digits.starts_with(&[7, 8, 4])
        && (shape.is_bare() || grouped)
        && shape.is_alone()
        && luhn(shape.digits)
}

/// Fifteen digits, the first and last a 3, and not an American Express card.
fn saudi_vat(shape: &Shape<'_>) -> bool {
    let [3, second, .., 3] = shape.digits else { return false };
    let grouped = shape.lengths == [3; 5] && shape.is_joined_by(&[Join::Hyphen, Join::Space]);
    shape.digits.len() == 15
        && (shape.is_bare() || grouped)
        && shape.is_alone()
        && !(matches!(second, 4 | 7) && luhn(shape.digits))
}

/// 13 to 19 digits that pass Luhn's check, bare or grouped as on a card.
fn credit_card(shape: &Shape<'_>) -> bool {
    let fours = shape.lengths.split_last().is_some_and(|(last, rest)| {
        rest.iter().all(|length| *length == 4) && (1..=4).contains(last)
    });
    let grouped = fours || shape.lengths == [4, 6, 5] || shape.lengths == [4, 6, 4];
    (13..=19).contains(&shape.digits.len())
        && (shape.is_bare() && !is_moment(shape.digits)
            || grouped && shape.is_joined_by(&[Join::Hyphen, Join::Space]))
        && shape.is_alone()
        && shape.digits.iter().any(|digit| *digit != 0)
        && luhn(shape.digits)
}

/// Milli-, micro- or nanoseconds since 1970, from 2017 on; or date and time, to the second.
fn is_moment(digits: &[u8]) -> bool {
    let dated = matches!(digits, [1, 9, ..] | [2, 0, ..]) && digits.len() == 14;
    dated || matches!(digits, [1, 5..=9, ..]) && matches!(digits.len(), 13 | 16 | 19)
}

/// Ten digits with a word for the commercial register nearby.
fn saudi_cr(shape: &Shape<'_>) -> bool {
    shape.is_bare()
        && shape.digits.len() == 10
        && matches!(shape.digits, [1..=7, ..])
        && shape.is_alone()
        && shape.is_near(&CR_WORDS)
}

/// National id (1…) or residence permit (2…): ten digits with a check digit.
fn saudi_id(shape: &Shape<'_>) -> bool {
    shape.is_bare()
        && shape.digits.len() == 10
        && matches!(shape.digits, [1 | 2, ..])
        && !shape.plus
        && shape.is_alone()
        && luhn(shape.digits)
}

/// Three, two and four digits, none of the ranges that were never given out.
fn ssn(shape: &Shape<'_>) -> bool {
    let [a, b, c, d, e, f, g, h, i] = shape.digits else { return false };
    let never = matches!((a, b, c), (0, 0, 0) | (6, 6, 6) | (9, _, _))
        || (*d, *e) == (0, 0)
        || (*f, *g, *h, *i) == (0, 0, 0, 0);
    let grouped = shape.lengths == [3, 2, 4] && shape.is_joined_by(&[Join::Hyphen, Join::Space]);
    (grouped || shape.is_bare() && shape.is_near(&SSN_WORDS)) && shape.is_alone() && !never
}

/// Four numbers up to 255 with dots, without leading zeros.
fn ip_v4(shape: &Shape<'_>) -> bool {
    if shape.lengths.len() != 4 || shape.joins != [Join::Dot; 3] {
        return false;
    }
    let mut digits = shape.digits;
    let octets = shape.lengths.iter().all(|length| {
        let Some((octet, rest)) = digits.split_at_checked(*length) else { return false };
        digits = rest;
        let value = octet.iter().fold(0_usize, |sum, digit| sum * 10 + usize::from(*digit));
        octet.len() <= 3 && value <= 255 && (octet.len() == 1 || octet.first() != Some(&0))
    });
    let apart = shape.whole && shape.left != Join::Dot && shape.right != Join::Dot;
    octets && apart && !shape.is_after(&PLACE_WORDS)
}

fn phone(shape: &Shape<'_>) -> bool {
    if !shape.is_alone() {
        return false;
    }
    match shape.digits {
        digits if shape.plus => is_international(digits),
        [0, 0, digits @ ..] => gulf(digits).unwrap_or(false),
        // A decimal such as `0.512345678` is no number of a telephone.
        [0, 5, ..] | [0, 1, 1..=7, ..] => {
            shape.digits.len() == 10 && shape.joins.first() != Some(&Join::Dot)
        }
        [0, 2 | 3 | 4 | 6 | 7 | 9, ..] => {
            matches!(*shape.lengths, [2, 7] | [2, 3, 4]) && !shape.joins.contains(&Join::Dot)
        }
        _ => is_american(shape) || is_gulf_local(shape) || is_gulf_without_plus(shape),
    }
}

/// A country code and a number, 8 to 15 digits; exact where the country is known.
fn is_international(digits: &[u8]) -> bool {
    gulf(digits)
        .or_else(|| digits.starts_with(&[1]).then_some(digits.len() == 11))
        .unwrap_or_else(|| (8..=15).contains(&digits.len()) && !digits.starts_with(&[0]))
}

/// Whether digits that start with a Gulf country's code are as many as it
/// uses; `None` for other codes.
fn gulf(digits: &[u8]) -> Option<bool> {
    match digits {
        [9, 6, 6, 0, rest @ ..] | [9, 7, 1, 0, rest @ ..] => Some(matches!(rest.len(), 8 | 9)),
        [9, 6, 6, rest @ ..] => Some(rest.len() == 9),
        [9, 7, 1, 5, rest @ ..] => Some(rest.len() == 8),
        [9, 7, 1, rest @ ..] => Some(rest.len() == 8),
        [9, 6, 5 | 8, rest @ ..] | [9, 7, 3 | 4, rest @ ..] => Some(rest.len() == 8),
        _ => None,
    }
}

/// Area code, exchange and line, with or without the leading 1.
fn is_american(shape: &Shape<'_>) -> bool {
    let (area, dotted) = match (&*shape.lengths, &*shape.joins) {
        // No exchange begins with 0, but amounts and orders have runs of zeros.
        ([10], []) => (shape.digits.first(), shape.digits.get(3) != Some(&0)),
        ([3, 3, 4], _) => (shape.digits.first(), true),
        ([1, 3, 3, 4], [join, ..]) => {
            (shape.digits.get(1), shape.digits.first() == Some(&1) && *join != Join::Paren)
        }
        ([11], []) => (shape.digits.get(1), shape.digits.first() == Some(&1)),
        _ => return false,
    };
    dotted && area.is_some_and(|digit| (2..=9).contains(digit))
}

/// A Gulf number with its country's code and nothing before it, as chats write
/// it: a Saudi or Emirati mobile, or any with a word for telephone nearby.
fn is_gulf_without_plus(shape: &Shape<'_>) -> bool {
    let mobile = matches!(shape.digits, [9, 6, 6, 5, ..] | [9, 7, 1, 5, ..]);
    let grouped = shape.lengths.first() == Some(&3) && !shape.joins.contains(&Join::Dot);
    gulf(shape.digits) == Some(true)
        && (shape.is_bare() || grouped)
        && (mobile || shape.is_near(&PHONE_WORDS))
}

/// Eight digits, as in Kuwait, Bahrain, Oman and Qatar, with a word for telephone
/// nearby; none begins with 20, as dates and years do.
fn is_gulf_local(shape: &Shape<'_>) -> bool {
    matches!(*shape.lengths, [8] | [4, 4])
        && matches!(shape.digits, [1, 6 | 7, ..] | [2, 1..=9, ..] | [3..=9, ..])
        && shape.is_near(&PHONE_WORDS)
}

const CR_WORDS: [&str; 8] = [
    "cr",
    "c.r",
    "commercial registration",
    "commercial register",
    "commercial reg",
    "سجل تجاري",
    "السجل التجاري",
    "س.ت",
];

const SSN_WORDS: [&str; 3] = ["ssn", "social security", "social-security"];

const PHONE_WORDS: [&str; 13] = [
    "phone",
    "mobile",
    "tel",
    "telephone",
    "call",
    "whatsapp",
    "cell",
    "fax",
    "جوال",
    "هاتف",
    "موبايل",
    "اتصل",
    "واتساب",
];

/// What comes before the number of a clause or of a version, which looks like an address.
const PLACE_WORDS: [&str; 18] = [
    "article",
    "articles",
    "clause",
    "clauses",
    "section",
    "sections",
    "paragraph",
    "annex",
    "appendix",
    "schedule",
    "version",
    "release",
    "§",
    "المادة",
    "مادة",
    "البند",
    "بند",
    "الفقرة",
];

/// How many bytes before and after a number are near it.
const BEFORE: usize = 64;
const AFTER: usize = 24;
