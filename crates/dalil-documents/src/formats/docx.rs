//! Word texts: paragraphs, headings by style, numbers, tables, notes and headers.
//!
//! Such a file has no pages: a place is the number of a paragraph. Insertions under
//! review are read and marked; deletions are skipped and noted.

use dalil_evidence::ledger::request::DocumentDate;
use dalil_phrasebook::{Phrase, document_note};

use super::archive::OfficePackage;
use super::format::UnreadableFile;
use super::xml::{XmlNode, XmlNodes};
use super::{DocumentDraft, date};
use body::DocxBodyReader;
use numbering::DocxNumbering;
use styles::DocxStyles;

mod body;
mod look;
mod numbering;
mod styles;

pub(super) fn read(bytes: &[u8]) -> Result<DocumentDraft, UnreadableFile> {
    let mut archive = OfficePackage::open(bytes)?;
    let main = main_part(&mut archive)?;
    let parts = DocxRelationships::of(&mut archive, &main)?;
    let Some(document) = archive.text(&main)? else {
        return Err(UnreadableFile::new("expected a Word text, found a package without one", None));
    };
    let mut styles = DocxStyles::default();
    if let Some(xml) = parts.text(&mut archive, "styles")? {
        styles = DocxStyles::parse(&xml);
    }
    let mut numbering = DocxNumbering::default();
    if let Some(xml) = parts.text(&mut archive, "numbering")? {
        numbering = DocxNumbering::parse(&xml);
    }
    let mut body = DocxBodyReader::new(&styles, &mut numbering);
    body.read(&document, "text");
    for kind in ["footnotes", "endnotes", "header", "footer"] {
        for name in parts.named(kind) {
            // Notes, headers and footers stand under no heading of the text.
            body.sheet.outline.restart();
            match archive.text(name) {
                Ok(Some(text)) => body.read(&text, kind),
                Ok(None) => {}
                // Without its notes a text is still a text: only the main part can refuse the file.
                Err(error) => {
                    let message = Phrase::verbatim(error.message);
                    body.sheet.problem(Some(&Phrase::verbatim(kind)), &message);
                }
            }
        }
    }
    let mut sheet = body.finish();
    if parts.named("comments").next().is_some() {
        sheet.problem(None, &document_note::comments_not_read());
    }
    let (title, date) = properties(&mut archive);
    Ok(DocumentDraft { title, date, ..DocumentDraft::written(sheet) })
}

/// The name of the part that holds the text.
fn main_part(archive: &mut OfficePackage<'_>) -> Result<String, UnreadableFile> {
    let relations = archive.text("_rels/.rels")?;
    // The main part may have any name: the relationships of the package say which it is (OPC).
    let mut all = relations.iter().flat_map(|xml| relationships(xml));
    let found = all.find(|(kind, _)| kind == "officeDocument");
    Ok(found.map_or_else(
        || "word/document.xml".to_owned(),
        |(_, target)| target.trim_start_matches('/').to_owned(),
    ))
}

/// The parts that the text refers to, by what they are.
struct DocxRelationships(Vec<(String, String)>);

impl DocxRelationships {
    fn of(archive: &mut OfficePackage<'_>, main: &str) -> Result<Self, UnreadableFile> {
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", main));
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let relations = archive.text(&format!("{prefix}_rels/{file}.rels"))?;
        let whole = |(kind, target): (String, String)| {
            let target = match target.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None => format!("{prefix}{target}"),
            };
            (kind, target)
        };
        Ok(Self(relations.iter().flat_map(|xml| relationships(xml)).map(whole).collect()))
    }

    fn named(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(other, _)| other == kind).map(|(_, name)| name.as_str())
    }

    /// The first part of a kind, where there is one.
    fn text(
        &self,
        archive: &mut OfficePackage<'_>,
        kind: &str,
    ) -> Result<Option<String>, UnreadableFile> {
        let name = self.named(kind).next();
        Ok(name.map(|name| archive.text(name)).transpose()?.flatten())
    }
}

/// What is referred to, as the last word of its kind and its target.
fn relationships(xml: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for node in XmlNodes::of(xml) {
        // An external target is an address and no part; nothing is ever fetched.
        if let XmlNode::Open(tag) = node
            && tag.name() == "Relationship"
            && tag.get("TargetMode").is_none_or(|mode| mode != "External")
            && let (Some(kind), Some(target)) = (tag.get("Type"), tag.get("Target"))
        {
            // Strict and transitional files differ in the address before the last word.
            let word = kind.rsplit_once('/').map_or(kind.as_str(), |(_, word)| word);
            found.push((word.to_owned(), target));
        }
    }
    found
}

/// The title and the day of the last change, as the package's properties say.
pub(super) fn properties(
    archive: &mut OfficePackage<'_>,
) -> (Option<String>, Option<DocumentDate>) {
    let xml = archive.text("docProps/core.xml").ok().flatten();
    let (mut title, mut changed) = (String::new(), String::new());
    let mut inside = String::new();
    for node in xml.iter().flat_map(|xml| XmlNodes::of(xml)) {
        match node {
            XmlNode::Open(tag) => tag.name().clone_into(&mut inside),
            XmlNode::Close(_) => inside.clear(),
            XmlNode::Text(text) if inside == "title" => title.push_str(&text),
            XmlNode::Text(text) if inside == "modified" => changed.push_str(&text),
            XmlNode::Text(_) => {}
        }
    }
    (Some(title).filter(|title| !title.trim().is_empty()), date(&changed))
}
