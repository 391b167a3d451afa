//! Texts as the typefaces can show them.
//!
//! The texts of a pack may hold anything: markup, controls, overrides of direction,
//! scripts without a typeface here. A [`PrintableText`] holds only characters that can be
//! shown; any other is replaced by its code, `[U+202E]`, and counted.

use std::borrow::Cow;
use std::cell::Cell;

use dalil_phrasebook::Language;
use dalil_proof::fault::steers;
use dalil_proof::json::Json;
use serde::Serialize;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation as _;

use super::digits::DigitStyle;
use super::font::EmbeddedFonts;

mod isolate;
#[cfg(test)]
mod tests;

/// A text and the language that it is set in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PrintableText {
    /// The words.
    pub(super) t: String,
    /// `ar` or `en`, by its first letter.
    pub(super) l: &'static str,
}

/// Writes the texts of one document, and counts the replaced characters.
#[derive(Debug)]
pub(super) struct PageTextWriter {
    faces: &'static EmbeddedFonts,
    pub(super) language: Language,
    pub(super) style: DigitStyle,
    replaced: Cell<u64>,
}

impl PageTextWriter {
    pub(super) fn new(
        faces: &'static EmbeddedFonts,
        language: Language,
        style: DigitStyle,
    ) -> Self {
        Self { faces, language, style, replaced: Cell::new(0) }
    }

    /// How many characters are shown by their codes.
    pub(super) fn replaced(&self) -> u64 {
        self.replaced.get()
    }

    /// A text with its own line ends.
    pub(super) fn text(&self, text: &str) -> PrintableText {
        let shown = self.shown(text.trim());
        let language = self.tongue(&shown);
        self.set(&shown, language, MAX_LINE_TENTHS_EM)
    }

    /// A piece of a text in the language of the document, with the spaces at its ends.
    pub(super) fn piece(&self, piece: &str) -> PrintableText {
        self.piece_of(piece, self.language)
    }

    /// A piece of a text in the language of that text, with the spaces at its ends.
    pub(super) fn piece_of(&self, piece: &str, language: Language) -> PrintableText {
        self.set(&self.shown(piece), language, MAX_LINE_TENTHS_EM)
    }

    /// The language that a text is set in.
    pub(super) fn language_of(&self, text: &str) -> Language {
        self.tongue(text)
    }

    /// A text on one line, wherever it is broken.
    pub(super) fn line(&self, text: &str) -> PrintableText {
        self.within(text, MAX_LINE_TENTHS_EM)
    }

    /// The title, which is set larger.
    pub(super) fn title(&self, text: &str) -> PrintableText {
        self.within(text, MAX_TITLE_TENTHS_EM)
    }

    /// A text for the wide column of a table.
    pub(super) fn wide(&self, text: &str) -> PrintableText {
        self.within(text, MAX_WIDE_CELL_TENTHS_EM)
    }

    /// A text for a narrow column.
    pub(super) fn cell(&self, text: &str) -> PrintableText {
        self.within(text, MAX_NARROW_CELL_TENTHS_EM)
    }

    fn within(&self, text: &str, width: usize) -> PrintableText {
        let words: Vec<&str> = text.split_whitespace().collect();
        let shown = self.shown(&words.join(" "));
        let language = self.tongue(&shown);
        self.set(&shown, language, width)
    }

    fn set(&self, shown: &str, language: Language, width: usize) -> PrintableText {
        let shown = telephones(shown);
        let t = match language {
            Language::English => breakable(&shown, width),
            Language::Arabic => breakable(&isolate::latin(&shown), width),
        };
        PrintableText { t, l: language.tag() }
    }

    /// A JSON value: a text as it is, anything else as indented JSON, cut where it is very long.
    pub(super) fn json(&self, json: &Json<'_>) -> Option<PrintableJson> {
        let whole = match json {
            Json::Null => return None,
            Json::Object(members) if members.is_empty() => return None,
            Json::Text(text) => {
                return Some(PrintableJson { text: self.text(text), cut: None, code: false });
            }
            Json::Bool(_) | Json::Number(_) | Json::List(_) | Json::Object(_) => {
                serde_json::to_string_pretty(json).ok()?
            }
        };
        // Cut before it is typeset: a value may be as large as the whole pack.
        let end = whole.char_indices().nth(MAX_JSON_CHARS).map_or(whole.len(), |(at, _)| at);
        let (kept, rest) = whole.split_at_checked(end)?;
        let cut = rest.chars().count();
        let cut = (cut > 0).then(|| self.number(cut as u64));
        let text = PrintableText { t: breakable(&self.shown(kept), MAX_LINE_TENTHS_EM), l: "en" };
        Some(PrintableJson { text, cut, code: true })
    }

    /// A text in the characters that the typefaces have; every other one by its code.
    fn shown(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        for cluster in text.graphemes(true) {
            match cluster {
                "\n" | "\r\n" | "\r" | "\u{b}" | "\u{c}" | "\u{85}" | "\u{2028}" | "\u{2029}" => {
                    shown.push('\n');
                }
                "\t" => shown.push(' '),
                // Every face has printed ASCII, so most text needs no look into the typefaces.
                plain if plain.len() == 1 && !plain.contains(steers) => shown.push_str(plain),
                _ => self.cluster(cluster, &mut shown),
            }
        }
        shown
    }

    /// Appends one letter with its marks, or the codes in place of it.
    fn cluster(&self, cluster: &str, shown: &mut String) {
        let whole = self.faces.show(cluster);
        let mut marks = 0;
        let mut text = [0; 4];
        for (n, ch) in cluster.chars().enumerate() {
            let mark = is_combining_mark(ch);
            marks += usize::from(mark);
            // A letter is shown although its marks cannot be.
            let alone = n == 0 && !mark && self.faces.show(ch.encode_utf8(&mut text));
            // A mark without a letter, or the fifth on one, would be drawn over the text around it.
            let together = whole && !(mark && (n == 0 || marks > MAX_MARKS_PER_LETTER));
            if !steers(ch) && (alone || together) {
                shown.push(ch);
            } else {
                self.replaced.set(self.replaced.get() + 1);
                shown.push_str(&format!("[U+{:04X}]", u32::from(ch)));
            }
        }
    }

    /// The language of a text by its first letter; the document's when it has none.
    fn tongue(&self, text: &str) -> Language {
        let first = text.chars().find(|ch| ch.is_alphabetic());
        match first {
            Some(ch) if is_arabic(ch) => Language::Arabic,
            Some(_) => Language::English,
            None => self.language,
        }
    }
}

/// A JSON value as it is shown.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PrintableJson {
    pub(super) text: PrintableText,
    /// How many characters were left out, in words.
    cut: Option<String>,
    /// Whether it is code.
    code: bool,
}

/// The text with telephone numbers that cannot be broken: a plus sign and groups of digits, each after one space.
fn telephones(text: &str) -> Cow<'_, str> {
    if !text.contains('+') {
        return text.into();
    }
    let mut joined = String::with_capacity(text.len());
    let mut number = 0;
    let mut rest = text.chars().peekable();
    while let Some(ch) = rest.next() {
        let digit = rest.peek().is_some_and(char::is_ascii_digit);
        // The characters of the number so far; 0 outside of one.
        number = match ch {
            '+' if digit => 1,
            ' ' if number > 0 && digit => number + 1,
            '0'..='9' if number > 0 => number + 1,
            _ => 0,
        };
        let inside = ch == ' ' && (2..=MAX_TELEPHONE_CHARS).contains(&number);
        joined.push(if inside { '\u{a0}' } else { ch });
    }
    joined.into()
}

/// The text with places to break it wherever a word is wider than `most` tenths of an em.
fn breakable(text: &str, most: usize) -> String {
    let mut broken = String::with_capacity(text.len());
    let mut run = 0;
    let mut clusters = text.graphemes(true).peekable();
    while let Some(cluster) = clusters.next() {
        let width = cluster.chars().map(width).max().unwrap_or(0);
        // A line breaks by itself at spaces and after hyphens, but before no sign that closes.
        let held = clusters.peek().is_some_and(|next| next.starts_with(closes));
        let ends =
            cluster.contains(['\n', ZERO_WIDTH_SPACE]) || cluster.contains([' ', '-']) && !held;
        run = if ends { 0 } else { run + width };
        if run > most {
            broken.push(ZERO_WIDTH_SPACE);
            run = width;
        }
        broken.push_str(cluster);
    }
    broken
}

/// Whether a line never begins with a sign, not even after a space.
fn closes(ch: char) -> bool {
    let known =
        ".,:;!?)]}/%'\"\u{bb}\u{2019}\u{201d}\u{203a}\u{2026}\u{60c}\u{61b}\u{61f}\u{66a}\u{6d4}";
    let isolates = '\u{2066}'..='\u{2069}';
    // Of the signs beyond ASCII more are counted than close: a place too many does no harm.
    let other = !ch.is_alphanumeric() && !ch.is_ascii() && !isolates.contains(&ch);
    known.contains(ch) || other && ch != ZERO_WIDTH_SPACE
}

/// How wide a character is at most, in tenths of an em.
fn width(ch: char) -> usize {
    match ch {
        'W' | 'M' | '@' | 'm' | 'w' | '%' => 10,
        'a'..='z' | '0'..='9' | '!'..='/' | ':'..='?' | '['..='`' | '{'..='~' => 6,
        'A'..='Z' => 7,
        ' ' | '\u{a0}' => 3,
        '\u{2066}'..='\u{2069}' => 0,
        _ => 11,
    }
}

fn is_arabic(ch: char) -> bool {
    matches!(ch, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// A space without width.
const ZERO_WIDTH_SPACE: char = '\u{200b}';
/// The width that fits on a line beside its name, on one of the title, in the wide column of a
/// table and in a narrow one, in tenths of an em.
const MAX_LINE_TENTHS_EM: usize = 310;
const MAX_TITLE_TENTHS_EM: usize = 160;
const MAX_WIDE_CELL_TENTHS_EM: usize = 210;
const MAX_NARROW_CELL_TENTHS_EM: usize = 85;
/// How many characters a telephone number has at most; a longer row of digits is broken like any other.
const MAX_TELEPHONE_CHARS: usize = 20;
/// Marks on one letter beyond these would run into other lines.
const MAX_MARKS_PER_LETTER: usize = 4;
/// The most printed characters of a JSON value; the attachment has the rest.
const MAX_JSON_CHARS: usize = 4_000;
