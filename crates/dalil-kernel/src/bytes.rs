//! A large buffer that begins at a cache line.

#[cfg(test)]
mod tests;

/// Bytes that begin at a multiple of [`CACHE_LINE_BYTES`] in memory.
///
/// A vector that is loaded from the middle of two cache lines costs two loads.
/// The buffer is zeroed by the system, page by page as it is written.
#[derive(Debug, Default)]
pub struct AlignedBytes {
    bytes: Vec<u8>,
    start: usize,
    length: usize,
}

/// Bytes of a cache line.
pub const CACHE_LINE_BYTES: usize = 64;

impl AlignedBytes {
    /// A buffer of zeros; none if `length` and a line are more than a number can say.
    pub fn zeroed(length: usize) -> Option<Self> {
        let bytes = vec![0; length.checked_add(CACHE_LINE_BYTES)?];
        let start = bytes.as_ptr().align_offset(CACHE_LINE_BYTES);
        (start < CACHE_LINE_BYTES).then_some(Self { bytes, start, length })
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..][..self.length]
    }

    /// The bytes, to be filled.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.length]
    }
}
