//! Citations: which chunk an anchor names.

use dalil_documents::sentence::sentences;
use dalil_evidence::anchor::{Anchor, text_digest};
use dalil_judge::judge::ChunkRef;
use dalil_proof::digest::Digest;

use super::CorpusDocument;

#[cfg(test)]
mod tests;

/// The digests of chunks and of their sentences, sorted, each with its place.
#[derive(Debug)]
pub(super) struct CitedChunkIndex(Vec<(Digest, ChunkRef)>);

impl CitedChunkIndex {
    pub(super) fn of(held: &[CorpusDocument]) -> Self {
        let mut all = Vec::new();
        for (source, one) in held.iter().enumerate() {
            for (n, chunk) in one.chunks.iter().enumerate() {
                let place = ChunkRef { source, chunk: n };
                let words = one.words(chunk);
                all.push((text_digest(words), place));
                let sentences = sentences(words);
                // A chunk of one sentence has the digest of that sentence already.
                if sentences.len() > 1 {
                    let texts = sentences.into_iter().filter_map(|range| words.get(range));
                    all.extend(texts.map(|text| (text_digest(text), place)));
                }
            }
        }
        all.sort_unstable();
        // Equal words in two places are one name; after the sort, that of the first place.
        all.dedup_by_key(|(digest, _)| *digest);
        Self(all)
    }

    /// The only place that an anchor names.
    pub(super) fn place(&self, anchor: &Anchor) -> Option<ChunkRef> {
        // Linear in the sentences of the corpus, for each anchor of the answer.
        let mut named = self.0.iter().filter(|(digest, _)| anchor.names(digest));
        let place = named.next().map(|(_, place)| *place);
        // A short anchor that fits two digests names neither: guessing would invent a citation.
        if named.next().is_some() { None } else { place }
    }
}

/// The words of a chunk that an anchor names: all of them, or those of one sentence.
pub(crate) fn named<'w>(words: &'w str, anchor: &Anchor) -> Option<&'w str> {
    if anchor.names(&text_digest(words)) {
        return Some(words);
    }
    let mut sentences = sentences(words).into_iter().filter_map(|range| words.get(range));
    sentences.find(|text| anchor.names(&text_digest(text)))
}
