//! What the text of Markdown has and its reader does not see: comments, what elements hide, and
//! what stands inside tags and behind the words of links.
//!
//! An element may hide the paragraphs of Markdown up to its end tag, so the text is looked at whole.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::front::FrontMatter;
use crate::formats::markup::InlineTag;

/// The parts of a text that its reader does not see, each list in order.
#[derive(Debug, Default)]
pub(crate) struct UnshownMarkup {
    /// Comments.
    pub(crate) comments: Vec<Range<usize>>,
    /// Tags, and what stands behind the words of links.
    pub(crate) marks: Vec<Range<usize>>,
    /// What elements hold that are hidden themselves.
    pub(crate) hidden: Vec<Range<usize>>,
}

impl UnshownMarkup {
    /// Looks through a text of Markdown.
    pub(crate) fn of(text: &str) -> Self {
        if !text.contains(['<', '[']) {
            return Self::default();
        }
        let from = FrontMatter::of(text).end;
        let body = text.get(from..).unwrap_or_default();
        let mut reading = UnshownReader { text, ..UnshownReader::default() };
        for (event, range) in Parser::new_ext(body, MARKDOWN_OPTIONS).into_offset_iter() {
            reading.take(&event, from + range.start..from + range.end);
        }
        reading.reveal(text.len());
        let mut found = reading.found;
        found.marks.sort_by_key(|mark| mark.start);
        found
    }

    /// Looks through parts of a text, each of which is Markdown by itself; they are in order.
    pub(crate) fn of_parts(text: &str, parts: impl Iterator<Item = Range<usize>>) -> Self {
        let mut all = Self::default();
        for part in parts {
            let found = Self::of(text.get(part.clone()).unwrap_or_default());
            let placed = |range: Range<usize>| part.start + range.start..part.start + range.end;
            all.comments.extend(found.comments.into_iter().map(placed));
            all.marks.extend(found.marks.into_iter().map(placed));
            all.hidden.extend(found.hidden.into_iter().map(placed));
        }
        all
    }
}

/// A text that is being looked through.
#[derive(Default)]
struct UnshownReader<'t> {
    text: &'t str,
    found: UnshownMarkup,
    /// The element that hides what follows.
    hiding: Option<HidingElement<'t>>,
    /// Links that are open, the innermost last: where their words end so far.
    links: Vec<usize>,
    /// Where a comment ends that goes on behind its block.
    passed: usize,
}

struct HidingElement<'t> {
    /// Its name, and how many of this name are open.
    name: (&'t str, usize),
    from: usize,
    place: HtmlPlace,
}

/// Where a piece of HTML stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HtmlPlace {
    /// By itself.
    Block,
    /// Among the words of a paragraph, which its elements do not outlive.
    Paragraph,
}

impl<'t> UnshownReader<'t> {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => self.links.push(range.start),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(words) = self.links.pop() {
                    self.found.marks.push(words.max(range.start)..range.end);
                }
            }
            Event::Start(tag) if is_block(tag) => {
                // A paragraph or an item ends where the next begins, whatever its tags say.
                if self.hiding.as_ref().is_some_and(|one| ends_with_its_block(one.name.0)) {
                    self.reveal(range.start);
                }
                if matches!(tag, Tag::HtmlBlock) {
                    self.html(range.clone(), HtmlPlace::Block);
                }
            }
            Event::InlineHtml(_) => self.html(range.clone(), HtmlPlace::Paragraph),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell)
                if self.hiding.as_ref().is_some_and(|one| one.place == HtmlPlace::Paragraph) =>
            {
                self.reveal(range.end);
            }
            _ => {}
        }
        // What is inside a link are its words; the link itself begins before them.
        let inside = match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                self.links.len().saturating_sub(1)
            }
            _ => self.links.len(),
        };
        for words in self.links.iter_mut().take(inside) {
            *words = (*words).max(range.end);
        }
    }

    /// Takes the comments and tags of a piece of HTML.
    fn html(&mut self, range: Range<usize>, place: HtmlPlace) {
        let mut at = range.start.max(self.passed);
        while let Some(found) = self.text.get(at..range.end).and_then(|html| html.find('<')) {
            let start = at + found;
            let from = self.text.get(start..).unwrap_or_default();
            at = if from.starts_with("<!--") {
                // A page shows nothing up to the end of a comment, whatever ends its block.
                let end = from.find("-->").map_or(self.text.len(), |end| start + end + 3);
                self.found.comments.push(start..end);
                self.passed = end;
                end
            } else if begins_tag(from) {
                let inside = self.text.get(start..range.end).unwrap_or_default();
                let end = start + tag_len(inside);
                self.tag(start..end, place);
                end
            } else {
                start + 1
            };
        }
    }

    fn tag(&mut self, range: Range<usize>, place: HtmlPlace) {
        let Some(tag) = self.text.get(range.clone()).and_then(InlineTag::whole) else { return };
        let before = self.hiding.as_ref().map(|one| one.name);
        match (tag.step(before), &mut self.hiding) {
            (Some(name), Some(hiding)) => hiding.name = name,
            (Some(name), none) => {
                *none = Some(HidingElement { name, from: range.end, place });
            }
            (None, _) => self.reveal(range.start),
        }
        self.found.marks.push(range);
    }

    /// What follows is seen again.
    fn reveal(&mut self, at: usize) {
        if let Some(hiding) = self.hiding.take() {
            self.found.hidden.push(hiding.from..at.max(hiding.from));
        }
    }
}

/// Whether a tag begins here, of whatever element.
fn begins_tag(from: &str) -> bool {
    let inside = from.strip_prefix("</").or_else(|| from.strip_prefix('<'));
    inside.is_some_and(|inside| inside.starts_with(|ch: char| ch.is_ascii_alphabetic()))
}

/// How long the tag is that a text begins with: all of it, if nothing closes the tag.
fn tag_len(text: &str) -> usize {
    let mut quote = None;
    let end = text.bytes().position(|byte| match (quote, byte) {
        (Some(open), _) => {
            quote = (open != byte).then_some(open);
            false
        }
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (None, byte) => byte == b'>',
    });
    end.map_or(text.len(), |end| end + 1)
}

fn is_block(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item
            | Tag::Table(_)
    )
}

/// Whether an element ends where the next block begins (HTML, 13.1.2.4).
fn ends_with_its_block(name: &str) -> bool {
    ["p", "li", "dt", "dd", "td", "th", "tr"].iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// What is Markdown here, for whoever reads a text as such.
pub(super) const MARKDOWN_OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES).union(Options::ENABLE_STRIKETHROUGH);
