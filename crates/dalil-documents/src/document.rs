//! Documents: parsed text with the place of each part.

use std::fmt;
use std::ops::Range;

use dalil_evidence::ledger::request::DocumentDate;
use dalil_phrasebook::Phrase;
use dalil_proof::digest::Digest;

mod context;
pub(crate) mod hidden;
mod table;
pub mod wire;

pub use context::EvidenceContext;
pub(crate) use context::UNSEEN_MARK;
pub use hidden::HiddenText;
pub use table::{DocumentTable, TableCell, TableRow};

/// Something that was consulted, whole, as text.
///
/// The blocks stand in reading order, do not overlap, and together hold every
/// character of the text that is not white space, but for marks that say nothing:
/// in Markdown front matter, comments, rules, the line under a table's head and the
/// tags around the rows of an HTML table; in CSV records of separators alone.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedDocument {
    /// The digest of the original bytes.
    pub digest: Digest,
    /// The format it was read as.
    pub format: DocumentFormat,
    /// The title that the document gives itself.
    pub title: Option<String>,
    /// The day or moment that the document gives itself.
    pub date: Option<DocumentDate>,
    /// All of its text. For text, Markdown and CSV in UTF-8 it is the original, byte for byte.
    pub text: String,
    /// The paragraphs, headings, items and rows of the text.
    pub blocks: Vec<DocumentBlock>,
    /// The tables that the rows are of.
    pub tables: Vec<DocumentTable>,
    /// The parts that could not be read.
    pub problems: Vec<ParseProblem>,
    /// Parts of Markdown that say nothing to a reader: comments, tags, titles and definitions of
    /// links, and hidden words of blocks that are seen. In order and apart.
    pub unshown: Vec<Range<usize>>,
    /// Those of them that are hidden words. In order and apart.
    pub hidden_words: Vec<Range<usize>>,
}

/// One paragraph, heading, list item or table row.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentBlock {
    /// The kind of block.
    pub kind: BlockKind,
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The page it begins on, from 1, where the format has pages.
    pub page: Option<u32>,
    /// The headings above it, the outermost first. A heading is not above itself.
    pub headings: Vec<String>,
    /// Where it is in the original.
    pub place: BlockLocation,
    /// The block that introduces the list that this item is in; always an earlier one.
    pub lead: Option<usize>,
    /// Its table and cells, where the block is a row of a table that is known.
    pub row: Option<TableRow>,
    /// Why a reader of the document does not see it; none if it is visible.
    pub hidden: Option<HiddenText>,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading of a level from 1.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// One item of a list.
    Item,
    /// One row of a table.
    Row,
    /// Quoted text.
    Quote,
    /// Code, or anything preformatted.
    Code,
}

/// Where a block is in the original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BlockLocation {
    /// A range of the original's bytes.
    Bytes {
        /// The first byte.
        start: usize,
        /// One after the last.
        end: usize,
    },
    /// A rectangle of a page, in points from its top left corner.
    Area {
        /// The left, top, right and bottom edges.
        edges: [f32; 4],
    },
    /// A paragraph of a word-processor document, from 1, tables included.
    Paragraph(u32),
    /// A row of a sheet, both from 1.
    Row {
        /// The sheet.
        sheet: u32,
        /// The row.
        row: u32,
    },
    /// A part of a message: its number in reading order from 1, and a byte range of its decoded text.
    Part {
        /// The part.
        part: u32,
        /// The first byte.
        start: usize,
        /// One after the last.
        end: usize,
    },
}

/// The format that a document was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// Portable Document Format.
    Pdf,
    /// Office Open XML text.
    Docx,
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
    /// Comma-separated values.
    Csv,
    /// Office Open XML sheets.
    Xlsx,
    /// An internet message.
    Eml,
    /// Texts that an application retrieved.
    Chunks,
}

/// Something in a document that could not be read; the rest was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseProblem {
    /// The page, part, sheet or paragraph, in words: `page 3`.
    pub place: Option<String>,
    /// The problem.
    pub message: String,
}

impl ParseProblem {
    pub(crate) fn new(place: Option<&Phrase>, message: &Phrase) -> Self {
        let english = |phrase: &Phrase| phrase.english().to_owned();
        Self { place: place.map(english), message: english(message) }
    }
}

impl fmt::Display for ParseProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl ParsedDocument {
    /// The text of a block.
    pub fn slice(&self, block: &DocumentBlock) -> &str {
        self.text.get(block.start..block.end).unwrap_or_default()
    }
}
