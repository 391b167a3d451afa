//! One walk over the bytes, stopping where something could be.

use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::secret::{self, given};
use crate::mask::{address, number};

/// Everything the built-in rules find, in the order of the walk; finds may overlap.
pub(super) fn candidates(text: &str) -> Vec<(BuiltinMaskRule, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(skip) = bytes.get(at..).and_then(|rest| {
        rest.iter().position(|byte| TRIGGER_BYTES.get(usize::from(*byte)).is_some_and(|stop| *stop))
    }) {
        at += skip;
        at = look(text, at, &mut found).max(at + 1);
    }
    found.extend(given::column::cells(text));
    found
}

/// Looks at one place; returns where the walk continues.
fn look(text: &str, at: usize, found: &mut Vec<(BuiltinMaskRule, Range<usize>)>) -> usize {
    let before = found.len();
    match text.as_bytes().get(at) {
        Some(b'0'..=b'9') => return number::look(text, at, found),
        // Most Arabic letters start with these bytes; only a digit is looked at.
        Some(lead @ (0xd9 | 0xdb)) => {
            let digits = if *lead == 0xd9 { 0xa0..=0xa9 } else { 0xb0..=0xb9 };
            let next = text.as_bytes().get(at + 1);
            let digit = next.is_some_and(|next| digits.contains(next));
            if digit {
                return number::look(text, at, found);
            }
            found.extend(given::told_in_arabic(text, at));
        }
        Some(b'@') => found.extend(address::email(text, at)),
        Some(b'[' | b'(' | b'{') => found.extend(address::spelt_email(text, at)),
        Some(b':') => {
            found.extend(given::assignment(text, at));
            found.extend(given::credentials(text, at));
            found.extend(secret::web_hook(text, at));
            found.extend(address::ip_v6(text, at));
        }
        Some(b'=') => found.extend(given::assignment(text, at)),
        Some(b'-') => {
            found.extend(secret::private_key(text, at));
            found.extend(secret::dashed_key(text, at));
            found.extend(secret::command_option(text, at));
        }
        Some(b'_') => {
            found.extend(secret::underscored_key(text, at));
            found.extend(secret::own_key(text, at));
        }
        Some(b'I' | b'z') => found.extend(secret::plain_key(text, at)),
        Some(b'>') => found.extend(given::element(text, at)),
        Some(b'w' | b'W') => {
            found.extend(given::told(text, at));
            found.extend(given::set_by_statement(text, at));
        }
        Some(b'b' | b'B') => {
            found.extend(secret::bearer(text, at));
            found.extend(given::set_by_statement(text, at));
        }
        Some(b'~') => found.extend(secret::azure_key(text, at)),
        Some(b'J') => found.extend(secret::jwt(text, at)),
        _ => {}
    }
    // A find is skipped, so that no byte is read for many finds.
    found.get(before..).into_iter().flatten().map(|(_, range)| range.end).max().unwrap_or(at)
}

const TRIGGER_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let stops = b"0123456789@[({:=-_IzJ>wWbB~\xd9\xdb";
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
