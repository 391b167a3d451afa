//! Text of Markdown that its reader does not see: comments, the content of hidden elements, and
//! text inside tags, link targets and link definitions.
//!
//! An element may hide the paragraphs of Markdown up to its end tag, so the text is looked at
//! whole, as a browser is given it.

use std::ops::Range;

use html5gum::emitters::default::Token;
use html5gum::{Error, Span};
use pulldown_cmark::{Options, Parser};

use super::front::FrontMatter;
use crate::document::{DocumentFormat, HiddenText};
use crate::formats::element_tree::{ElementTree, PageSight, PageTokens};
use footnote::FootnoteReader;
use page::MarkdownPage;
use word_reader::WordReader;

mod footnote;
mod page;
#[cfg(test)]
mod tests;
mod word_reader;

/// The parts of a text that its reader does not see, each list in order and apart.
#[derive(Debug, Default)]
pub(crate) struct UnshownMarkup {
    /// Comments, and definitions of links.
    pub(crate) comments: Vec<Range<usize>>,
    /// Tags, names of languages and the like.
    tags: Vec<Range<usize>>,
    /// The targets of links.
    tails: Vec<Range<usize>>,
    /// Visible parts within them: titles of links and the like.
    titles: Vec<Range<usize>>,
    /// Text that is not shown, and why.
    pub(crate) hidden: Vec<(Range<usize>, HiddenText)>,
}

/// The words of a block that are not shown.
pub(in crate::formats) enum HiddenWords {
    None,
    /// These parts; others are.
    Some(Vec<Range<usize>>),
    All(HiddenText),
}

impl UnshownMarkup {
    /// Scans the text of a document of this format; `parts` are its visible ranges.
    pub(crate) fn of_document(
        text: &str,
        format: DocumentFormat,
        parts: impl Iterator<Item = Range<usize>>,
    ) -> Self {
        match format {
            DocumentFormat::Markdown => Self::of(text),
            DocumentFormat::Chunks => Self::of_parts(text, parts),
            DocumentFormat::Pdf
            | DocumentFormat::Docx
            | DocumentFormat::Html
            | DocumentFormat::Text
            | DocumentFormat::Csv
            | DocumentFormat::Xlsx
            | DocumentFormat::Eml => Self::default(),
        }
    }

    /// Looks through a text of Markdown.
    pub(in crate::formats) fn of(text: &str) -> Self {
        if !text.contains(['<', '[', '`', '~', '|']) {
            return Self::default();
        }
        let from = FrontMatter::of(text).end;
        let body = text.get(from..).unwrap_or_default();
        let mut words = WordReader::new(text, from);
        let mut page = MarkdownPage::default();
        let mut notes = FootnoteReader::default();
        for (event, range) in Parser::new_ext(body, MARKDOWN_OPTIONS).into_offset_iter() {
            let range = from + range.start..from + range.end;
            words.take(&event, &range);
            page.write(text, &event, &range);
            notes.take(&event, &range);
        }
        let mut found = words.finish();
        found.hidden.extend(notes.unasked());
        if page.has_raw() {
            let shown = PageReader::new(&page, text.len()).read();
            found.comments.extend(shown.comments);
            found.tags.extend(shown.tags);
            found.hidden.extend(shown.hidden);
        }
        found.settle();
        found
    }

    /// Looks through parts of a text, each of which is Markdown by itself; they are in order.
    pub(in crate::formats) fn of_parts(
        text: &str,
        parts: impl Iterator<Item = Range<usize>>,
    ) -> Self {
        let mut all = Self::default();
        for part in parts {
            let found = Self::of(text.get(part.clone()).unwrap_or_default());
            let placed = |range: Range<usize>| part.start + range.start..part.start + range.end;
            all.comments.extend(found.comments.into_iter().map(placed));
            all.tags.extend(found.tags.into_iter().map(placed));
            all.tails.extend(found.tails.into_iter().map(placed));
            all.titles.extend(found.titles.into_iter().map(placed));
            let hidden = found.hidden.into_iter();
            all.hidden.extend(hidden.map(|(range, reason)| (placed(range), reason)));
        }
        all
    }

    /// The words of a block that are not shown.
    pub(in crate::formats) fn hidden_words(&self, text: &str, block: &Range<usize>) -> HiddenWords {
        let first = self.hidden.partition_point(|(part, _)| part.end <= block.start);
        let touched = self.hidden.iter().skip(first).take_while(|(part, _)| part.start < block.end);
        let (mut at, mut reason, mut is_seen) = (block.start, None, false);
        let mut parts = Vec::new();
        for (part, why) in touched {
            let hidden = part.start.max(block.start)..part.end.min(block.end);
            is_seen |= self.has_words(text, &(at..hidden.start));
            if self.has_words(text, &hidden) {
                reason = reason.or(Some(*why));
            }
            at = hidden.end;
            parts.push(hidden);
        }
        is_seen |= self.has_words(text, &(at..block.end));
        match reason {
            None => HiddenWords::None,
            Some(reason) if !is_seen => HiddenWords::All(reason),
            Some(_) => HiddenWords::Some(parts),
        }
    }

    /// Whether a part of the text has words, shown or hidden, beside its tags.
    fn has_words(&self, text: &str, part: &Range<usize>) -> bool {
        let first = self.tags.partition_point(|tag| tag.end <= part.start);
        let tags = self.tags.iter().skip(first).take_while(|tag| tag.start < part.end);
        let mut at = part.start;
        let has = |range: Range<usize>| {
            text.get(range).is_some_and(|words| words.contains(char::is_alphanumeric))
        };
        for tag in tags {
            if has(at..tag.start.max(at)) {
                return true;
            }
            at = tag.end.max(at);
        }
        at < part.end && has(at..part.end)
    }

    /// The words of a heading that are shown, without these parts of it.
    pub(super) fn shown_words(
        &self,
        text: &str,
        heading: &Range<usize>,
        parts: &[Range<usize>],
    ) -> String {
        let mut words = String::new();
        let mut at = heading.start;
        for unread in self.unjudged(parts) {
            if unread.end <= at || unread.start >= heading.end {
                continue;
            }
            words.push_str(text.get(at..unread.start).unwrap_or_default());
            at = unread.end;
        }
        words.push_str(text.get(at..heading.end).unwrap_or_default());
        let words = words.trim_matches(|ch: char| ch == '#' || ch.is_whitespace());
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Tags and the like, of which no part is quoted, in order and apart.
    pub(crate) fn marks(&self) -> Vec<Range<usize>> {
        merged([self.tags.as_slice(), &self.tails].concat())
    }

    /// The ranges that no judge reads, with these parts of the text, in order and apart.
    pub(crate) fn unjudged(&self, parts: &[Range<usize>]) -> Vec<Range<usize>> {
        merged([parts, &self.comments, &self.tags, &self.titles].concat())
    }

    /// Sorts and merges the ranges.
    fn settle(&mut self) {
        self.comments = merged(std::mem::take(&mut self.comments));
        self.tags = merged(std::mem::take(&mut self.tags));
        self.hidden.sort_by_key(|(range, _)| range.start);
        let mut end = 0;
        for (range, _) in &mut self.hidden {
            range.start = range.start.max(end);
            range.end = range.end.max(range.start);
            end = range.end;
        }
        self.hidden.retain(|(range, _)| !range.is_empty());
    }
}

/// Ranges in order; those that overlap become one.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let overlaps = next.start < last.end;
        if overlaps {
            last.end = last.end.max(next.end);
        }
        overlaps
    });
    ranges
}

/// A page that is being read as a browser reads it.
struct PageReader<'p> {
    page: &'p MarkdownPage,
    /// Where the Markdown ends.
    end: usize,
    found: UnshownMarkup,
    /// Since where in the Markdown text is not seen, and why.
    hiding: Option<(usize, HiddenText)>,
}

impl<'p> PageReader<'p> {
    fn new(page: &'p MarkdownPage, end: usize) -> Self {
        Self { page, end, found: UnshownMarkup::default(), hiding: None }
    }

    /// The hidden text of the page.
    fn read(mut self) -> UnshownMarkup {
        let html = self.page.html.as_str();
        let mut tree = ElementTree::of(html);
        // Programs that show Markdown put it into a page of today.
        tree.is_quirky = false;
        let sights = PageSight::of(&tree);
        let mut tokens = PageTokens::of(html);
        // The last tag or comment, where the last text ended, and whether the page ends in a tag.
        let (mut part, mut text_end, mut is_cut) = (0..0, 0, false);
        while let Some(token) = tokens.next() {
            match token {
                Token::StartTag(tag) => part = self.mark(tag.span),
                Token::EndTag(tag) => part = self.mark(tag.span),
                Token::Comment(comment) => part = self.comment(comment.span),
                Token::Doctype(doctype) => part = self.comment(doctype.span),
                Token::String(text) => {
                    part.start = part.end;
                    text_end = text.span.end;
                }
                Token::Error(error) => is_cut |= error.value == Error::EofInTag,
            }
            self.see(&part, tokens.sight(&sights).reason());
        }
        if is_cut {
            self.drop_tail(part.end.max(text_end));
        }
        if let Some((from, reason)) = self.hiding.take() {
            self.found.hidden.push((from..self.end, reason));
        }
        self.found
    }

    /// Records whether the text behind a part of the page is visible.
    fn see(&mut self, part: &Range<usize>, hidden: Option<HiddenText>) {
        if self.hiding.map(|(_, reason)| reason) == hidden {
            return;
        }
        if let Some((from, reason)) = self.hiding.take() {
            self.found.hidden.push((from..self.page.source_start(part.start).max(from), reason));
        }
        self.hiding = hidden.map(|reason| (self.page.source_end(part.end), reason));
    }

    /// Takes a tag, and returns where it is in the page.
    fn mark(&mut self, span: Span<usize>) -> Range<usize> {
        let part = span.start..span.end;
        if self.page.is_raw(&part) {
            let range = self.source(&part);
            self.found.tags.push(range);
        }
        part
    }

    fn comment(&mut self, span: Span<usize>) -> Range<usize> {
        let part = span.start..span.end;
        if self.page.is_raw(&part) {
            let range = self.source(&part);
            self.found.comments.push(range);
        }
        part
    }

    /// The range of a tag or a comment in the Markdown. Words that it swallows are hidden:
    /// they are blocks of their own.
    fn source(&mut self, part: &Range<usize>) -> Range<usize> {
        let range = self.page.source_start(part.start)..self.page.source_end(part.end);
        if self.page.has_words(part) {
            self.found.hidden.push((range.clone(), HiddenText::MarkedHidden));
        }
        range
    }

    /// A browser shows nothing of a tag that does not end.
    fn drop_tail(&mut self, text_end: usize) {
        let from = text_end.saturating_sub(1);
        let tail = self.page.html.get(from..).and_then(|tail| tail.find('<'));
        let start = self.page.source_start(tail.map_or(from, |found| from + found));
        self.found.comments.push(start..self.end);
        self.found.hidden.push((start..self.end, HiddenText::MarkedHidden));
    }
}

/// The extensions of Markdown that are read, here and by other readers of such texts.
pub(super) const MARKDOWN_OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES).union(Options::ENABLE_STRIKETHROUGH);
