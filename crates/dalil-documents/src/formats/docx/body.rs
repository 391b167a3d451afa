//! The running text of a Word file, paragraph by paragraph.

use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, document_note};

use super::look::{RunProperties, is_shade};
use super::numbering::{DocxNumbering, NumberingRef};
use super::styles::DocxStyles;
use crate::document::{BlockKind, BlockLocation, HiddenText};
use crate::formats::css;
use crate::formats::outline::{CellDraft, DocumentBuilder, RowDraft, folded};
use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// The document so far, and the open elements.
#[derive(Debug)]
pub(super) struct DocxBodyReader<'s> {
    /// The document so far.
    pub(super) sheet: DocumentBuilder,
    styles: &'s DocxStyles,
    numbering: &'s mut DocxNumbering,
    paragraphs: u32,
    /// Open paragraphs: a text box is inside one and contains others.
    open: Vec<DocxParagraph>,
    tables: Vec<DocxTable>,
    /// Paragraphs of text boxes, which follow the paragraph they hang on.
    later: Vec<TextBoxBlock>,
    /// How many elements are open from one on that is not read.
    skipped: usize,
    in_text: bool,
    in_run: bool,
    /// How the open run looks.
    look: RunProperties,
    /// The number of open insertions that are not accepted.
    inserted: usize,
    /// The shapes that are open, each with why it cannot be seen.
    shapes: Vec<Option<HiddenText>>,
    lost: DocxOmissions,
}

#[derive(Debug, Default)]
struct DocxParagraph {
    number: u32,
    text: String,
    style: Option<String>,
    outline: Option<u32>,
    numbered: NumberingRef,
    shaded: bool,
    /// Whether it contains an insertion that is not accepted.
    inserted: bool,
    /// The words of it that cannot be seen.
    unseen: Vec<(HiddenText, String)>,
}

/// A paragraph or a row of a text box.
#[derive(Debug)]
enum TextBoxBlock {
    Text(ParagraphDraft),
    Row(RowDraft, BlockLocation),
}

/// A paragraph that is to be written.
#[derive(Clone, Debug)]
struct ParagraphDraft {
    kind: BlockKind,
    text: String,
    place: BlockLocation,
    nest: Option<u8>,
    hidden: Option<HiddenText>,
}

#[derive(Debug, Default)]
struct DocxTable {
    shaded: bool,
    /// Why the row that is open cannot be seen.
    hidden: Option<HiddenText>,
    /// How many paragraphs are open around it.
    depth: usize,
    cells: Vec<DocxCell>,
    first: Option<u32>,
    /// Its place among the tables of the document, once it has a row.
    number: Option<usize>,
    /// Whether the row that is open names the columns.
    is_header: bool,
    /// The last text of each column, and where it is, for cells that go on below.
    above: BTreeMap<usize, (usize, usize)>,
}

/// One cell of a row.
#[derive(Debug, Default)]
struct DocxCell {
    text: String,
    columns: usize,
    /// Whether it goes on with the cell above it.
    goes_on: bool,
    shaded: bool,
}

/// Parts of the file that are not in the text.
#[derive(Debug, Default)]
struct DocxOmissions {
    deletions: u32,
    hidden: usize,
    symbols: usize,
}

impl<'s> DocxBodyReader<'s> {
    pub(super) fn new(styles: &'s DocxStyles, numbering: &'s mut DocxNumbering) -> Self {
        Self {
            sheet: DocumentBuilder::default(),
            styles,
            numbering,
            paragraphs: 0,
            open: Vec::new(),
            tables: Vec::new(),
            later: Vec::new(),
            skipped: 0,
            in_text: false,
            in_run: false,
            look: RunProperties::default(),
            inserted: 0,
            shapes: Vec::new(),
            lost: DocxOmissions::default(),
        }
    }

    /// Reads one part of the file: the text, its notes, a header.
    pub(super) fn read(&mut self, xml: &str, part: &str) {
        let mut nodes = XmlNodes::of(xml);
        for node in nodes.by_ref() {
            match node {
                XmlNode::Open(_) if self.skipped > 0 => self.skipped += 1,
                XmlNode::Close(_) if self.skipped > 0 => self.skipped -= 1,
                XmlNode::Open(tag) => self.start(&tag),
                XmlNode::Close(end) => self.end(end.name()),
                XmlNode::Text(text) if self.in_text && self.skipped == 0 => self.text(&text),
                XmlNode::Text(_) => {}
            }
        }
        // Open elements of a broken file are still text.
        while !self.open.is_empty() {
            self.end("p");
        }
        while !self.tables.is_empty() {
            self.end("tr");
            self.end("tbl");
        }
        (self.skipped, self.in_text, self.in_run, self.inserted) = (0, false, false, 0);
        self.shapes.clear();
        if let Some(broken) = nodes.broken {
            self.sheet.problem(Some(&Phrase::verbatim(part)), &broken);
        }
    }

    /// The document, with a problem for each skipped part.
    pub(super) fn finish(mut self) -> DocumentBuilder {
        let DocxOmissions { deletions, hidden, symbols } = self.lost;
        if deletions > 0 {
            self.sheet.problem(None, &document_note::deletions_left_out(deletions));
        }
        if hidden > 0 {
            self.sheet.problem(None, &document_note::hidden_text_left_out(hidden));
        }
        if symbols > 0 {
            self.sheet.problem(None, &document_note::symbols_left_out(symbols));
        }
        self.sheet
    }

    fn start(&mut self, tag: &XmlStartTag<'_>) {
        match tag.name() {
            "p" => {
                self.paragraphs += 1;
                self.open
                    .push(DocxParagraph { number: self.paragraphs, ..DocxParagraph::default() });
            }
            "r" => (self.in_run, self.look) = (true, RunProperties::default()),
            "ins" | "moveTo" => self.inserted += 1,
            "shape" | "rect" | "roundrect" | "drawing" | "docPr" => self.shape(tag),
            "t" => self.in_text = true,
            "tab" if self.in_run => self.text("\t"),
            "br" | "cr" if self.in_run => self.text("\n"),
            "noBreakHyphen" => self.text("\u{2011}"),
            "sym" => self.symbol(tag),
            "rStyle" if self.in_run => {
                // Properties of the run override its style.
                if let Some(id) = tag.get("val") {
                    self.look = self.look.over(self.styles.look(&id));
                }
            }
            "vanish" | "specVanish" | "webHidden" | "color" | "sz" | "highlight" if self.in_run => {
                self.look.take(tag);
            }
            "shd" => self.shade(tag),
            // A table style is not read. It may shade cells, and white letters may be visible.
            "tblStyle" => self.tables.last_mut().into_iter().for_each(|table| table.shaded = true),
            "tbl" => self.tables.push(DocxTable { depth: self.open.len(), ..DocxTable::default() }),
            "tr" => self.tables.last_mut().into_iter().for_each(DocxTable::begin),
            "tc" => self.tables.last_mut().into_iter().for_each(|table| {
                table.cells.push(DocxCell { columns: 1, ..DocxCell::default() });
            }),
            "tblHeader" | "gridSpan" | "vMerge" => self.cell_property(tag),
            "del" | "moveFrom" => {
                self.lost.deletions += 1;
                self.skipped = 1;
            }
            // `Fallback` repeats `Choice` (ECMA-376-3). Former properties and the
            // codes of fields are invisible.
            "Fallback" | "instrText" | "rPrChange" | "pPrChange" | "sectPr" | "delText" => {
                self.skipped = 1;
            }
            _ => self.property(tag),
        }
    }

    fn cell_property(&mut self, tag: &XmlStartTag<'_>) {
        let Some(table) = self.tables.last_mut() else { return };
        if tag.name() == "tblHeader" {
            table.is_header = tag.is_on();
        }
        let Some(cell) = table.cells.last_mut() else { return };
        match tag.name() {
            "gridSpan" => {
                cell.columns =
                    tag.number("val").map_or(1, |wide| wide.clamp(1, MAX_SPAN_COLUMNS) as usize);
            }
            "vMerge" => cell.goes_on = tag.get("val").is_none_or(|value| value != "restart"),
            _ => {}
        }
    }

    fn property(&mut self, tag: &XmlStartTag<'_>) {
        let Some(paragraph) = self.open.last_mut() else { return };
        match tag.name() {
            "pStyle" => paragraph.style = tag.get("val"),
            "outlineLvl" => paragraph.outline = tag.number("val"),
            "numId" => paragraph.numbered.list = tag.get("val"),
            "ilvl" => paragraph.numbered.level = tag.number("val"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" => self.end_paragraph(),
            "r" => self.in_run = false,
            "t" => self.in_text = false,
            "ins" | "moveTo" => self.inserted = self.inserted.saturating_sub(1),
            "shape" | "rect" | "roundrect" | "drawing" => drop(self.shapes.pop()),
            "tr" => self.end_row(),
            "tbl" => drop(self.tables.pop()),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let Some(paragraph) = self.open.last_mut() else { return };
        let look = self.look.over(self.styles.paragraph_look(paragraph.style.as_deref()));
        if look.vanishes() {
            self.lost.hidden += text.chars().count();
            return;
        }
        let table = self.tables.last();
        let shaded = paragraph.shaded
            || table.is_some_and(|table| {
                table.shaded || table.cells.last().is_some_and(|cell| cell.shaded)
            });
        let shape = self.shapes.iter().find_map(|shape| *shape);
        let unseen = shape.or_else(|| look.unseen(shaded));
        let is_word = text.chars().any(char::is_alphanumeric);
        // Spaces and signs can hide nothing, and keep the words around them apart.
        match unseen.filter(|_| is_word) {
            // Hidden text among visible words is kept apart from them.
            Some(reason) => match paragraph.unseen.last_mut() {
                Some((last, words)) if *last == reason => words.push_str(text),
                _ => paragraph.unseen.push((reason, text.to_owned())),
            },
            None => {
                paragraph.text.push_str(text);
                paragraph.inserted |= self.inserted > 0 && is_word;
            }
        }
    }

    /// A shape that may be hidden, or lie beside the page.
    fn shape(&mut self, tag: &XmlStartTag<'_>) {
        // `docPr` is inside the `drawing` that it describes.
        if tag.name() == "docPr" {
            let hides = tag.get("hidden").is_some_and(|value| value == "1" || value == "true");
            self.shapes.last_mut().filter(|_| hides).into_iter().for_each(|shape| {
                *shape = Some(HiddenText::MarkedHidden);
            });
        } else if self.shapes.len() < MAX_SHAPE_DEPTH {
            let style = tag.get("style").map(|style| css::declarations(&style));
            self.shapes.push(style.and_then(|style| css::unseen(&style)));
        }
    }

    fn shade(&mut self, tag: &XmlStartTag<'_>) {
        let shade = is_shade(tag);
        if self.in_run {
            self.look.take(tag);
        } else if let Some(paragraph) = self.open.last_mut() {
            paragraph.shaded |= shade;
        } else if let Some(table) = self.tables.last_mut() {
            match table.cells.last_mut() {
                Some(cell) => cell.shaded |= shade,
                None => table.shaded |= shade,
            }
        }
    }

    /// A character of a font by its code; those of picture fonts mean nothing as text.
    fn symbol(&mut self, tag: &XmlStartTag<'_>) {
        let code = tag.get("char").and_then(|hex| u32::from_str_radix(&hex, 16).ok());
        match code.and_then(char::from_u32).filter(|ch| !('\u{e000}'..='\u{f8ff}').contains(ch)) {
            Some(ch) => self.text(ch.encode_utf8(&mut [0; 4])),
            None => self.lost.symbols += 1,
        }
    }

    fn end_paragraph(&mut self) {
        let Some(mut paragraph) = self.open.pop() else { return };
        let (kind, text, nest) = self.told(&paragraph);
        let place = BlockLocation::Paragraph(paragraph.number);
        let depth = self.open.len();
        let inserted = paragraph.inserted.then_some(HiddenText::UnacceptedInsertion);
        // A paragraph of a text box inside a cell is deeper than the table and no text of the cell.
        if let Some(table) = self.tables.last_mut().filter(|table| table.depth == depth) {
            table.first = table.first.or(Some(paragraph.number));
            table.hidden = table.hidden.or(inserted);
            let unseen = std::mem::take(&mut paragraph.unseen);
            table.hidden = unseen.first().map(|(reason, _)| *reason).or(table.hidden);
            if let Some(cell) = table.cells.last_mut() {
                join(&mut cell.text, &text, " ");
                unseen.iter().for_each(|(_, words)| join(&mut cell.text, words, " "));
            }
            return;
        }
        let mut drafts = vec![ParagraphDraft { kind, text, place, nest, hidden: inserted }];
        drafts.extend(paragraph.unseen.into_iter().map(|(reason, text)| ParagraphDraft {
            kind: BlockKind::Paragraph,
            text,
            place,
            nest: None,
            hidden: Some(reason),
        }));
        if depth > 0 {
            self.later.extend(drafts.into_iter().map(TextBoxBlock::Text));
        } else {
            drafts.iter().for_each(|draft| self.put(draft));
            self.flush();
        }
    }

    fn put(&mut self, draft: &ParagraphDraft) {
        let ParagraphDraft { kind, text, place, nest, hidden } = draft;
        let block = self.sheet.nested(*kind, text, *place, *nest);
        block.into_iter().for_each(|block| block.hidden = *hidden);
    }

    /// The kind of a paragraph, and its text with its number.
    fn told(&mut self, paragraph: &DocxParagraph) -> (BlockKind, String, Option<u8>) {
        let DocxParagraph { text, style, outline, numbered, .. } = paragraph;
        let by_style = style.as_ref().map(|id| self.styles.numbered(id));
        let by_style = by_style.as_ref();
        // List 0 takes away the numbering of the style (ECMA-376-1, 17.9.18).
        let list = numbered.list.clone().or_else(|| by_style?.list.clone());
        let list = list.filter(|list| list != "0");
        let level = numbered.level.or_else(|| by_style?.level).unwrap_or(0) as usize;
        // Counted for an empty paragraph too, as Word counts it.
        let number = list.as_ref().and_then(|list| self.numbering.next(list, level));
        let outline = outline.and_then(|level| u8::try_from(level.saturating_add(1)).ok());
        let heading = outline.or_else(|| self.styles.heading(style.as_ref()?));
        let kind = match heading.filter(|level| *level <= MAX_OUTLINE_LEVEL) {
            Some(level) => BlockKind::Heading(level),
            None if list.is_some() => BlockKind::Item,
            None => BlockKind::Paragraph,
        };
        let nest = u8::try_from(level.saturating_add(1)).ok().filter(|_| kind == BlockKind::Item);
        let text = text.trim();
        match number.filter(|_| !text.is_empty()) {
            Some(number) => (kind, format!("{number} {text}"), nest),
            None => (kind, text.to_owned(), nest),
        }
    }

    fn end_row(&mut self) {
        let Some(table) = self.tables.last_mut() else { return };
        let place = BlockLocation::Paragraph(table.first.take().unwrap_or(self.paragraphs));
        let (depth, mut draft) = (table.depth, table.end());
        if draft.cells.iter().all(|cell| cell.text.is_empty()) {
            return;
        }
        // A row of a table inside a cell is a part of the text of that cell.
        let around = self.tables.len().checked_sub(2).and_then(|at| self.tables.get_mut(at));
        if let Some(around) = around
            && let Some(cell) = around.cells.last_mut()
        {
            around.hidden = around.hidden.or(draft.hidden);
            let texts: Vec<&str> = draft.cells.iter().map(|cell| cell.text.as_str()).collect();
            return join(&mut cell.text, &texts.join(" | "), " / ");
        }
        let Some(table) = self.tables.last_mut() else { return };
        draft.table = match table.number {
            Some(number) => number,
            None => self.sheet.table(None),
        };
        table.number = Some(draft.table);
        if depth > 0 {
            return self.later.push(TextBoxBlock::Row(draft, place));
        }
        let written = self.sheet.row(&draft, place).and_then(|block| block.row.as_ref());
        // Cells that go on below (`vMerge`) point to the text that was written here.
        for cell in written.into_iter().flat_map(|row| &row.cells) {
            table.above.insert(cell.column, (cell.start, cell.end));
        }
        self.flush();
    }

    fn flush(&mut self) {
        for later in std::mem::take(&mut self.later) {
            match later {
                TextBoxBlock::Text(draft) => self.put(&draft),
                TextBoxBlock::Row(draft, place) => drop(self.sheet.row(&draft, place)),
            }
        }
    }
}

impl DocxTable {
    fn begin(&mut self) {
        self.cells.clear();
        self.is_header = false;
    }

    /// The row that is open, with the cells of rows above that reach into it.
    fn end(&mut self) -> RowDraft {
        let mut cells = Vec::new();
        let mut column = 0;
        for cell in std::mem::take(&mut self.cells) {
            let text = folded(&cell.text);
            let from = self.above.get(&column).copied().filter(|_| cell.goes_on && text.is_empty());
            cells.push(CellDraft { column, text, from });
            column += cell.columns;
        }
        let hidden = self.hidden.take();
        RowDraft { is_header: self.is_header, cells, hidden, ..RowDraft::default() }
    }
}

fn join(text: &mut String, more: &str, between: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str(between);
    }
    text.push_str(more);
}

/// Below these an outline level means running text.
const MAX_OUTLINE_LEVEL: u8 = 9;
/// No table for human readers has wider cells.
const MAX_SPAN_COLUMNS: u32 = 256;
/// Shapes within shapes.
const MAX_SHAPE_DEPTH: usize = 64;
