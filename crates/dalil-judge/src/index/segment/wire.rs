//! Segments as bytes, for storage.
//!
//! ```text
//! analysis (32) · document (32) · chunks, terms, postings (3 × 4) · lengths (4 each)
//! · scripts (1: Arabic 1, a heading 2) · terms (8) · starts (4, one more than terms) · chunks (4) · counts (1) · vectors (256)
//! · SHA-256 of all before (32)
//! ```
//!
//! Numbers are little-endian. The first field names the rules and weights that
//! made the segment: a segment of another version is refused.

use std::sync::LazyLock;

use dalil_proof::digest::Digest;
use thiserror::Error;

use super::super::embed;
use super::super::term::{TermHash, TextScript};
use super::{EMBEDDING_DIMENSIONS, IndexSegment};

/// Bytes that are no segment of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SegmentDecodeError {
    /// Made by other rules or weights.
    #[error("expected a segment of this version's analysis, found another's")]
    Version,
    /// Cut, changed, or never a segment.
    #[error("expected a whole segment, found bytes that do not fit together")]
    Bytes,
}

impl IndexSegment {
    /// The segment as bytes, the same for equal segments.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.size());
        bytes.extend(ANALYSIS_DIGEST.as_bytes());
        bytes.extend(self.digest.as_bytes());
        for count in [self.lengths.len(), self.terms.len(), self.chunks.len()] {
            bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
        }
        bytes.extend(self.lengths.iter().flat_map(|length| length.to_le_bytes()));
        let kinds = self.scripts.iter().zip(&self.headings);
        bytes.extend(kinds.map(|(script, heading)| {
            u8::from(*script == TextScript::Arabic) | u8::from(*heading) << 1
        }));
        bytes.extend(self.terms.iter().flat_map(|term| term.0.to_le_bytes()));
        bytes.extend(self.starts.iter().flat_map(|start| start.to_le_bytes()));
        bytes.extend(self.chunks.iter().flat_map(|chunk| chunk.to_le_bytes()));
        bytes.extend(&self.counts);
        bytes.extend(self.vectors.iter().map(|value| value.cast_unsigned()));
        let check = Digest::of(&bytes);
        bytes.extend(check.as_bytes());
        bytes
    }

    /// Reads a segment.
    ///
    /// # Errors
    /// [`SegmentDecodeError`] for anything that [`IndexSegment::to_bytes`] of this version does not write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SegmentDecodeError> {
        if !bytes.starts_with(ANALYSIS_DIGEST.as_bytes()) {
            // Fewer bytes cannot even name a version.
            return Err(if bytes.len() < 32 {
                SegmentDecodeError::Bytes
            } else {
                SegmentDecodeError::Version
            });
        }
        let (content, check) = bytes.split_last_chunk::<32>().ok_or(SegmentDecodeError::Bytes)?;
        // Finds damage, not forgery: anyone can compute it, so `is_sound` looks at the fields too.
        if Digest::of(content).as_bytes() != check {
            return Err(SegmentDecodeError::Bytes);
        }
        let segment = Self::parse(content).ok_or(SegmentDecodeError::Bytes)?;
        if segment.is_sound() { Ok(segment) } else { Err(SegmentDecodeError::Bytes) }
    }

    fn parse(content: &[u8]) -> Option<Self> {
        let mut fields = SegmentDecoder(content.get(32..)?);
        let digest = Digest::from_bytes(*fields.take(32)?.first_chunk()?);
        let [chunks, terms, postings] = [fields.count()?, fields.count()?, fields.count()?];
        // A count only takes bytes that are there, so a false one allocates nothing.
        let lengths = fields.numbers(chunks)?;
        let kinds = fields.take(chunks)?;
        let segment = Self {
            digest,
            lengths,
            scripts: kinds.iter().map(script).collect::<Option<_>>()?,
            headings: kinds.iter().map(|kind| kind & 2 != 0).collect(),
            terms: fields
                .arrays(terms)?
                .iter()
                .copied()
                .map(u64::from_le_bytes)
                .map(TermHash)
                .collect(),
            starts: fields.numbers(terms.checked_add(1)?)?,
            chunks: fields.numbers(postings)?,
            counts: fields.take(postings)?.to_vec(),
            vectors: {
                let bytes = fields.take(chunks.checked_mul(EMBEDDING_DIMENSIONS)?)?;
                bytes.iter().map(|byte| byte.cast_signed()).collect()
            },
        };
        // Bytes that follow are refused: a segment has one spelling.
        fields.0.is_empty().then_some(segment)
    }

    /// Whether the fields agree with each other.
    fn is_sound(&self) -> bool {
        let posted = u32::try_from(self.chunks.len()).ok();
        let known = |chunk: &u32| (*chunk as usize) < self.lengths.len();
        self.terms.is_sorted_by(|a, b| a < b)
            && self.starts.is_sorted_by(|a, b| a < b)
            && self.starts.first() == Some(&0)
            && self.starts.last().copied() == posted
            && self.chunks.iter().all(known)
            && !self.counts.contains(&0)
    }

    fn size(&self) -> usize {
        140 + 5 * self.lengths.len()
            + 12 * self.terms.len()
            + 5 * self.chunks.len()
            + self.vectors.len()
    }
}

/// The unread rest of the bytes.
struct SegmentDecoder<'b>(&'b [u8]);

impl<'b> SegmentDecoder<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (field, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(field)
    }

    fn count(&mut self) -> Option<usize> {
        self.take(4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize)
    }

    fn arrays<const N: usize>(&mut self, count: usize) -> Option<&'b [[u8; N]]> {
        Some(self.take(count.checked_mul(N)?)?.as_chunks().0)
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<u32>> {
        Some(self.arrays(count)?.iter().copied().map(u32::from_le_bytes).collect())
    }
}

fn script(byte: &u8) -> Option<TextScript> {
    match byte {
        0 | 2 => Some(TextScript::Other),
        1 | 3 => Some(TextScript::Arabic),
        _ => None,
    }
}

/// The digest of the rules and weights by which this version makes segments.
pub fn analysis_digest() -> Digest {
    *ANALYSIS_DIGEST
}

/// The rules of [`super::super::term`] and the weights, named together.
static ANALYSIS_DIGEST: LazyLock<Digest> =
    LazyLock::new(|| Digest::of_parts([ANALYSIS_VERSION.as_bytes(), embed::weights()]));
/// Changes whenever equal texts would give other terms or other bytes.
const ANALYSIS_VERSION: &str = "dalil segment 2";
