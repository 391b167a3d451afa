//! Latin words and numbers inside Arabic, each run kept in its own order.
//!
//! Without this a telephone number that is written in groups would be shown
//! with its last group first, and a date likewise.

use super::is_arabic;

/// The text with every run of Latin letters and digits isolated that would not keep its order.
pub(super) fn latin(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut isolated = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(ch) = chars.get(at) {
        if let Some(end) = run(&chars, at) {
            // LRI and PDI of UAX #9: the text inside is ordered by itself and moves
            // nothing around it.
            isolated.push('\u{2066}');
            isolated.extend(chars.get(at..end).into_iter().flatten());
            isolated.push('\u{2069}');
            at = end;
        } else if is_core(*ch) {
            // A word that begins with a letter stays in its order; go past all of it.
            let end = last(&chars, at);
            isolated.extend(chars.get(at..end).into_iter().flatten());
            at = end.max(at + 1);
        } else {
            isolated.push(*ch);
            at += 1;
        }
    }
    isolated
}

/// Where the run ends that begins at a place, or whose first letter follows a sign there.
fn run(chars: &[char], at: usize) -> Option<usize> {
    let get = |n: usize| chars.get(n).copied();
    // A sign before the first letter is neutral, and would be drawn on its other side.
    let signs = chars.iter().skip(at).take(MAX_RUN_OPENING_SIGNS + 1);
    let signs = signs.take_while(|ch| RUN_OPENING_SIGNS.contains(**ch)).count();
    let first = at + signs;
    if signs > MAX_RUN_OPENING_SIGNS || !get(first).is_some_and(is_core) {
        return None;
    }
    let mut end = last(chars, first);
    if get(end).is_some_and(|ch| RUN_CLOSING_SIGNS.contains(ch)) {
        end += 1;
    }
    // A bracket that is closed outside belongs to the text around.
    if at < first && unclosed(chars.get(at..end)?) {
        return None;
    }
    if let Some(unopened) = unopened(chars.get(at..end)?) {
        end = (at + unopened).max(first);
    }
    turns(chars.get(at..end)?).then_some(end)
}

/// Whether a run would not stay in its order by itself: it begins with a sign or a digit, or ends
/// with a sign, and is more than one number.
fn turns(run: &[char]) -> bool {
    let signs = |ch: Option<&char>| ch.is_some_and(|ch| !is_core(*ch));
    let number = |ch: &char| ch.is_numeric() || ".,:/".contains(*ch);
    signs(run.first())
        || signs(run.last())
        || run.first().is_some_and(|ch| ch.is_numeric()) && !run.iter().all(number)
}

/// Where the run that begins at a place has its last letter or digit.
fn last(chars: &[char], first: usize) -> usize {
    let mut end = first;
    for (n, ch) in chars.iter().enumerate().skip(first) {
        if is_core(*ch) {
            end = n + 1;
        } else if !RUN_JOINING_SIGNS.contains(*ch) {
            break;
        }
    }
    end
}

/// Whether a bracket is opened and not closed again.
fn unclosed(run: &[char]) -> bool {
    let mut depth = 0_usize;
    for ch in run {
        match ch {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth > 0
}

/// Where the first bracket is closed that was not opened.
fn unopened(run: &[char]) -> Option<usize> {
    let mut depth = 0_usize;
    run.iter().position(|ch| match ch {
        '(' | '[' => {
            depth += 1;
            false
        }
        ')' | ']' if depth == 0 => true,
        ')' | ']' => {
            depth -= 1;
            false
        }
        _ => false,
    })
}

/// A letter or digit that is written from the left.
fn is_core(ch: char) -> bool {
    ch.is_alphanumeric() && !is_arabic(ch)
}

/// The signs allowed before the first letter of a run, between two, and after the last.
const RUN_OPENING_SIGNS: &str = "+#$€-@([";
const RUN_JOINING_SIGNS: &str = " \u{a0}.,:;/-_+@%#&='\"()[]!?*~<>$|\\{}^`";
/// More signs before a letter are a rule or a drawing, and each would be looked past again.
const MAX_RUN_OPENING_SIGNS: usize = 8;
const RUN_CLOSING_SIGNS: &str = "%)]";
