//! Units: the headings, paragraphs, items and rows of an answer in Markdown.

use std::ops::Range;

use dalil_documents::sentence::trimmed;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// One piece of an answer that no claim reaches out of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerUnit {
    pub(super) shape: AnswerUnitKind,
    /// The bytes of its content, without markers at its ends.
    pub(super) span: Range<usize>,
    /// How many lists, quotations and tables it is in.
    pub(super) depth: usize,
    /// How many of them are quotations.
    pub(super) quoted: usize,
    /// Code and links, inside which no sentence ends.
    pub(super) solid: Vec<Range<usize>>,
    /// Explicit line breaks, which end sentences.
    pub(super) breaks: Vec<usize>,
    /// The cells of a row.
    pub(super) cells: Vec<Range<usize>>,
}

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerUnitKind {
    /// A heading of a level from 1.
    Heading(u8),
    /// Running text, also of items and quotations.
    Text,
    /// The first row of a table.
    Header,
    /// Another row.
    Row,
    /// Code.
    Code,
    /// HTML.
    Markup,
}

/// The units of an answer, in order.
pub(super) fn units(answer: &str) -> Vec<AnswerUnit> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut walk = AnswerUnitBuilder { units: Vec::new(), open: None, depth: 0, quoted: 0 };
    for (event, range) in Parser::new_ext(answer, options).into_offset_iter() {
        walk.event(&event, range);
    }
    walk.close();
    for unit in &mut walk.units {
        unit.span = trimmed(answer, unit.span.clone());
    }
    walk.units.retain(|unit| !unit.span.is_empty());
    walk.units
}

struct AnswerUnitBuilder {
    units: Vec<AnswerUnit>,
    open: Option<AnswerUnit>,
    depth: usize,
    quoted: usize,
}

impl AnswerUnitBuilder {
    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(*tag),
            Event::Rule => self.close(),
            Event::HardBreak => {
                if let Some(open) = &mut self.open {
                    open.breaks.push(range.end);
                }
            }
            Event::Code(_) | Event::InlineHtml(_) => {
                self.inline(range.clone());
                self.solid(range);
            }
            Event::Text(_)
            | Event::Html(_)
            | Event::SoftBreak
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => self.inline(range),
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => self.open_empty(AnswerUnitKind::Heading(rank(*level))),
            Tag::Paragraph => self.open_empty(AnswerUnitKind::Text),
            Tag::CodeBlock(_) => self.open_whole(AnswerUnitKind::Code, range),
            Tag::HtmlBlock => self.open_whole(AnswerUnitKind::Markup, range),
            Tag::TableHead => self.open_whole(AnswerUnitKind::Header, range),
            Tag::TableRow => self.open_whole(AnswerUnitKind::Row, range),
            Tag::TableCell => {
                if let Some(open) = &mut self.open {
                    open.cells.push(range);
                }
            }
            // Words of an item before its inner list are a unit of their own.
            Tag::List(_) | Tag::BlockQuote(_) | Tag::Table(_) => {
                self.close();
                self.depth += 1;
                self.quoted += usize::from(matches!(tag, Tag::BlockQuote(_)));
            }
            Tag::Link { .. } | Tag::Image { .. } => {
                self.inline(range.clone());
                self.solid(range);
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => self.inline(range),
            _ => self.close(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::List(_) | TagEnd::BlockQuote(_) | TagEnd::Table => {
                self.close();
                self.depth = self.depth.saturating_sub(1);
                let quotes = usize::from(matches!(tag, TagEnd::BlockQuote(_)));
                self.quoted = self.quoted.saturating_sub(quotes);
            }
            TagEnd::TableCell
            | TagEnd::Link
            | TagEnd::Image
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough => {}
            _ => self.close(),
        }
    }

    fn open_empty(&mut self, shape: AnswerUnitKind) {
        self.open_whole(shape, 0..0);
    }

    fn open_whole(&mut self, shape: AnswerUnitKind, span: Range<usize>) {
        self.close();
        let (solid, breaks, cells) = (Vec::new(), Vec::new(), Vec::new());
        let (depth, quoted) = (self.depth, self.quoted);
        self.open = Some(AnswerUnit { shape, span, depth, quoted, solid, breaks, cells });
    }

    /// Takes words into the open unit. The words of a tight list item open one.
    fn inline(&mut self, range: Range<usize>) {
        if self.open.is_none() {
            self.open_empty(AnswerUnitKind::Text);
        }
        if let Some(open) = &mut self.open {
            // An empty span has no place yet: its 0 is no start.
            let empty = open.span.is_empty();
            open.span.start = if empty { range.start } else { open.span.start.min(range.start) };
            open.span.end = open.span.end.max(range.end);
        }
    }

    fn solid(&mut self, range: Range<usize>) {
        if let Some(open) = &mut self.open {
            open.solid.push(range);
        }
    }

    fn close(&mut self) {
        self.units.extend(self.open.take());
    }
}

const fn rank(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
