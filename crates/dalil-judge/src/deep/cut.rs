//! Where a text is cut before its bytes are merged.
//!
//! Qwen2's pattern, by hand; its alternatives are tried in this order:
//! `(?i:'s|'t|'re|'ve|'m|'ll|'d)`, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}`,
//! ` ?[^\s\p{L}\p{N}]+[\r\n]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`. A crate for
//! regular expressions with lookahead would be larger than the rest of the tokenizer.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// The class of a character in the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CharClass {
    Letter,
    Number,
    /// A line feed or a carriage return.
    LineEnd,
    Space,
    Mark,
}

impl CharClass {
    fn of(ch: char) -> Self {
        match ch {
            // ASCII is most of a text; only the rest needs the tables of Unicode.
            'a'..='z' | 'A'..='Z' => Self::Letter,
            '0'..='9' => Self::Number,
            '\r' | '\n' => Self::LineEnd,
            _ if ch.is_whitespace() => Self::Space,
            _ if ch.is_ascii() => Self::Mark,
            _ => match ch.general_category_group() {
                GeneralCategoryGroup::Letter => Self::Letter,
                GeneralCategoryGroup::Number => Self::Number,
                _ => Self::Mark,
            },
        }
    }

    fn is_space(self) -> bool {
        matches!(self, Self::Space | Self::LineEnd)
    }
}

/// Splits off the first piece of a text; returns none for an empty text.
pub(super) fn cut(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    let length = length(text, first).max(first.len_utf8());
    text.split_at_checked(length)
}

fn length(text: &str, first: char) -> usize {
    let class = CharClass::of(first);
    let after = text.get(first.len_utf8()..).unwrap_or_default();
    // The first alternative of the pattern that matches wins, even where a later one is longer.
    let contraction = contraction(first, after);
    if contraction > 0 {
        return contraction;
    }
    let next = after.chars().next().map(CharClass::of);
    let run = |text: &str, is_in: fn(CharClass) -> bool| -> usize {
        text.chars().take_while(|ch| is_in(CharClass::of(*ch))).map(char::len_utf8).sum()
    };
    let is_letter = |class| class == CharClass::Letter;
    let is_mark = |class| class == CharClass::Mark;
    match class {
        CharClass::Letter => run(text, is_letter),
        // `\p{N}` without a plus: Qwen2 gives each digit a token of its own.
        CharClass::Number => first.len_utf8(),
        // The optional first character of `[^\r\n\p{L}\p{N}]?\p{L}+`, which is no line end.
        CharClass::Space | CharClass::Mark if next == Some(CharClass::Letter) => {
            first.len_utf8() + run(after, is_letter)
        }
        CharClass::Mark => with_line_ends(text, run(text, is_mark)),
        CharClass::Space if first == ' ' && next == Some(CharClass::Mark) => {
            with_line_ends(text, 1 + run(after, is_mark))
        }
        CharClass::Space | CharClass::LineEnd => spaces(text, run(text, CharClass::is_space)),
    }
}

/// The length of `'s` and its like; 0 if there is none.
fn contraction(first: char, after: &str) -> usize {
    if first != '\'' {
        return 0;
    }
    let mut letters = after.chars();
    // The old long s is an s to a pattern that does not know case.
    let fold = |ch: char| if ch == 'ſ' { 's' } else { ch.to_ascii_lowercase() };
    let (one, other) = (letters.next(), letters.next());
    match (one.map(fold), other.map(fold)) {
        (Some('s' | 't' | 'm' | 'd'), _) => 1 + one.map_or(0, char::len_utf8),
        // Nothing beyond ASCII folds to these letters, so the length in bytes is three.
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}

/// Adds the line ends that follow.
fn with_line_ends(text: &str, length: usize) -> usize {
    let rest = text.get(length..).unwrap_or_default();
    length + rest.bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// How much of a run of spaces is one piece: to its last line end; else all of it at the end of
/// the text; else all but the last, which belongs to the next piece.
fn spaces(text: &str, length: usize) -> usize {
    let run = text.get(..length).unwrap_or_default();
    if let Some(last) = run.rfind(['\r', '\n']) {
        return last + 1;
    }
    // `\s+(?!\S)` gives its last space back, since something follows it.
    let before = run.char_indices().next_back().map_or(0, |(last, _)| last);
    if length == text.len() || before == 0 { length } else { before }
}
