//! The edges of a find: whether it is a value of its own or part of a word.

/// The character that starts at a place.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..).and_then(|rest| rest.chars().next())
}

/// The character that ends at a place.
pub(super) fn char_before(text: &str, at: usize) -> Option<char> {
    text.get(..at).and_then(|rest| rest.chars().next_back())
}

/// Whether a character belongs to a word, so that a thing beside it is only a part.
pub(super) fn is_word(ch: char) -> bool {
    ch == '_' || ch.is_alphanumeric()
}

/// Whether a character only sets the direction of text, and is not seen.
pub(super) fn is_mark(ch: char) -> bool {
    matches!(ch, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

/// Whether a word reaches up to a place. The letter of an escape does not make
/// one: in `\\n0501234567`, as JSON in a text has it, a number starts.
pub(super) fn is_after_word(text: &str, at: usize) -> bool {
    let mut before = text.get(..at).unwrap_or_default().chars().rev();
    match (before.next(), before.next()) {
        (Some('b' | 'f' | 'n' | 'r' | 't'), Some('\\')) => false,
        (last, _) => last.is_some_and(is_word),
    }
}
