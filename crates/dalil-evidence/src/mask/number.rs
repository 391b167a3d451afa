//! Numbers that name a person or an account: found as runs of digit groups,
//! judged by shape and checksum.
//!
//! A run is a maximal sequence of digit groups with one separator between each
//! two. Only whole groups are judged, so a part of a longer number never is.
//! Digits may be European, Arabic-Indic or Persian, and marks of direction may
//! be among them.

use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::edge::{char_at, is_after_word, is_mark, is_word};
use crate::mask::label;
use crate::mask::number::iban::{IbanCandidate, iban};
use crate::mask::number::identity::passport;
use crate::mask::number::shape::{GroupSeparator, NumberShape};

mod account;
mod iban;
mod identity;
mod ip;
mod phone;
mod shape;
mod spread;

/// Judges the run of digits that starts here; returns where the run ends.
pub(super) fn look(
    text: &str,
    at: usize,
    found: &mut Vec<(BuiltinMaskRule, Range<usize>)>,
) -> usize {
    match iban(text, at) {
        Some(IbanCandidate::Right(range)) => {
            let end = range.end;
            found.push((BuiltinMaskRule::Iban, range));
            return end;
        }
        Some(IbanCandidate::Wrong(end)) => return end,
        None => {}
    }
    if let Some(range) = spread::spread_iban(text, at) {
        let end = range.end;
        found.push((BuiltinMaskRule::Iban, range));
        return end;
    }
    found.extend(passport(text, at).map(|range| (BuiltinMaskRule::Passport, range)));
    let before = found.len();
    let end = too_few(text, at).unwrap_or_else(|| run(text, at, found));
    match spread::spread(text, at) {
        Some((rule, range)) if found.len() == before => {
            let end = range.end;
            found.push((rule, range));
            end
        }
        _ => end,
    }
}

/// Judges the groups of digits from here on; returns where the last one ends.
fn run(text: &str, at: usize, found: &mut Vec<(BuiltinMaskRule, Range<usize>)>) -> usize {
    let run = DigitRun::read(text, at);
    let mut digits = Vec::with_capacity(MAX_NUMBER_DIGITS);
    for first in 0..run.groups.len() {
        digits.clear();
        for groups in run.groups.get(first..).into_iter().flat_map(prefixes) {
            let last = groups.last().map_or(0, |group| group.length);
            if digits.len() + last > MAX_NUMBER_DIGITS {
                break;
            }
            run.add_digits(groups, &mut digits);
            // An address has four groups; nothing else here has fewer than seven digits.
            if digits.len() < MIN_NUMBER_DIGITS && groups.len() != 4 {
                continue;
            }
            let shape = run.shape(first, groups, &digits);
            let rules = NUMBER_RULES.iter().filter(|(_, fits)| fits(&shape));
            found.extend(rules.map(|(rule, _)| (*rule, shape.range_of(*rule))));
        }
    }
    run.groups.last().map_or(at, |group| group.end)
}

/// Where a run ends that has too few digits to be anything, as most have.
fn too_few(text: &str, at: usize) -> Option<usize> {
    let (mut digits, mut dots, mut end) = (0, 0, at);
    for (n, byte) in text.as_bytes().get(at..)?.iter().enumerate() {
        match byte {
            b'0'..=b'9' => (digits, end) = (digits + 1, at + n + 1),
            b'.' => dots += 1,
            b' ' | b'-' | b'(' | b')' => {}
            byte if byte.is_ascii() => return Some(end),
            _ => return None,
        }
        if digits >= MIN_NUMBER_DIGITS || dots > 2 {
            return None;
        }
    }
    Some(end)
}

/// The value of a digit in any of the three scripts.
pub(super) fn value(ch: char) -> Option<u8> {
    let zero = match ch {
        '0'..='9' => '0',
        '٠'..='٩' => '٠',
        '۰'..='۹' => '۰',
        _ => return None,
    };
    u8::try_from(u32::from(ch) - u32::from(zero)).ok()
}

/// A maximal sequence of digit groups.
struct DigitRun<'t> {
    text: &'t str,
    groups: Vec<DigitGroup>,
}

/// Digits without anything between them.
struct DigitGroup {
    start: usize,
    end: usize,
    /// How many digits; marks of direction among them do not count.
    length: usize,
    /// What joins it to the group before.
    join: GroupSeparator,
}

impl<'t> DigitRun<'t> {
    fn read(text: &'t str, at: usize) -> Self {
        let mut groups = Vec::new();
        let (mut start, mut join) = (at, GroupSeparator::None);
        loop {
            let rest = text.get(start..).unwrap_or_default();
            let size = rest.find(|ch| value(ch).is_none() && !is_mark(ch)).unwrap_or(rest.len());
            let digits = rest.get(..size).unwrap_or_default().trim_end_matches(is_mark);
            let length = digits.chars().filter(|ch| !is_mark(*ch)).count();
            if length == 0 {
                return Self { text, groups };
            }
            let end = start + digits.len();
            groups.push(DigitGroup { start, end, length, join });
            let rest = text.get(end..).unwrap_or_default();
            let gap = rest
                .char_indices()
                .filter(|(_, ch)| !is_mark(*ch))
                .take(MAX_GROUP_GAP_CHARS + 1)
                .find(|(_, ch)| GroupSeparator::of(*ch).is_none());
            let gap = rest.get(..gap.map_or(0, |(at, _)| at)).unwrap_or_default();
            join = GroupSeparator::between(gap);
            if join == GroupSeparator::None {
                return Self { text, groups };
            }
            start = end + gap.len();
        }
    }

    /// Adds the digits of the last of these groups.
    fn add_digits(&self, groups: &[DigitGroup], digits: &mut Vec<u8>) {
        let last = groups.last().and_then(|group| self.text.get(group.start..group.end));
        digits.extend(last.into_iter().flat_map(str::chars).filter_map(value));
    }

    /// The shape of these groups, of which the run's group at `first` is the first.
    fn shape<'s>(
        &'s self,
        first: usize,
        groups: &[DigitGroup],
        digits: &'s [u8],
    ) -> NumberShape<'s> {
        let start = groups.first().map_or(0, |group| group.start);
        let end = groups.last().map_or(start, |group| group.end);
        let head = self.text.get(..start).unwrap_or_default().trim_end_matches(is_mark);
        let tail = self.text.get(end..).unwrap_or_default().trim_start_matches(is_mark);
        let before = head.chars().next_back();
        let after = tail.chars().next();
        let paren = groups.get(1).is_some_and(|group| group.join == GroupSeparator::Paren);
        let plus = before == Some('+');
        let opened = match head.strip_suffix('+') {
            Some(head) => head.len() - usize::from(paren && head.ends_with('(')),
            None if paren && before == Some('(') => head.len() - 1,
            None => start,
        };
        let extension = extension(tail).map(|length| self.text.len() - tail.len() + length);
        // Arabic is often written with a number right after the word.
        let arabic = before.is_some_and(|ch| matches!(ch, '\u{620}'..='\u{64a}'));
        // `id_1407925278` is a number that a programmer named.
        let is_named =
            head.ends_with('_') && label::is_before(self.text, head.len(), &FIELD_NAME_WORDS);
        let blocked = is_after_word(self.text, head.len()) && !arabic && !is_named;
        let join = |n: usize| self.groups.get(n).map_or(GroupSeparator::None, |group| group.join);
        NumberShape {
            digits,
            lengths: groups.iter().map(|group| group.length).collect(),
            joins: groups.iter().skip(1).map(|group| group.join).collect(),
            plus,
            left: join(first),
            right: join(first + groups.len()),
            whole: !blocked && (extension.is_some() || !after.is_some_and(is_word)),
            text: self.text,
            range: opened..end,
            extension,
        }
    }
}

/// How long the extension is that a text starts with, as in `555-123-4567x89`.
fn extension(tail: &str) -> Option<usize> {
    let inner = tail.strip_prefix(['x', 'X'])?;
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let alone = !char_at(inner, digits).is_some_and(is_word);
    ((1..=MAX_EXTENSION_DIGITS).contains(&digits) && alone).then_some(digits + 1)
}

/// The first group, the first two, and so on.
fn prefixes(groups: &[DigitGroup]) -> impl Iterator<Item = &[DigitGroup]> {
    (1..=groups.len().min(MAX_DIGIT_GROUPS)).filter_map(|count| groups.get(..count))
}

/// A card has nineteen digits at most, and no other number here has more.
const MAX_NUMBER_DIGITS: usize = 19;

/// The shortest number of a rule: a civil number of Oman, or a telephone (spec/bundle.md).
const MIN_NUMBER_DIGITS: usize = 7;

/// `+966 5 0 12 34 56 7` has no more groups than this.
const MAX_DIGIT_GROUPS: usize = 8;

/// A gap has one separator, or a bracket with one beside it on each side.
const MAX_GROUP_GAP_CHARS: usize = 3;

/// Extensions of telephones have three to six digits.
const MAX_EXTENSION_DIGITS: usize = 6;

/// Words that a programmer puts before an underscore and a number of a person or an account.
pub(super) const FIELD_NAME_WORDS: [&str; 10] =
    ["id", "nid", "iqama", "identity", "card", "iban", "account", "phone", "mobile", "tel"];

type NumberPredicate = fn(&NumberShape<'_>) -> bool;

/// The rules for numbers.
const NUMBER_RULES: [(BuiltinMaskRule, NumberPredicate); 14] = [
    (BuiltinMaskRule::EmiratesId, identity::emirates_id),
    (BuiltinMaskRule::SaudiVat, account::saudi_vat),
    (BuiltinMaskRule::UaeTrn, account::uae_trn),
    (BuiltinMaskRule::CreditCard, account::credit_card),
    (BuiltinMaskRule::SaudiCr, account::saudi_cr),
    (BuiltinMaskRule::SaudiId, identity::saudi_id),
    (BuiltinMaskRule::KuwaitId, identity::kuwait_id),
    (BuiltinMaskRule::QatarId, identity::qatar_id),
    (BuiltinMaskRule::BahrainId, identity::bahrain_id),
    (BuiltinMaskRule::OmanId, identity::oman_id),
    (BuiltinMaskRule::Passport, identity::passport_digits),
    (BuiltinMaskRule::Ssn, identity::ssn),
    (BuiltinMaskRule::Ip, ip::ip_v4),
    (BuiltinMaskRule::Phone, phone::phone),
];
