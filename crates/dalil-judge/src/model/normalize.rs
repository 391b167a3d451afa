//! Characters as the model reads them: folded, and with a place in or between words.

use unicode_normalization::char::decompose_canonical;

mod class;
#[cfg(test)]
mod tests;

/// The role of a character in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NormalizedChar {
    /// A part of a word.
    Inner(char),
    /// A word of its own: punctuation, an ideograph.
    Apart(char),
    /// Space between words.
    Gap,
}

/// Passes the letters that a character folds to to `each`; none for one that is not visible.
///
/// Folding is BERT's without case: controls go, marks go, the rest in lower
/// case; and for Arabic: no tatweel, one ya, and digits that are the same digits.
pub(super) fn fold(ch: char, each: &mut impl FnMut(NormalizedChar)) {
    if ch.is_ascii() {
        return ascii(ch, each);
    }
    let ch = match ch {
        // BERT drops the replacement character; tatweel only stretches a word.
        '\u{640}' | '\u{fffd}' => return,
        'ى' => 'ي',
        '٠'..='٩' | '۰'..='۹' => return each(NormalizedChar::Inner(digit(ch))),
        other if is_in(&class::INVISIBLE_RANGES, other) => return,
        other if other.is_whitespace() => return each(NormalizedChar::Gap),
        other => other,
    };
    let ideograph = is_ideograph(ch);
    decompose_canonical(ch, |part| {
        // After decomposition, so that a letter loses its accent in either spelling.
        if is_in(&class::NONSPACING_MARK_RANGES, part) {
            return;
        }
        for low in part.to_lowercase() {
            let is_apart =
                ideograph || low.is_ascii_punctuation() || is_in(&class::PUNCTUATION_RANGES, low);
            each(if is_apart { NormalizedChar::Apart(low) } else { NormalizedChar::Inner(low) });
        }
    });
}

fn ascii(ch: char, each: &mut impl FnMut(NormalizedChar)) {
    match ch {
        'a'..='z' | '0'..='9' => each(NormalizedChar::Inner(ch)),
        'A'..='Z' => each(NormalizedChar::Inner(ch.to_ascii_lowercase())),
        ' ' | '\t' | '\n' | '\r' => each(NormalizedChar::Gap),
        _ if ch.is_ascii_punctuation() => each(NormalizedChar::Apart(ch)),
        _ => (),
    }
}

/// Both rows of Arabic digits begin at a multiple of sixteen.
fn digit(ch: char) -> char {
    char::from_digit(u32::from(ch) & 15, 10).unwrap_or(ch)
}

fn is_ideograph(ch: char) -> bool {
    matches!(ch,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}' | '\u{2b740}'..='\u{2b81f}' | '\u{2b820}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// Whether a character is inside a class that changes at each of `changes`.
fn is_in(changes: &[u32], ch: char) -> bool {
    // An odd number of changes up to here means inside.
    changes.partition_point(|change| *change <= u32::from(ch)) % 2 == 1
}
