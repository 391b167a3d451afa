//! PDF: text in reading order, with its pages, headings and places.
//!
//! ```text
//! page ─content─▶ Glyph ─line─▶ Letter ─column, line─▶ Row ─order─▶ Part ─paragraph─▶ Paragraph
//! all pages' paragraphs ─running, headings─▶ blocks under headings
//! ```
//!
//! Order is made from places alone: a file may draw its letters in any order, and
//! Arabic is drawn from the left as often as from the right. Shapes are folded to
//! letters, and the file's own account of its text (`ActualText`) is used. Text that is
//! drawn but invisible is kept, and noted.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dalil_evidence::ledger::request::DocumentDate;
use dalil_phrasebook::{Phrase, document_note, document_place};
use hayro_syntax::object::DateTime;
use hayro_syntax::page::Page;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use super::DocumentDraft;
use super::format::UnreadableFile;
use super::outline::{CellDraft, DocumentBuilder, RowDraft};
use super::text::name_rank;
use crate::document::{BlockKind, BlockLocation, HiddenText};
use crate::page_refusal::PageRefusal;
use crate::sentence::continues_in_brackets;
use content::{PdfCanvas, PdfReadBudget};
use font::PdfFonts;
use glyph::PdfGlyph;
use headings::HeadingLevels;
use line::UprightFrame;
use optional::OptionalLayers;
use order::PageRegion;
use paragraph::{PdfParagraph, PdfParagraphKind};

pub(super) mod attachment;
mod bidi;
mod column;
mod content;
mod fold;
mod font;
mod glyph;
mod headings;
mod ink;
mod line;
mod mark;
mod matrix;
mod optional;
mod order;
mod outline;
mod paint;
mod paragraph;
mod pattern;
#[cfg(feature = "pictures")]
pub(super) mod picture;
pub(super) mod quotation;
mod running;
#[cfg(test)]
mod tests;
mod text;
mod to_unicode;
mod unpack;

/// Reads a PDF.
pub(super) fn read(bytes: &[u8]) -> Result<DocumentDraft, UnreadableFile> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(refusal)?;
    let mut sheet = DocumentBuilder::default();
    let pages = pages(&pdf, &mut sheet);
    // Sizes are compared over the whole document: nothing is written before all pages are read.
    let levels = HeadingLevels::of(&pages);
    write(joined(running::mark(pages)), &levels, &mut sheet);
    let about = pdf.metadata();
    let date = about.modification_date.or(about.creation_date);
    let title = about.title.as_deref().map(text::decode);
    Ok(DocumentDraft {
        title: title.map(|title| fold::glyph(&title)).filter(|title| is_title(title)),
        date: date.and_then(day),
        ..DocumentDraft::written(sheet)
    })
}

/// A paragraph on its page.
#[derive(Clone, Debug)]
struct PlacedParagraph {
    page: u32,
    /// The part of the page that it is of: the rows of one table are of one part.
    part: (u32, usize),
    /// Whether it is beside the text: turned, or at the head or foot of page after page.
    running: bool,
    paragraph: PdfParagraph,
    /// Its edges on the page, in points from the top left corner.
    edges: [f32; 4],
    /// How high the page is.
    height: f32,
    /// Whether it is one of the letters that are strewn over a margin.
    strewn: bool,
    /// Why it cannot be seen.
    hidden: Option<HiddenText>,
}

fn refusal(error: LoadPdfError) -> UnreadableFile {
    let (why, hint) = match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            (PageRefusal::NeedsPassword, "save it without a password and read it again")
        }
        LoadPdfError::Decryption(_) => {
            (PageRefusal::UnknownEncryption, "save it without encryption and read it again")
        }
        LoadPdfError::Invalid => (PageRefusal::NoPages, "open it in a viewer and save it again"),
    };
    UnreadableFile { hint: Some(hint.to_owned()), ..why.into() }
}

fn pages(pdf: &Pdf, sheet: &mut DocumentBuilder) -> Vec<Vec<PlacedParagraph>> {
    let mut faces = PdfFonts::new();
    let layers = OptionalLayers::of(pdf);
    let mut budget =
        PdfReadBudget { operators: MAX_DOCUMENT_OPERATORS, bytes: MAX_DOCUMENT_CONTENT_BYTES };
    let mut laid = Vec::new();
    let all = pdf.pages();
    for (page, number) in all.iter().take(MAX_PAGES).zip(1..) {
        let drawn = catch_unwind(AssertUnwindSafe(|| {
            content::draw(page, &mut faces, &layers, &mut budget)
        }));
        // A page that its parser gives up on takes no other with it.
        let canvas = drawn.unwrap_or_else(|_| PdfCanvas { broken: true, ..PdfCanvas::default() });
        let paragraphs = lay_out(page, number, &canvas);
        note(number, &canvas, &paragraphs, sheet);
        laid.push(paragraphs);
    }
    if all.len() > MAX_PAGES {
        let more = all.len() - MAX_PAGES;
        sheet.problem(None, &document_note::pages_not_read(MAX_PAGES, more));
    }
    laid
}

/// The paragraphs of a page: those that can be seen, and after them those that cannot, apart by
/// why that is, so that no line mixes the two.
fn lay_out(page: &Page<'_>, number: u32, canvas: &PdfCanvas) -> Vec<PlacedParagraph> {
    let (_, height) = page.render_dimensions();
    let mut laid = Vec::new();
    let mut count = 0;
    for PlacedRegions { frame, regions, nth, hidden } in arranged(canvas) {
        for region in regions {
            count += 1;
            for paragraph in paragraph::paragraphs(region) {
                let edges = frame.back(paragraph.edges);
                laid.push(PlacedParagraph {
                    page: number,
                    part: (number, count),
                    // Text that is turned against most of the page, such as a stamp, is apart from
                    // the text.
                    running: nth > 0 && hidden.is_none(),
                    paragraph,
                    edges,
                    height,
                    strewn: false,
                    hidden,
                });
            }
        }
    }
    laid
}

/// The regions of letters that stand upright when the page is turned one way.
struct PlacedRegions {
    frame: UprightFrame,
    regions: Vec<PageRegion>,
    /// Its place among the frames, the one with most letters first.
    nth: usize,
    hidden: Option<HiddenText>,
}

/// The regions of a page in reading order: those that can be seen, and after them those that
/// cannot.
fn arranged(canvas: &PdfCanvas) -> Vec<PlacedRegions> {
    let mut arranged = Vec::new();
    let runs: Vec<_> = canvas.glyphs.chunk_by(PdfGlyph::is_alike).collect();
    let why = |run: &&[PdfGlyph]| run.first().and_then(|glyph| glyph.hidden);
    let reasons: BTreeSet<_> = runs.iter().map(why).collect();
    // `None` sorts first, so that visible text comes first.
    for hidden in reasons {
        let frames = UprightFrame::all(runs.iter().copied().filter(|run| why(run) == hidden));
        for (nth, mut frame) in frames.into_iter().enumerate() {
            let rules: Vec<_> = canvas.rules.iter().map(|rule| frame.turn(*rule)).collect();
            let regions = column::regions(std::mem::take(&mut frame.letters), &rules)
                .into_iter()
                .flat_map(|region| order::arrange(line::rows(region), &rules))
                .collect();
            arranged.push(PlacedRegions { frame, regions, nth, hidden });
        }
    }
    arranged
}

/// Notes the hidden, missing and unreadable parts of a page.
fn note(number: u32, canvas: &PdfCanvas, laid: &[PlacedParagraph], sheet: &mut DocumentBuilder) {
    let mut say = |message: &Phrase| sheet.problem(Some(&document_place::page(number)), message);
    if canvas.cut {
        say(&document_note::page_cut());
    }
    if canvas.broken {
        say(&document_note::page_not_unpacked());
    }
    if laid.is_empty() && !canvas.cut && !canvas.broken {
        say(&if canvas.images > 0 {
            document_note::no_text_maybe_scan()
        } else {
            document_note::no_text()
        });
    }
    let letters = |glyph: &&PdfGlyph| !glyph.text.is_blank;
    let drawn = canvas.glyphs.iter().filter(letters);
    let unknown = drawn.clone().filter(|glyph| glyph.text.is_unknown()).count();
    if unknown > 0 {
        say(&document_note::shapes_without_letters(unknown));
    }
    let unseen = drawn.filter(|glyph| glyph.hidden.is_some()).count();
    if unseen > 0 {
        say(&document_note::unseen_characters(unseen));
    }
}

/// Joins paragraphs that continue overleaf, with the running lines after them.
fn joined(laid: Vec<PlacedParagraph>) -> Vec<PlacedParagraph> {
    let mut joined: Vec<PlacedParagraph> = Vec::with_capacity(laid.len());
    let mut last: Option<usize> = None;
    for next in laid {
        // Letters that are strewn over a margin are one thing to look at.
        if next.running
            && is_strewn(&next)
            && let Some(above) = joined.last_mut()
            && above.strewn
            && above.page == next.page
        {
            above.paragraph.text.push(' ');
            above.paragraph.text.push_str(&next.paragraph.text);
            continue;
        }
        if !next.running {
            if let Some(above) = last.and_then(|at| joined.get_mut(at))
                && goes_on(above, &next)
            {
                paragraph::append(&mut above.paragraph.text, &next.paragraph.text);
                above.page = above.page.min(next.page);
                continue;
            }
            last = Some(joined.len());
        }
        let strewn = next.running && is_strewn(&next);
        joined.push(PlacedParagraph { strewn, ..next });
    }
    joined
}

fn is_strewn(laid: &PlacedParagraph) -> bool {
    laid.paragraph.shape != PdfParagraphKind::Row && laid.paragraph.text.chars().count() <= 2
}

fn goes_on(above: &PlacedParagraph, next: &PlacedParagraph) -> bool {
    let (first, second) = (&above.paragraph, &next.paragraph);
    let is_running = matches!(first.shape, PdfParagraphKind::Text | PdfParagraphKind::Item);
    let alike = (first.size - second.size).abs() < 0.1 * first.size && first.bold == second.bold;
    // Arabic has no case: every letter of it may go on with a sentence.
    let begins = |ch: char| ch.is_lowercase() || (ch.is_alphabetic() && !ch.is_uppercase());
    let overleaf = next.page == above.page.saturating_add(1) || is_next_column(above, next);
    let continues = match second.shape {
        PdfParagraphKind::Text => second.text.chars().next().is_some_and(begins),
        PdfParagraphKind::Item => continues_in_brackets(&first.text, &second.text),
        PdfParagraphKind::Row => false,
    };
    overleaf
        && above.hidden == next.hidden
        && is_running
        && alike
        && first.lines > 1
        && !paragraph::ends(&first.text)
        && continues
}

/// Whether a paragraph is at the head of the column beside another's foot.
fn is_next_column(above: &PlacedParagraph, next: &PlacedParagraph) -> bool {
    above.page == next.page && next.edges[1] < above.edges[1]
}

fn write(laid: Vec<PlacedParagraph>, levels: &HeadingLevels, sheet: &mut DocumentBuilder) {
    let mut table: Option<((u32, usize), usize)> = None;
    for laid in laid {
        let kind = match laid.paragraph.shape {
            PdfParagraphKind::Row if laid.hidden.is_some() => BlockKind::Row,
            // Neither may become a heading: it would stand above the text that follows.
            _ if laid.running || laid.hidden.is_some() => BlockKind::Paragraph,
            PdfParagraphKind::Row if is_named_row(&laid.paragraph) => {
                BlockKind::Heading(levels.named(&laid.paragraph.text))
            }
            PdfParagraphKind::Row => BlockKind::Row,
            shape => match levels.level(&laid.paragraph) {
                Some(level) => BlockKind::Heading(level),
                None if name_rank(&laid.paragraph.text).is_some() => {
                    BlockKind::Heading(levels.named(&laid.paragraph.text))
                }
                None if shape == PdfParagraphKind::Item => BlockKind::Item,
                None => BlockKind::Paragraph,
            },
        };
        let place = BlockLocation::Area { edges: laid.edges.map(round) };
        if matches!(kind, BlockKind::Paragraph | BlockKind::Item)
            && !laid.running
            && laid.hidden.is_none()
        {
            let PdfParagraph { text, bold_start, .. } = &laid.paragraph;
            if let Some((parts, title)) = mark::run_in(text, *bold_start) {
                // Before the block is written, so that the paragraph is under its own title.
                sheet.outline.enter(RUN_IN_HEADING_LEVEL + parts, title);
            }
        }
        let block = if kind == BlockKind::Row {
            if table.is_none_or(|(part, _)| part != laid.part) {
                table = Some((laid.part, sheet.table(None)));
            }
            let number = table.map_or(0, |(_, number)| number);
            let cells = laid.paragraph.cells.iter().map(|(column, text)| CellDraft {
                column: *column,
                text: text.clone(),
                from: None,
            });
            let draft = RowDraft { table: number, cells: cells.collect(), ..RowDraft::default() };
            sheet.row(&draft, place)
        } else {
            sheet.push(kind, &laid.paragraph.text, place)
        };
        if let Some(block) = block {
            block.page = Some(laid.page);
            block.hidden = laid.hidden;
        }
    }
}

/// Whether a row of one cell is a heading close below a table.
fn is_named_row(row: &PdfParagraph) -> bool {
    row.cells.len() == 1 && name_rank(&row.text).is_some()
}

/// Whether a title has content; the name of the file it was made from has none.
fn is_title(title: &str) -> bool {
    let lower = title.trim().to_lowercase();
    let made =
        ["microsoft word", "untitled", "document"].iter().any(|word| lower.starts_with(word));
    let file =
        [".doc", ".docx", ".indd", ".pdf", ".rtf", ".tex"].iter().any(|end| lower.ends_with(end));
    lower.chars().any(char::is_alphabetic) && !made && !file
}

fn day(date: DateTime) -> Option<DocumentDate> {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day).parse().ok()
}

/// Tenths of a point are enough to find a place.
fn round(edge: f32) -> f32 {
    (edge * 10.0).round() / 10.0
}

/// The level of a title in front of a paragraph: below all headings that stand alone.
const RUN_IN_HEADING_LEVEL: u8 = 16;
const MAX_PAGES: usize = 20_000;
/// The operators of a whole document.
const MAX_DOCUMENT_OPERATORS: usize = 200_000_000;
/// The size that all contents may unpack to.
const MAX_DOCUMENT_CONTENT_BYTES: usize = 1 << 30;
