//! Documents as bytes, for another process and for a cache.
//!
//! ```text
//! "DALD" version:u8 sha256(rest):32 rest
//! ```
//!
//! The rest is the fields in their order: numbers in seven bits to a byte, texts
//! and lists with their length before them, a heading path as how many headings
//! it shares with the block before and those that follow. No published format: a
//! cache of another version is made anew.

use std::fmt;

use dalil_proof::digest::Digest;

use super::{
    BlockKind, BlockLocation, DocumentBlock, DocumentFormat, DocumentTable, HiddenText,
    ParseProblem, ParsedDocument, TableCell, TableRow,
};
use crate::formats::MAX_BLOCKS;
use take::DocumentDecoder;

mod take;

impl ParsedDocument {
    /// Writes the document as bytes that [`ParsedDocument::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { digest, format, title, date, text, blocks, tables, problems, .. } = self;
        let mut put = DocumentEncoder(Vec::with_capacity(text.len() + blocks.len() * 16));
        put.0.extend(digest.as_bytes());
        put.0.push(code(*format));
        put.option(title.as_deref());
        put.option(date.as_ref().map(ToString::to_string).as_deref());
        put.text(text);
        put.number(blocks.len());
        let mut above: &[String] = &[];
        let mut end = 0;
        for block in blocks {
            put.block(block, above, end);
            above = &block.headings;
            end = block.end;
        }
        put.number(tables.len());
        for DocumentTable { columns, caption } in tables {
            put.number(columns.len());
            columns.iter().for_each(|name| put.text(name));
            put.option(caption.as_deref());
        }
        put.number(problems.len());
        for ParseProblem { place, message } in problems {
            put.option(place.as_deref());
            put.text(message);
        }
        for parts in [&self.unshown, &self.hidden_words] {
            put.number(parts.len());
            let mut end = 0;
            for part in parts {
                put.number(part.start - end);
                put.number(part.end - part.start);
                end = part.end;
            }
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(Digest::of(&put.0).as_bytes());
        bytes.extend(put.0);
        bytes
    }

    /// Reads the output of [`ParsedDocument::to_bytes`].
    ///
    /// # Errors
    /// Bytes that are anything else; no bytes make it panic or take more memory
    /// than in proportion to them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DocumentDecodeError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(DocumentDecodeError)?;
        let (sum, rest) = rest.split_first_chunk::<32>().ok_or(DocumentDecodeError)?;
        // The digest finds damage, not malice: every field is checked below all the same.
        if Digest::of(rest).as_bytes() != sum {
            return Err(DocumentDecodeError);
        }
        document(&mut DocumentDecoder::new(rest)).ok_or(DocumentDecodeError)
    }
}

/// Bytes that are no document of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentDecodeError;

impl fmt::Display for DocumentDecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the bytes of a document, found others")
    }
}

impl std::error::Error for DocumentDecodeError {}

struct DocumentEncoder(Vec<u8>);

impl DocumentEncoder {
    fn number(&mut self, number: usize) {
        let mut left = number;
        while left >= 0x80 {
            self.0.push(low(left) | 0x80);
            left >>= 7;
        }
        self.0.push(low(left));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend(text.as_bytes());
    }

    fn option(&mut self, text: Option<&str>) {
        self.0.push(u8::from(text.is_some()));
        text.into_iter().for_each(|text| self.text(text));
    }

    /// A block after one that ended at `end`, under the headings `above`.
    fn block(&mut self, block: &DocumentBlock, above: &[String], end: usize) {
        let DocumentBlock { kind, start, end: own_end, page, headings, place, lead, row, hidden } =
            block;
        let (kind, level) = match kind {
            BlockKind::Heading(level) => (0, *level),
            BlockKind::Paragraph => (1, 0),
            BlockKind::Item => (2, 0),
            BlockKind::Row => (3, 0),
            BlockKind::Quote => (4, 0),
            BlockKind::Code => (5, 0),
        };
        self.0.extend([kind, level]);
        self.number(start.saturating_sub(end));
        self.number(own_end.saturating_sub(*start));
        self.number(page.unwrap_or(0) as usize);
        let shared = headings.iter().zip(above).take_while(|(one, other)| one == other).count();
        self.number(shared);
        self.number(headings.len() - shared);
        headings.iter().skip(shared).for_each(|heading| self.text(heading));
        self.place(place);
        self.number(lead.map_or(0, |lead| lead.saturating_add(1)));
        let reason =
            hidden.and_then(|hidden| HiddenText::ALL.iter().position(|one| *one == hidden));
        self.number(reason.map_or(0, |reason| reason + 1));
        self.0.push(u8::from(row.is_some()));
        row.iter().for_each(|row| self.row(row));
    }

    fn row(&mut self, row: &TableRow) {
        let TableRow { table, is_header, cells } = row;
        self.number(*table);
        self.0.push(u8::from(*is_header));
        self.number(cells.len());
        for TableCell { column, start, end } in cells {
            self.number(*column);
            self.number(*start);
            self.number(end.saturating_sub(*start));
        }
    }

    fn place(&mut self, place: &BlockLocation) {
        match place {
            BlockLocation::Bytes { start, end } => {
                self.0.push(0);
                self.number(*start);
                self.number(end.saturating_sub(*start));
            }
            BlockLocation::Area { edges } => {
                self.0.push(1);
                edges.iter().for_each(|edge| self.0.extend(edge.to_le_bytes()));
            }
            BlockLocation::Paragraph(number) => {
                self.0.push(2);
                self.number(*number as usize);
            }
            BlockLocation::Row { sheet, row } => {
                self.0.push(3);
                self.number(*sheet as usize);
                self.number(*row as usize);
            }
            BlockLocation::Part { part, start, end } => {
                self.0.push(4);
                self.number(*part as usize);
                self.number(*start);
                self.number(end.saturating_sub(*start));
            }
        }
    }
}

fn low(number: usize) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low & 0x7f
}

fn document(take: &mut DocumentDecoder<'_>) -> Option<ParsedDocument> {
    let digest = Digest::from_bytes(take.array()?);
    let format = FORMATS.into_iter().find(|format| Some(code(*format)) == take.peek())?;
    take.byte()?;
    let title = take.option().ok()?;
    let date = match take.option().ok()? {
        Some(date) => Some(date.parse().ok()?),
        None => None,
    };
    let text = take.text()?.to_owned();
    let count = take.number().filter(|count| *count <= MAX_BLOCKS)?;
    let mut blocks: Vec<DocumentBlock> = Vec::new();
    for _ in 0..count {
        let block = take.block(blocks.last())?;
        // Others slice the text by these places: they must lie inside of it, between characters.
        text.get(block.start..block.end)?;
        // A lead is an earlier block, so that a chain of leads has an end.
        block.lead.is_none_or(|lead| lead < blocks.len()).then_some(())?;
        for cell in block.row.iter().flat_map(|row| &row.cells) {
            text.get(cell.start..cell.end)?;
        }
        blocks.push(block);
    }
    let tables = take.tables()?;
    let known =
        |block: &DocumentBlock| block.row.as_ref().is_none_or(|row| row.table < tables.len());
    blocks.iter().all(known).then_some(())?;
    let mut problems = Vec::new();
    // A hostile count ends with the bytes: each problem takes two at the least.
    for _ in 0..take.number()? {
        problems
            .push(ParseProblem { place: take.option().ok()?, message: take.text()?.to_owned() });
    }
    let unshown = take.parts(&text)?;
    let hidden_words = take.parts(&text)?;
    take.peek().is_none().then_some(ParsedDocument {
        digest,
        format,
        title,
        date,
        text,
        blocks,
        tables,
        problems,
        unshown,
        hidden_words,
    })
}

fn code(format: DocumentFormat) -> u8 {
    match format {
        DocumentFormat::Pdf => 0,
        DocumentFormat::Docx => 1,
        DocumentFormat::Html => 2,
        DocumentFormat::Markdown => 3,
        DocumentFormat::Text => 4,
        DocumentFormat::Csv => 5,
        DocumentFormat::Xlsx => 6,
        DocumentFormat::Eml => 7,
        DocumentFormat::Chunks => 8,
    }
}

const FORMATS: [DocumentFormat; 9] = [
    DocumentFormat::Pdf,
    DocumentFormat::Docx,
    DocumentFormat::Html,
    DocumentFormat::Markdown,
    DocumentFormat::Text,
    DocumentFormat::Csv,
    DocumentFormat::Xlsx,
    DocumentFormat::Eml,
    DocumentFormat::Chunks,
];
const MAGIC: [u8; 5] = *b"DALD\x04";
