//! Citations: which chunk an anchor names.

use dalil_documents::sentence::sentences;
use dalil_evidence::anchor::{Anchor, text_digest};
use dalil_judge::judge::ChunkRef;
use dalil_proof::digest::Digest;

use super::CorpusDocument;

#[cfg(test)]
mod tests;

/// The digests of retrieved chunks, of chunks and of their sentences, each with its place.
#[derive(Debug)]
pub(super) struct CitedChunkIndex {
    /// Of chunks and sentences, sorted.
    parts: Vec<(Digest, ChunkRef)>,
    /// Of retrieved chunks, which may have been split: the parts of each.
    retrieved: Vec<(Digest, Vec<ChunkRef>)>,
}

impl CitedChunkIndex {
    pub(super) fn of(held: &[CorpusDocument]) -> Self {
        let (mut parts, mut retrieved) = (Vec::new(), Vec::new());
        for (source, one) in held.iter().enumerate() {
            if let Some(chunk) = &one.retrieved {
                let places = (0..one.chunks.len()).map(|chunk| ChunkRef { source, chunk });
                retrieved.push((text_digest(&chunk.text), places.collect()));
            }
            let own = digests(one).into_iter();
            parts.extend(own.map(|(digest, chunk)| (digest, ChunkRef { source, chunk })));
        }
        parts.sort_unstable();
        // Equal words in two places are one name; after the sort, that of the first place.
        parts.dedup_by_key(|(digest, _)| *digest);
        Self { parts, retrieved }
    }

    /// The places of the only words that an anchor names.
    pub(super) fn places(&self, anchor: &Anchor) -> Vec<ChunkRef> {
        // Linear in the sentences of the corpus, for each anchor of the answer.
        let parts = self.parts.iter().filter(|(digest, _)| anchor.names(digest));
        let mut parts = parts.map(|(digest, place)| (digest, std::slice::from_ref(place)));
        let whole = self.retrieved.iter().filter(|(digest, _)| anchor.names(digest));
        let mut whole = whole.map(|(digest, places)| (digest, places.as_slice()));
        // A retrieved chunk first: an answer cites the chunks that the application showed its
        // model.
        let first = whole.next();
        let named = first.or_else(|| parts.next());
        // A short anchor that fits two digests names neither: guessing would invent a citation.
        let is_other = |other: &Digest| named.is_some_and(|(digest, _)| digest != other);
        if whole.chain(parts).any(|(digest, _)| is_other(digest)) {
            return Vec::new();
        }
        named.map_or_else(Vec::new, |(_, places)| places.to_vec())
    }
}

/// The digests of a document's chunks and of their sentences, each with its chunk.
pub(crate) fn digests(one: &CorpusDocument) -> Vec<(Digest, usize)> {
    let mut digests = Vec::with_capacity(2 * one.chunks.len());
    for (n, chunk) in one.chunks.iter().enumerate() {
        let words = one.words(chunk);
        digests.push((text_digest(words), n));
        let sentences = sentences(words);
        // A chunk of one sentence has the digest of that sentence already.
        if sentences.len() > 1 {
            let texts = sentences.into_iter().filter_map(|range| words.get(range));
            digests.extend(texts.map(|text| (text_digest(text), n)));
        }
    }
    digests
}

/// The words of a chunk that an anchor names: all of them, or those of one sentence.
pub(crate) fn named<'w>(words: &'w str, anchor: &Anchor) -> Option<&'w str> {
    if anchor.names(&text_digest(words)) {
        return Some(words);
    }
    let mut sentences = sentences(words).into_iter().filter_map(|range| words.get(range));
    sentences.find(|text| anchor.names(&text_digest(text)))
}
