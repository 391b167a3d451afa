//! Finds `unwrap_or_default`, which silently replaces a missing value.

use crate::source::RustSource;

#[cfg(test)]
mod tests;

/// The calls of `unwrap_or_default` in a file, outside tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SilentDefaults {
    /// The lines of those that hide that a value is missing.
    pub(crate) hiding: Vec<usize>,
    /// How many take a slice of a text or a list, which is empty where the range is not there.
    pub(crate) slicing: usize,
}

/// Finds the calls of a file.
pub(crate) fn defaults(source: &RustSource) -> SilentDefaults {
    let tokens = source.tokens();
    let mut found = SilentDefaults::default();
    for (at, (line, token)) in tokens.iter().enumerate() {
        if *token != "unwrap_or_default" || source.is_test_line(*line) {
            continue;
        }
        if tokens.get(..at).is_some_and(takes_a_slice) {
            found.slicing += 1;
        } else {
            found.hiding.push(*line);
        }
    }
    found
}

/// Whether tokens end with `.get(RANGE).`, or with `get_mut`.
///
/// A reference to a slice or a text has a default and one to an item has none, so a lookup by
/// anything but the key of a map gives a slice. Keys are borrowed or literals.
fn takes_a_slice(before: &[(usize, &str)]) -> bool {
    let words: Vec<&str> = before.iter().map(|(_, token)| *token).collect();
    let Some(call) = words.strip_suffix(&["."]).filter(|call| call.ends_with(&[")"])) else {
        return false;
    };
    let mut depth = 0_usize;
    let opening = call.iter().rposition(|token| {
        match *token {
            ")" => depth += 1,
            "(" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let Some((name, argument)) = opening.and_then(|at| call.split_at_checked(at)) else {
        return false;
    };
    let is_key = argument.get(1).is_none_or(|first| *first == "&" || first.starts_with('"'));
    (name.ends_with(&[".", "get"]) || name.ends_with(&[".", "get_mut"])) && !is_key
}
