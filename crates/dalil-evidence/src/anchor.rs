//! Citation anchors: `[cite:b8b859ac]`, a short name for the exact words of a chunk.
//!
//! An anchor is a prefix of the digest of the chunk's folded text. Eight hex
//! digits collide near 77,000 chunks, so the full digest is kept, any prefix of
//! 8 to 64 digits resolves, writers use the shortest unambiguous one, and an
//! ambiguous one is an error that lists the candidates.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use dalil_phrasebook::{Phrase, error, expected, found, proof_check};
use dalil_proof::digest::Digest;
use serde::{Serialize, Serializer};
use thiserror::Error;

pub use self::known::AnchorIndex;

mod known;
#[cfg(test)]
mod tests;

/// The digest of a chunk's text as citations see it: lower case, white space folded, trimmed.
pub fn text_digest(text: &str) -> Digest {
    // Without an early end, the compiler looks at many bytes at once.
    if text.bytes().fold(true, |all, byte| all & is_folded_alone(byte)) {
        return Digest::of(&folded_bytes(text.as_bytes()));
    }
    let mut folded = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        // `to_lowercase` allocates for each word, which English and Arabic need not pay for.
        if word.chars().all(is_lowered_as_ascii) {
            let start = folded.len();
            folded.push_str(word);
            if let Some(added) = folded.get_mut(start..) {
                added.make_ascii_lowercase();
            }
        } else {
            folded.push_str(&word.to_lowercase());
        }
    }
    Digest::of(folded.as_bytes())
}

/// Whether a byte can be folded without a look at its character: all of ASCII, and the letters
/// from Hebrew to `NKo` (U+05C0 to U+07FF), which have no case and no white space.
fn is_folded_alone(byte: u8) -> bool {
    // Other bytes that start a character are from 0xC2 to 0xD6 and from 0xE0 on.
    matches!(byte, ..0xc0 | 0xd7..0xe0)
}

/// A text of such bytes, folded as [`text_digest`] folds it.
fn folded_bytes(text: &[u8]) -> Vec<u8> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let start = text.iter().position(|byte| !is_space(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    let lowered = |byte: &u8| if is_space(byte) { b' ' } else { byte.to_ascii_lowercase() };
    let mut folded: Vec<u8> =
        text.get(start..end).unwrap_or_default().iter().map(lowered).collect();
    // Most text has one space between two words. Both passes run on many bytes at a time.
    let pairs = folded.iter().zip(folded.iter().skip(1));
    let doubled = pairs
        .fold(0, |found, (one, next)| found | (u8::from(*one == b' ') & u8::from(*next == b' ')));
    if doubled != 0 {
        folded.dedup_by(|one, before| *one == b' ' && *before == b' ');
    }
    folded
}

/// Whether the lower case of a character is that of ASCII: of ASCII itself, and of the scripts
/// from Hebrew to Arabic, which have no case.
fn is_lowered_as_ascii(ch: char) -> bool {
    ch.is_ascii() || ('\u{590}'..='\u{8ff}').contains(&ch)
}

/// The white space of `JavaScript`'s `\s`, which the contract's anchors are defined by.
fn is_space(ch: char) -> bool {
    // `\s` has U+FEFF and not U+0085; Unicode's white space has U+0085 and not U+FEFF.
    // In this order, so that plain text needs no look into the tables of Unicode.
    matches!(ch, ' ' | '\t'..='\r')
        || !ch.is_ascii() && (ch == '\u{feff}' || (ch.is_whitespace() && ch != '\u{85}'))
}

/// A prefix of a chunk's text digest: 8 to 64 lower-case hex digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anchor(String);

impl Anchor {
    /// The form of an anchor, for messages.
    pub const EXPECTED: Phrase = expected::anchor_digits();

    /// The shortest anchor that names `digest` and no other of `all`.
    pub fn shortest<'d>(digest: &Digest, all: impl IntoIterator<Item = &'d Digest>) -> Self {
        let shared = all
            .into_iter()
            .filter(|other| *other != digest)
            .map(|other| shared_digits(digest, other))
            .max();
        // One digit more than the longest shared prefix separates the digest from all others.
        let length = shared.map_or(MIN_ANCHOR_DIGITS, |shared| (shared + 1).max(MIN_ANCHOR_DIGITS));
        Self(digest.hex().chars().take(length).collect())
    }

    /// Whether this anchor is a prefix of `digest`.
    pub fn names(&self, digest: &Digest) -> bool {
        self.order(digest) == Ordering::Equal
    }

    /// How the first digits of `digest` compare with this anchor.
    fn order(&self, digest: &Digest) -> Ordering {
        digest.digits().take(self.0.len()).cmp(self.0.bytes())
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Finds the one digest that this anchor names.
    ///
    /// # Errors
    /// No digest matches, or more than one does.
    pub fn resolve<'d>(
        &self,
        all: impl IntoIterator<Item = &'d Digest>,
    ) -> Result<Digest, UnresolvedAnchor> {
        let mut found: Vec<Digest> =
            all.into_iter().filter(|one| self.names(one)).copied().collect();
        found.sort_unstable();
        // Several chunks may have the same words; that is one digest and no ambiguity.
        found.dedup();
        match found.as_slice() {
            [] => Err(UnresolvedAnchor::Unknown { anchor: self.clone() }),
            [one] => Ok(*one),
            _ => Err(UnresolvedAnchor::Ambiguous { anchor: self.clone(), candidates: found }),
        }
    }
}

/// Why an anchor names no chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnresolvedAnchor {
    /// No chunk has it.
    Unknown {
        /// The anchor.
        anchor: Anchor,
    },
    /// More than one chunk has it.
    Ambiguous {
        /// The anchor.
        anchor: Anchor,
        /// The candidates, in order.
        candidates: Vec<Digest>,
    },
}

impl UnresolvedAnchor {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unknown { anchor } => error::unknown_anchor(anchor),
            Self::Ambiguous { anchor, candidates } => {
                error::ambiguous_anchor(anchor, list(candidates))
            }
        }
    }
}

dalil_phrasebook::spoken_error!(UnresolvedAnchor);

impl FromStr for Anchor {
    type Err = NotAnAnchor;

    /// Reads 8 to 64 hex digits in either case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = (MIN_ANCHOR_DIGITS..=MAX_ANCHOR_DIGITS).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        fits.then(|| Self(text.to_ascii_lowercase())).ok_or(NotAnAnchor)
    }
}

/// Text that is not an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}", Anchor::EXPECTED.english())]
pub struct NotAnAnchor;

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Anchor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// A citation in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The anchor.
    pub anchor: Anchor,
    /// Where the whole `[cite:…]` begins in the answer, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Finds every `[cite:…]` of an answer, in order; malformed ones are text.
pub fn citations(answer: &str) -> Vec<Citation> {
    let citation = |(start, _): (usize, &str)| {
        let inside = answer.get(start..)?.strip_prefix(CITATION_PREFIX)?;
        // No more digits are looked at than an anchor has, so hostile text costs no more than its length.
        let digits =
            inside.bytes().take(MAX_ANCHOR_DIGITS).take_while(u8::is_ascii_hexdigit).count();
        let anchor = inside.get(..digits)?.parse().ok()?;
        let end = start + CITATION_PREFIX.len() + digits + "]".len();
        (inside.as_bytes().get(digits) == Some(&b']')).then_some(Citation { anchor, start, end })
    };
    // One byte is looked for much faster than six.
    answer.match_indices('[').filter_map(citation).collect()
}

fn shared_digits(one: &Digest, other: &Digest) -> usize {
    one.digits().zip(other.digits()).take_while(|(a, b)| a == b).count()
}

fn list(digests: &[Digest]) -> Phrase {
    Phrase::fold(digests.iter().map(found::value), proof_check::and)
}

const CITATION_PREFIX: &str = "[cite:";
const MIN_ANCHOR_DIGITS: usize = 8;
const MAX_ANCHOR_DIGITS: usize = 64;
