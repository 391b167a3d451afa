//! One walk over the bytes, stopping where something could be.

use std::ops::Range;

use crate::mask::builtin::Builtin;
use crate::mask::{address, number, secret};

/// Everything the built-in rules find, in the order of the walk; finds may overlap.
pub(super) fn candidates(text: &str) -> Vec<(Builtin, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(skip) = bytes.get(at..).and_then(|rest| {
        rest.iter().position(|byte| TRIGGERS.get(usize::from(*byte)).is_some_and(|stop| *stop))
    }) {
        at += skip;
        at = look(text, at, &mut found).max(at + 1);
    }
    found
}

/// Looks at one place; returns where the walk goes on.
fn look(text: &str, at: usize, found: &mut Vec<(Builtin, Range<usize>)>) -> usize {
    let before = found.len();
    match text.as_bytes().get(at) {
        Some(b'0'..=b'9') => return number::look(text, at, found),
        Some(0xd9 | 0xdb) if text.is_char_boundary(at) => {
            let digit = char_at(text, at).is_some_and(|ch| number::value(ch).is_some());
            return if digit { number::look(text, at, found) } else { at + 2 };
        }
        Some(b'@') => found.extend(address::email(text, at)),
        Some(b':') => {
            found.extend(secret::assignment(text, at));
            found.extend(secret::credentials(text, at));
            found.extend(address::ip_v6(text, at));
        }
        Some(b'=') => found.extend(secret::assignment(text, at)),
        Some(b'-') => {
            found.extend(secret::private_key(text, at));
            found.extend(secret::dashed_key(text, at));
        }
        Some(b'_') => found.extend(secret::underscored_key(text, at)),
        Some(b'I' | b'z') => found.extend(secret::plain_key(text, at)),
        Some(b'J') => found.extend(secret::jwt(text, at)),
        _ => {}
    }
    // What was found is passed over, so that no byte is read for many finds.
    found.get(before..).into_iter().flatten().map(|(_, range)| range.end).max().unwrap_or(at)
}

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

/// Whether a word reaches up to a place. The letter of an escape does not make
/// one: in `\\n0501234567`, as JSON in a text has it, a number starts.
pub(super) fn is_after_word(text: &str, at: usize) -> bool {
    let mut before = text.get(..at).unwrap_or_default().chars().rev();
    match (before.next(), before.next()) {
        (Some('b' | 'f' | 'n' | 'r' | 't'), Some('\\')) => false,
        (last, _) => last.is_some_and(is_word),
    }
}

const TRIGGERS: [bool; 256] = {
    let mut table = [false; 256];
    let stops = b"0123456789@:=-_IzJ\xd9\xdb";
    let mut n = 0;
    while n < stops.len() {
        #[expect(clippy::indexing_slicing, reason = "checked when this is compiled")]
        {
            table[stops[n] as usize] = true;
        }
        n += 1;
    }
    table
};
