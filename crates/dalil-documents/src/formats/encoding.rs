//! Decodes bytes to characters, and maps each character back to its bytes.
//!
//! The rule, in order: a byte order mark decides; valid UTF-8 is UTF-8;
//! UTF-8 in which few bytes are wrong is UTF-8 with those bytes replaced; anything
//! else is windows-1256 when most letters beyond ASCII are next to another such
//! letter, as in Arabic words, and windows-1252 otherwise.

use dalil_phrasebook::{Phrase, document_note};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, WINDOWS_1256};

use crate::document::ParseProblem;

/// A text, and how it was written.
#[derive(Debug)]
pub(super) struct DecodedText {
    /// The characters, without the byte order mark.
    pub(super) text: String,
    /// The guess or the loss, if any.
    pub(super) problem: Option<ParseProblem>,
    width: EncodedCharWidth,
    mark: usize,
    /// Where in the text a byte that is no UTF-8 was replaced.
    replaced: Vec<usize>,
}

/// How many bytes of the original a character was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EncodedCharWidth {
    Utf8,
    Utf16,
    One,
    /// An encoding whose characters have many widths: places are of the text.
    Unknown,
}

/// Decodes by the rule above.
pub(super) fn decode(bytes: &[u8]) -> DecodedText {
    match Encoding::for_bom(bytes) {
        Some((encoding, mark)) if encoding != UTF_8 => wide(bytes, encoding, mark),
        // A mark for UTF-8 is believed even where some bytes are wrong.
        Some((_, mark)) => utf8(bytes, mark).unwrap_or_else(|_| replace(bytes, mark)),
        None => utf8(bytes, 0).unwrap_or_else(|wrong| {
            if wrong <= bytes.len() / MIN_BYTES_PER_UTF8_ERROR {
                replace(bytes, 0)
            } else {
                guess(bytes)
            }
        }),
    }
}

/// Decodes with the encoding that the document names, if the bytes are not UTF-8.
pub(super) fn decode_as(bytes: &[u8], label: &str) -> DecodedText {
    let marked = Encoding::for_bom(bytes).is_some();
    match Encoding::for_label(label.as_bytes()) {
        // Bytes that are valid UTF-8 outweigh the label: text of another encoding that is not plain
        // ASCII is hardly ever valid UTF-8 by chance.
        Some(encoding) if !marked && std::str::from_utf8(bytes).is_err() && encoding != UTF_8 => {
            let (text, lost) = encoding.decode_without_bom_handling(bytes);
            let width = if encoding.is_single_byte() {
                EncodedCharWidth::One
            } else {
                EncodedCharWidth::Unknown
            };
            let problem = lost.then(|| note(&document_note::bytes_replaced()));
            DecodedText { text: text.into_owned(), problem, width, mark: 0, replaced: Vec::new() }
        }
        _ => decode(bytes),
    }
}

/// Turns offsets of a text into offsets of its original; they must not go down.
#[derive(Debug)]
pub(super) struct OriginalOffsets<'d> {
    decoded: &'d DecodedText,
    at: usize,
    original: usize,
    replaced: &'d [usize],
}

impl DecodedText {
    pub(super) fn offsets(&self) -> OriginalOffsets<'_> {
        OriginalOffsets { decoded: self, at: 0, original: self.mark, replaced: &self.replaced }
    }
}

impl OriginalOffsets<'_> {
    /// Where in the original the text's byte `offset` is.
    pub(super) fn original(&mut self, offset: usize) -> usize {
        let DecodedText { text, width, .. } = self.decoded;
        let passed = text.get(self.at..offset).unwrap_or_default();
        match width {
            EncodedCharWidth::Utf8 => {
                // A replacement character has three bytes in the text and one in the original.
                let below = self.replaced.partition_point(|at| *at < offset);
                let (gone, left) = self.replaced.split_at(below);
                self.replaced = left;
                let added = gone.len() * (char::REPLACEMENT_CHARACTER.len_utf8() - 1);
                self.original += passed.len().saturating_sub(added);
            }
            EncodedCharWidth::Utf16 => {
                self.original += 2 * passed.chars().map(char::len_utf16).sum::<usize>();
            }
            EncodedCharWidth::One => self.original += passed.chars().count(),
            EncodedCharWidth::Unknown => self.original += passed.len(),
        }
        self.at = self.at.max(offset);
        self.original
    }
}

fn utf8(bytes: &[u8], mark: usize) -> Result<DecodedText, usize> {
    let body = bytes.get(mark..).unwrap_or_default();
    match std::str::from_utf8(body) {
        Ok(text) => Ok(DecodedText {
            text: text.to_owned(),
            problem: None,
            width: EncodedCharWidth::Utf8,
            mark,
            replaced: Vec::new(),
        }),
        Err(_) => Err(body.utf8_chunks().map(|chunk| chunk.invalid().len()).sum()),
    }
}

/// UTF-8 in which each byte that is none becomes a replacement character.
fn replace(bytes: &[u8], mark: usize) -> DecodedText {
    let body = bytes.get(mark..).unwrap_or_default();
    let mut text = String::with_capacity(body.len());
    let mut replaced = Vec::new();
    for chunk in body.utf8_chunks() {
        text.push_str(chunk.valid());
        // One for each byte, not one for each sequence as in `from_utf8_lossy`: places stay exact.
        for _ in chunk.invalid() {
            replaced.push(text.len());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    let count = replaced.len();
    let problem = Some(note(&document_note::bytes_not_utf8(count)));
    DecodedText { text, problem, width: EncodedCharWidth::Utf8, mark, replaced }
}

fn wide(bytes: &[u8], encoding: &'static Encoding, mark: usize) -> DecodedText {
    debug_assert!(encoding == UTF_16LE || encoding == UTF_16BE, "the only other marks");
    let body = bytes.get(mark..).unwrap_or_default();
    let (text, lost) = encoding.decode_without_bom_handling(body);
    let problem = lost.then(|| note(&document_note::halves_replaced()));
    DecodedText {
        text: text.into_owned(),
        problem,
        width: EncodedCharWidth::Utf16,
        mark,
        replaced: Vec::new(),
    }
}

fn guess(bytes: &[u8]) -> DecodedText {
    let beyond = |byte: Option<&u8>| byte.is_some_and(|byte| *byte >= 0x80);
    let mut high = 0_usize;
    let mut beside = 0_usize;
    for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte >= 0x80) {
        // The Arabic comma, semicolon and question mark stand alone in Arabic as well.
        high += usize::from(!matches!(byte, 0xA1 | 0xBA | 0xBF));
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        beside += usize::from(beyond(before) || beyond(bytes.get(at + 1)));
    }
    // Accented letters of Western words stand alone among ASCII; Arabic letters come in runs.
    let encoding = if beside * 2 > high { WINDOWS_1256 } else { WINDOWS_1252 };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let name = encoding.name();
    let problem = Some(note(&document_note::bytes_read_as(name)));
    let text = text.into_owned();
    DecodedText { text, problem, width: EncodedCharWidth::One, mark: 0, replaced: Vec::new() }
}

fn note(message: &Phrase) -> ParseProblem {
    ParseProblem::new(None, message)
}

/// A text with more wrong bytes than one in this number is not taken for UTF-8.
const MIN_BYTES_PER_UTF8_ERROR: usize = 200;
