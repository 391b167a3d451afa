//! Parts of Markdown that are not words of the page: link targets, definitions, names of languages.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::UnshownMarkup;

/// A text of which the events of its parser are taken.
pub(super) struct WordReader<'t> {
    text: &'t str,
    found: UnshownMarkup,
    /// Links that are open, the innermost last: where their words end so far.
    links: Vec<usize>,
    /// Where the last words or the last link ended.
    seen: usize,
}

impl<'t> WordReader<'t> {
    pub(super) fn new(text: &'t str, from: usize) -> Self {
        Self { text, found: UnshownMarkup::default(), links: Vec::new(), seen: from }
    }

    pub(super) fn take(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => self.links.push(range.start),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                self.link_end(range);
                self.inside_link(range.end);
            }
            Event::Start(_) | Event::End(_) => self.inside_link(range.end),
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {
                self.gap(range.start);
                self.seen = self.seen.max(range.end);
                self.inside_link(range.end);
            }
        }
    }

    pub(super) fn finish(mut self) -> UnshownMarkup {
        self.gap(self.text.len());
        self.found
    }

    /// Extends the words of the innermost link to `end`. Links around it are extended when it ends.
    fn inside_link(&mut self, end: usize) {
        if let Some(words) = self.links.last_mut() {
            *words = (*words).max(end);
        }
    }

    fn link_end(&mut self, link: &Range<usize>) {
        let Some(words) = self.links.pop() else { return };
        let tail = words.max(link.start)..link.end.max(words);
        self.gap(tail.start);
        self.seen = self.seen.max(tail.end);
        let inside = self.text.get(tail.clone()).unwrap_or_default();
        if let Some(title) = unshown_words(inside) {
            self.found.titles.push(tail.start + title.start..tail.start + title.end);
        }
        self.found.tails.push(tail);
    }

    /// Takes the text before `end` that no event covers.
    fn gap(&mut self, end: usize) {
        let gap = self.text.get(self.seen..end).unwrap_or_default();
        if !gap.contains(char::is_alphanumeric) {
            return;
        }
        let mut at = self.seen;
        // A definition may continue in the next line, and ends with the gap.
        let mut definition: Option<usize> = None;
        for line in gap.split_inclusive('\n') {
            let words = unmarked(line);
            let start = at + (line.len() - words.len());
            let end = start + words.trim_end().len();
            at += line.len();
            if !words.contains(char::is_alphanumeric) {
                continue;
            }
            if definition.is_none() && words.starts_with('[') && words.contains("]:") {
                definition = Some(start);
            }
            match definition {
                Some(from) => self.found.comments.push(from..end),
                None => self.found.tags.push(start..end),
            }
        }
    }
}

/// A line without the marks of the lists, quotations and notes that it is in.
fn unmarked(line: &str) -> &str {
    let mut rest = line;
    loop {
        let inside = rest.trim_start_matches([' ', '\t', '>', '-', '+', '*', '|']);
        let digits = inside.len() - inside.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
        let numbered = inside.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')']));
        let noted = inside.strip_prefix("[^").and_then(|rest| rest.split_once("]:"));
        rest = match (numbered.filter(|_| digits > 0), noted) {
            (Some(after), _) | (None, Some((_, after))) => after,
            (None, None) => return inside,
        };
    }
}

/// The words in the end of a link: the title in `](address "title")`, the name in
/// `][name]`.
fn unshown_words(tail: &str) -> Option<Range<usize>> {
    // A link without words is all tail.
    if let Some(rest) = tail.strip_prefix("![").or_else(|| tail.strip_prefix('[')) {
        let words = unshown_words(rest)?;
        let before = tail.len() - rest.len();
        return Some(before + words.start..before + words.end);
    }
    if let Some(name) = tail.strip_prefix("][") {
        return Some(2..2 + name.trim_end_matches(']').len());
    }
    let inside = tail.strip_prefix("](").and_then(|inside| inside.strip_suffix(')'))?;
    let address = inside.trim_start();
    let words = match address.strip_prefix('<') {
        // An address in brackets may have spaces, and is no more seen than a title.
        Some(quoted) => Some(quoted).filter(|quoted| quoted.contains(' ')),
        None => address.split_once(|ch: char| ch.is_ascii_whitespace()).map(|(_, title)| title),
    };
    let words = words.map(str::trim_start).filter(|words| !words.is_empty())?;
    Some(tail.len() - 1 - words.len()..tail.len() - 1)
}
