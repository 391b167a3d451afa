//! Documents for people and for programs.

use std::fmt::Write as _;

use dalil_core::digest::Digest;
use dalil_core::ledger::request::Date;
use dalil_core::position::Positions;
use dalil_engine::document::{Block, Document, HiddenText, Kind, Place, Problem};
use serde::Serialize;

/// A document as JSON. Offsets count characters of `text`; places count bytes of the original.
#[derive(Debug, Serialize)]
pub struct Shown<'d> {
    name: &'d str,
    format: &'static str,
    sha256: Digest,
    title: Option<&'d str>,
    date: Option<&'d Date>,
    text: &'d str,
    blocks: Vec<ShownBlock<'d>>,
    problems: Vec<ShownProblem<'d>>,
}

#[derive(Debug, Serialize)]
struct ShownBlock<'d> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    headings: &'d [String],
    place: ShownPlace,
    /// Why a reader of the document does not see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum ShownPlace {
    Bytes { start: usize, end: usize },
    Area { left: f64, top: f64, right: f64, bottom: f64 },
    Paragraph { number: u32 },
    Row { sheet: u32, row: u32 },
    Part { part: u32, start: usize, end: usize },
}

#[derive(Debug, Serialize)]
struct ShownProblem<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'d str>,
    message: &'d str,
}

/// A document as JSON.
pub fn json<'d>(name: &'d str, document: &'d Document) -> Shown<'d> {
    let problem = |problem: &'d Problem| ShownProblem {
        place: problem.place.as_deref(),
        message: &problem.message,
    };
    let positions = Positions::of(&document.text);
    Shown {
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

fn block<'d>(block: &'d Block, positions: &Positions<'_>) -> ShownBlock<'d> {
    let (kind, level) = match block.kind {
        Kind::Heading(level) => ("heading", Some(level)),
        Kind::Paragraph => ("paragraph", None),
        Kind::Item => ("item", None),
        Kind::Row => ("row", None),
        Kind::Quote => ("quote", None),
        Kind::Code => ("code", None),
    };
    let (start, end) = (positions.at(block.start), positions.at(block.end));
    let Block { page, headings, .. } = block;
    let place = place(block.place);
    let hidden = block.hidden.map(HiddenText::word);
    ShownBlock { kind, level, start, end, page: *page, headings, place, hidden }
}

fn place(place: Place) -> ShownPlace {
    match place {
        Place::Bytes { start, end } => ShownPlace::Bytes { start, end },
        Place::Area { edges } => {
            // Hundredths of a point are finer than anybody sees.
            let [left, top, right, bottom] =
                edges.map(|edge| (f64::from(edge) * 100.0).round() / 100.0);
            ShownPlace::Area { left, top, right, bottom }
        }
        Place::Paragraph(number) => ShownPlace::Paragraph { number },
        Place::Row { sheet, row } => ShownPlace::Row { sheet, row },
        Place::Part { part, start, end } => ShownPlace::Part { part, start, end },
    }
}

/// A document for a person: its blocks as they are read, with marks for pages and headings.
pub fn text(name: &str, document: &Document) -> String {
    let mut out = String::new();
    let title = document.title.as_deref().map(|title| format!(" · {title}")).unwrap_or_default();
    let date = document.date.as_ref().map(|date| format!(" · {date}")).unwrap_or_default();
    line(&mut out, format_args!("== {name} · {}{title}{date}", document.format.name()));
    let mut page = None;
    let mut before = None;
    for block in &document.blocks {
        let close = matches!(block.kind, Kind::Row | Kind::Item) && before == Some(block.kind);
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
            Kind::Heading(level) if !words.starts_with('#') => {
                line(&mut out, format_args!("{} {words}", "#".repeat(usize::from(level))));
            }
            Kind::Heading(_)
            | Kind::Paragraph
            | Kind::Item
            | Kind::Row
            | Kind::Quote
            | Kind::Code => line(&mut out, format_args!("{words}")),
        }
        before = Some(block.kind);
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").unwrap_or_default();
}
