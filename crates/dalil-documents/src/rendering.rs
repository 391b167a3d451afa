//! A document for the eye: its headings, paragraphs, lists and tables around quoted words.
//!
//! Markdown syntax is left out, rows are laid out as tables, and the quoted words are
//! marked. Hidden text is left out, unless it was quoted.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use crate::document::{
    BlockKind, BlockLocation, DocumentBlock, DocumentFormat, ParsedDocument, TableRow, UNSEEN_MARK,
};

#[cfg(test)]
mod tests;

/// The wanted part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderingQuery<'q> {
    /// The words that were quoted; empty for the beginning of the document.
    pub words: &'q str,
    /// The words among them that differ from a claim; empty where none do.
    pub differing: &'q str,
    /// The stated offset of the words, in characters of the text.
    pub offset: Option<usize>,
    /// The page that is wanted, from 1; the document as a whole where there is none.
    pub page: Option<u32>,
    /// How many bytes it may take as HTML, in about.
    pub max_bytes: usize,
}

/// A part of a document, or all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRendering {
    /// The title that the document gives itself.
    pub title: Option<String>,
    /// Parts, one below the other.
    pub parts: Vec<RenderedPart>,
    /// Whether the words were found.
    pub is_found: bool,
    /// Whether there is more of the document before or behind it.
    pub is_cut: bool,
}

/// A self-contained part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderedPart {
    /// A heading of a level from 1.
    Heading(u8, Vec<TextRun>),
    /// Running text.
    Paragraph(Vec<TextRun>),
    /// The items of a list, each with its mark.
    List(Vec<Vec<TextRun>>),
    /// Quoted text.
    Quote(Vec<TextRun>),
    /// Anything preformatted.
    Code(Vec<TextRun>),
    /// Rows of a table.
    Table(RenderedTable),
}

/// Rows of one table or sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedTable {
    /// Its caption, or the name of the sheet.
    pub caption: Option<String>,
    /// The rows.
    pub rows: Vec<RenderedRow>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedRow {
    /// Its number in the sheet, from 1.
    pub number: Option<u32>,
    /// Whether it names the columns.
    pub is_header: bool,
    /// Its cells, empty ones included.
    pub cells: Vec<Vec<TextRun>>,
}

/// A part of a text that is marked in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRun {
    /// The text.
    pub text: String,
    /// How it is marked.
    pub mark: TextMark,
    /// Whether the quoted words begin with it.
    pub is_first: bool,
}

impl TextRun {
    /// Whether it was quoted, whether or not it differs.
    pub fn is_marked(&self) -> bool {
        self.mark != TextMark::Plain
    }
}

/// How a part of a text is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMark {
    /// Not at all.
    Plain,
    /// It was quoted.
    Quoted,
    /// It differs from the claim.
    Differs,
}

/// The quoted words in the text of a document, and those that differ, in bytes.
#[derive(Clone, Debug, Default)]
struct MarkedRanges {
    quoted: Range<usize>,
    differs: Range<usize>,
}

impl ParsedDocument {
    /// The part of the document around quoted words, or its beginning.
    pub fn rendered(&self, wanted: &RenderingQuery<'_>) -> DocumentRendering {
        let quoted = self.quoted(wanted);
        let is_found = quoted.is_some();
        let marks = quoted.map_or_else(MarkedRanges::default, |quoted| {
            let part = self.text.get(quoted.clone()).unwrap_or_default();
            let differs = find(part, wanted.differing)
                .map_or(0..0, |within| quoted.start + within.start..quoted.start + within.end);
            MarkedRanges { quoted, differs }
        });
        let is_shown = |block: &&DocumentBlock| {
            block.hidden.is_none() || overlap(&marks.quoted, &(block.start..block.end))
        };
        let mut blocks: Vec<&DocumentBlock> = self.blocks.iter().filter(is_shown).collect();
        if wanted.page.is_some() && blocks.iter().any(|block| block.page == wanted.page) {
            blocks.retain(|block| block.page == wanted.page);
        }
        let around = self.around(&blocks, &marks.quoted, wanted.max_bytes);
        let mut is_cut = around.len() < blocks.len();
        let mut parts = Vec::new();
        for block in blocks.get(around).unwrap_or_default() {
            let part = self.window(block, &marks.quoted, wanted.max_bytes);
            is_cut |= part.len() < block.end - block.start;
            self.add(block, part, &marks, &mut parts);
        }
        DocumentRendering { title: self.title.clone(), parts, is_found, is_cut }
    }

    /// The blocks with the words, and as many around them as there is room for; one at least.
    fn around(
        &self,
        blocks: &[&DocumentBlock],
        quoted: &Range<usize>,
        max_bytes: usize,
    ) -> Range<usize> {
        let cost = |at: usize| blocks.get(at).map(|block| self.cost(block));
        let first = blocks.partition_point(|block| block.end <= quoted.start && !quoted.is_empty());
        let mut around = first..first;
        let mut room = max_bytes;
        // Alternately after the words and before them, so that they are in the middle.
        while let Some(next) = cost(around.end) {
            let is_quoted = blocks.get(around.end).is_some_and(|block| block.start < quoted.end);
            if next > room && !is_quoted && !around.is_empty() {
                break;
            }
            (room, around.end) = (room.saturating_sub(next), around.end + 1);
            let before = around.start.checked_sub(1).filter(|_| !is_quoted);
            if let Some(left) = before.and_then(cost).and_then(|cost| room.checked_sub(cost)) {
                (around.start, room) = (around.start - 1, left);
            }
        }
        while let Some(at) = around.start.checked_sub(1)
            && let Some(left) = cost(at).and_then(|cost| room.checked_sub(cost))
        {
            (around.start, room) = (at, left);
        }
        around
    }

    /// How many bytes a block takes as HTML, in about.
    fn cost(&self, block: &DocumentBlock) -> usize {
        let text = self.slice(block);
        let escaped = text.bytes().filter(|byte| b"<>&\"'".contains(byte)).count();
        let cells = block.row.as_ref().map_or(0, |row| row.cells.len());
        text.len() + escaped * ESCAPE_BYTES + (cells + 1) * ELEMENT_BYTES
    }

    /// The part of a block that is shown: all of it, but for one that is longer than there is room.
    fn window(
        &self,
        block: &DocumentBlock,
        quoted: &Range<usize>,
        max_bytes: usize,
    ) -> Range<usize> {
        if self.cost(block) <= max_bytes {
            return block.start..block.end;
        }
        let beside = max_bytes / 2 / (ESCAPE_BYTES + 1);
        let (from, to) = match overlap(quoted, &(block.start..block.end)) {
            true => (quoted.start, quoted.end),
            false => (block.start, block.start),
        };
        let start = self.text.floor_char_boundary(from.saturating_sub(beside)).max(block.start);
        let end = self.text.ceil_char_boundary(to.saturating_add(beside)).min(block.end);
        start..end.max(start)
    }

    /// The place of the words: the stated one, or else the first.
    fn quoted(&self, wanted: &RenderingQuery<'_>) -> Option<Range<usize>> {
        let start =
            wanted.offset.and_then(|offset| self.text.char_indices().map(|(at, _)| at).nth(offset));
        let near = start.and_then(|start| {
            let found = find(self.text.get(start..)?, wanted.words)?;
            // At that place and not somewhere behind it.
            (found.start == 0).then_some(start..start + found.end)
        });
        near.or_else(|| find(&self.text, wanted.words))
    }

    fn add(
        &self,
        block: &DocumentBlock,
        part: Range<usize>,
        marks: &MarkedRanges,
        parts: &mut Vec<RenderedPart>,
    ) {
        let runs = || self.runs(part.clone(), marks);
        if let Some(row) = block.row.as_ref().filter(|row| !row.cells.is_empty()) {
            self.add_row((block, row), &part, marks, parts);
            return;
        }
        match (block.kind, parts.last_mut()) {
            (BlockKind::Heading(level), _) => parts.push(RenderedPart::Heading(level, runs())),
            (BlockKind::Item, Some(RenderedPart::List(items))) => {
                items.push(self.item(block, runs()));
            }
            (BlockKind::Item, _) => parts.push(RenderedPart::List(vec![self.item(block, runs())])),
            (BlockKind::Quote, _) => parts.push(RenderedPart::Quote(runs())),
            (BlockKind::Code, _) => parts.push(RenderedPart::Code(runs())),
            (BlockKind::Paragraph | BlockKind::Row, _) => {
                parts.push(RenderedPart::Paragraph(runs()));
            }
        }
    }

    /// An item with its mark, which the parser of Markdown leaves out.
    fn item(&self, block: &DocumentBlock, mut runs: Vec<TextRun>) -> Vec<TextRun> {
        if self.format != DocumentFormat::Markdown {
            return runs;
        }
        let text = self.slice(block).trim_start();
        let digits = text.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(0);
        let mark = text.get(..digits + 1).filter(|_| digits > 0).unwrap_or("•");
        let text = format!("{mark} ");
        runs.insert(0, TextRun { text, mark: TextMark::Plain, is_first: false });
        runs
    }

    fn add_row(
        &self,
        (block, row): (&DocumentBlock, &TableRow),
        part: &Range<usize>,
        marks: &MarkedRanges,
        parts: &mut Vec<RenderedPart>,
    ) {
        let wide = row.cells.iter().map(|cell| cell.column + 1).max().unwrap_or(0);
        let mut cells = vec![Vec::new(); wide.min(MAX_COLUMNS)];
        for cell in &row.cells {
            let shown = cell.start.max(part.start)..cell.end.min(part.end);
            if let Some(own) = cells.get_mut(cell.column).filter(|_| !shown.is_empty()) {
                *own = self.runs(shown, marks);
            }
        }
        let number = match block.place {
            BlockLocation::Row { row, .. } => Some(row),
            BlockLocation::Bytes { .. }
            | BlockLocation::Area { .. }
            | BlockLocation::Paragraph(_)
            | BlockLocation::Part { .. } => None,
        };
        let rendered = RenderedRow { number, is_header: row.is_header, cells };
        let caption = self.tables.get(row.table).and_then(|table| table.caption.clone());
        match parts.last_mut() {
            Some(RenderedPart::Table(table)) if table.caption == caption && !row.is_header => {
                table.rows.push(rendered);
            }
            _ => parts.push(RenderedPart::Table(RenderedTable { caption, rows: vec![rendered] })),
        }
    }

    /// A part of the text, cut where marks begin and end.
    fn runs(&self, part: Range<usize>, marks: &MarkedRanges) -> Vec<TextRun> {
        let text = self.text.get(part.clone()).unwrap_or_default();
        let mut runs = Vec::new();
        if self.format != DocumentFormat::Markdown {
            cut(text, part.start, marks, &mut runs);
            return runs;
        }
        for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
            let at = part.start + range.start;
            match event {
                Event::Text(said) if text.get(range.clone()) == Some(&*said) => {
                    self.cut_seen(&(at..part.start + range.end), marks, &mut runs);
                }
                // Written otherwise than it is read, such as `&amp;`: marked whole or not at all.
                Event::Text(said) | Event::Code(said) => {
                    push(&said, &(at..part.start + range.end), marks, &mut runs);
                }
                // Tags are shown as they are written: nothing of a document is left out unseen.
                Event::Html(said) | Event::InlineHtml(said) if !said.starts_with("<!--") => {
                    self.cut_seen(&(at..part.start + range.end), marks, &mut runs);
                }
                Event::SoftBreak | Event::HardBreak => {
                    push(" ", &(at..part.start + range.end), marks, &mut runs);
                }
                _ => {}
            }
        }
        runs
    }

    /// Cuts a part of Markdown, with a mark in place of words in it that a reader does not see.
    fn cut_seen(&self, part: &Range<usize>, marks: &MarkedRanges, runs: &mut Vec<TextRun>) {
        let mut at = part.start;
        for unseen in self.hidden_parts(part) {
            cut(self.text.get(at..unseen.start).unwrap_or_default(), at, marks, runs);
            push(UNSEEN_MARK, &unseen, marks, runs);
            at = unseen.end;
        }
        cut(self.text.get(at..part.end).unwrap_or_default(), at, marks, runs);
    }
}

impl MarkedRanges {
    /// How a part of the text is marked.
    fn of(&self, part: &Range<usize>) -> TextMark {
        if overlap(&self.differs, part) {
            TextMark::Differs
        } else if overlap(&self.quoted, part) {
            TextMark::Quoted
        } else {
            TextMark::Plain
        }
    }
}

/// Cuts a text that begins at a place where marks begin and end.
fn cut(text: &str, start: usize, marks: &MarkedRanges, runs: &mut Vec<TextRun>) {
    let end = start + text.len();
    let edges = [marks.quoted.start, marks.quoted.end, marks.differs.start, marks.differs.end];
    let mut edges: Vec<usize> = edges.into_iter().filter(|at| (start..end).contains(at)).collect();
    edges.extend([start, end]);
    edges.sort_unstable();
    for (from, to) in edges.iter().zip(edges.iter().skip(1)) {
        if let Some(part) = text.get(from - start..to - start) {
            push(part, &(*from..*to), marks, runs);
        }
    }
}

/// Adds a text of a place to the run before it, if it is marked alike.
fn push(text: &str, place: &Range<usize>, marks: &MarkedRanges, runs: &mut Vec<TextRun>) {
    let mark = marks.of(place);
    let is_first = !marks.quoted.is_empty() && place.contains(&marks.quoted.start);
    match runs.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.mark == mark => last.text.push_str(text),
        Some(_) | None => runs.push(TextRun { text: text.to_owned(), mark, is_first }),
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Where a text has the words of a quotation, in bytes; those that it leaves out are among them.
fn find(text: &str, quotation: &str) -> Option<Range<usize>> {
    find_words(text, quotation).or_else(|| {
        let mut parts = quotation.split(UNSEEN_MARK).filter(|part| !part.trim().is_empty());
        let mut found = find_words(text, parts.next()?)?;
        for part in parts {
            found.end += find_words(text.get(found.end..)?, part)?.end;
        }
        Some(found)
    })
}

/// Where a text has the words of another, white space aside, in bytes.
fn find_words(text: &str, words: &str) -> Option<Range<usize>> {
    let wanted: String = words.split_whitespace().collect();
    if wanted.is_empty() {
        return None;
    }
    let mut solid = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len());
    for (at, ch) in text.char_indices().filter(|(_, ch)| !ch.is_whitespace()) {
        solid.push(ch);
        // For every byte of `solid` the place of its character in `text`.
        places.resize(solid.len(), at);
    }
    let from = solid.find(&wanted)?;
    let (start, last) = (places.get(from)?, places.get(from + wanted.len() - 1)?);
    let width = text.get(*last..)?.chars().next()?.len_utf8();
    Some(*start..last + width)
}

/// How many columns of a table are shown.
const MAX_COLUMNS: usize = 64;
/// The extra size of an escaped character.
const ESCAPE_BYTES: usize = 4;
/// The size of the element around a text.
const ELEMENT_BYTES: usize = 40;
