//! Markdown: the original text, cut where its blocks begin.
//!
//! Every block runs to where the next begins, so that nothing between two of them
//! is lost. What says nothing is no block: front matter, comments, rules and the
//! line under a table's head. `<!-- page 12 -->` begins page 12.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::encoding::{Decoded, decode};
use super::outline::{Outline, short, trimmed};
use crate::document::{Block, Kind, Place, Problem};

mod front;

pub(super) use front::Front;

/// The text, blocks and problems of Markdown, and what its front matter says.
pub(super) fn read(bytes: &[u8]) -> (String, Vec<Block>, Vec<Problem>, Front) {
    let decoded = decode(bytes);
    let front = Front::of(&decoded.text);
    let cuts = Cuts::of(&decoded.text, front.end);
    let blocks = blocks(&decoded, &cuts.cuts);
    let Decoded { text, problem, .. } = decoded;
    (text, blocks, problem.into_iter().collect(), front)
}

fn blocks(decoded: &Decoded, cuts: &[Cut]) -> Vec<Block> {
    let text = decoded.text.as_str();
    let mut offsets = decoded.offsets();
    let mut outline = Outline::default();
    let mut blocks = Vec::new();
    let mut page = None;
    let ends = cuts.iter().skip(1).map(|cut| cut.at).chain([text.len()]);
    for (cut, end) in cuts.iter().zip(ends) {
        let (kind, title) = match &cut.part {
            Part::Block(kind) => (*kind, None),
            Part::Heading(level, title) => (Kind::Heading(*level), Some((*level, title))),
            Part::Page(number) => {
                page = Some(*number);
                continue;
            }
            Part::Nothing => continue,
        };
        let Some(Range { start, end }) = trimmed(text, cut.at..end) else { continue };
        let headings = outline.path(kind);
        if let Some((level, title)) = title {
            outline.enter(level, title);
        }
        let place = Place::Bytes { start: offsets.original(start), end: offsets.original(end) };
        blocks.push(Block { kind, start, end, page, headings, place });
    }
    blocks
}

/// Where a part of the text begins.
#[derive(Debug)]
struct Cut {
    at: usize,
    part: Part,
}

#[derive(Debug)]
enum Part {
    Block(Kind),
    /// A heading of a level, and its words.
    Heading(u8, String),
    /// A mark that begins a page.
    Page(u32),
    Nothing,
}

/// The cuts of a text, as the parser's events make them.
#[derive(Debug, Default)]
struct Cuts {
    cuts: Vec<Cut>,
    /// Items and quotations that are open, the innermost last.
    around: Vec<Kind>,
    /// Where an item or quotation began whose first block has not.
    pending: Option<usize>,
    /// Whether a block is open that takes text.
    open: bool,
    /// The words of an open heading.
    title: Option<(u8, usize, String)>,
}

impl Cuts {
    fn of(text: &str, from: usize) -> Self {
        let mut cuts = Self::default();
        cuts.cut(from, Part::Block(Kind::Paragraph));
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
        let body = text.get(from..).unwrap_or_default();
        for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
            cuts.take(text, event, from + range.start..from + range.end);
        }
        cuts
    }

    fn take(&mut self, text: &str, event: Event<'_>, range: Range<usize>) {
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
                    self.cut(range.start, Part::Page(page));
                    self.cut(range.end, Part::Block(self.kind()));
                }
            }
            Event::Rule => self.leave_out(range, Part::Nothing),
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
                let at = self.pending.take().unwrap_or(range.start);
                self.title = Some((*level as u8, at, String::new()));
                self.open = true;
            }
            Tag::Paragraph => self.leaf(range.start, self.kind()),
            Tag::CodeBlock(_) => self.leaf(range.start, Kind::Code),
            Tag::TableHead | Tag::TableRow => self.leaf(range.start, Kind::Row),
            Tag::Item => self.container(Kind::Item, range.start),
            Tag::BlockQuote(_) => self.container(Kind::Quote, range.start),
            Tag::HtmlBlock => {
                let html = text.get(range.clone()).unwrap_or_default();
                match (page(html), is_comment(html)) {
                    (Some(page), _) => self.leave_out(range, Part::Page(page)),
                    (None, true) => self.leave_out(range, Part::Nothing),
                    (None, false) => self.leaf(range.start, self.kind()),
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Heading(_) => {
                if let Some((level, at, title)) = self.title.take() {
                    self.cut(at, Part::Heading(level, short(&title)));
                    self.cut(range.end, Part::Block(self.kind()));
                }
                self.open = false;
            }
            TagEnd::TableHead => {
                self.cut(range.end, Part::Nothing);
                self.open = false;
            }
            TagEnd::Item | TagEnd::BlockQuote(_) => {
                self.around.pop();
                self.pending = None;
                self.open = false;
            }
            TagEnd::Paragraph | TagEnd::TableRow => self.open = false,
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Table => {
                self.cut(range.end, Part::Block(self.kind()));
                self.open = false;
            }
            _ => {}
        }
    }

    fn container(&mut self, kind: Kind, at: usize) {
        self.around.push(kind);
        self.pending = self.pending.or(Some(at));
        self.open = false;
    }

    fn leaf(&mut self, at: usize, kind: Kind) {
        let at = self.pending.take().unwrap_or(at);
        self.cut(at, Part::Block(kind));
        self.open = true;
    }

    /// The text of an item that has no paragraph around it.
    fn tight(&mut self, at: usize) {
        if !self.open {
            self.leaf(at, self.kind());
        }
    }

    fn leave_out(&mut self, range: Range<usize>, part: Part) {
        self.pending = None;
        self.cut(range.start, part);
        self.cut(range.end, Part::Block(self.kind()));
        self.open = false;
    }

    fn kind(&self) -> Kind {
        self.around.last().copied().unwrap_or(Kind::Paragraph)
    }

    /// Cuts, never before the last cut.
    fn cut(&mut self, at: usize, part: Part) {
        let last = self.cuts.last().map_or(0, |cut| cut.at);
        self.cuts.push(Cut { at: at.max(last), part });
    }
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
