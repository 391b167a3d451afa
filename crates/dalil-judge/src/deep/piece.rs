//! Texts to tokens: byte pairs are merged, the most frequent of the training first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use dalil_proof::fault::quote;

use crate::deep::cut::cut;
use crate::deep::gguf::GgufFile;
use crate::model::ModelFileError;

#[cfg(test)]
mod tests;

/// The tokens of single bytes, and the merges of two tokens into one.
///
/// Text never becomes a control token: a document that spells one out is read as
/// these characters, so it cannot speak in another's place.
#[derive(Clone, Debug)]
pub(super) struct PieceTable {
    bytes: [u32; 256],
    merges: HashMap<(u32, u32), PairMerge>,
}

/// The token that a pair becomes, and the rank of the merge.
#[derive(Clone, Copy, Debug)]
struct PairMerge {
    rank: u32,
    made: u32,
}

impl PieceTable {
    /// The table of a base model, as the bytes of [`PieceTable::parse`].
    pub(super) fn gather(base: &GgufFile<'_>) -> Result<(Vec<u8>, Vec<u8>), ModelFileError> {
        base.expect("tokenizer.ggml.model", "gpt2")?;
        // `cut` is this pattern written by hand; another would give other tokens without an error.
        base.expect("tokenizer.ggml.pre", "qwen2")?;
        let tokens = base.texts("tokenizer.ggml.tokens")?;
        let ids: HashMap<&str, u32> = tokens.iter().copied().zip(0..).collect();
        let find = |token: &str| {
            let missing =
                || ModelFileError::new("tokens", format!("the token {}", quote(token)), "none");
            ids.get(token).copied().ok_or_else(missing)
        };
        let (mut bytes, mut merges) = (Vec::new(), Vec::new());
        // Control tokens are neither bytes nor made by merges, so no text can become one.
        for byte in 0..=u8::MAX {
            let id = find(&shown(byte).to_string())?;
            bytes.extend(id.to_le_bytes());
        }
        for merge in base.texts("tokenizer.ggml.merges")? {
            let wrong = || ModelFileError::new("merges", "two tokens", quote(merge));
            let (one, other) = merge.split_once(' ').ok_or_else(wrong)?;
            for id in [find(one)?, find(other)?, find(&format!("{one}{other}"))?] {
                merges.extend(id.to_le_bytes());
            }
        }
        Ok((bytes, merges))
    }

    /// Reads the tokens of the 256 bytes, and triples: two tokens and the token that they become.
    pub(super) fn parse(
        bytes: &[u8],
        merges: &[u8],
        tokens: usize,
    ) -> Result<Self, ModelFileError> {
        let mut ids = [0; 256];
        for (id, four) in ids.iter_mut().zip(bytes.as_chunks().0) {
            *id = u32::from_le_bytes(*four);
        }
        let most = u32::try_from(tokens).unwrap_or(u32::MAX);
        let too_large =
            |id: u32| ModelFileError::new("pieces", format!("below {most}"), id.to_string());
        // A token without a row would leave the state of a batch shorter than its positions.
        if let Some(id) = ids.iter().find(|id| **id >= most) {
            return Err(too_large(*id));
        }
        let mut table = Self { bytes: ids, merges: HashMap::new() };
        for (rank, triple) in (0..).zip(merges.as_chunks::<12>().0) {
            let (fours, _) = triple.as_chunks::<4>();
            let [one, other, made] = fours else { continue };
            let [one, other, made] = [one, other, made].map(|four| u32::from_le_bytes(*four));
            if let Some(id) = [one, other, made].into_iter().find(|id| *id >= most) {
                return Err(too_large(id));
            }
            // Of two equal pairs the earlier has the better rank and stays.
            table.merges.entry((one, other)).or_insert(PairMerge { rank, made });
        }
        Ok(table)
    }

    /// The tokens of a text.
    pub(super) fn tokens(&self, text: &str) -> Vec<u32> {
        let (mut made, mut rest) = (Vec::new(), text);
        while let Some((piece, after)) = cut(rest) {
            self.merge(piece, &mut made);
            rest = after;
        }
        made
    }

    /// Merges the bytes of a piece, always the earliest pair, and of equal ones the leftmost.
    ///
    /// With a heap, so that a piece of a million letters takes no more than its share.
    fn merge(&self, piece: &str, made: &mut Vec<u32>) {
        let id = |byte: u8| self.bytes.get(usize::from(byte)).copied().unwrap_or(0);
        let mut symbols = SymbolChain::new(piece.bytes().map(id));
        let mut heap = BinaryHeap::new();
        for place in 0..piece.len().saturating_sub(1) {
            heap.extend(self.candidate(&symbols, place));
        }
        while let Some(Reverse((_, place, one, other, token))) = heap.pop() {
            // A pair that was merged otherwise since is not there any more.
            if symbols.pair(place) == Some((one, other)) {
                let before = symbols.join(place, token);
                heap.extend(before.and_then(|before| self.candidate(&symbols, before)));
                heap.extend(self.candidate(&symbols, place));
            }
        }
        made.extend(symbols.left());
    }

    fn candidate(&self, symbols: &SymbolChain, place: usize) -> Option<MergeCandidate> {
        let (one, other) = symbols.pair(place)?;
        let merge = self.merges.get(&(one, other))?;
        Some(Reverse((merge.rank, place, one, other, merge.made)))
    }
}

/// Rank, place, the two tokens and the token that they become.
type MergeCandidate = Reverse<(u32, usize, u32, u32, u32)>;

/// Tokens that know their neighbours.
#[derive(Debug)]
struct SymbolChain {
    symbols: Vec<ChainSymbol>,
}

#[derive(Clone, Copy, Debug)]
struct ChainSymbol {
    /// None once it was joined to the one before.
    token: Option<u32>,
    before: Option<usize>,
    after: Option<usize>,
}

impl SymbolChain {
    fn new(tokens: impl ExactSizeIterator<Item = u32>) -> Self {
        let count = tokens.len();
        let symbol = |(place, token): (usize, u32)| ChainSymbol {
            token: Some(token),
            before: place.checked_sub(1),
            after: Some(place + 1).filter(|after| *after < count),
        };
        Self { symbols: tokens.enumerate().map(symbol).collect() }
    }

    fn pair(&self, place: usize) -> Option<(u32, u32)> {
        let symbol = self.symbols.get(place)?;
        Some((symbol.token?, self.symbols.get(symbol.after?)?.token?))
    }

    /// Makes one symbol of the two at `place`; the place before it.
    fn join(&mut self, place: usize, token: u32) -> Option<usize> {
        let after = self.symbols.get(place)?.after?;
        let gone = self.symbols.get_mut(after)?;
        gone.token = None;
        let beyond = gone.after;
        if let Some(beyond) = beyond.and_then(|beyond| self.symbols.get_mut(beyond)) {
            beyond.before = Some(place);
        }
        let symbol = self.symbols.get_mut(place)?;
        (symbol.token, symbol.after) = (Some(token), beyond);
        symbol.before
    }

    fn left(&self) -> impl Iterator<Item = u32> {
        self.symbols.iter().filter_map(|symbol| symbol.token)
    }
}

/// The character by which a vocabulary of bytes shows a byte.
///
/// Printable ones are themselves; the others follow from U+0100 on, in order.
fn shown(byte: u8) -> char {
    let is_printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    if is_printable(byte) {
        return char::from(byte);
    }
    // GPT-2's map of bytes to characters. Counting again each time is fine for 256 calls.
    let earlier = (0..byte).filter(|byte| !is_printable(*byte)).count();
    u32::try_from(earlier).ok().and_then(|earlier| char::from_u32(256 + earlier)).unwrap_or(' ')
}
