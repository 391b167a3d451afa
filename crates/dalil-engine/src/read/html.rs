//! HTML: what a reader of the page sees, without a tree, so that depth costs nothing.
//!
//! Elements that begin a line begin a block. A row's cells are joined by ` | `.
//! Scripts, styles and templates are no text; what is hidden is left out and noted.

use std::collections::BTreeMap;

use dalil_core::ledger::request::Date;
use html5gum::emitters::default::{DefaultEmitter, StartTag, Token};
use html5gum::{HtmlString, Spanned, Tokenizer};

use super::encoding::{Decoded, decode, decode_as};
use super::outline::Sheet;
use super::{Draft, date};
use crate::document::Place;
use flow::Flow;

mod flow;

pub(super) fn read(bytes: &[u8]) -> Draft {
    let decoded = match charset(bytes) {
        Some(label) => decode_as(bytes, &label),
        None => decode(bytes),
    };
    let mut sheet = Sheet::default();
    sheet.problems.extend(decoded.problem.clone());
    let mut offsets = decoded.offsets();
    let place = |start: usize, end: usize| Place::Bytes { start, end };
    let head = write(&decoded.text, &mut sheet, &mut |at| offsets.original(at), &place);
    let Sheet { text, blocks, problems, .. } = sheet;
    let Decoded { .. } = decoded;
    Draft { title: head.title, date: head.date, text, blocks, problems }
}

/// What a page says about itself.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) title: Option<String>,
    pub(super) date: Option<Date>,
}

/// Writes a page to a sheet. `at` turns offsets of the page, which only grow,
/// into those of the original, and `place` makes a place of two of them.
pub(super) fn write(
    page: &str,
    sheet: &mut Sheet,
    at: &mut dyn FnMut(usize) -> usize,
    place: &dyn Fn(usize, usize) -> Place,
) -> Head {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let mut head = Head::default();
    let mut flow = Flow::new(sheet, place);
    let mut hidden: Option<Hidden> = None;
    let mut in_title = false;
    for token in Tokenizer::new_with_emitter(page, emitter).flatten() {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                head.date = head.date.take().or_else(|| meta_date(&name, &tag.attributes));
                in_title = name == "title" && head.title.is_none() && hidden.is_none();
                match &mut hidden {
                    Some(part) if !part.ends_before(&name) => part.enter(&name),
                    _ => hidden = Hidden::of(&name, &tag),
                }
                if hidden.is_none() {
                    flow.start(&name);
                }
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                in_title = false;
                match &mut hidden {
                    Some(part) => {
                        if part.leave(&name) {
                            flow.lost += part.letters;
                            hidden = None;
                        }
                    }
                    None => flow.end(&name),
                }
            }
            Token::String(Spanned { value, span }) => {
                let text = String::from_utf8_lossy(&value);
                let (start, end) = (at(span.start), at(span.end));
                match &mut hidden {
                    _ if in_title => head.title.get_or_insert_default().push_str(&text),
                    Some(part) => part.take(&text),
                    None => flow.text(&text, start, end),
                }
            }
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    flow.lost += hidden.map_or(0, |part| part.letters);
    flow.finish();
    head
}

/// An element that is not shown, and what is inside it.
#[derive(Debug)]
struct Hidden {
    name: String,
    depth: usize,
    letters: usize,
    /// Whether what is in it would be text if it were shown.
    counts: bool,
}

impl Hidden {
    fn of(name: &str, tag: &StartTag<usize>) -> Option<Self> {
        if VOID.contains(&name) || tag.self_closing && !NOT_TEXT.contains(&name) {
            return None;
        }
        let counts = !NOT_TEXT.contains(&name);
        let value = |key: &str| {
            let found = tag.attributes.get(key.as_bytes())?;
            Some(String::from_utf8_lossy(found).to_ascii_lowercase().replace(' ', ""))
        };
        let style = value("style").unwrap_or_default();
        let hidden = value("hidden").is_some_and(|value| value != "until-found")
            || style.contains("display:none")
            || style.contains("visibility:hidden");
        (hidden || !counts).then(|| Self { name: name.to_owned(), depth: 1, letters: 0, counts })
    }

    fn enter(&mut self, name: &str) {
        self.depth += usize::from(self.name == name);
    }

    /// Whether that was its end.
    fn leave(&mut self, name: &str) -> bool {
        self.depth -= usize::from(self.name == name && self.depth > 0);
        self.depth == 0
    }

    /// Whether it has no end of its own and ends where the next of its kind begins.
    fn ends_before(&self, name: &str) -> bool {
        self.depth == 1 && self.name == name && LEFT_OPEN.contains(&name)
    }

    fn take(&mut self, text: &str) {
        if self.counts {
            self.letters += text.chars().filter(|ch| !ch.is_whitespace()).count();
        }
    }
}

/// The day that a page's metadata gives it.
fn meta_date(
    name: &str,
    attributes: &BTreeMap<HtmlString, Spanned<HtmlString, usize>>,
) -> Option<Date> {
    if name != "meta" {
        return None;
    }
    let value = |key: &str| {
        attributes.get(key.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let key = value("name").or_else(|| value("property")).or_else(|| value("http-equiv"))?;
    let known = DATES.contains(&key.to_ascii_lowercase().as_str());
    known.then(|| date(&value("content")?)).flatten()
}

/// The encoding that a page names in its first bytes.
fn charset(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(HEAD)).unwrap_or_default())
        .to_ascii_lowercase();
    let (_, rest) = head.split_once("charset=").or_else(|| head.split_once("encoding="))?;
    let label = rest.trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_')));
    label.get(..end.unwrap_or(label.len())).map(str::to_owned)
}

const HEAD: usize = 4096;
const NOT_TEXT: [&str; 8] =
    ["script", "style", "template", "title", "svg", "noframes", "iframe", "object"];
const LEFT_OPEN: [&str; 8] = ["p", "li", "td", "th", "tr", "dt", "dd", "option"];
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
const DATES: [&str; 10] = [
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
