//! Windows: a few sentences of a document that fit the model.
//!
//! The model was trained on windows that were made like these, so a change here
//! is a change of what it reads.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use dalil_documents::document::{BlockKind, ParsedDocument};
use dalil_documents::sentence::sentences;

use super::corpus::IndexedDocument;
use super::plain::plain;
use crate::index::ln;
use crate::model::FastModel;

#[cfg(test)]
mod tests;

/// The sentences of a document around some of its chunks.
#[derive(Debug)]
pub(super) struct DocumentExcerpt<'d> {
    document: &'d ParsedDocument,
    lines: Vec<ExcerptSentence>,
    is_whole: bool,
}

/// One sentence, or a part of a long one.
#[derive(Debug)]
pub(super) struct ExcerptSentence {
    /// The chunk it is in.
    pub(super) chunk: usize,
    block: usize,
    /// Where its sentence begins in the text of the document.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// How much of the claim it holds.
    weight: f64,
    pieces: Vec<u32>,
}

/// Some sentences of a page, and the one of them that holds most of the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExcerptWindow {
    lines: Vec<usize>,
    pub(super) best: usize,
}

impl<'d> DocumentExcerpt<'d> {
    /// The sentences of some chunks and of their neighbours, weighed for a claim.
    pub(super) fn of(
        source: &IndexedDocument<'d>,
        chunks: &[usize],
        model: &FastModel,
        claim: &[u32],
    ) -> Self {
        let text = source.document.text.as_str();
        let mut lines = Vec::new();
        for n in near(chunks, source.chunks.len()) {
            let Some(chunk) = source.chunks.get(n) else { continue };
            let words = text.get(chunk.start..chunk.end).unwrap_or_default();
            let kind = source.document.blocks.get(chunk.block).map(|block| block.kind);
            if matches!(kind, Some(BlockKind::Heading(_))) {
                continue;
            }
            // A cell says little without the others and the names of their columns.
            let is_row = matches!(kind, Some(BlockKind::Row));
            let whole = std::iter::once(0..words.len());
            let ranges = if is_row { whole.collect() } else { sentences(words) };
            for range in ranges {
                let (start, end) = (chunk.start + range.start, chunk.start + range.end);
                let read = source.document.judged_span(chunk.block, start..end);
                let pieces = model.tokens(&plain(&read));
                // Parts of a long sentence share its place: a quotation is a whole sentence.
                lines.extend(pieces.chunks(MAX_SENTENCE_PIECES).map(|pieces| ExcerptSentence {
                    chunk: n,
                    block: chunk.block,
                    start,
                    end,
                    weight: 0.0,
                    pieces: pieces.to_vec(),
                }));
            }
        }
        weigh(&mut lines, claim);
        if lines.iter().all(|line| line.weight <= 0.0) {
            // Another language shares no words: the chunks that rank first come first.
            for (place, chunk) in chunks.iter().rev().enumerate() {
                for line in lines.iter_mut().filter(|line| line.chunk == *chunk) {
                    line.weight = (place + 1) as f64;
                }
            }
        }
        Self {
            document: source.document,
            lines,
            is_whole: source.chunks.len() <= MAX_WHOLE_DOCUMENT_CHUNKS,
        }
    }

    pub(super) fn line(&self, n: usize) -> &ExcerptSentence {
        const EMPTY_SENTENCE: &ExcerptSentence = &ExcerptSentence {
            chunk: 0,
            block: 0,
            start: 0,
            end: 0,
            weight: 0.0,
            pieces: Vec::new(),
        };
        // Numbers come from this page, so the empty sentence is never seen.
        self.lines.get(n).unwrap_or(EMPTY_SENTENCE)
    }

    /// The words of a sentence, without marks.
    pub(super) fn words(&self, n: usize) -> Cow<'d, str> {
        let line = self.line(n);
        match self.document.judged_span(line.block, line.start..line.end) {
            Cow::Borrowed(words) => plain(words),
            Cow::Owned(words) => Cow::Owned(plain(&words).into_owned()),
        }
    }

    /// The sentences of a window as one text.
    pub(super) fn text(&self, window: &ExcerptWindow) -> String {
        let mut text = String::new();
        let mut last = usize::MAX;
        for n in &window.lines {
            // The parts of a long sentence are one sentence to a reader.
            let start = self.line(*n).start;
            if start != last {
                let space = if text.is_empty() { "" } else { " " };
                text.push_str(space);
                text.push_str(&self.words(*n));
                last = start;
            }
        }
        text
    }

    /// Whether a window is the whole page, and the page the whole document.
    pub(super) fn is_whole(&self, window: &ExcerptWindow) -> bool {
        self.is_whole && window.lines.len() == self.lines.len()
    }

    /// The word pieces of a window.
    pub(super) fn pieces(&self, window: &ExcerptWindow) -> Vec<u32> {
        window
            .lines
            .iter()
            .flat_map(|n| &self.line(*n).pieces)
            .copied()
            .take(MAX_PREMISE_PIECES)
            .collect()
    }

    /// All of a short page; of a longer one the window around its best sentence, and the best
    /// sentences together.
    pub(super) fn windows(&self) -> Vec<ExcerptWindow> {
        let order = self.order();
        let Some(best) = order.first().copied() else { return Vec::new() };
        let all: usize = self.lines.iter().map(|line| line.pieces.len()).sum();
        if all <= MAX_PREMISE_PIECES {
            return vec![ExcerptWindow { lines: (0..self.lines.len()).collect(), best }];
        }
        let around = self.around(best);
        let gathered = self.gathered(&order);
        if around.lines == gathered.lines { vec![around] } else { vec![around, gathered] }
    }

    /// The sentences by how much of the claim they hold; of equals the first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        // A stable sort leaves equals in the order of the document.
        order.sort_by(|a, b| self.line(*b).weight.total_cmp(&self.line(*a).weight));
        order
    }

    /// A sentence with its neighbours, the better one first, while they fit.
    fn around(&self, best: usize) -> ExcerptWindow {
        let (mut first, mut last) = (best, best);
        let mut room = MAX_WINDOW_PIECES.saturating_sub(self.line(best).pieces.len());
        let fits = |n: Option<usize>, room: usize| {
            let line = self.lines.get(n?)?;
            (line.pieces.len() <= room).then_some((line.weight, line.pieces.len()))
        };
        loop {
            let before = fits(first.checked_sub(1), room);
            let after = fits(last.checked_add(1), room);
            match (before, after) {
                (None, None) => break,
                (Some((weight, needs)), other) if other.is_none_or(|(other, _)| weight > other) => {
                    first -= 1;
                    room -= needs;
                }
                (_, Some((_, needs))) => {
                    last += 1;
                    room -= needs;
                }
                // Cannot happen: the guard above takes this case. The compiler does not see it.
                (Some(_), None) => break,
            }
        }
        ExcerptWindow { lines: (first..=last).collect(), best }
    }

    /// The best sentences from anywhere, in the order of the document, while they fit.
    fn gathered(&self, order: &[usize]) -> ExcerptWindow {
        let mut room = MAX_PREMISE_PIECES;
        let mut lines: Vec<usize> = Vec::new();
        for n in order {
            let line = self.line(*n);
            // Sentences that share nothing only take room; one is kept so that no window is empty.
            if line.weight <= 0.0 && !lines.is_empty() {
                break;
            }
            if line.pieces.len() <= room {
                room -= line.pieces.len();
                lines.push(*n);
            }
        }
        let best = lines.first().copied().unwrap_or_default();
        lines.sort_unstable();
        ExcerptWindow { lines, best }
    }
}

/// Weighs sentences by the pieces of a claim that they hold, the rarer the more.
fn weigh(lines: &mut [ExcerptSentence], claim: &[u32]) {
    let wanted: BTreeSet<u32> = claim.iter().copied().collect();
    let held: Vec<BTreeSet<u32>> = lines
        .iter()
        .map(|line| line.pieces.iter().copied().filter(|piece| wanted.contains(piece)).collect())
        .collect();
    let mut holding: BTreeMap<u32, usize> = BTreeMap::new();
    for piece in held.iter().flatten() {
        *holding.entry(*piece).or_default() += 1;
    }
    let all = lines.len() as f64;
    let weights: BTreeMap<u32, f64> =
        holding.into_iter().map(|(piece, count)| (piece, ln(1.0 + all / count as f64))).collect();
    for (line, held) in lines.iter_mut().zip(&held) {
        line.weight = held.iter().filter_map(|piece| weights.get(piece)).sum();
    }
}

/// Chunks with their neighbours, in order, each once; all chunks of a short document.
fn near(chunks: &[usize], count: usize) -> Vec<usize> {
    if count <= MAX_WHOLE_DOCUMENT_CHUNKS {
        return (0..count).collect();
    }
    let around = |chunk: &usize| {
        chunk.saturating_sub(MAX_NEIGHBOUR_CHUNKS)..(chunk + MAX_NEIGHBOUR_CHUNKS + 1).min(count)
    };
    let mut near: Vec<usize> = chunks.iter().flat_map(around).collect();
    near.sort_unstable();
    near.dedup();
    near
}

/// A document of so many chunks is read whole.
const MAX_WHOLE_DOCUMENT_CHUNKS: usize = 64;
/// How many chunks before and after one are read with it.
const MAX_NEIGHBOUR_CHUNKS: usize = 1;
/// How many word pieces of a sentence stay together.
const MAX_SENTENCE_PIECES: usize = 128;
/// How many word pieces a window around a sentence has at most.
const MAX_WINDOW_PIECES: usize = 192;
/// How many word pieces a premise has at most.
const MAX_PREMISE_PIECES: usize = 256;
