//! How much of a text needs no escape in a JSON string.
//!
//! Both the parser of JSON and the writer of canonical JSON spend most of their
//! time here, so eight bytes are looked at together, and more in a long text.

#[cfg(test)]
mod tests;

/// How many bytes come before the first that JSON escapes: a quote, a backslash or a control
/// character. All of them, if there is none.
pub(crate) fn plain_length(text: &[u8]) -> usize {
    // Most strings are short and end in the first words, before a block would pay.
    let (words, rest) = text.as_chunks::<8>();
    for (n, word) in words.iter().take(SHORT_WORDS).enumerate() {
        let found = escapes(u64::from_le_bytes(*word));
        if found != 0 {
            return n * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    if words.len() <= SHORT_WORDS {
        let plain = rest.iter().position(|byte| must_escape(*byte)).unwrap_or(rest.len());
        return words.len() * 8 + plain;
    }
    SHORT_WORDS * 8 + plain_blocks(text.get(SHORT_WORDS * 8..).unwrap_or_default())
}

/// The same for a text that is long, or followed by others in a long text.
fn plain_blocks(text: &[u8]) -> usize {
    let (blocks, _) = text.as_chunks::<BLOCK_BYTES>();
    // Without an early end within a block, the compiler looks at all its bytes at once.
    let is_plain = |block: &&[u8; BLOCK_BYTES]| {
        !block.iter().fold(false, |any, byte| any | must_escape(*byte))
    };
    let skipped = BLOCK_BYTES * blocks.iter().take_while(is_plain).count();
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

/// Whether the content between the quotes of a key is ASCII without an escape.
pub(crate) fn is_plain_key(key: &[u8]) -> bool {
    let (words, _) = key.as_chunks::<8>();
    let odd = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        (word | zeros(word ^ (ONES * 0x5c))) & HIGH_BITS
    };
    match key.last_chunk() {
        // The last word covers some bytes a second time.
        Some(last) => words.iter().fold(odd(last), |all, word| all | odd(word)) == 0,
        None => !key.iter().fold(false, |any, byte| any | (*byte == b'\\') | !byte.is_ascii()),
    }
}

/// The high bit of each byte that must be escaped; bits above the lowest may be wrong.
fn escapes(word: u64) -> u64 {
    let is_control = word.wrapping_sub(ONES * 0x20) & !word;
    (is_control | zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5c))) & HIGH_BITS
}

/// The high bit of each byte that is zero; bits above the lowest, and others, may be wrong.
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

const ONES: u64 = u64::MAX / 0xff;
const HIGH_BITS: u64 = ONES * 0x80;
/// How many words of a text are looked at before blocks of it.
const SHORT_WORDS: usize = 3;
/// How many bytes of a long text are looked at together.
const BLOCK_BYTES: usize = 32;
