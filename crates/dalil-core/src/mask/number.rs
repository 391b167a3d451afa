//! Numbers that name a person or an account: found as runs of digit groups,
//! judged by shape and checksum.
//!
//! A run is a maximal sequence of digit groups with one separator between each
//! two. Only whole groups are judged, so a part of a longer number never is.
//! Digits may be European, Arabic-Indic or Persian.

use std::ops::Range;

use crate::mask::builtin::Builtin;
use crate::mask::checksum;
use crate::mask::edge::{char_at, char_before, is_after_word, is_word};
use crate::mask::number::shape::{Join, Shape};

mod shape;

/// Judges the run of digits that starts here; returns where the run ends.
pub(super) fn look(text: &str, at: usize, found: &mut Vec<(Builtin, Range<usize>)>) -> usize {
    if let Some(range) = iban(text, at) {
        let end = range.end;
        found.push((Builtin::Iban, range));
        return end;
    }
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
            // An address has four groups; nothing else here has fewer than eight digits.
            if digits.len() < MIN_DIGITS && groups.len() != 4 {
                continue;
            }
            let shape = run.shape(first, groups, &digits);
            let rules = shape::RULES.iter().filter(|(_, fits)| fits(&shape));
            found.extend(rules.map(|(rule, _)| (*rule, shape.range.clone())));
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
    /// How many digits.
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
            let (length, size) = rest
                .chars()
                .take_while(|ch| value(*ch).is_some())
                .fold((0, 0), |(length, size), ch| (length + 1, size + ch.len_utf8()));
            if length == 0 {
                return Self { text, groups };
            }
            let end = start + size;
            groups.push(Group { start, end, length, join });
            let rest = text.get(end..).unwrap_or_default();
            let gap: usize = rest
                .chars()
                .take(2)
                .take_while(|ch| Join::of(*ch).is_some())
                .map(char::len_utf8)
                .sum();
            let gap = rest.get(..gap).unwrap_or_default();
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
        let before = char_before(self.text, start);
        let after = char_at(self.text, end);
        let plus = before == Some('+');
        let bracket =
            before == Some('(') && groups.get(1).is_some_and(|group| group.join == Join::Paren);
        // An extension, as in `555-123-4567x89`, is beside the number and not of it.
        let extension = matches!(after, Some('x' | 'X'))
            && char_at(self.text, end + 1).is_some_and(|ch| value(ch).is_some());
        // Arabic is often written with a number right after the word.
        let arabic = before.is_some_and(|ch| matches!(ch, '\u{620}'..='\u{64a}'));
        let blocked = is_after_word(self.text, start) && !arabic;
        let join = |n: usize| self.groups.get(n).map_or(Join::None, |group| group.join);
        Shape {
            digits,
            lengths: groups.iter().map(|group| group.length).collect(),
            joins: groups.iter().skip(1).map(|group| group.join).collect(),
            plus,
            left: join(first),
            right: join(first + groups.len()),
            whole: !blocked && (extension || !after.is_some_and(is_word)),
            text: self.text,
            range: start - usize::from(plus || bracket)..end,
        }
    }
}

/// The first group, the first two, and so on.
fn prefixes(groups: &[Group]) -> impl Iterator<Item = &[Group]> {
    (1..=groups.len().min(MAX_GROUPS)).filter_map(|count| groups.get(..count))
}

/// An IBAN whose first digit is here: two letters before, groups of four or none.
fn iban(text: &str, at: usize) -> Option<Range<usize>> {
    let start = at.checked_sub(2)?;
    let [first, second] = text.as_bytes().get(start..at)? else { return None };
    let country = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let wanted = checksum::iban_length(country)?;
    if is_after_word(text, start) {
        return None;
    }
    let mut iban = Vec::with_capacity(wanted);
    let mut end = start;
    for ch in text.get(start..)?.chars() {
        match (value(ch), ch) {
            (Some(digit), _) => iban.push(b'0' + digit),
            (None, 'a'..='z' | 'A'..='Z') => iban.extend(ch.to_uppercase().map(|ch| ch as u8)),
            (None, ' ' | '-' | '\u{a0}') if iban.len().is_multiple_of(4) => {}
            _ => break,
        }
        end += ch.len_utf8();
        if iban.len() == wanted {
            break;
        }
    }
    let whole = iban.len() == wanted && !char_at(text, end).is_some_and(is_word);
    (whole && checksum::mod_97(&iban)).then_some(start..end)
}

/// A card has nineteen digits at most, and no other number here has more.
const MAX_DIGITS: usize = 19;

const MIN_DIGITS: usize = 8;

/// `+966 5 0 12 34 56 7` has no more groups than this.
const MAX_GROUPS: usize = 8;
