//! Text as it looks: invisible characters removed, letters and digits of other shapes replaced by
//! plain ones, and escapes of HTML, URLs and JSON decoded.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use crate::mask::edge::is_mark;

/// A text as it looks, and the original place of each of its bytes.
pub(super) struct FoldedText {
    pub(super) text: String,
    /// For each byte, the place of the characters that it is of.
    places: Vec<(usize, usize)>,
}

impl FoldedText {
    /// Nothing when the text looks as it is.
    pub(super) fn of(text: &str) -> Option<Self> {
        if !is_coded(text) && !is_shaped(text) {
            return None;
        }
        let mut folded = Self { text: String::with_capacity(text.len()), places: Vec::new() };
        let mut at = 0;
        while let Some(ch) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let (seen, length) = coded(text, at).unwrap_or((ch, ch.len_utf8()));
            if !is_unseen(seen) {
                let seen = plain(seen);
                folded.text.push(seen);
                folded.places.extend(std::iter::repeat_n((at, at + length), seen.len_utf8()));
            }
            at += length;
        }
        Some(folded)
    }

    /// Maps a range of the folded text to the original one.
    pub(super) fn original(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let (start, _) = self.places.get(range.start)?;
        let (_, end) = self.places.get(range.end.checked_sub(1)?)?;
        Some(*start..*end)
    }
}

/// Whether a text may hold a code for printed ASCII.
fn is_coded(text: &str) -> bool {
    // Most texts have none of the three signs, which is seen many bytes at a time.
    let may_be = |byte: u8| u8::from((byte == b'&') | (byte == b'%') | (byte == b'\\'));
    text.bytes().fold(0, |any, byte| any | may_be(byte)) != 0
        && CODE_STARTS.iter().any(|start| text.contains(start))
}

/// Whether a text looks different from its code points.
fn is_shaped(text: &str) -> bool {
    text.chars().any(|ch| match ch {
        // In this order, so that plain text needs no look into the tables of Unicode.
        '\0'..='\u{7f}' => false,
        '\u{300}'..='\u{8ff}' => is_unseen(ch),
        _ => is_unseen(ch) || plain(ch) != ch,
    })
}

/// Whether a character is not seen: a mark of direction, one that Unicode calls ignorable, the
/// stroke that lengthens an Arabic word, or the frame around a key.
fn is_unseen(ch: char) -> bool {
    is_mark(ch)
        || matches!(ch,
            '\u{ad}' | '\u{34f}' | '\u{640}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{2060}'..='\u{206f}' | '\u{20e3}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// The ASCII character that a full-width, raised, circled or mathematical one is, or a digit of
/// another script; other characters as they are.
fn plain(ch: char) -> char {
    match ch {
        '\0'..='\u{b1}' | '\u{300}'..='\u{8ff}' => ch,
        '\u{3002}' => '.',
        _ => digit(ch).or_else(|| compatible(ch)).unwrap_or(ch),
    }
}

/// The one ASCII character that Unicode's compatibility forms make of another.
fn compatible(ch: char) -> Option<char> {
    let mut forms = std::iter::once(ch).nfkc();
    let form = forms.next().filter(char::is_ascii_graphic)?;
    forms.next().is_none().then_some(form)
}

/// The value of a digit of the scripts of India and South-East Asia. The three scripts that
/// numbers are read in are not here.
fn digit(ch: char) -> Option<char> {
    let zero = OTHER_ZEROS.iter().rev().find(|zero| **zero <= ch)?;
    char::from_digit(u32::from(ch) - u32::from(*zero), 10)
}

/// The character of a code, and the length of the code: `&#49;`, `&#x31;`, `%31`, `\u0031`. Only
/// printed ASCII is decoded: a code for anything else hides nothing here.
fn coded(text: &str, at: usize) -> Option<(char, usize)> {
    let rest = text.as_bytes().get(at..)?;
    let number = |from: usize, digits: usize, radix: u32| {
        let digits = rest.get(from..from + digits)?;
        u32::from_str_radix(str::from_utf8(digits).ok()?, radix).ok()
    };
    let (code, length) = match rest {
        [b'%', ..] => (number(1, 2, 16)?, 3),
        [b'\\', b'u', ..] => (number(2, 4, 16)?, 6),
        [b'&', b'#', ..] => {
            let end = rest.iter().take(MAX_ENTITY_BYTES).position(|byte| *byte == b';')?;
            let (from, radix) =
                if matches!(rest.get(2), Some(b'x' | b'X')) { (3, 16) } else { (2, 10) };
            (number(from, end.checked_sub(from)?, radix)?, end + 1)
        }
        _ => return None,
    };
    char::from_u32(code).filter(char::is_ascii_graphic).map(|ch| (ch, length))
}

/// The beginnings of codes for printed ASCII.
const CODE_STARTS: [&str; 8] = ["&#", "%2", "%3", "%4", "%5", "%6", "%7", "\\u00"];

/// `&#x0040;` is the longest way to write an ASCII character that is seen in the wild.
const MAX_ENTITY_BYTES: usize = 8;

/// The zeros of scripts whose digits are not read as numbers elsewhere, in order.
const OTHER_ZEROS: [char; 16] = [
    '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}', '\u{ce6}',
    '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{17e0}', '\u{1810}', '\u{a8d0}',
];
