//! Parsers: bytes of any format to a document.
//!
//! The content decides the format; the name decides only where the content is
//! ambiguous. Each format has a module; [`encoding`] turns bytes into characters,
//! [`outline`] puts blocks under headings, [`archive`] bounds the size that a
//! compressed file unpacks to. In scope: text, its order and its places. Out of
//! scope: limits on time and memory, which the caller's process sets.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dalil_evidence::chunk_set::RetrievedChunk;
use dalil_evidence::ledger::request::DocumentDate;
use dalil_phrasebook::document_note;
use dalil_proof::digest::Digest;

use crate::document::{
    BlockKind, DocumentBlock, DocumentFormat, DocumentTable, ParseProblem, ParsedDocument,
};
use crate::page_refusal::PageRefusal;
use crate::quotation::{PageQuotation, QuotedPage};

mod archive;
mod chunks;
mod css;
mod csv;
mod docx;
mod element_tree;
mod eml;
mod encoding;
mod format;
mod html;
mod lead;
pub(crate) mod markdown;
pub(crate) mod markup;
mod outline;
mod pdf;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod unseen;
mod xlsx;
mod xml;

pub use format::{DetectedFormat, UnreadableFile};
use outline::DocumentBuilder;
pub use pdf::attachment::{PdfAttachment, PdfAttachments};

/// Parses a document.
///
/// # Errors
/// Bytes that are no document of a known format, and why. A partly
/// unreadable one is a document with problems.
pub fn read(bytes: &[u8], name: &str) -> Result<ParsedDocument, UnreadableFile> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(UnreadableFile::new(
            format!("expected at most {MAX_FILE_BYTES} bytes, found {}", bytes.len()),
            Some("split the document"),
        ));
    }
    let DetectedFormat { format, problem } = DetectedFormat::of(bytes, name)?;
    let mut draft = drafted(bytes, format)?;
    // First, because the list is cut at its end and a wrong name explains the other problems.
    draft.problems.splice(0..0, problem);
    Ok(settled(draft, Digest::of(bytes), format))
}

/// Reads a chunk that an application retrieved, as Markdown: applications mostly split Markdown,
/// and plain text is read the same.
///
/// # Errors
/// A text that the parser cannot read.
pub fn read_chunk(chunk: &RetrievedChunk) -> Result<ParsedDocument, UnreadableFile> {
    let (bytes, format) = (chunk.text.as_bytes(), DocumentFormat::Markdown);
    let mut document = settled(drafted(bytes, format)?, Digest::of(bytes), format);
    // The application knows the whole document; the chunk may begin with any of its headings.
    document.title = chunk.title.clone().or(document.title);
    for block in &mut document.blocks {
        block.page = chunk.page.or(block.page);
    }
    Ok(document)
}

fn drafted(bytes: &[u8], format: DocumentFormat) -> Result<DocumentDraft, UnreadableFile> {
    let mut draft = unless_panicked(|| parse(bytes, format))?;
    table::settle(&mut draft, format);
    unseen::settle(&mut draft, format);
    Ok(draft)
}

/// The attachments of a PDF.
///
/// # Errors
/// Bytes that are no PDF, and attachments beyond the limits.
pub fn attachments(bytes: &[u8]) -> Result<PdfAttachments, UnreadableFile> {
    unless_panicked(|| pdf::attachment::read(bytes))
}

/// The places of quoted words on a page of a PDF.
///
/// # Errors
/// Bytes that are no PDF, and a page that it does not have.
pub fn quoted_page(bytes: &[u8], wanted: &PageQuotation) -> Result<QuotedPage, UnreadableFile> {
    unless_panicked(|| pdf::quotation::find(bytes, wanted))
}

/// A page of a PDF as a picture, in PNG. Pages count from 1.
///
/// # Errors
/// Bytes that are no PDF, a page that it does not have, and one that is too large or costs too
/// much to draw. Without the feature `pictures`, every page.
pub fn page_picture(bytes: &[u8], page: u32) -> Result<Vec<u8>, UnreadableFile> {
    #[cfg(feature = "pictures")]
    return unless_panicked(|| pdf::picture::draw(bytes, page));
    #[cfg(not(feature = "pictures"))]
    {
        let _ = (bytes, page);
        Err(UnreadableFile::new("this program was built without pictures of pages", None))
    }
}

/// Calls a parser of a third party; one that panics has read nothing, and does no other harm.
fn unless_panicked<T>(
    read: impl FnOnce() -> Result<T, UnreadableFile>,
) -> Result<T, UnreadableFile> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| PageRefusal::ParserGaveUp)?
}

/// The result of a parser for one format.
#[derive(Debug, Default)]
struct DocumentDraft {
    title: Option<String>,
    date: Option<DocumentDate>,
    text: String,
    blocks: Vec<DocumentBlock>,
    tables: Vec<DocumentTable>,
    problems: Vec<ParseProblem>,
    unshown: Vec<Range<usize>>,
    hidden_words: Vec<Range<usize>>,
}

impl DocumentDraft {
    /// A draft from a builder, without a title or a date.
    fn written(sheet: DocumentBuilder) -> Self {
        let DocumentBuilder { text, blocks, tables, problems, .. } = sheet;
        Self { text, blocks, tables, problems, ..Self::default() }
    }
}

fn parse(bytes: &[u8], format: DocumentFormat) -> Result<DocumentDraft, UnreadableFile> {
    match format {
        DocumentFormat::Text => {
            let (text, blocks, problems) = text::read(bytes);
            Ok(DocumentDraft { text, blocks, problems, ..DocumentDraft::default() })
        }
        DocumentFormat::Csv => Ok(csv::read(bytes)),
        DocumentFormat::Markdown => Ok(markdown::read(bytes)),
        DocumentFormat::Html => Ok(html::read(bytes)),
        DocumentFormat::Docx => docx::read(bytes),
        DocumentFormat::Xlsx => xlsx::read(bytes),
        DocumentFormat::Eml => eml::read(bytes),
        DocumentFormat::Pdf => pdf::read(bytes),
        DocumentFormat::Chunks => chunks::read(bytes),
    }
}

/// The document, within its limits, without a title that is above every heading.
fn settled(draft: DocumentDraft, digest: Digest, format: DocumentFormat) -> ParsedDocument {
    let DocumentDraft { title, date, text, unshown, hidden_words, .. } = draft;
    let DocumentDraft { mut blocks, mut tables, mut problems, .. } = draft;
    if blocks.len() > MAX_BLOCKS {
        let more = blocks.len() - MAX_BLOCKS;
        let end = blocks.last().map_or(0, |block| block.end);
        let hidden = blocks.iter().skip(MAX_BLOCKS).find_map(|block| block.hidden);
        blocks.truncate(MAX_BLOCKS);
        if let Some(last) = blocks.last_mut() {
            last.end = end;
            // A block is either visible or not, and hidden text must not pass as visible.
            last.hidden = last.hidden.or(hidden);
        }
        problems.push(ParseProblem::new(None, &document_note::blocks_joined(MAX_BLOCKS, more)));
    }
    for title in blocks.iter_mut().flat_map(|block| &mut block.headings) {
        if title.len() > outline::MAX_HEADING_CHARS {
            *title = outline::short(title);
        }
    }
    let own = if titles(format) { lift_title(&mut blocks, &text) } else { None };
    let title = title.map(|title| outline::short(&title)).filter(|title| !title.is_empty()).or(own);
    if problems.len() > MAX_PROBLEMS {
        let more = problems.len() - MAX_PROBLEMS;
        problems.truncate(MAX_PROBLEMS);
        problems.push(ParseProblem::new(None, &document_note::more_problems(more)));
    }
    for problem in &mut problems {
        // Messages quote names and errors from the file, which may be of any length.
        problem.message = outline::short(&problem.message);
    }
    // Tables behind the last row have none: their rows were empty or were cut off above.
    let used = blocks.iter().filter_map(|block| block.row.as_ref()).map(|row| row.table + 1).max();
    tables.truncate(used.unwrap_or(0));
    ParsedDocument {
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
    }
}

/// Whether a format marks its headings, so that a first one can be a title.
fn titles(format: DocumentFormat) -> bool {
    match format {
        DocumentFormat::Pdf
        | DocumentFormat::Docx
        | DocumentFormat::Html
        | DocumentFormat::Markdown => true,
        DocumentFormat::Text
        | DocumentFormat::Csv
        | DocumentFormat::Xlsx
        | DocumentFormat::Eml
        | DocumentFormat::Chunks => false,
    }
}

/// A single heading of the first level at the start of a document is its
/// title: it is removed from every path, as it would be on all of them.
fn lift_title(blocks: &mut [DocumentBlock], text: &str) -> Option<String> {
    let is_title =
        |block: &&DocumentBlock| block.kind == BlockKind::Heading(1) && block.hidden.is_none();
    let mut first = blocks.iter().filter(is_title);
    let heading = first.next().filter(|heading| heading.headings.is_empty())?;
    let before = blocks.iter().take_while(|block| block.start < heading.start);
    // Two headings of the first level head two sections; neither is the title of the whole.
    if first.next().is_some() || before.count() > MAX_BLOCKS_BEFORE_TITLE {
        return None;
    }
    let (start, end) = (heading.start, heading.end);
    // The path of a block below has the words of the heading; the text may have its markup too.
    let below = blocks.iter().find(|block| block.start >= end)?;
    let title =
        below.headings.first().cloned().or_else(|| text.get(start..end).map(outline::short))?;
    for block in blocks.iter_mut().filter(|block| block.start >= end) {
        if block.headings.first() == Some(&title) {
            block.headings.remove(0);
        }
    }
    Some(title)
}

/// A day or a moment as metadata writes it; of a moment that is odd, the day.
fn date(text: &str) -> Option<DocumentDate> {
    let text = text.trim();
    let day = || text.get(..10).and_then(|day| day.parse().ok());
    text.parse().ok().or_else(day)
}

/// Larger files are not documents for human readers.
const MAX_FILE_BYTES: usize = 256 << 20;
/// Each block holds its headings, so that many blocks of few bytes cost many bytes.
pub(crate) const MAX_BLOCKS: usize = 100_000;
pub(crate) const MAX_PROBLEMS: usize = 100;
/// A line or two may come before a title: a date, a reference.
const MAX_BLOCKS_BEFORE_TITLE: usize = 3;
