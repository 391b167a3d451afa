//! How much of a text needs no escape in a JSON string.
//!
//! Both the parser of JSON and the writer of canonical JSON spend most of their
//! time here, so eight bytes are looked at together, and more in a long text.

#[cfg(test)]
mod tests;

/// How many bytes come before the first that JSON escapes: a quote, a backslash or a control
/// character. All of them, if there is none.
pub(crate) fn plain_length(text: &[u8]) -> usize {
    let (blocks, _) = text.as_chunks::<BLOCK_BYTES>();
    // Without an early end within a block, the compiler looks at all its bytes at once.
    let is_plain = |block: &&[u8; BLOCK_BYTES]| {
        !block.iter().fold(false, |any, byte| any | must_escape(*byte))
    };
    // Most strings are shorter than that and end in the first words.
    let skipped = match text.first_chunk().map(|word| escapes(u64::from_le_bytes(*word))) {
        Some(0) => BLOCK_BYTES * blocks.iter().take_while(is_plain).count(),
        _ => 0,
    };
    let rest = text.get(skipped..).unwrap_or_default();
    let (words, tail) = rest.as_chunks::<8>();
    for (n, word) in words.iter().enumerate() {
        let found = escapes(u64::from_le_bytes(*word));
        if found != 0 {
            return skipped + n * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    let plain = tail.iter().position(|byte| must_escape(*byte)).unwrap_or(tail.len());
    text.len() - tail.len() + plain
}

/// Whether a byte of a string is written as an escape (RFC 8785, section 3.2.2.2).
pub(crate) fn must_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The high bit of each byte that must be escaped; bits above the lowest may be wrong.
fn escapes(word: u64) -> u64 {
    let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let is_control = word.wrapping_sub(ONES * 0x20) & !word;
    (is_control | is_zero(word ^ (ONES * 0x22)) | is_zero(word ^ (ONES * 0x5c))) & HIGH_BITS
}

const ONES: u64 = u64::MAX / 0xff;
const HIGH_BITS: u64 = ONES * 0x80;
/// How many bytes of a long text are looked at together.
const BLOCK_BYTES: usize = 32;
