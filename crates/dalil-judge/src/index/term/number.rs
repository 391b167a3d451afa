//! Numbers as terms: one spelling for all ways to write a value.

/// Whether a character is a digit of the Latin, Arabic-Indic or Persian kind.
pub(super) fn is_digit(ch: char) -> bool {
    value(ch).is_some()
}

/// The number that a text starts with, its separators included, and the rest.
pub(super) fn split(text: &str) -> (&str, &str) {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        // A separator counts between digits only: the stop of a sentence is none.
        let mut goes_on = || chars.peek().is_some_and(|(_, next)| is_digit(*next));
        if !(is_digit(ch) || is_separator(ch) && goes_on()) {
            break;
        }
        end = at + ch.len_utf8();
    }
    text.split_at(end)
}

/// Gives the spellings of a number: one, or one for each member of a list such as `1,2`.
pub(super) fn each(number: &str, take: &mut impl FnMut(&str)) {
    let plain: String = number.chars().map(plain).collect();
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    // `1,000` is one number; `1,2` and `2024,2025` are lists.
    let is_grouped = match whole.split_once(',') {
        Some((first, groups)) => {
            first.len() <= 3 && groups.split(',').all(|group| group.len() == 3)
        }
        None => whole.len() <= 3,
    };
    if is_grouped && !fraction.contains(',') {
        take(&value_of(&whole.replace(',', ""), fraction));
    } else {
        plain.split(',').for_each(|member| {
            let (whole, fraction) = member.split_once('.').unwrap_or((member, ""));
            take(&value_of(whole, fraction));
        });
    }
}

/// A spelling without zeros that add nothing. `1.2.3` has a fraction of `2.3` and keeps it.
fn value_of(whole: &str, fraction: &str) -> String {
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.contains('.') {
        return format!("{whole}.{fraction}");
    }
    match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

/// A digit or separator in its Latin spelling.
fn plain(ch: char) -> char {
    match ch {
        '٬' => ',',
        '٫' => '.',
        ch => value(ch).and_then(|value| char::from_digit(value, 10)).unwrap_or(ch),
    }
}

fn is_separator(ch: char) -> bool {
    matches!(ch, ',' | '.' | '٬' | '٫')
}

fn value(ch: char) -> Option<u32> {
    match ch {
        '0'..='9' => ch.to_digit(10),
        '٠'..='٩' => Some(u32::from(ch) - u32::from('٠')),
        '۰'..='۹' => Some(u32::from(ch) - u32::from('۰')),
        _ => None,
    }
}
