//! Documents for people and for programs.

use dalil_documents::document::{
    BlockKind, BlockLocation, DocumentBlock, HiddenText, ParseProblem, ParsedDocument,
};
use dalil_evidence::char_offset::CharOffsetIndex;
use dalil_evidence::ledger::request::DocumentDate;
use dalil_proof::digest::Digest;
use serde::Serialize;

/// A document as JSON. Offsets count characters of `text`; places count bytes of the original.
#[derive(Debug, Serialize)]
pub struct DocumentJson<'d> {
    name: &'d str,
    format: &'static str,
    sha256: Digest,
    title: Option<&'d str>,
    date: Option<&'d DocumentDate>,
    text: &'d str,
    blocks: Vec<BlockJson<'d>>,
    problems: Vec<DocumentProblemJson<'d>>,
}

#[derive(Debug, Serialize)]
struct BlockJson<'d> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    headings: &'d [String],
    place: BlockPlaceJson,
    /// Why a reader of the document does not see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum BlockPlaceJson {
    Bytes { start: usize, end: usize },
    Area { left: f64, top: f64, right: f64, bottom: f64 },
    Paragraph { number: u32 },
    Row { sheet: u32, row: u32 },
    Part { part: u32, start: usize, end: usize },
}

#[derive(Debug, Serialize)]
struct DocumentProblemJson<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'d str>,
    message: &'d str,
}

/// A document as JSON.
pub fn json<'d>(name: &'d str, document: &'d ParsedDocument) -> DocumentJson<'d> {
    let problem = |problem: &'d ParseProblem| DocumentProblemJson {
        place: problem.place.as_deref(),
        message: &problem.message,
    };
    let positions = CharOffsetIndex::of(&document.text);
    DocumentJson {
        name,
        format: document.format.word(),
        sha256: document.digest,
        title: document.title.as_deref(),
        date: document.date.as_ref(),
        text: &document.text,
        blocks: document.blocks.iter().map(|one| block(one, &positions)).collect(),
        problems: document.problems.iter().map(problem).collect(),
    }
}

fn block<'d>(block: &'d DocumentBlock, positions: &CharOffsetIndex<'_>) -> BlockJson<'d> {
    let (kind, level) = match block.kind {
        BlockKind::Heading(level) => ("heading", Some(level)),
        BlockKind::Paragraph => ("paragraph", None),
        BlockKind::Item => ("item", None),
        BlockKind::Row => ("row", None),
        BlockKind::Quote => ("quote", None),
        BlockKind::Code => ("code", None),
    };
    let (start, end) = (positions.at(block.start), positions.at(block.end));
    let DocumentBlock { page, headings, .. } = block;
    let place = place(block.place);
    let hidden = block.hidden.map(HiddenText::word);
    BlockJson { kind, level, start, end, page: *page, headings, place, hidden }
}

fn place(place: BlockLocation) -> BlockPlaceJson {
    match place {
        BlockLocation::Bytes { start, end } => BlockPlaceJson::Bytes { start, end },
        BlockLocation::Area { edges } => {
            // Hundredths of a point are finer than the eye sees.
            let [left, top, right, bottom] =
                edges.map(|edge| (f64::from(edge) * 100.0).round() / 100.0);
            BlockPlaceJson::Area { left, top, right, bottom }
        }
        BlockLocation::Paragraph(number) => BlockPlaceJson::Paragraph { number },
        BlockLocation::Row { sheet, row } => BlockPlaceJson::Row { sheet, row },
        BlockLocation::Part { part, start, end } => BlockPlaceJson::Part { part, start, end },
    }
}

/// A document for a person: its blocks as they are read, with marks for pages and headings.
pub fn text(name: &str, document: &ParsedDocument) -> String {
    let mut out = String::new();
    let title = document.title.as_deref().map_or_else(String::new, |title| format!(" · {title}"));
    let date = document.date.as_ref().map_or_else(String::new, |date| format!(" · {date}"));
    line(&mut out, format_args!("== {name} · {}{title}{date}", document.format.name().english()));
    let mut page = None;
    let mut before = None;
    for block in &document.blocks {
        let close =
            matches!(block.kind, BlockKind::Row | BlockKind::Item) && before == Some(block.kind);
        if !close {
            out.push('\n');
        }
        if block.page != page {
            page = block.page;
            page.iter().for_each(|page| line(&mut out, format_args!("-- page {page}\n")));
        }
        let words = document.slice(block);
        if let Some(reason) = block.hidden {
            line(&mut out, format_args!("-- not seen by a reader: {reason}"));
        }
        match block.kind {
            // Markdown keeps its own marks in the text; other formats have none.
            BlockKind::Heading(level) if !words.starts_with('#') => {
                line(&mut out, format_args!("{} {words}", "#".repeat(usize::from(level))));
            }
            BlockKind::Heading(_)
            | BlockKind::Paragraph
            | BlockKind::Item
            | BlockKind::Row
            | BlockKind::Quote
            | BlockKind::Code => line(&mut out, format_args!("{words}")),
        }
        before = Some(block.kind);
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.push_str(&format!("{text}\n"));
}
