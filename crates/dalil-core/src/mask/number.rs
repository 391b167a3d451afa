//! Numbers that name a person or an account: found as runs of digit groups,
//! judged by shape and checksum.
//!
//! A run is a maximal sequence of digit groups with one separator between each
//! two. Only whole groups are judged, so a part of a longer number never is.
//! Digits may be European, Arabic-Indic or Persian, and marks of direction may
//! stand among them.

use std::ops::Range;

use crate::mask::builtin::Builtin;
use crate::mask::edge::{char_at, is_after_word, is_mark, is_word};
use crate::mask::number::iban::{Iban, iban};
use crate::mask::number::identity::passport;
use crate::mask::number::shape::{Join, Shape};

mod account;
mod iban;
mod identity;
mod ip;
mod phone;
mod shape;

/// Judges the run of digits that starts here; returns where the run ends.
pub(super) fn look(text: &str, at: usize, found: &mut Vec<(Builtin, Range<usize>)>) -> usize {
    match iban(text, at) {
        Some(Iban::Right(range)) => {
            let end = range.end;
            found.push((Builtin::Iban, range));
            return end;
        }
        Some(Iban::Wrong(end)) => return end,
        None => {}
    }
    found.extend(passport(text, at).map(|range| (Builtin::Passport, range)));
    if let Some(end) = too_few(text, at) {
        return end;
    }
    let run = Run::read(text, at);
    let mut digits = Vec::with_capacity(MAX_DIGITS);
    for first in 0..run.groups.len() {
        digits.clear();
        for groups in run.groups.get(first..).into_iter().flat_map(prefixes) {
            let last = groups.last().map_or(0, |group| group.length);
            if digits.len() + last > MAX_DIGITS {
                break;
            }
            run.add_digits(groups, &mut digits);
            // An address has four groups; nothing else here has fewer than seven digits.
            if digits.len() < MIN_DIGITS && groups.len() != 4 {
                continue;
            }
            let shape = run.shape(first, groups, &digits);
            let rules = RULES.iter().filter(|(_, fits)| fits(&shape));
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
        if digits >= MIN_DIGITS || dots > 2 {
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
struct Run<'t> {
    text: &'t str,
    groups: Vec<Group>,
}

/// Digits without anything between them.
struct Group {
    start: usize,
    end: usize,
    /// How many digits; marks of direction among them do not count.
    length: usize,
    /// What joins it to the group before.
    join: Join,
}

impl<'t> Run<'t> {
    fn read(text: &'t str, at: usize) -> Self {
        let mut groups = Vec::new();
        let (mut start, mut join) = (at, Join::None);
        loop {
            let rest = text.get(start..).unwrap_or_default();
            let size = rest.find(|ch| value(ch).is_none() && !is_mark(ch)).unwrap_or(rest.len());
            let digits = rest.get(..size).unwrap_or_default().trim_end_matches(is_mark);
            let length = digits.chars().filter(|ch| !is_mark(*ch)).count();
            if length == 0 {
                return Self { text, groups };
            }
            let end = start + digits.len();
            groups.push(Group { start, end, length, join });
            let rest = text.get(end..).unwrap_or_default();
            let gap = rest
                .char_indices()
                .filter(|(_, ch)| !is_mark(*ch))
                .take(MAX_GAP + 1)
                .find(|(_, ch)| Join::of(*ch).is_none());
            let gap = rest.get(..gap.map_or(0, |(at, _)| at)).unwrap_or_default();
            join = Join::between(gap);
            if join == Join::None {
                return Self { text, groups };
            }
            start = end + gap.len();
        }
    }

    /// Adds the digits of the last of these groups.
    fn add_digits(&self, groups: &[Group], digits: &mut Vec<u8>) {
        let last = groups.last().and_then(|group| self.text.get(group.start..group.end));
        digits.extend(last.into_iter().flat_map(str::chars).filter_map(value));
    }

    /// The shape of these groups, of which the run's group at `first` is the first.
    fn shape<'s>(&'s self, first: usize, groups: &[Group], digits: &'s [u8]) -> Shape<'s> {
        let start = groups.first().map_or(0, |group| group.start);
        let end = groups.last().map_or(start, |group| group.end);
        let head = self.text.get(..start).unwrap_or_default().trim_end_matches(is_mark);
        let tail = self.text.get(end..).unwrap_or_default().trim_start_matches(is_mark);
        let before = head.chars().next_back();
        let after = tail.chars().next();
        let paren = groups.get(1).is_some_and(|group| group.join == Join::Paren);
        let plus = before == Some('+');
        let opened = match head.strip_suffix('+') {
            Some(head) => head.len() - usize::from(paren && head.ends_with('(')),
            None if paren && before == Some('(') => head.len() - 1,
            None => start,
        };
        let extension = extension(tail).map(|length| self.text.len() - tail.len() + length);
        // Arabic is often written with a number right after the word.
        let arabic = before.is_some_and(|ch| matches!(ch, '\u{620}'..='\u{64a}'));
        let blocked = is_after_word(self.text, head.len()) && !arabic;
        let join = |n: usize| self.groups.get(n).map_or(Join::None, |group| group.join);
        Shape {
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
    ((1..=MAX_EXTENSION).contains(&digits) && alone).then_some(digits + 1)
}

/// The first group, the first two, and so on.
fn prefixes(groups: &[Group]) -> impl Iterator<Item = &[Group]> {
    (1..=groups.len().min(MAX_GROUPS)).filter_map(|count| groups.get(..count))
}

/// A card has nineteen digits at most, and no other number here has more.
const MAX_DIGITS: usize = 19;

const MIN_DIGITS: usize = 7;

/// `+966 5 0 12 34 56 7` has no more groups than this.
const MAX_GROUPS: usize = 8;

/// A gap has one separator, or a bracket with one beside it on each side.
const MAX_GAP: usize = 3;

const MAX_EXTENSION: usize = 6;

type Fits = fn(&Shape<'_>) -> bool;

/// The rules for numbers.
const RULES: [(Builtin, Fits); 14] = [
    (Builtin::EmiratesId, identity::emirates_id),
    (Builtin::SaudiVat, account::saudi_vat),
    (Builtin::UaeTrn, account::uae_trn),
    (Builtin::CreditCard, account::credit_card),
    (Builtin::SaudiCr, account::saudi_cr),
    (Builtin::SaudiId, identity::saudi_id),
    (Builtin::KuwaitId, identity::kuwait_id),
    (Builtin::QatarId, identity::qatar_id),
    (Builtin::BahrainId, identity::bahrain_id),
    (Builtin::OmanId, identity::oman_id),
    (Builtin::Passport, identity::passport_digits),
    (Builtin::Ssn, identity::ssn),
    (Builtin::Ip, ip::ip_v4),
    (Builtin::Phone, phone::phone),
];
