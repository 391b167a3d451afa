//! Positions: where a byte of a text is, counted in characters.
//!
//! Everything published counts characters: offsets of claims, of evidence and of
//! blocks, and positions of citations.

#[cfg(test)]
mod tests;

/// The characters of a text, counted once, to be asked in any order.
#[derive(Clone, Debug)]
pub struct CharOffsetIndex<'t> {
    text: &'t str,
    /// How many characters begin before each stride of bytes.
    marks: Vec<usize>,
}

impl<'t> CharOffsetIndex<'t> {
    /// Counts the characters of a text.
    pub fn of(text: &'t str) -> Self {
        let strides = text.as_bytes().chunks(STRIDE_BYTES);
        let mut marks = Vec::with_capacity(strides.len());
        let mut before = 0;
        for stride in strides {
            marks.push(before);
            before += characters(stride);
        }
        // One more, for the end of a text that ends with a stride.
        marks.push(before);
        Self { text, marks }
    }

    /// How many characters begin before the byte `at`; all of them when it is behind the text.
    pub fn at(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let stride = at / STRIDE_BYTES;
        // Without a mark, which each stride has, the count begins at the beginning.
        let (from, before) =
            self.marks.get(stride).map_or((0, 0), |before| (stride * STRIDE_BYTES, *before));
        let rest = self.text.as_bytes().get(from..at).unwrap_or_default();
        before + characters(rest)
    }
}

/// How many characters begin in some bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    // In UTF-8 every byte of a character but its first is 10xxxxxx.
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

const STRIDE_BYTES: usize = 1024;
