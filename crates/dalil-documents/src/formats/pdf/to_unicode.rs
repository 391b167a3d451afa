//! The `ToUnicode` map of a font, from codes to text, parsed line by line; bad lines are skipped.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

use super::{fold, text};

/// The codes of a map, each with its text.
pub(super) fn parse(map: &[u8]) -> BTreeMap<u32, String> {
    let mut says = BTreeMap::new();
    let mut held: Vec<Vec<u8>> = Vec::new();
    let mut reading = CMapSection::Nothing;
    // The codes of a range that are still to get a text of a list, each its own.
    let mut listed: Option<std::ops::RangeInclusive<u32>> = None;
    for token in tokens(map).take(MAX_CMAP_TOKENS) {
        match token {
            [b'<', digits @ ..] if listed.is_some() => {
                if let Some(code) = listed.as_mut().and_then(Iterator::next) {
                    says.insert(code, wide(&hex(digits)));
                }
                continue;
            }
            b"[" => {
                if let (CMapSection::Ranges, [first, last]) = (reading, held.as_slice()) {
                    listed = Some(number(first)..=number(last));
                }
            }
            b"]" => listed = None,
            b"beginbfchar" => reading = CMapSection::Each,
            b"beginbfrange" => reading = CMapSection::Ranges,
            b"endbfchar" | b"endbfrange" => (reading, listed) = (CMapSection::Nothing, None),
            [b'<', digits @ ..] => {
                held.push(hex(digits));
                take(reading, &mut held, &mut says);
                continue;
            }
            _ => {}
        }
        held.clear();
    }
    says
}

/// Whether a text that a file gives in place of another differs from it: other digits, or
/// mostly other letters. A ligature, a hyphen or another order is the same text.
pub(super) fn differs(says: &str, shown: &str) -> bool {
    // Where the file gives no letters there is nothing to compare with.
    if shown.contains(fold::UNKNOWN_GLYPH) {
        return false;
    }
    // How often each letter occurs, not where: the order on the page may be visual.
    let count = |text: &str, kind: fn(char) -> bool| {
        let mut counts: BTreeMap<char, i32> = BTreeMap::new();
        for ch in text.nfkc().flat_map(char::to_lowercase).filter(|ch| kind(*ch)) {
            *counts.entry(ch).or_default() += 1;
        }
        counts
    };
    let apart = |kind: fn(char) -> bool| {
        let (mut one, other) = (count(says, kind), count(shown, kind));
        let all: i32 = one.values().chain(other.values()).sum();
        other.iter().for_each(|(ch, times)| *one.entry(*ch).or_default() -= times);
        (one.values().map(|times| times.abs()).sum::<i32>(), all)
    };
    let (digits, _) = apart(char::is_numeric);
    let (letters, all) = apart(char::is_alphabetic);
    let numbers = count(shown, char::is_numeric).len() + count(says, char::is_numeric).len();
    // A word may be drawn with signs of its own; several words may not.
    let share = if says.split_whitespace().count() > 2 { 10 } else { 2 };
    let spoken = count(shown, char::is_alphanumeric).values().sum::<i32>() > 0;
    // A dot or a space that maps to a sentence.
    if !spoken && all >= MIN_COMPARED_LETTERS {
        return true;
    }
    spoken && (digits > 0 && numbers > 1 || all >= MIN_COMPARED_LETTERS && letters * share > all)
}

#[derive(Clone, Copy)]
enum CMapSection {
    Nothing,
    Each,
    Ranges,
}

/// Adds an entry that is complete.
fn take(reading: CMapSection, held: &mut Vec<Vec<u8>>, says: &mut BTreeMap<u32, String>) {
    match (reading, held.as_slice()) {
        (CMapSection::Each, [code, said]) => {
            says.insert(number(code), wide(said));
        }
        (CMapSection::Ranges, [first, last, said]) => {
            let mut said = said.clone();
            for code in
                number(first)..=number(last).min(number(first).saturating_add(MAX_CMAP_RANGE_CODES))
            {
                says.insert(code, wide(&said));
                // Only the last byte counts up, for 256 codes at most (PDF 32000, 9.10.3).
                if let Some(low) = said.last_mut() {
                    *low = low.wrapping_add(1);
                }
            }
        }
        (CMapSection::Nothing, _) => {}
        _ => return,
    }
    held.clear();
}

/// The words of a map, its brackets, and the text in `<` and `>` with the first of the two:
/// `[<0041><0042>]` is four, whether or not spaces part them.
fn tokens(map: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = map;
    std::iter::from_fn(move || {
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        let start = rest.iter().position(|byte| !blank(byte))?;
        let from = rest.get(start..)?;
        let ends = |byte: &u8| blank(byte) || matches!(byte, b'<' | b'[' | b']');
        let length = match from.first()? {
            b'[' | b']' => 1,
            b'<' => {
                let mut inside = from.iter().skip(1);
                inside.position(|byte| matches!(byte, b'>' | b'<')).map_or(from.len(), |at| at + 1)
            }
            _ => from.iter().position(ends).unwrap_or(from.len()),
        };
        let (token, after) = from.split_at_checked(length)?;
        rest = after;
        Some(token)
    })
}

fn hex(digits: &[u8]) -> Vec<u8> {
    let value =
        |digit: &u8| char::from(*digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let digits: Vec<u8> = digits.iter().filter_map(value).collect();
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn wide(bytes: &[u8]) -> String {
    text::decode(&[&[0xFE, 0xFF], bytes].concat())
}

/// Fewer letters than these say too little to differ.
const MIN_COMPARED_LETTERS: i32 = 8;
const MAX_CMAP_TOKENS: usize = 1_000_000;
/// The codes of one range.
const MAX_CMAP_RANGE_CODES: u32 = 0xFF;
