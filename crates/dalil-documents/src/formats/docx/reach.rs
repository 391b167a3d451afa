//! The parts of a file that a program shows: which notes and headers, which alternative, and
//! which part of a field.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::xml::{XmlNode, XmlNodes, XmlStartTag};

/// The notes that the text refers to and the headers that its sections name.
#[derive(Debug, Default)]
pub(super) struct ReferredParts {
    notes: BTreeSet<(&'static str, String)>,
    heads: Vec<(String, HeaderPages)>,
    /// Whether a section has a first page of its own.
    title_pages: bool,
}

/// The pages that a header is for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HeaderPages {
    All,
    First,
    Even,
}

/// The settings of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DocxSettings {
    /// Whether even pages have headers of their own.
    pub(super) even_pages: bool,
    /// Whether the colour of the page is shown.
    pub(super) page_colour: bool,
}

impl ReferredParts {
    /// Takes a reference of the text.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>) {
        match tag.name() {
            "footnoteReference" => {
                self.notes.extend(tag.get("id").map(|id| ("footnote", id)));
            }
            "endnoteReference" => {
                self.notes.extend(tag.get("id").map(|id| ("endnote", id)));
            }
            "headerReference" | "footerReference" => {
                let pages = match tag.get("type").as_deref() {
                    Some("first") => HeaderPages::First,
                    Some("even") => HeaderPages::Even,
                    _ => HeaderPages::All,
                };
                if self.heads.len() < MAX_HEADER_REFERENCES {
                    self.heads.extend(tag.get("id").map(|id| (id, pages)));
                }
            }
            "titlePg" => self.title_pages |= tag.is_on(),
            _ => {}
        }
    }

    /// Whether a note is shown: one that the text refers to, or the line above all of them.
    pub(super) fn shows_note(&self, tag: &XmlStartTag<'_>) -> bool {
        let kind = if tag.name() == "endnote" { "endnote" } else { "footnote" };
        let is_line = tag.get("type").is_some_and(|kind| kind != "normal");
        is_line || tag.get("id").is_some_and(|id| self.notes.contains(&(kind, id)))
    }

    /// Whether a header or footer is on any page.
    pub(super) fn shows_head(&self, id: &str, settings: DocxSettings) -> bool {
        self.heads.iter().filter(|(named, _)| named == id).any(|(_, pages)| match pages {
            HeaderPages::All => true,
            HeaderPages::First => self.title_pages,
            HeaderPages::Even => settings.even_pages,
        })
    }
}

/// The fields of a part, and those that are open.
#[derive(Debug, Default)]
pub(super) struct OpenFields {
    /// Whether each field has an end, in the order in which they begin.
    ended: Vec<bool>,
    /// How many of them have begun.
    begun: usize,
    /// The fields that are open, each with whether its code comes next and not its result.
    open: Vec<bool>,
    /// How many of those have their code next.
    codes: usize,
}

impl OpenFields {
    /// The fields of a part: one without an end is broken, and hides nothing.
    pub(super) fn of(xml: &str) -> Self {
        let mut fields = Self::default();
        if !xml.contains("fldChar") {
            return fields;
        }
        let mut open = Vec::new();
        for node in XmlNodes::of(xml) {
            match node {
                XmlNode::Open(tag) if tag.name() == "fldChar" => match sign(&tag).as_deref() {
                    Some("begin") => {
                        open.push(fields.ended.len());
                        fields.ended.push(false);
                    }
                    Some("end") => {
                        let ended = open.pop().and_then(|at| fields.ended.get_mut(at));
                        ended.into_iter().for_each(|ended| *ended = true);
                    }
                    _ => {}
                },
                XmlNode::Open(_) | XmlNode::Close(_) | XmlNode::Text(_) => {}
            }
        }
        fields
    }

    /// Takes one of the three signs of a field.
    pub(super) fn take(&mut self, tag: &XmlStartTag<'_>) {
        match sign(tag).as_deref() {
            Some("begin") => {
                let is_code = self.ended.get(self.begun) == Some(&true);
                self.begun += 1;
                self.codes += usize::from(is_code);
                self.open.push(is_code);
            }
            Some("separate") => {
                let code = self.open.last_mut().map(std::mem::take);
                self.codes -= usize::from(code == Some(true));
            }
            Some("end") => self.codes -= usize::from(self.open.pop() == Some(true)),
            _ => {}
        }
    }

    /// Passes over an element that is not read.
    pub(super) fn pass(&mut self, tag: &XmlStartTag<'_>) {
        if tag.name() == "fldChar" && sign(tag).as_deref() == Some("begin") {
            self.begun += 1;
        }
    }

    /// Whether the next text is the code of a field, which is not shown.
    pub(super) fn in_code(&self) -> bool {
        self.codes > 0
    }
}

/// Which of the three signs of a field this is.
fn sign(tag: &XmlStartTag<'_>) -> Option<String> {
    tag.get("fldCharType")
}

/// Alternatives of one content, of which a program shows the first that it understands.
#[derive(Debug, Default)]
pub(super) struct OpenAlternatives {
    /// The namespace of each prefix.
    prefixes: BTreeMap<String, String>,
    /// The alternatives that are open, each with whether one of them is shown.
    open: Vec<bool>,
}

impl OpenAlternatives {
    /// Takes the names that an element declares.
    pub(super) fn declare(&mut self, tag: &XmlStartTag<'_>) {
        for (prefix, address) in tag.namespaces() {
            if self.prefixes.len() < MAX_PREFIXES {
                self.prefixes.insert(prefix, address);
            }
        }
    }

    /// Takes the start of alternatives or of one of them; returns whether it is skipped.
    pub(super) fn passes_over(&mut self, tag: &XmlStartTag<'_>) -> bool {
        self.declare(tag);
        let is_understood = match tag.name() {
            "AlternateContent" => {
                self.open.push(false);
                return false;
            }
            "Choice" => tag.get("Requires").is_none_or(|names| self.are_understood(&names)),
            _ => true,
        };
        let Some(is_chosen) = self.open.last_mut() else { return tag.name() == "Fallback" };
        let passes = *is_chosen || !is_understood;
        *is_chosen |= is_understood;
        passes
    }

    pub(super) fn end(&mut self) {
        self.open.pop();
    }

    /// Whether Word knows all of these names.
    fn are_understood(&self, names: &str) -> bool {
        names.split_whitespace().all(|name| {
            let address = self.prefixes.get(name);
            address.is_none_or(|address| KNOWN_ADDRESSES.iter().any(|one| address.starts_with(one)))
        })
    }
}

const MAX_HEADER_REFERENCES: usize = 10_000;
const MAX_PREFIXES: usize = 1000;
/// How the names of the markup begin that Word reads.
const KNOWN_ADDRESSES: [&str; 6] = [
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/office/word/20",
    "http://schemas.microsoft.com/office/drawing/20",
    "http://schemas.microsoft.com/office/thememl/20",
    "urn:schemas-microsoft-com:",
];
