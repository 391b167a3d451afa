//! Passages: the input of the deep judge from a document, for one claim.
//!
//! A passage has a first line, `title > heading > heading`, and the lines around
//! one chunk: its sentences or its table row with the names of the columns, the
//! lead of its list, the caption of its table, and neighbours under the same
//! heading while there is room. The model was trained on passages of this form
//! (`training/deep`), so a change here changes the input that it was trained for.

use dalil_documents::document::{BlockKind, DocumentBlock};
use dalil_documents::sentence::sentences;

use super::corpus::{ChunkRef, IndexedDocument};

#[cfg(test)]
mod tests;

/// Some lines of one document, read together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeepPassage {
    /// The document, by its place in the corpus.
    pub(super) source: usize,
    head: String,
    pub(super) lines: Vec<PassageLine>,
}

/// One sentence, row, heading or caption of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PassageLine {
    /// The chunk it is of.
    pub(super) chunk: usize,
    /// Where it begins in the text of the document, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// The text that the model reads.
    pub(super) text: String,
    pub(super) role: LineRole,
}

/// How much is read for a claim.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassageLimits {
    /// How many passages.
    pub(super) passages: usize,
    /// How long one may be, in ASCII letters; others count twice.
    pub(super) units: usize,
}

/// The role of a line in its passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    /// It may be quoted as evidence.
    Evidence,
    /// It introduces a list, and is read with each of its items.
    Lead,
    /// A heading or a caption: read, never quoted.
    Frame,
}

/// The passages around chunks, the best chunk first; a chunk that an earlier passage holds gives
/// none of its own.
pub(super) fn passages(
    sources: &[IndexedDocument<'_>],
    places: impl IntoIterator<Item = ChunkRef>,
    limits: PassageLimits,
) -> Vec<DeepPassage> {
    let mut made: Vec<DeepPassage> = Vec::new();
    for place in places {
        let Some(source) = sources.get(place.source) else { continue };
        let Some(place) = evidence_at(source, place) else { continue };
        // Each passage costs a pass of the deep model; a chunk that one holds is not read again.
        if made.iter().any(|passage| passage.holds(place)) {
            continue;
        }
        made.extend(DeepPassage::around(source, place, limits.units));
        if made.len() >= limits.passages {
            break;
        }
    }
    made
}

/// The chunk itself, or for a heading the one after it: a heading is no evidence.
fn evidence_at(source: &IndexedDocument<'_>, place: ChunkRef) -> Option<ChunkRef> {
    let is_heading = |chunk: usize| matches!(kind(source, chunk), Some(BlockKind::Heading(_)));
    // Headings of several levels may follow each other; after more than three it gives up.
    let chunk = (place.chunk..source.chunks.len()).take(4).find(|chunk| !is_heading(*chunk))?;
    Some(ChunkRef { chunk, ..place })
}

fn kind(source: &IndexedDocument<'_>, chunk: usize) -> Option<BlockKind> {
    let block = source.chunks.get(chunk)?.block;
    source.document.blocks.get(block).map(|block| block.kind)
}

impl DeepPassage {
    /// The lines around a chunk.
    fn around(source: &IndexedDocument<'_>, place: ChunkRef, units_each: usize) -> Option<Self> {
        let centre = source.chunks.get(place.chunk)?;
        let context = source.document.evidence_context(centre.block);
        let head = head(source, context.headings);
        // The centre is taken at any length; only neighbours have to fit.
        let mut room = units_each.saturating_sub(units(&head));
        let mut lines = lines(source, place.chunk);
        room = room.saturating_sub(lines.iter().map(|line| units(&line.text)).sum());
        let (mut first, mut last) = (place.chunk, place.chunk);
        let reach = reach(source, place.chunk);
        loop {
            let after = neighbour(source, (place.chunk, last), last.checked_add(1), reach);
            let before = neighbour(source, (place.chunk, first), first.checked_sub(1), reach);
            let fits = |some: &Option<Vec<PassageLine>>| {
                some.as_ref().is_some_and(|some| {
                    some.iter().map(|line| units(&line.text)).sum::<usize>() <= room
                })
            };
            // The text after it first: rules are stated before their exceptions.
            let (some, is_after) = match (fits(&after), fits(&before)) {
                (true, true) if last - place.chunk <= place.chunk - first => (after, true),
                (_, true) => (before, false),
                (true, false) => (after, true),
                (false, false) => break,
            };
            let some = some.unwrap_or_default();
            room -= some.iter().map(|line| units(&line.text)).sum::<usize>();
            if is_after {
                last += 1;
                lines.extend(some);
            } else {
                first -= 1;
                lines.splice(0..0, some);
            }
        }
        // Outside of the room: caption and lead are read with the chunk however long it is.
        let mut above: Vec<PassageLine> = Vec::new();
        if let Some(caption) = context.caption {
            let (chunk, at) = (place.chunk, centre.start);
            let text = caption.to_owned();
            above.push(PassageLine { chunk, start: at, end: at, text, role: LineRole::Frame });
        }
        if let Some(lead) = context.lead.and_then(|block| lead(source, block))
            && !lines.iter().any(|line| line.start == lead.start)
        {
            above.push(lead);
        }
        lines.splice(0..0, above);
        mark_lead(&mut lines, context.lead.and_then(|block| source.document.blocks.get(block)));
        Some(Self { source: place.source, head, lines })
    }

    /// A passage without a word, for tests of opinions from odds.
    #[cfg(test)]
    pub(super) fn empty() -> Self {
        Self { source: 0, head: String::new(), lines: Vec::new() }
    }

    /// A passage of these lines, for the same.
    #[cfg(test)]
    pub(super) fn of_lines(lines: &[&str]) -> Self {
        let mut end = 0;
        let line = |text: &&str| {
            let start = end;
            end += text.len() + 1;
            let (text, role) = ((*text).to_owned(), LineRole::Evidence);
            PassageLine { chunk: 0, start, end: start + text.len(), text, role }
        };
        Self { lines: lines.iter().map(line).collect(), ..Self::empty() }
    }

    fn holds(&self, place: ChunkRef) -> bool {
        self.source == place.source && self.lines.iter().any(|line| line.chunk == place.chunk)
    }

    /// The whole passage as the model reads it.
    pub(super) fn text(&self) -> String {
        self.joined(|_| true)
    }

    /// One line with the head, the lead of its list and captions, as the model reads it.
    pub(super) fn text_of(&self, n: usize) -> String {
        let wanted = |(at, line): (usize, &PassageLine)| at == n || line.role == LineRole::Lead;
        self.joined(wanted)
    }

    fn joined(&self, wanted: impl Fn((usize, &PassageLine)) -> bool) -> String {
        let mut text = self.head.clone();
        for (n, line) in self.lines.iter().enumerate() {
            if wanted((n, line)) {
                text.push('\n');
                text.push_str(&line.text);
            }
        }
        text
    }
}

/// `title > heading > heading`: the title of the document, or else its file name in words.
fn head(source: &IndexedDocument<'_>, headings: &[String]) -> String {
    let title = source.document.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let title = title.map_or_else(|| named(source.name), str::to_owned);
    let mut parts = vec![title];
    for heading in headings {
        let heading = heading.trim();
        // The first heading often repeats the title.
        if !heading.is_empty() && parts.last().is_none_or(|last| last != heading) {
            parts.push(heading.to_owned());
        }
    }
    let mut head = parts.join(" > ");
    while units(&head) > MAX_HEAD_UNITS && head.pop().is_some() {}
    head
}

/// The name of a file in words: `travel-policy.en.md` is `travel policy en`.
fn named(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.split(['-', '_', '.']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// How many chunks before and after one may be read with it: rows need few neighbours.
fn reach(source: &IndexedDocument<'_>, chunk: usize) -> usize {
    if kind(source, chunk) == Some(BlockKind::Row) { MAX_NEAR_ROWS } else { MAX_NEAR_CHUNKS }
}

/// The lines of a neighbour; nothing beyond the reach, and nothing of another section while the
/// chunk's own section has not ended.
fn neighbour(
    source: &IndexedDocument<'_>,
    (centre, _): (usize, usize),
    at: Option<usize>,
    reach: usize,
) -> Option<Vec<PassageLine>> {
    let at = at.filter(|at| at.abs_diff(centre) <= reach)?;
    let path = |chunk: usize| {
        let block = source.chunks.get(chunk).and_then(|one| source.document.blocks.get(one.block));
        block.map(|block| block.headings.as_slice())
    };
    let is_heading = matches!(kind(source, at)?, BlockKind::Heading(_));
    (!is_heading && path(at) == path(centre)).then(|| lines(source, at))
}

/// The lines of a chunk: its sentences, or the row that it is.
fn lines(source: &IndexedDocument<'_>, chunk: usize) -> Vec<PassageLine> {
    let Some(one) = source.chunks.get(chunk) else { return Vec::new() };
    let line = |start: usize, end: usize| {
        let text = source.document.judged_span(one.block, start..end).trim().to_owned();
        PassageLine { chunk, start, end, text, role: LineRole::Evidence }
    };
    if kind(source, chunk) == Some(BlockKind::Row) {
        return vec![line(one.start, one.end)];
    }
    let words = source.document.text.get(one.start..one.end).unwrap_or_default();
    let ranges = sentences(words).into_iter();
    let made = ranges.map(|range| line(one.start + range.start, one.start + range.end));
    made.filter(|line| line.text.chars().any(char::is_alphanumeric)).collect()
}

/// The last sentence of the block that introduces a list.
fn lead(source: &IndexedDocument<'_>, block: usize) -> Option<PassageLine> {
    let chunk = source.chunks.iter().rposition(|chunk| chunk.block == block)?;
    let last = lines(source, chunk).pop()?;
    Some(PassageLine { role: LineRole::Lead, ..last })
}

/// The line of a passage that ends with the end of the lead is the lead.
fn mark_lead(lines: &mut [PassageLine], lead: Option<&DocumentBlock>) {
    let Some(lead) = lead else { return };
    let inside = |line: &&mut PassageLine| line.start >= lead.start && line.end <= lead.end;
    if let Some(line) = lines.iter_mut().rfind(inside) {
        line.role = LineRole::Lead;
    }
}

/// How much of a passage a text takes: letters beyond ASCII make about twice the tokens.
fn units(text: &str) -> usize {
    text.chars().map(|ch| if ch.is_ascii() { 1 } else { 2 }).sum()
}

/// A title and its headings at most.
const MAX_HEAD_UNITS: usize = 240;
/// How many neighbours on each side are looked at.
const MAX_NEAR_CHUNKS: usize = 6;
/// How many rows on each side are read with a row: enough to compare with, no more.
const MAX_NEAR_ROWS: usize = 2;
