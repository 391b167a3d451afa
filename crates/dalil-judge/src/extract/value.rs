//! Values: whether words state a number that counts something.

use dalil_documents::sentence::{NUMBERED_NOUNS, is_digit};

use super::plain::folded;

/// Whether a text has a number that is more than part of a name, a reference or a year.
pub(super) fn counts(text: &str) -> bool {
    let folded = folded(text);
    let all: Vec<&str> = folded.split_whitespace().collect();
    let mut before = "";
    for (n, word) in all.iter().enumerate() {
        let bare = word.trim_matches(|ch: char| !ch.is_alphanumeric());
        if is_number(bare) {
            let money = word.contains(['$', '€', '£', '%', '٪', '﷼']);
            let stands = !NUMBERED_NOUNS.contains(&before)
                && !is_year(bare)
                && !NUMBER_NAMING_WORDS.contains(&before);
            let named = all.get(n + 1).is_some_and(|next| next.starts_with(char::is_alphabetic));
            if money || stands && (named || n > 0 && VALUE_LEAD_WORDS.contains(&before)) {
                return true;
            }
        }
        before = bare;
    }
    false
}

/// `12`, `1,200.50`, `٢١`; not `37signals`, `10-K` or `33/2021`.
fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|ch| is_digit(ch) || matches!(ch, ',' | '.' | '٬' | '٫'))
}

fn is_year(number: &str) -> bool {
    number.chars().count() == 4
        && ["19", "20", "14", "١٩", "٢٠", "١٤"].iter().any(|start| number.starts_with(start))
}

/// Words whose number names a law or a document.
const NUMBER_NAMING_WORDS: &[&str] =
    &["no", "nr", "number", "law", "rfc", "iso", "version", "v", "رقم", "لسنة"];
/// Words after which a bare number is a value.
const VALUE_LEAD_WORDS: &[&str] =
    &["is", "are", "was", "of", "to", "at", "than", "هو", "هي", "الي"];
