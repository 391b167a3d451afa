//! The blocks of a page, as its elements begin and end them.

use dalil_phrasebook::document_note;
use html5gum::emitters::default::StartTag;

use super::cell::{CellSpan, TableGrid};
use crate::document::{BlockKind, BlockLocation, HiddenText};
use crate::formats::outline::{DocumentBuilder, RowDraft, folded};

/// The document that is being written, and the open elements.
pub(super) struct HtmlFlow<'f> {
    sheet: &'f mut DocumentBuilder,
    place: &'f dyn Fn(usize, usize) -> BlockLocation,
    /// Letters that are hidden.
    lost: usize,
    line: HtmlTextRun,
    heading: Option<u8>,
    lists: usize,
    in_item: bool,
    quotes: usize,
    pre: usize,
    /// The open tables, one inside the other.
    tables: Vec<TableGrid>,
    /// Why the next text cannot be seen.
    hidden: Option<HiddenText>,
}

/// Text that is gathered, and where it is from.
#[derive(Debug, Default)]
struct HtmlTextRun {
    text: String,
    range: Option<(usize, usize)>,
    /// Whether white space came after the last word.
    spaced: bool,
    /// Why some of it cannot be seen.
    hidden: Option<HiddenText>,
}

impl<'f> HtmlFlow<'f> {
    pub(super) fn new(
        sheet: &'f mut DocumentBuilder,
        place: &'f dyn Fn(usize, usize) -> BlockLocation,
    ) -> Self {
        Self {
            sheet,
            place,
            lost: 0,
            line: HtmlTextRun::default(),
            heading: None,
            lists: 0,
            in_item: false,
            quotes: 0,
            pre: 0,
            tables: Vec::new(),
            hidden: None,
        }
    }

    /// Leaves a text out.
    pub(super) fn lose(&mut self, text: &str) {
        self.lost += text.chars().filter(|ch| !ch.is_whitespace()).count();
    }

    pub(super) fn text(&mut self, text: &str, start: usize, end: usize) {
        if !text.chars().all(blank) {
            self.line.hidden = self.line.hidden.or(self.hidden);
        }
        if self.pre > 0 {
            self.line.raw(text, start, end);
        } else {
            self.line.take(text, start, end);
        }
    }

    /// Sets whether the next text is hidden, and why.
    pub(super) fn hide(&mut self, hidden: Option<HiddenText>) {
        if self.hidden == hidden {
            return;
        }
        // In a table a block would tear the row apart: the cell takes the reason when it ends.
        if self.tables.is_empty() {
            self.block();
        }
        self.hidden = hidden;
    }

    pub(super) fn start(&mut self, name: &str, tag: &StartTag<usize>) {
        match name {
            "br" => self.line.text.push('\n'),
            "td" | "th" => {
                self.cell();
                let span = CellSpan::of(name, tag);
                self.tables.last_mut().into_iter().for_each(|table| table.begin(span));
            }
            "b" | "strong" => {
                // Only bold letters at the beginning of a cell make it a name.
                let blank = self.line.text.trim().is_empty();
                self.tables.last_mut().filter(|_| blank).into_iter().for_each(TableGrid::embolden);
            }
            "tr" => self.row(),
            "table" => {
                self.boundary();
                self.tables.push(TableGrid::default());
            }
            "caption" => self.boundary(),
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
            _ if BLOCK_ELEMENTS.contains(&name) => self.boundary(),
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        match name {
            "td" | "th" => self.cell(),
            "tr" => self.row(),
            "table" => {
                self.row();
                self.tables.pop();
            }
            "caption" => self.caption(),
            "ul" | "ol" | "menu" => {
                self.boundary();
                self.lists = self.lists.saturating_sub(1);
                self.in_item = self.lists > 0;
            }
            "li" => {
                self.boundary();
                // After an inner item the text continues inside the outer one.
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
            _ if BLOCK_ELEMENTS.contains(&name) => self.boundary(),
            _ => {}
        }
    }

    pub(super) fn finish(mut self) {
        // A table that nothing closes may still hold its last row.
        while !self.tables.is_empty() {
            self.row();
            self.tables.pop();
        }
        self.block();
        if self.lost > 0 {
            let lost = self.lost;
            self.sheet.problem(None, &document_note::hidden_letters_left_out(lost));
        }
    }

    /// A new line: a block of its own, unless it is in a cell.
    fn boundary(&mut self) {
        if self.tables.is_empty() || self.heading.is_some() {
            self.block();
        } else {
            self.line.text.push('\n');
        }
    }

    /// The words above a table that the page calls its caption.
    fn caption(&mut self) {
        let Some(table) = self.tables.last_mut() else { return self.block() };
        table.caption = Some(folded(&self.line.text)).filter(|caption| !caption.is_empty());
        let HtmlTextRun { text, range, hidden, .. } = std::mem::take(&mut self.line);
        if let Some((start, end)) = range {
            let block = self.sheet.push(BlockKind::Paragraph, &text, (self.place)(start, end));
            block.into_iter().for_each(|block| block.hidden = hidden);
        }
    }

    fn cell(&mut self) {
        let Some(table) = self.tables.last_mut() else { return self.block() };
        let HtmlTextRun { text, range, hidden, .. } = std::mem::take(&mut self.line);
        table.end(folded(&text), range, hidden);
    }

    fn row(&mut self) {
        if self.tables.is_empty() {
            return self.block();
        }
        self.cell();
        let Some(table) = self.tables.last_mut() else { return };
        let (cells, is_header, range, hidden) = table.row();
        // An empty row is not written, but it counts for the cells that reach down through it.
        let Some((start, end)) = range else { return table.carry(&[]) };
        let number = match table.number {
            Some(number) => number,
            None => self.sheet.table(table.caption.take()),
        };
        table.number = Some(number);
        let draft = RowDraft { table: number, is_header, cells, hidden };
        let written = self.sheet.row(&draft, (self.place)(start, end));
        let row = written.and_then(|block| block.row.as_ref());
        table.carry(row.map_or(&[][..], |row| row.cells.as_slice()));
    }

    fn block(&mut self) {
        let HtmlTextRun { text, range, hidden, .. } = std::mem::take(&mut self.line);
        let Some((start, end)) = range else { return };
        let kind = match self.heading {
            Some(level) => BlockKind::Heading(level),
            None if self.pre > 0 => BlockKind::Code,
            None if self.in_item => BlockKind::Item,
            None if self.quotes > 0 => BlockKind::Quote,
            None => BlockKind::Paragraph,
        };
        let depth = u8::try_from(self.lists).ok().filter(|_| kind == BlockKind::Item);
        let block = self.sheet.nested(kind, &text, (self.place)(start, end), depth);
        block.into_iter().for_each(|block| block.hidden = hidden);
    }
}

impl HtmlTextRun {
    /// Adds text with its white space folded.
    fn take(&mut self, text: &str, start: usize, end: usize) {
        for word in text.split_inclusive(blank) {
            let bare = word.trim_end_matches(blank);
            if !bare.is_empty() {
                // Only between two words: the white space may be of another element.
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

const BLOCK_ELEMENTS: [&str; 24] = [
    "address",
    "article",
    "aside",
    "body",
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
