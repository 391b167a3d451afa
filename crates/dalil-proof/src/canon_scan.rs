//! Reading canonical JSON of a known shape, byte by byte.
//!
//! Where a format has one spelling, a reader can expect its bytes one after the
//! other: a text that is read this way is canonical and need not be written again to
//! compare. Only the expected shape is read; a string with an escape is not.

use dalil_phrasebook::{Phrase, error};

use crate::digest::Digest;
use crate::json::MAX_INTEGER;

#[cfg(test)]
mod tests;

/// Bytes that are being read.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalScanner<'b> {
    rest: &'b [u8],
    whole: usize,
}

/// The text that was expected, and where other bytes were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnexpectedBytes {
    /// The text that the format has there.
    pub expected: &'static str,
    /// How many bytes were read before.
    pub at: usize,
}

impl UnexpectedBytes {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        error::unexpected_bytes(shown(self.expected), self.at)
    }
}

dalil_phrasebook::spoken_error!(UnexpectedBytes);

impl<'b> CanonicalScanner<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, whole: bytes.len() }
    }

    /// What could not be read here.
    pub(crate) fn expected(&self, expected: &'static str) -> UnexpectedBytes {
        UnexpectedBytes { expected, at: self.whole - self.rest.len() }
    }

    /// Reads exactly these bytes, which are shown in messages.
    pub(crate) fn literal(&mut self, literal: &'static str) -> Result<(), UnexpectedBytes> {
        if self.skip(literal) { Ok(()) } else { Err(self.expected(literal)) }
    }

    /// Reads these bytes if they are next.
    pub(crate) fn skip(&mut self, literal: &str) -> bool {
        match self.rest.strip_prefix(literal.as_bytes()) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads an object up to its brace before `next`, and `next` itself.
    ///
    /// The caller knows that no such object has a brace before `next` inside.
    pub(crate) fn object(&mut self, next: &'static str) -> Result<&'b [u8], UnexpectedBytes> {
        let mut length = 0;
        loop {
            // Each search begins after the last brace, so all of them together are one pass.
            let rest = self.rest.get(length..).unwrap_or_default();
            let brace = rest.iter().position(|byte| *byte == b'}');
            length += brace.ok_or_else(|| self.expected(next))? + 1;
            let after = self.rest.get(length..).unwrap_or_default();
            if after.starts_with(next.as_bytes()) {
                return self.take(length, next);
            }
        }
    }

    /// Reads a string up to its closing quote, and the quote; one with an escape is not read.
    pub(crate) fn string(&mut self, expected: &'static str) -> Result<&'b [u8], UnexpectedBytes> {
        let ends = |byte: &u8| (*byte == b'"') | (*byte == b'\\') | (*byte < 0x20);
        // Without an early end within a block, many bytes are looked at together.
        let plain = |block: &&[u8; SCAN_BLOCK_BYTES]| {
            !block.iter().fold(false, |any, byte| any | ends(byte))
        };
        let skipped = SCAN_BLOCK_BYTES
            * self.rest.as_chunks::<SCAN_BLOCK_BYTES>().0.iter().take_while(plain).count();
        let rest = self.rest.get(skipped..).unwrap_or_default();
        let place = rest.iter().position(ends).ok_or_else(|| self.expected(expected))?;
        // Otherwise an escape or a control character ended it, and there is no quote to take.
        self.take(skipped + place, "\"").map_err(|_| self.expected(expected))
    }

    /// Reads a string as text.
    pub(crate) fn text(&mut self, expected: &'static str) -> Result<&'b str, UnexpectedBytes> {
        let wrong = self.expected(expected);
        simdutf8::basic::from_utf8(self.string(expected)?).map_err(|_| wrong)
    }

    /// Reads a whole number without a leading zero.
    pub(crate) fn whole(&mut self, expected: &'static str) -> Result<u64, UnexpectedBytes> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let wrong = self.expected(expected);
        let (number, rest) = self.rest.split_at_checked(digits).ok_or(wrong)?;
        // Seventeen digits are more than the largest number has.
        let one_spelling = matches!(number, [b'0'] | [b'1'..=b'9', ..]) && digits < 17;
        let value = number.iter().take(17).fold(0, |sum, digit| 10 * sum + u64::from(digit - b'0'));
        if !one_spelling || value > MAX_INTEGER {
            return Err(wrong);
        }
        self.rest = rest;
        Ok(value)
    }

    /// Reads 64 lower-case hex digits and the quote after them.
    pub(crate) fn hex(&mut self, expected: &'static str) -> Result<Digest, UnexpectedBytes> {
        let wrong = self.expected(expected);
        Digest::from_hex(self.text(expected)?).map_err(|_| wrong)
    }

    /// Checks that nothing is left.
    pub(crate) fn end(&self) -> Result<(), UnexpectedBytes> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.expected("the end")) }
    }

    /// Checks that only a line end is left.
    pub(crate) fn line_end(&self) -> Result<(), UnexpectedBytes> {
        if self.rest == b"\n" { Ok(()) } else { Err(self.expected("a line end")) }
    }

    fn take(&mut self, place: usize, end: &'static str) -> Result<&'b [u8], UnexpectedBytes> {
        let wrong = self.expected(end);
        let (found, rest) = self.rest.split_at_checked(place).ok_or(wrong)?;
        self.rest = rest.strip_prefix(end.as_bytes()).ok_or(wrong)?;
        Ok(found)
    }
}

/// Bytes are quoted, what describes them is not.
fn shown(expected: &str) -> String {
    let is_bytes = expected.starts_with(|ch: char| ch.is_ascii_punctuation());
    if is_bytes { format!("`{expected}`") } else { expected.to_owned() }
}

/// How many bytes of a string are looked at together.
const SCAN_BLOCK_BYTES: usize = 32;
