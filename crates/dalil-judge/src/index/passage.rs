//! Passages: a chunk as it is indexed, with the words around it.

use std::borrow::Cow;

use dalil_documents::document::{BlockKind, ParsedDocument};
use dalil_documents::split::DocumentChunk;

#[cfg(test)]
mod tests;

/// The text of a chunk, with the headings and other text around it.
#[derive(Clone, Debug, Default)]
pub struct IndexPassage<'p> {
    /// Its own words.
    pub text: &'p str,
    /// The headings above it, the header of its table, the line that opens its list: they make it
    /// findable and count less than its own words.
    pub around: Vec<&'p str>,
    /// Whether it is nothing but a heading, which is no evidence of anything.
    pub is_heading: bool,
}

impl<'p> IndexPassage<'p> {
    /// The chunks of a document, in order.
    pub fn all(document: &'p ParsedDocument, chunks: &[DocumentChunk]) -> Vec<Self> {
        let mut header: Option<&str> = None;
        let mut opening: Option<&str> = None;
        let mut passages = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let text = document.text.get(chunk.start..chunk.end).unwrap_or_default();
            let Some(block) = document.blocks.get(chunk.block) else { continue };
            let mut around: Vec<&str> = block.headings.iter().map(String::as_str).collect();
            match block.kind {
                BlockKind::Row => around.extend(header),
                BlockKind::Item => around.extend(opening),
                _ => {}
            }
            // The first of a run of rows is their header; any other block ends the run.
            header = (block.kind == BlockKind::Row).then(|| header.unwrap_or(text));
            // Items and rows leave the opening line in force for the items after them.
            match block.kind {
                BlockKind::Item | BlockKind::Row => {}
                _ => opening = text.ends_with(':').then_some(text),
            }
            let is_heading = matches!(block.kind, BlockKind::Heading(_));
            passages.push(Self { text, around, is_heading });
        }
        passages
    }
}

/// A text without tags and the targets of links, which are no words of it.
pub(super) fn bare(text: &str) -> Cow<'_, str> {
    if !text.contains('<') && !text.contains("](") {
        return Cow::Borrowed(text);
    }
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', ']']) {
        let (before, mark) = rest.split_at(at);
        bare.push_str(before);
        // So that the words on both sides of a tag do not become one.
        bare.push(' ');
        // Both brackets are one byte, so 1 is the border of a character.
        let skip = markup(mark).unwrap_or(1);
        rest = mark.get(skip..).unwrap_or_default();
    }
    bare.push_str(rest);
    Cow::Owned(bare)
}

/// The length of the tag or the target that a text begins with.
fn markup(text: &str) -> Option<usize> {
    let (close, from) = if text.starts_with("](") { (')', 2) } else { ('>', 1) };
    let inside = text.get(from..)?;
    // Markup ends on its line: a lone `<` in a formula must not hide a paragraph.
    let end =
        inside.char_indices().take(MAX_MARKUP_CHARS).find(|(_, ch)| *ch == close || *ch == '\n')?;
    let opens = inside.starts_with(|ch: char| ch.is_ascii_alphabetic() || ch == '/' || ch == '!');
    let is_markup = end.1 == close && (close == ')' || opens && text.starts_with('<'));
    is_markup.then_some(from + end.0 + close.len_utf8())
}

/// Longer runs between brackets are text, in characters.
const MAX_MARKUP_CHARS: usize = 300;
