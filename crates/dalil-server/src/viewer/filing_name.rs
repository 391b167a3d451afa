//! File names for downloads, made of type, subject and date.

use dalil_proof::time::Time;
use dalil_service::export::ExportFormat;

#[cfg(test)]
mod tests;

/// `ledger-how-much-leave-do-employees-have-2026-11-15.pdf`.
pub(super) fn filing_name(kind: &str, title: &str, day: Time, format: ExportFormat) -> String {
    let day = day.to_string();
    let day = day.get(..10).unwrap_or(&day);
    let (_, end) = format.media_type();
    let words: Vec<String> = title
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut name = kind.to_owned();
    for word in words {
        // Counted in characters: an Arabic title may be as long as an English one.
        if name.chars().count() + word.chars().count() >= MAX_TITLE_CHARS {
            break;
        }
        name.push('-');
        name.push_str(&word);
    }
    format!("{name}-{day}.{end}")
}

/// How many characters a name has before its day: as many as a list of files shows.
const MAX_TITLE_CHARS: usize = 60;
