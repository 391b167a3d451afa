//! Times of the day: `10:30`, `5 pm`, `الساعة ٩ صباحاً`, `noon`.

use super::number::{self, MILLIONTHS_PER_ONE};
use super::word::{WordKind, WordToken};

/// The minutes since midnight of the time that begins at a word, and where it ends.
pub(super) fn clock(words: &[WordToken], at: usize) -> Option<(i128, usize)> {
    let word = words.get(at)?;
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let made = |end, minutes: i128| Some((minutes * MILLIONTHS_PER_ONE, end));
    match word.form.as_str() {
        "noon" | "midday" => return made(at + 1, 12 * 60),
        "midnight" => return made(at + 1, 0),
        _ => {}
    }
    let hour = number::number(words, at)?;
    let mut end = at + hour.length;
    let hour = hour.value / MILLIONTHS_PER_ONE;
    let led = at
        .checked_sub(1)
        .is_some_and(|before| ["الساعه", "للساعه", "o'clock"].contains(&form(before)));
    let mut minutes = None;
    // Two digits must follow: `16:9` is no time.
    if form(end) == ":"
        && words
            .get(end + 1)
            .is_some_and(|word| word.kind == WordKind::Digits && word.form.len() == 2)
    {
        minutes = number::digits(form(end + 1)).map(|value| value / MILLIONTHS_PER_ONE);
        end += 2;
    }
    let (half, length) = match (form(end), form(end + 1), form(end + 2)) {
        ("am" | "صباحا" | "ص", ..) => (Some(0), 1),
        ("pm" | "مسا" | "مساا" | "ظهرا" | "عصرا" | "بعد" | "م", ..) if form(end) != "بعد" => {
            (Some(12), 1)
        }
        ("a", ".", "m") => (Some(0), 3),
        ("p", ".", "m") => (Some(12), 3),
        _ => (None, 0),
    };
    end += length;
    // A bare number is no time; minutes, a half of the day or a word before it must say so.
    if !(0..=24).contains(&hour) || (half.is_none() && minutes.is_none() && !led) {
        return None;
    }
    let hour = match half {
        // 12 am is 0, 12 pm is 12.
        Some(half) if hour <= 12 => hour % 12 + half,
        _ => hour,
    };
    made(end, hour * 60 + minutes.unwrap_or(0))
}
