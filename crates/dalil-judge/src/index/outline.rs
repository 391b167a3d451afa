//! Outlines: the statistics that ranking needs of a document whose segment is elsewhere.

use super::naming::DocumentName;
use super::segment::{IndexSegment, SegmentDecodeError};
use super::term::{TermHash, TextScript};

#[cfg(test)]
mod tests;

/// The words that name a document, and how much of it is in each script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentOutline {
    pub(super) name: DocumentName,
    pub(super) other: ScriptTotals,
    pub(super) arabic: ScriptTotals,
}

/// How many chunks there are, and how many terms they have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ScriptTotals {
    pub(super) chunks: u64,
    pub(super) terms: u64,
}

impl DocumentOutline {
    /// The outline of a document of this name and segment.
    pub fn of(name: DocumentName, segment: &IndexSegment) -> Self {
        let other = segment.of_script(TextScript::Other);
        Self { name, other, arabic: segment.of_script(TextScript::Arabic) }
    }

    /// The script that most of its chunks are written in; none where they are equal.
    pub(super) fn script(&self) -> Option<TextScript> {
        match self.other.chunks.cmp(&self.arabic.chunks) {
            std::cmp::Ordering::Less => Some(TextScript::Arabic),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(TextScript::Other),
        }
    }

    /// The outline as bytes: the four totals and the terms of the name, eight bytes each,
    /// little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { name, other, arabic } = self;
        let totals = [other.chunks, other.terms, arabic.chunks, arabic.terms];
        let terms = name.terms().iter().map(|term| term.0);
        totals.into_iter().chain(terms).flat_map(u64::to_le_bytes).collect()
    }

    /// Reads an outline.
    ///
    /// # Errors
    /// Bytes that [`DocumentOutline::to_bytes`] does not write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SegmentDecodeError> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let numbers: Vec<u64> = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let Some(([other, other_terms, arabic, arabic_terms], terms)) = numbers.split_first_chunk()
        else {
            return Err(SegmentDecodeError::Bytes);
        };
        let name = DocumentName::of_terms(terms.iter().copied().map(TermHash).collect());
        // Sums over a corpus must not overflow, whatever numbers a database holds.
        let is_bounded = numbers.iter().take(4).all(|total| *total <= MAX_DOCUMENT_TOTAL);
        match name.filter(|_| rest.is_empty() && is_bounded) {
            Some(name) => Ok(Self {
                name,
                other: ScriptTotals { chunks: *other, terms: *other_terms },
                arabic: ScriptTotals { chunks: *arabic, terms: *arabic_terms },
            }),
            None => Err(SegmentDecodeError::Bytes),
        }
    }
}

impl ScriptTotals {
    /// Both together.
    pub(super) fn and(self, more: Self) -> Self {
        Self { chunks: self.chunks + more.chunks, terms: self.terms + more.terms }
    }
}

/// More terms than the largest file can have; a million such documents fit in a sum.
const MAX_DOCUMENT_TOTAL: u64 = 1 << 40;
