//! The running text of a Word file, paragraph by paragraph.

use dalil_phrasebook::{Phrase, document_note};

use super::look::RunProperties;
use super::numbering::{DocxNumbering, NumberingRef};
use super::placing::ParagraphPlacing;
use super::reach::{DocxSettings, OpenAlternatives, OpenFields, ReferredParts};
use super::shape::DocxShapes;
use super::styles::DocxStyles;
use super::table::DocxTable;
use super::theme::ThemeColours;
use crate::document::{BlockKind, BlockLocation, HiddenText};
use crate::formats::css::StyleColour;
use crate::formats::outline::{DocumentBuilder, RowDraft};
use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// The parts of a file beside its text that decide how the text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct DocumentLooks<'s> {
    pub(super) styles: &'s DocxStyles,
    pub(super) theme: &'s ThemeColours,
    pub(super) settings: DocxSettings,
}

/// The document so far, and the open elements.
#[derive(Debug)]
pub(super) struct DocxBodyReader<'s> {
    /// The document so far.
    pub(super) sheet: DocumentBuilder,
    looks: DocumentLooks<'s>,
    numbering: &'s mut DocxNumbering,
    /// The colour of the page.
    paper: StyleColour,
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
    shapes: DocxShapes,
    fields: OpenFields,
    alternatives: OpenAlternatives,
    referred: ReferredParts,
    part: OpenPart,
    /// The level of the heading below which the text is folded away.
    folded: Option<u8>,
    /// The open places of formulas that may be kept empty, each with whether it or one around it
    /// is so.
    phantoms: Vec<bool>,
    lost: DocxOmissions,
}

/// The part of the file that is read.
#[derive(Clone, Copy, Debug, Default)]
struct OpenPart {
    /// Whether it, or the note that is read, is on no page.
    is_unreferred: bool,
    has_notes: bool,
}

#[derive(Debug, Default)]
struct DocxParagraph {
    number: u32,
    text: String,
    style: Option<String>,
    outline: Option<u32>,
    numbered: NumberingRef,
    placing: ParagraphPlacing,
    /// Whether the text below it as a heading is folded away.
    folds: bool,
    /// Whether a run is open around it, and how that looks: it is in a text box then.
    around: (bool, RunProperties),
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

/// Parts of the file that are not in the text.
#[derive(Debug, Default)]
struct DocxOmissions {
    deletions: u32,
    hidden: usize,
    symbols: usize,
}

impl<'s> DocxBodyReader<'s> {
    pub(super) fn new(looks: DocumentLooks<'s>, numbering: &'s mut DocxNumbering) -> Self {
        Self {
            sheet: DocumentBuilder::default(),
            looks,
            numbering,
            paper: StyleColour::WHITE,
            paragraphs: 0,
            open: Vec::new(),
            tables: Vec::new(),
            later: Vec::new(),
            skipped: 0,
            in_text: false,
            in_run: false,
            look: RunProperties::default(),
            inserted: 0,
            shapes: DocxShapes::default(),
            fields: OpenFields::default(),
            alternatives: OpenAlternatives::default(),
            referred: ReferredParts::default(),
            part: OpenPart::default(),
            folded: None,
            phantoms: Vec::new(),
            lost: DocxOmissions::default(),
        }
    }

    /// Begins a part beside the text, which may be on no page.
    pub(super) fn begin_part(&mut self, kind: &str, id: &str) {
        self.sheet.outline.restart();
        let is_head = matches!(kind, "header" | "footer");
        self.part.is_unreferred = is_head && !self.referred.shows_head(id, self.looks.settings);
        self.part.has_notes = matches!(kind, "footnotes" | "endnotes");
        self.folded = None;
    }

    /// Reads one part of the file: the text, its notes, a header.
    pub(super) fn read(&mut self, xml: &str, part: &str) {
        let mut nodes = XmlNodes::of(xml);
        self.fields = OpenFields::of(xml);
        for node in nodes.by_ref() {
            match node {
                XmlNode::Open(tag) if self.skipped > 0 => {
                    self.fields.pass(&tag);
                    self.skipped += 1;
                }
                XmlNode::Close(_) if self.skipped > 0 => self.skipped -= 1,
                XmlNode::Open(tag) => self.start(&tag),
                XmlNode::Close(end) => self.end(end.name()),
                XmlNode::Text(text) if self.in_text && self.skipped == 0 => self.text(&text),
                XmlNode::Text(text) if self.skipped == 0 => self.shapes.text(&text),
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
        self.phantoms.clear();
        self.fields = OpenFields::default();
        self.alternatives = OpenAlternatives::default();
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
                let around = (std::mem::take(&mut self.in_run), std::mem::take(&mut self.look));
                let number = self.paragraphs;
                self.open.push(DocxParagraph { number, around, ..DocxParagraph::default() });
            }
            "r" => (self.in_run, self.look) = (true, RunProperties::default()),
            "ins" | "moveTo" | "conflictIns" if !self.in_row_properties() => self.inserted += 1,
            "t" => self.in_text = true,
            "tab" if self.in_run => self.text("\t"),
            "br" | "cr" if self.in_run => self.text("\n"),
            "noBreakHyphen" => self.text("\u{2011}"),
            "sym" => self.symbol(tag),
            "tbl" => self.begin_table(),
            "tr" => self.tables.last_mut().into_iter().for_each(DocxTable::begin),
            "tc" => self.tables.last_mut().into_iter().for_each(DocxTable::begin_cell),
            "del" | "moveFrom" | "conflictDel" if !self.in_row_properties() => {
                self.lost.deletions += 1;
                self.skipped = 1;
            }
            // Former properties, those of the mark behind a paragraph, and the codes of fields
            // are invisible, as is the edge of a shape in comparison with its fill.
            "instrText" | "rPrChange" | "pPrChange" | "sectPrChange" | "tblPrChange"
            | "tblPrExChange" | "trPrChange" | "tcPrChange" | "delText" | "ln" => self.skipped = 1,
            "rPr" if !self.in_run => self.skipped = 1,
            "AlternateContent" | "Choice" | "Fallback" => {
                self.skipped = usize::from(self.alternatives.passes_over(tag));
            }
            _ => self.property(tag),
        }
    }

    /// Begins a table, which keeps its background and its reason to be hidden: they no longer
    /// change.
    fn begin_table(&mut self) {
        let mut table = DocxTable::inside(self.open.len(), self.shapes.depth());
        table.around_unseen = self.tables.last().and_then(DocxTable::unseen);
        table.around_ground = self.ground();
        self.tables.push(table);
    }

    fn in_row_properties(&self) -> bool {
        self.tables.last().is_some_and(|table| table.in_row_properties)
    }

    /// Whether the properties of a table are open, and no paragraph in it.
    fn in_table_properties(&self) -> bool {
        self.tables.last().is_some_and(|table| table.depth == self.open.len())
    }

    /// Takes the properties of an element: the look, the place and the kind of text.
    fn property(&mut self, tag: &XmlStartTag<'_>) {
        let DocumentLooks { styles, theme, settings } = self.looks;
        if self.shapes.take(tag, theme) {
            return;
        }
        match tag.name() {
            "document" | "footnotes" | "endnotes" | "hdr" | "ftr" => self.alternatives.declare(tag),
            "background" if settings.page_colour => {
                self.paper = theme.of(tag, ["color", "themeColor"]).unwrap_or(self.paper);
            }
            "footnote" | "endnote" if self.part.has_notes => {
                self.part.is_unreferred = !self.referred.shows_note(tag);
            }
            "footnoteReference" | "endnoteReference" if self.look.vanishes() => {}
            "fldChar" => self.fields.take(tag),
            "phant" => self.phantoms.push(self.in_phantom()),
            "show" => {
                let is_empty = !tag.is_on();
                self.phantoms.last_mut().into_iter().for_each(|hides| *hides |= is_empty);
            }
            // Properties of the run override its style.
            "rStyle" if self.in_run => {
                self.look = self.look.over(
                    tag.get("val").map_or_else(RunProperties::default, |id| styles.look(&id)),
                );
            }
            _ if self.in_table_properties() => self.table_property(tag),
            _ if self.in_run => {
                self.look.take(tag, theme);
                self.referred.take(tag);
            }
            _ => {
                self.referred.take(tag);
                self.paragraph_property(tag);
            }
        }
    }

    fn table_property(&mut self, tag: &XmlStartTag<'_>) {
        let DocumentLooks { styles, theme, .. } = self.looks;
        let Some(table) = self.tables.last_mut() else { return };
        if tag.name() == "tblStyle" {
            let id = tag.value("val");
            table.look = styles.look(&id);
            table.ground = table.ground.or(styles.cell_ground(&id));
        } else {
            table.take(tag, theme);
        }
    }

    fn paragraph_property(&mut self, tag: &XmlStartTag<'_>) {
        let Some(paragraph) = self.open.last_mut() else { return };
        match tag.name() {
            "pStyle" => paragraph.style = tag.get("val"),
            "outlineLvl" => paragraph.outline = tag.number("val"),
            "numId" => paragraph.numbered.list = tag.get("val"),
            "ilvl" => paragraph.numbered.level = tag.number("val"),
            "collapsed" => paragraph.folds = tag.is_on(),
            _ => paragraph.placing.take(tag, self.looks.theme),
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" => self.end_paragraph(),
            "r" => self.in_run = false,
            "t" => self.in_text = false,
            "ins" | "moveTo" | "conflictIns" if !self.in_row_properties() => {
                self.inserted = self.inserted.saturating_sub(1);
            }
            "pPr" => self.fold(),
            "trPr" => self.tables.last_mut().into_iter().for_each(DocxTable::end_properties),
            "tr" => self.end_row(),
            "tbl" => drop(self.tables.pop()),
            "AlternateContent" => self.alternatives.end(),
            "phant" => drop(self.phantoms.pop()),
            _ => self.shapes.end(name),
        }
    }

    /// A heading ends the folded text of an earlier heading of the same or a lower level.
    fn fold(&mut self) {
        let Some(paragraph) = self.open.last().filter(|_| self.open.len() == 1) else { return };
        if let Some(level) = self.heading_level(paragraph)
            && self.folded.is_some_and(|above| level <= above)
        {
            self.folded = None;
        }
    }

    fn text(&mut self, text: &str) {
        let Some(paragraph) = self.open.last() else { return };
        let table = self.tables.last().map_or_else(RunProperties::default, |table| table.look);
        let style = paragraph.style.as_deref();
        let look = self.look.over(self.looks.styles.paragraph_look(style, table));
        if look.vanishes() {
            self.lost.hidden += text.chars().count();
            return;
        }
        let unseen = self.unseen(paragraph, look);
        let is_inserted = self.inserted > 0;
        let Some(paragraph) = self.open.last_mut() else { return };
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
                paragraph.inserted |= is_inserted && is_word;
            }
        }
    }

    /// Why words that look like this cannot be seen.
    fn unseen(&self, paragraph: &DocxParagraph, look: RunProperties) -> Option<HiddenText> {
        if self.fields.in_code() || self.in_phantom() {
            return Some(HiddenText::MarkedHidden);
        }
        if self.part.is_unreferred {
            return Some(HiddenText::OutsidePage);
        }
        if self.folded.is_some() {
            return Some(HiddenText::ClosedSection);
        }
        let placing = self.placing(paragraph);
        self.shapes
            .hidden()
            .or_else(|| self.tables.last().and_then(DocxTable::unseen))
            .or(placing.hidden)
            .or_else(|| look.unseen(self.ground_in(placing)))
    }

    /// The place of a paragraph and its background.
    fn placing(&self, paragraph: &DocxParagraph) -> ParagraphPlacing {
        paragraph.placing.over(self.looks.styles.placing(paragraph.style.as_deref()))
    }

    /// The background colour of text at such a place.
    fn ground_in(&self, placing: ParagraphPlacing) -> StyleColour {
        placing.ground.or_else(|| self.ground()).unwrap_or(self.paper)
    }

    /// Whether a place of a formula that is kept empty is open.
    fn in_phantom(&self) -> bool {
        self.phantoms.last() == Some(&true)
    }

    /// The colour of the innermost cell or shape that has one.
    fn ground(&self) -> Option<StyleColour> {
        let inner = self.shapes.depth();
        let Some(table) = self.tables.last() else { return self.shapes.ground(0, inner) };
        let ground = self.shapes.ground(table.shapes, inner).or_else(|| table.ground());
        ground.or(table.around_ground)
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
        (self.in_run, self.look) = paragraph.around;
        if paragraph.folds && self.open.is_empty() && self.folded.is_none() {
            self.folded = self.heading_level(&paragraph);
        }
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
        let DocxParagraph { text, style, numbered, .. } = paragraph;
        let by_style = style.as_ref().map(|id| self.looks.styles.numbered(id));
        let by_style = by_style.as_ref();
        // List 0 takes away the numbering of the style (ECMA-376-1, 17.9.18).
        let list = numbered.list.clone().or_else(|| by_style?.list.clone());
        let list = list.filter(|list| list != "0");
        let level = numbered.level.or_else(|| by_style?.level).unwrap_or(0) as usize;
        // Counted for an empty paragraph too, as Word counts it.
        let ground = self.ground_in(self.placing(paragraph));
        let number = list.as_ref().and_then(|list| self.numbering.next(list, level, ground));
        let kind = match self.heading_level(paragraph) {
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

    /// The level of a paragraph that is a heading.
    fn heading_level(&self, paragraph: &DocxParagraph) -> Option<u8> {
        let DocxParagraph { style, outline, .. } = paragraph;
        let outline = outline.and_then(|level| u8::try_from(level.saturating_add(1)).ok());
        let heading = outline.or_else(|| self.looks.styles.heading(style.as_ref()?));
        heading.filter(|level| *level <= MAX_OUTLINE_LEVEL)
    }

    fn end_row(&mut self) {
        let Some(table) = self.tables.last_mut() else { return };
        self.lost.deletions += table.take_deleted();
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

fn join(text: &mut String, more: &str, between: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str(between);
    }
    text.push_str(more);
}

/// Below these an outline level means running text.
const MAX_OUTLINE_LEVEL: u8 = 9;
