//! The blocks of a page, as its elements begin and end them.

use crate::document::{Kind, Place};
use crate::read::outline::Sheet;

/// What is being written, and which elements are open.
pub(super) struct Flow<'f> {
    sheet: &'f mut Sheet,
    place: &'f dyn Fn(usize, usize) -> Place,
    /// Letters that are hidden.
    pub(super) lost: usize,
    line: Line,
    heading: Option<u8>,
    lists: usize,
    in_item: bool,
    quotes: usize,
    pre: usize,
    /// The open rows, one for each table inside another.
    rows: Vec<Row>,
}

/// Text that is gathered, and where it is from.
#[derive(Debug, Default)]
struct Line {
    text: String,
    range: Option<(usize, usize)>,
    /// Whether white space came after the last word.
    spaced: bool,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<String>,
    range: Option<(usize, usize)>,
}

impl<'f> Flow<'f> {
    pub(super) fn new(sheet: &'f mut Sheet, place: &'f dyn Fn(usize, usize) -> Place) -> Self {
        Self {
            sheet,
            place,
            lost: 0,
            line: Line::default(),
            heading: None,
            lists: 0,
            in_item: false,
            quotes: 0,
            pre: 0,
            rows: Vec::new(),
        }
    }

    pub(super) fn text(&mut self, text: &str, start: usize, end: usize) {
        if self.pre > 0 {
            self.line.raw(text, start, end);
        } else {
            self.line.take(text, start, end);
        }
    }

    pub(super) fn start(&mut self, name: &str) {
        match name {
            "br" => self.line.text.push('\n'),
            "td" | "th" => self.cell(),
            "tr" => self.row(),
            "table" => {
                self.boundary();
                self.rows.push(Row::default());
            }
            "ul" | "ol" | "menu" => {
                self.boundary();
                self.lists += 1;
            }
            "li" => {
                self.boundary();
                self.in_item = true;
            }
            "blockquote" => {
                self.boundary();
                self.quotes += 1;
            }
            "pre" => {
                self.boundary();
                self.pre += 1;
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.row();
                self.block();
                self.heading = name.as_bytes().get(1).map(|digit| digit - b'0');
            }
            _ if BLOCKS.contains(&name) => self.boundary(),
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        match name {
            "td" | "th" => self.cell(),
            "tr" => self.row(),
            "table" => {
                self.row();
                self.rows.pop();
            }
            "ul" | "ol" | "menu" => {
                self.boundary();
                self.lists = self.lists.saturating_sub(1);
                self.in_item = self.lists > 0;
            }
            "li" => {
                self.boundary();
                self.in_item = self.lists > 1;
            }
            "blockquote" => {
                self.boundary();
                self.quotes = self.quotes.saturating_sub(1);
            }
            "pre" => {
                self.boundary();
                self.pre = self.pre.saturating_sub(1);
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.block();
                self.heading = None;
            }
            _ if BLOCKS.contains(&name) => self.boundary(),
            _ => {}
        }
    }

    pub(super) fn finish(mut self) {
        while !self.rows.is_empty() {
            self.row();
            self.rows.pop();
        }
        self.block();
        if self.lost > 0 {
            let lost = self.lost;
            self.sheet.problem(None, format!("letters that the page hides left out: {lost}"));
        }
    }

    /// A new line: a block of its own, unless it is in a cell.
    fn boundary(&mut self) {
        if self.rows.is_empty() || self.heading.is_some() {
            self.block();
        } else {
            self.line.text.push('\n');
        }
    }

    fn cell(&mut self) {
        let Some(row) = self.rows.last_mut() else { return self.block() };
        let Line { text, range, .. } = std::mem::take(&mut self.line);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if range.is_some() && !text.is_empty() {
            row.cells.push(text);
            row.range = joined(row.range, range);
        }
    }

    fn row(&mut self) {
        if self.rows.is_empty() {
            return self.block();
        }
        self.cell();
        let Some(Row { cells, range }) = self.rows.last_mut().map(std::mem::take) else { return };
        if let Some((start, end)) = range {
            self.sheet.push(Kind::Row, &cells.join(" | "), (self.place)(start, end));
        }
    }

    fn block(&mut self) {
        let Line { text, range, .. } = std::mem::take(&mut self.line);
        let Some((start, end)) = range else { return };
        let kind = match self.heading {
            Some(level) => Kind::Heading(level),
            None if self.pre > 0 => Kind::Code,
            None if self.in_item => Kind::Item,
            None if self.quotes > 0 => Kind::Quote,
            None => Kind::Paragraph,
        };
        self.sheet.push(kind, &text, (self.place)(start, end));
    }
}

impl Line {
    /// Adds text with its white space folded.
    fn take(&mut self, text: &str, start: usize, end: usize) {
        for word in text.split_inclusive(blank) {
            let bare = word.trim_end_matches(blank);
            if !bare.is_empty() {
                if self.spaced && !self.text.is_empty() && !self.text.ends_with('\n') {
                    self.text.push(' ');
                }
                self.text.push_str(bare);
                self.spaced = false;
                self.range = joined(self.range, Some((start, end)));
            }
            self.spaced |= bare.len() < word.len();
        }
    }

    /// Adds text as it is.
    fn raw(&mut self, text: &str, start: usize, end: usize) {
        self.text.push_str(text);
        if !text.trim().is_empty() {
            self.range = joined(self.range, Some((start, end)));
        }
    }
}

/// White space that a page folds; a space that must not break is not.
fn blank(ch: char) -> bool {
    matches!(ch, ' ' | '\n' | '\t' | '\r' | '\u{c}')
}

fn joined(one: Option<(usize, usize)>, other: Option<(usize, usize)>) -> Option<(usize, usize)> {
    match (one, other) {
        (Some((start, _)), Some((_, end))) => Some((start, end)),
        (range, None) | (None, range) => range,
    }
}

const BLOCKS: [&str; 25] = [
    "address",
    "article",
    "aside",
    "body",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "legend",
    "main",
    "nav",
    "option",
    "p",
    "section",
    "select",
    "summary",
];
