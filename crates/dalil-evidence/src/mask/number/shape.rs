//! Digit groups and their neighbours, as the rules look at them.

use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::edge::is_mark;
use crate::mask::label;

/// Consecutive whole groups of a run.
pub(super) struct NumberShape<'s> {
    /// All the digits, as values.
    pub(super) digits: &'s [u8],
    /// How many digits each group has.
    pub(super) lengths: Vec<usize>,
    /// The separators between the groups.
    pub(super) joins: Vec<GroupSeparator>,
    /// Whether a plus sign comes before.
    pub(super) plus: bool,
    /// What joins the first group to digits before it.
    pub(super) left: GroupSeparator,
    /// What joins the last group to digits after it.
    pub(super) right: GroupSeparator,
    /// Whether neither side touches a word.
    pub(super) whole: bool,
    /// The text around.
    pub(super) text: &'s str,
    /// Where the whole thing is, sign and bracket included.
    pub(super) range: Range<usize>,
    /// Where the extension of a telephone ends, as in `555-123-4567x89`.
    pub(super) extension: Option<usize>,
}

/// The separator between two groups of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupSeparator {
    None,
    Space,
    Hyphen,
    Dot,
    Paren,
}

impl GroupSeparator {
    /// Returns the kind of a separating character; `None` for any other character.
    pub(super) fn of(ch: char) -> Option<Self> {
        match ch {
            ' ' | '\u{a0}' | '\u{202f}' => Some(Self::Space),
            '-' | '\u{2010}'..='\u{2013}' => Some(Self::Hyphen),
            '.' => Some(Self::Dot),
            '(' | ')' => Some(Self::Paren),
            _ => None,
        }
    }

    /// Returns the kind of a gap of separating characters: one of them, a bracket with one beside
    /// it, or a hyphen between spaces.
    pub(super) fn between(gap: &str) -> Self {
        let mut joins = gap.chars().filter(|ch| !is_mark(*ch)).filter_map(Self::of);
        match (joins.next(), joins.next(), joins.next()) {
            (Some(one), None, None) => one,
            (Some(Self::Paren), Some(_), None)
            | (Some(Self::Space | Self::Hyphen), Some(Self::Paren), None) => Self::Paren,
            _ => Self::None,
        }
    }
}

impl NumberShape<'_> {
    /// Where a find of a rule is: a telephone's extension is a part of it.
    pub(super) fn range_of(&self, rule: BuiltinMaskRule) -> Range<usize> {
        match (rule, self.extension) {
            (BuiltinMaskRule::Phone, Some(end)) => self.range.start..end,
            _ => self.range.clone(),
        }
    }

    /// Whether this is a number of its own, not a part of a dotted or hyphenated one.
    pub(super) fn is_alone(&self) -> bool {
        let tight =
            |join: GroupSeparator| matches!(join, GroupSeparator::Dot | GroupSeparator::Hyphen);
        self.whole && !tight(self.left) && !tight(self.right)
    }

    /// Whether this is all of the run.
    pub(super) fn is_all(&self) -> bool {
        self.whole && self.left == GroupSeparator::None && self.right == GroupSeparator::None
    }

    pub(super) fn is_bare(&self) -> bool {
        self.joins.is_empty()
    }

    /// Whether every gap is the same, and one of these.
    pub(super) fn is_joined_by(&self, joins: &[GroupSeparator]) -> bool {
        self.joins.iter().all(|join| joins.contains(join) && self.joins.first() == Some(join))
    }

    /// Whether a word that names the number's kind is right before it.
    pub(super) fn is_labelled(&self, labels: &[&str]) -> bool {
        label::is_before(self.text, self.range.start, labels)
    }

    /// Whether this is the end of a code, as in `BRK-450-118-2231`.
    pub(super) fn is_of_code(&self) -> bool {
        let head = self.text.get(..self.range.start).unwrap_or_default();
        let Some(head) = head.strip_suffix(['-', '/', '_', '#']) else { return false };
        head.ends_with(|ch: char| ch.is_ascii_uppercase() || ch.is_ascii_digit())
    }

    /// Whether one of the words is shortly before or after.
    pub(super) fn is_near(&self, words: &[&str]) -> bool {
        let Range { start, end } = self.range;
        let before = self.text.get(
            self.text.ceil_char_boundary(start.saturating_sub(MAX_CONTEXT_BYTES_BEFORE))..start,
        );
        let after = self.text.get(
            end..self.text.floor_char_boundary(self.text.len().min(end + MAX_CONTEXT_BYTES_AFTER)),
        );
        [before, after].into_iter().flatten().any(|near| {
            let near = near.to_lowercase();
            words.iter().any(|word| holds_word(&near, word))
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

/// How many bytes before and after a number are near it.
const MAX_CONTEXT_BYTES_BEFORE: usize = 64;
const MAX_CONTEXT_BYTES_AFTER: usize = 24;
