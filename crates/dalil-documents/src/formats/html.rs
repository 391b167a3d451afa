//! HTML: the visible text. The elements of a page are a list with parents (`element_tree`), so depth
//! costs nothing.
//!
//! Elements that begin a line begin a block. A row's cells are joined by ` | `.
//! Scripts, styles and templates are not text. Text that the page's own markup hides
//! is left out and noted; text that a style hides is kept and marked.

use std::collections::BTreeMap;

use dalil_evidence::ledger::request::DocumentDate;
use html5gum::emitters::default::Token;
use html5gum::{HtmlString, Spanned};

use super::element_tree::{ElementTree, PageSight, PageTokens, TextSight};
use super::encoding::{decode, decode_as};
use super::outline::DocumentBuilder;
use super::{DocumentDraft, date};
use crate::document::BlockLocation;
use flow::HtmlFlow;

mod cell;
mod flow;

pub(super) fn read(bytes: &[u8]) -> DocumentDraft {
    let decoded = match charset(bytes) {
        Some(label) => decode_as(bytes, &label),
        None => decode(bytes),
    };
    let mut sheet = DocumentBuilder::default();
    sheet.problems.extend(decoded.problem.clone());
    let mut offsets = decoded.offsets();
    let place = |start: usize, end: usize| BlockLocation::Bytes { start, end };
    let head = write(&decoded.text, &mut sheet, &mut |at| offsets.original(at), &place);
    DocumentDraft { title: head.title, date: head.date, ..DocumentDraft::written(sheet) }
}

/// The metadata in the head of a page.
#[derive(Debug, Default)]
pub(super) struct HtmlHead {
    pub(super) title: Option<String>,
    pub(super) date: Option<DocumentDate>,
}

/// Writes a page to a sheet. `at` turns offsets of the page, which only grow,
/// into those of the original, and `place` makes a place of two of them.
pub(super) fn write(
    page: &str,
    sheet: &mut DocumentBuilder,
    at: &mut dyn FnMut(usize) -> usize,
    place: &dyn Fn(usize, usize) -> BlockLocation,
) -> HtmlHead {
    let sights = PageSight::of(&ElementTree::of(page));
    let mut head = HtmlHead::default();
    let mut flow = HtmlFlow::new(sheet, place);
    let mut tokens = PageTokens::of(page);
    // What a reader sees of text where the last token ended.
    let mut sight = tokens.sight(&sights);
    let mut in_title = false;
    while let Some(token) = tokens.next() {
        let before = std::mem::replace(&mut sight, tokens.sight(&sights));
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                head.date = head.date.take().or_else(|| meta_date(&name, &tag.attributes));
                // One inside `svg` is none.
                in_title = name == "title" && head.title.is_none() && !is_left_out(before);
                if !is_left_out(sight) {
                    flow.start(&name, &tag);
                }
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                in_title = false;
                // The end tag of an element that drops its text is dropped with it.
                if !is_left_out(before) {
                    flow.end(&name);
                }
            }
            Token::String(Spanned { value, span }) => {
                let text = String::from_utf8_lossy(&value);
                let (start, end) = (at(span.start), at(span.end));
                match sight {
                    _ if in_title => head.title.get_or_insert_default().push_str(&text),
                    TextSight::NoText => {}
                    TextSight::LeftOut => flow.lose(&text),
                    TextSight::Seen | TextSight::Hidden(_) => {
                        flow.hide(sight.reason());
                        flow.text(&text, start, end);
                    }
                }
            }
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    flow.finish();
    head
}

/// Whether text is left out, and the tags around it with it.
fn is_left_out(sight: TextSight) -> bool {
    matches!(sight, TextSight::LeftOut | TextSight::NoText)
}

/// The day that a page's metadata gives it.
fn meta_date(
    name: &str,
    attributes: &BTreeMap<HtmlString, Spanned<HtmlString, usize>>,
) -> Option<DocumentDate> {
    if name != "meta" {
        return None;
    }
    let value = |key: &str| {
        attributes.get(key.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let key = value("name").or_else(|| value("property")).or_else(|| value("http-equiv"))?;
    let known = DATE_META_KEYS.contains(&key.to_ascii_lowercase().as_str());
    known.then(|| date(&value("content")?)).flatten()
}

/// The encoding that a page names in its first bytes.
fn charset(bytes: &[u8]) -> Option<String> {
    // Labels are ASCII, so they can be found before the encoding is known.
    let head = String::from_utf8_lossy(
        bytes.get(..bytes.len().min(MAX_CHARSET_SCAN_BYTES)).unwrap_or_default(),
    )
    .to_ascii_lowercase();
    let (_, rest) = head.split_once("charset=").or_else(|| head.split_once("encoding="))?;
    let label = rest.trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_')));
    label.get(..end.unwrap_or(label.len())).map(str::to_owned)
}

const MAX_CHARSET_SCAN_BYTES: usize = 4096;
const DATE_META_KEYS: [&str; 10] = [
    "article:modified_time",
    "dcterms.modified",
    "last-modified",
    "article:published_time",
    "date",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "dc.date.issued",
    "publish-date",
];
