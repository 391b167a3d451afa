//! Names of people and agents: the rules for a name, and when two names look alike.

use dalil_phrasebook::expected;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::id::{EXPECTED_GIVEN_ID, is_given};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

#[cfg(test)]
mod tests;

/// Whether a reader could take two names for one.
///
/// This is for refusing: a stranger must not pass for another person. It is never for granting,
/// which asks [`is_spelling`].
pub fn is_confusable_with(one: &str, other: &str) -> bool {
    NameLook::of(one).is_confusable_with(&NameLook::of(other))
}

/// How a name looks to a reader, made once for a name that is compared with many.
#[derive(Clone, Debug)]
pub(crate) struct NameLook<'n> {
    trimmed: &'n str,
    plain: String,
    shape: String,
}

impl<'n> NameLook<'n> {
    /// The look of a name.
    pub(crate) fn of(name: &'n str) -> Self {
        Self { trimmed: name.trim(), plain: plain(name), shape: shape(name) }
    }

    /// As [`is_confusable_with`].
    pub(crate) fn is_confusable_with(&self, other: &NameLook<'_>) -> bool {
        // A name without letters has an empty key; all such names would look alike.
        let same = |one: &str, other: &str| !one.is_empty() && one == other;
        self.trimmed == other.trimmed
            || same(&self.plain, &other.plain)
            || same(&self.shape, &other.shape)
    }
}

/// Whether two names are spellings of one: the same letters and digits, in any case.
pub fn is_spelling(one: &str, other: &str) -> bool {
    // No look-alikes are folded: what grants must not be wider than the same letters.
    let letters = |name: &str| {
        let chars = name.chars().filter(|ch| ch.is_alphanumeric());
        chars.flat_map(char::to_lowercase).collect::<String>()
    };
    one.trim() == other.trim() || !letters(one).is_empty() && letters(one) == letters(other)
}

/// Reads a name that is distinct from others: a given id with a letter or a digit, and no character
/// that turns the direction of text.
pub fn read(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::text(reader)?;
    if !is_given(text) {
        return reader.refuse("name", EXPECTED_GIVEN_ID);
    }
    if text.contains(turns) || plain(text).is_empty() {
        return reader.refuse("name", expected::a_letter_or_a_digit_and_no_control_of_direction());
    }
    Some(text.to_owned())
}

/// The letters and digits of a name without case, marks and variants of Arabic letters.
fn plain(name: &str) -> String {
    if name.is_ascii() {
        return ascii_letters(name).map(|ch| ch.to_ascii_lowercase()).collect();
    }
    letters(name).flat_map(char::to_lowercase).map(variant).collect()
}

/// The same, each letter as the Latin one that it is drawn like.
fn shape(name: &str) -> String {
    // Before lower case, since a capital `I` is drawn like `l` and a small `i` is not.
    if name.is_ascii() {
        return ascii_letters(name).map(|ch| look(ch).to_ascii_lowercase()).collect();
    }
    letters(name).map(look).flat_map(char::to_lowercase).map(variant).collect()
}

/// The letters and digits of a name in ASCII, which are their own compatibility forms.
fn ascii_letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(char::is_ascii_alphanumeric)
}

/// Letters and digits in their compatibility forms, without marks or anything unseen.
fn letters(name: &str) -> impl Iterator<Item = char> {
    let seen = |ch: &char| {
        // Unicode counts these as letters, but no reader does: tatweel, and fillers.
        let blank = matches!(ch, '\u{640}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}');
        ch.is_alphanumeric() && canonical_combining_class(*ch) == 0 && !blank
    };
    name.nfkd().filter(seen)
}

/// One letter for the forms of an Arabic letter, one digit for those of a digit.
fn variant(ch: char) -> char {
    match ch {
        // Alef with hamza or madda needs no arm: NFKD has split off the mark.
        '\u{671}'..='\u{673}' | '\u{675}' => 'ا',
        'ى' | 'ی' | 'ې' | 'ے' => 'ي',
        'ة' | 'ہ' | 'ھ' | 'ە' | 'ۃ' | 'ۀ' | 'ۂ' => 'ه',
        'ک' | 'ڪ' => 'ك',
        'ں' => 'ن',
        'ڡ' => 'ف',
        'ٯ' => 'ق',
        '\u{660}'..='\u{669}' => digit(ch, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit(ch, '\u{6f0}'),
        other => other,
    }
}

fn digit(ch: char, zero: char) -> char {
    char::from_digit(u32::from(ch).saturating_sub(u32::from(zero)), 10).unwrap_or(ch)
}

/// The Latin letter that a letter or digit is drawn like.
fn look(ch: char) -> char {
    match ch {
        'I' | '1' => return 'l',
        '0' => return 'o',
        _ if ch.is_ascii() => return ch,
        _ => {}
    }
    let place = |(latin, others): &(char, &str)| others.contains(ch).then_some(*latin);
    LATIN_LOOKALIKES.iter().find_map(place).unwrap_or(ch)
}

/// Whether a character turns the direction of the text after it.
fn turns(ch: char) -> bool {
    matches!(
        ch,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// Latin letters, and their look-alikes in Cyrillic, Greek, Armenian and Latin beyond ASCII.
const LATIN_LOOKALIKES: [(char, &str); 26] = [
    ('a', "аАαΑɑᴀ"),
    ('b', "ВвЬьΒβʙ"),
    ('c', "сСϲϹᴄ"),
    ('d', "ԁԀđĐɗᴅ"),
    ('e', "еЕΕεєЄᴇ"),
    ('f', "ſꜰƒ"),
    ('g', "ɡցɢԍ"),
    ('h', "һҺНнΗհħĦʜ"),
    ('i', "іІιıɩɪ"),
    ('j', "јЈϳᴊ"),
    ('k', "кКκΚᴋ"),
    ('l', "ӏӀΙłŁʟ"),
    ('m', "мМΜᴍ"),
    ('n', "пηΝոɴ"),
    ('o', "оОοΟσօøØᴏ"),
    ('p', "рРρΡᴘ"),
    ('q', "ԛԚգ"),
    ('r', "гʀ"),
    ('s', "ѕЅꜱ"),
    ('t', "тТτΤᴛ"),
    ('u', "υսᴜ"),
    ('v', "νѵѴᴠ"),
    ('w', "ԝԜωᴡ"),
    ('x', "хХχΧ"),
    ('y', "уУΥүҮγʏ"),
    ('z', "Ζᴢ"),
];
