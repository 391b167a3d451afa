//! Markdown: the original text, cut where its blocks begin.
//!
//! Every block extends to the start of the next, so that no text between two of them
//! is lost. Parts without content are not blocks: front matter, comments, rules and the
//! line under a table's head. `<!-- page 12 -->` begins page 12.

use std::ops::Range;

use dalil_phrasebook::document_note;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::DocumentDraft;
use super::encoding::{DecodedText, decode};
use super::markup::{self, InlineTag};
use super::outline::{BlockDraft, Outline, short, trimmed};
use super::text::marked_heading;
use crate::document::{
    BlockKind, BlockLocation, DocumentBlock, DocumentTable, HiddenText, ParseProblem, TableCell,
    TableRow,
};
pub(super) use front::FrontMatter;
use rows::{RawRow, RawTable};

mod front;
mod rows;
mod unshown;

pub(super) use unshown::HiddenWords;
use unshown::MARKDOWN_OPTIONS;
pub(crate) use unshown::UnshownMarkup;

/// Reads Markdown.
pub(super) fn read(bytes: &[u8]) -> DocumentDraft {
    let decoded = decode(bytes);
    let front = FrontMatter::of(&decoded.text);
    let cuts = MarkdownCutBuilder::of(&decoded.text, front.end);
    let unshown = UnshownMarkup::of(&decoded.text);
    let (blocks, unread) = blocks(&decoded, cuts.cuts, &unshown);
    let DecodedText { text, problem, .. } = decoded;
    let mut problems: Vec<ParseProblem> = problem.into_iter().collect();
    if !unread.is_empty() {
        let message = document_note::hidden_parts_not_read(unread.len());
        problems.push(ParseProblem::new(None, &message));
    }
    DocumentDraft {
        title: front.title,
        date: front.date,
        text,
        blocks,
        tables: vec![DocumentTable::default(); cuts.tables],
        problems,
        unshown: unshown.unjudged(&unread),
        hidden_words: unread,
    }
}

/// The blocks, and the hidden parts of those that are visible in part.
fn blocks(
    decoded: &DecodedText,
    cuts: Vec<MarkdownCut>,
    unshown: &UnshownMarkup,
) -> (Vec<DocumentBlock>, Vec<Range<usize>>) {
    let text = decoded.text.as_str();
    let mut offsets = decoded.offsets();
    let mut outline = Outline::default();
    let mut blocks = Vec::new();
    let mut page = None;
    let mut unread = Vec::new();
    let ends: Vec<usize> = cuts.iter().skip(1).map(|cut| cut.at).chain([text.len()]).collect();
    for (cut, end) in cuts.into_iter().zip(ends) {
        let is_definition = matches!(cut.part, MarkdownPart::Definition);
        let (kind, title, row) = match cut.part {
            MarkdownPart::Block(kind) => (kind, None, None),
            MarkdownPart::Definition => (BlockKind::Paragraph, None, None),
            MarkdownPart::Heading(level, title) => {
                (BlockKind::Heading(level), Some((level, title)), None)
            }
            MarkdownPart::Row(row) => (BlockKind::Row, None, Some(row)),
            MarkdownPart::Page(number) => {
                page = Some(number);
                continue;
            }
            MarkdownPart::Nothing => continue,
        };
        let Some(range) = trimmed(text, cut.at..end) else { continue };
        let raw = text.get(range.clone()).unwrap_or_default();
        // Tags alone say nothing.
        if kind == BlockKind::Paragraph && raw.starts_with('<') && is_bare(raw) {
            continue;
        }
        let Range { start, end } = range;
        let place =
            BlockLocation::Bytes { start: offsets.original(start), end: offsets.original(end) };
        let draft = BlockDraft { kind, range, place, depth: Some(cut.depth) };
        // Hidden text heads nothing and leads to nothing.
        let (hidden, title) = match unshown.hidden_words(text, &draft.range) {
            _ if is_definition => (Some(HiddenText::MarkedHidden), None),
            HiddenWords::None => (None, title),
            HiddenWords::All(reason) => (Some(reason), None),
            HiddenWords::Some(parts) => {
                let shown = |(level, _)| (level, unshown.shown_words(text, &draft.range, &parts));
                let title = title.map(shown);
                unread.extend(parts);
                (None, title)
            }
        };
        let block = match hidden {
            Some(_) => outline.unseen_block(&draft),
            None => outline.block(text, &draft),
        };
        if let Some((level, title)) = title {
            outline.enter(level, &title);
        }
        blocks.push(DocumentBlock { page, row, hidden, ..block });
    }
    (blocks, unread)
}

/// Where a part of the text begins.
#[derive(Debug)]
struct MarkdownCut {
    at: usize,
    part: MarkdownPart,
    /// How many lists are around it.
    depth: u8,
}

#[derive(Debug)]
enum MarkdownPart {
    Block(BlockKind),
    /// A heading of a level, and its words.
    Heading(u8, String),
    /// A row of a table.
    Row(TableRow),
    /// The definition of a link, with words that no reader of the document sees.
    Definition,
    /// A mark that begins a page.
    Page(u32),
    Nothing,
}

/// The cuts of a text, as the parser's events make them.
#[derive(Debug, Default)]
struct MarkdownCutBuilder {
    cuts: Vec<MarkdownCut>,
    /// Items and quotations that are open, the innermost last.
    around: Vec<BlockKind>,
    /// Where an item or quotation began whose first block has not.
    pending: Option<usize>,
    /// Whether a block is open that takes text.
    open: bool,
    /// The words of an open heading.
    title: Option<(u8, usize, String)>,
    /// How many tables there are.
    tables: usize,
    /// The column of the next cell.
    column: usize,
    /// Whether a table of HTML has no end.
    unclosed: bool,
    /// Where a table of HTML ends whose rows are cut already.
    passed: usize,
}

impl MarkdownCutBuilder {
    fn of(text: &str, from: usize) -> Self {
        let mut cuts = Self::default();
        // Text that no event begins is a paragraph: blocks must hold every character.
        cuts.cut(from, MarkdownPart::Block(BlockKind::Paragraph));
        let body = text.get(from..).unwrap_or_default();
        let parser = Parser::new_ext(body, MARKDOWN_OPTIONS);
        let definitions = parser.reference_definitions().iter();
        // `[//]: # (words)` is how a comment is written in Markdown: a title of several words may
        // be one, and hide a text.
        let mut defined: Vec<Range<usize>> = definitions
            .filter(|(_, one)| one.title.as_ref().is_some_and(|title| title.contains(' ')))
            .map(|(_, one)| from + one.span.start..from + one.span.end)
            .collect();
        // The parser keeps definitions in a hash map, whose order is no order.
        defined.sort_by_key(|range| range.start);
        for (event, range) in parser.into_offset_iter() {
            cuts.take(text, event, from + range.start..from + range.end);
        }
        cuts.define(defined);
        cuts
    }

    /// Cuts definitions of links out of the text around them.
    fn define(&mut self, defined: Vec<Range<usize>>) {
        if defined.is_empty() {
            return;
        }
        let mut all = Vec::with_capacity(self.cuts.len() + 2 * defined.len());
        let mut cuts = std::mem::take(&mut self.cuts).into_iter().peekable();
        for Range { start, end } in defined {
            while let Some(cut) = cuts.next_if(|cut| cut.at <= start) {
                all.push(cut);
            }
            // One inside a list or a quotation is part of it.
            let plain = all.last().is_none_or(|cut| {
                cut.depth == 0
                    && matches!(
                        cut.part,
                        MarkdownPart::Block(BlockKind::Paragraph) | MarkdownPart::Definition
                    )
            });
            let free = cuts.peek().is_none_or(|next| next.at >= end);
            if plain && free {
                all.push(MarkdownCut { at: start, part: MarkdownPart::Definition, depth: 0 });
                all.push(MarkdownCut {
                    at: end,
                    part: MarkdownPart::Block(BlockKind::Paragraph),
                    depth: 0,
                });
            }
        }
        all.extend(cuts);
        self.cuts = all;
    }

    fn take(&mut self, text: &str, event: Event<'_>, range: Range<usize>) {
        // A blank line ends HTML for the parser, but not a table for a reader.
        if range.start < self.passed {
            return;
        }
        match event {
            Event::Start(tag) => self.start(text, &tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(words) | Event::Code(words) => {
                self.tight(range.start);
                if let Some((_, _, title)) = &mut self.title {
                    title.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, _, title)) = &mut self.title {
                    title.push(' ');
                }
            }
            Event::InlineHtml(html) => {
                self.tight(range.start);
                // A mark inside a paragraph: the page changes after it.
                if let Some(page) = page(&html) {
                    self.cut(range.start, MarkdownPart::Page(page));
                    self.cut(range.end, MarkdownPart::Block(self.kind()));
                }
            }
            Event::Rule => self.leave_out(range, MarkdownPart::Nothing),
            Event::Html(_) => {}
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => self.tight(range.start),
        }
    }

    fn start(&mut self, text: &str, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                // The mark of an item or quotation belongs to its first block.
                let at = self.pending.take().unwrap_or(range.start);
                self.title = Some((*level as u8, at, String::new()));
                self.open = true;
            }
            Tag::Paragraph => {
                self.leaf(range.start, self.kind());
                self.marked_heading(text, range);
            }
            Tag::CodeBlock(_) => self.leaf(range.start, BlockKind::Code),
            Tag::Table(_) => self.tables += 1,
            Tag::TableHead | Tag::TableRow => {
                let is_header = matches!(tag, Tag::TableHead);
                let at = self.pending.take().unwrap_or(range.start);
                let table = self.tables.saturating_sub(1);
                self.cut(at, MarkdownPart::Row(TableRow { table, is_header, cells: Vec::new() }));
                self.open = true;
                self.column = 0;
            }
            Tag::TableCell => self.cell(text, range),
            Tag::Item => self.container(BlockKind::Item, range.start),
            Tag::BlockQuote(_) => self.container(BlockKind::Quote, range.start),
            Tag::HtmlBlock => {
                let html = text.get(range.clone()).unwrap_or_default();
                match (page(html), is_comment(html)) {
                    (Some(page), _) => self.leave_out(range, MarkdownPart::Page(page)),
                    (None, true) => self.leave_out(range, MarkdownPart::Nothing),
                    (None, false) => {
                        self.leaf(range.start, self.kind());
                        self.raw_tables(text, range);
                    }
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Heading(_) => {
                if let Some((level, at, title)) = self.title.take() {
                    self.cut(at, MarkdownPart::Heading(level, short(&title)));
                    self.cut(range.end, MarkdownPart::Block(self.kind()));
                }
                self.open = false;
            }
            // The line under the head has no words; the cut runs to the first row.
            TagEnd::TableHead => {
                self.cut(range.end, MarkdownPart::Nothing);
                self.open = false;
            }
            TagEnd::Item | TagEnd::BlockQuote(_) => {
                self.around.pop();
                self.pending = None;
                self.open = false;
            }
            TagEnd::Paragraph | TagEnd::TableRow => self.open = false,
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Table => {
                self.cut(range.end, MarkdownPart::Block(self.kind()));
                self.open = false;
            }
            _ => {}
        }
    }

    /// A first line such as `== Title`, which some write in Markdown.
    fn marked_heading(&mut self, text: &str, range: Range<usize>) {
        let first = text.get(range.clone()).and_then(|block| block.lines().next());
        let Some(line) = first else { return };
        if let Some((level, title)) = marked_heading(line)
            && self.kind() == BlockKind::Paragraph
        {
            self.cut(range.start, MarkdownPart::Heading(level, short(title)));
            self.cut(range.start + line.len(), MarkdownPart::Block(BlockKind::Paragraph));
        }
    }

    /// A cell of the open row.
    fn cell(&mut self, text: &str, range: Range<usize>) {
        let column = self.column;
        self.column += 1;
        let row = self.cuts.last_mut().map(|cut| &mut cut.part);
        if let (Some(MarkdownPart::Row(row)), Some(range)) = (row, trimmed_cell(text, range)) {
            row.cells.push(TableCell { column, start: range.start, end: range.end });
        }
    }

    /// The rows of tables that are written in HTML.
    fn raw_tables(&mut self, text: &str, range: Range<usize>) {
        let mut at = range.start;
        while !self.unclosed
            && let Some(found) = text.get(at..range.end).and_then(|html| find_tag(html, "table"))
        {
            let start = at + found;
            let Some(RawTable { end, rows }) = RawTable::at(text, start) else {
                // One that does not end is looked for once: the text may hold many.
                self.unclosed = true;
                return;
            };
            self.cut(start, MarkdownPart::Nothing);
            let table = self.tables;
            self.tables += 1;
            for RawRow { range, is_header, cells } in rows {
                self.cut(range.start, MarkdownPart::Row(TableRow { table, is_header, cells }));
                self.cut(range.end, MarkdownPart::Nothing);
            }
            self.cut(end, MarkdownPart::Block(self.kind()));
            self.passed = end;
            at = end;
            if at >= range.end {
                return;
            }
        }
    }

    fn container(&mut self, kind: BlockKind, at: usize) {
        self.around.push(kind);
        self.pending = self.pending.or(Some(at));
        self.open = false;
    }

    fn leaf(&mut self, at: usize, kind: BlockKind) {
        let at = self.pending.take().unwrap_or(at);
        self.cut(at, MarkdownPart::Block(kind));
        self.open = true;
    }

    /// The text of an item that has no paragraph around it.
    fn tight(&mut self, at: usize) {
        if !self.open {
            self.leaf(at, self.kind());
        }
    }

    fn leave_out(&mut self, range: Range<usize>, part: MarkdownPart) {
        self.pending = None;
        self.cut(range.start, part);
        self.cut(range.end, MarkdownPart::Block(self.kind()));
        self.open = false;
    }

    fn kind(&self) -> BlockKind {
        self.around.last().copied().unwrap_or(BlockKind::Paragraph)
    }

    /// Cuts, never before the last cut.
    fn cut(&mut self, at: usize, part: MarkdownPart) {
        let last = self.cuts.last().map_or(0, |cut| cut.at);
        let depth = self.around.iter().filter(|kind| **kind == BlockKind::Item).count();
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        self.cuts.push(MarkdownCut { at: at.max(last), part, depth });
    }
}

/// A cell without the bars and the space around it.
fn trimmed_cell(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let Range { start, end } = trimmed(text, range)?;
    let inside = text.get(start..end)?;
    let from = start + usize::from(inside.starts_with('|'));
    // An escaped bar is a letter of the cell (GFM, 4.10).
    let to = if inside.ends_with('|') && !inside.ends_with("\\|") { end - 1 } else { end };
    trimmed(text, from..to.max(from))
}

/// Whether a text holds tags and nothing else, shown or hidden.
fn is_bare(text: &str) -> bool {
    markup::words(text).is_empty() && !markup::hides(text)
}

/// Where a start tag of this name is.
fn find_tag(html: &str, name: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = html.get(at..)?.find('<') {
        at += next;
        let tag = InlineTag::at(html.get(at..)?);
        if tag.is_some_and(|tag| !tag.closes && tag.name.eq_ignore_ascii_case(name)) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The number in `<!-- page 12 -->`.
fn page(html: &str) -> Option<u32> {
    let inside = html.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let (word, number) = inside.split_once(char::is_whitespace)?;
    if !word.eq_ignore_ascii_case("page") {
        return None;
    }
    number.trim().parse().ok().filter(|page| *page > 0)
}

/// Whether a block of HTML is one comment and nothing else.
fn is_comment(html: &str) -> bool {
    let html = html.trim();
    let inside = html.strip_prefix("<!--").and_then(|html| html.strip_suffix("-->"));
    inside.is_some_and(|inside| !inside.contains("-->"))
}
