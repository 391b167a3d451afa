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
use body::{DocumentLooks, DocxBodyReader};
use numbering::DocxNumbering;
use reach::DocxSettings;
use styles::DocxStyles;
use theme::ThemeColours;

mod body;
mod look;
mod numbering;
mod placing;
mod reach;
mod shape;
mod styles;
mod table;
#[cfg(test)]
mod tests;
mod theme;

pub(super) fn read(bytes: &[u8]) -> Result<DocumentDraft, UnreadableFile> {
    let mut archive = OfficePackage::open(bytes)?;
    let main = main_part(&mut archive)?;
    let parts = DocxRelationships::of(&mut archive, &main)?;
    let Some(document) = archive.text(&main)? else {
        return Err(UnreadableFile::new("expected a Word text, found a package without one", None));
    };
    let mut part = |kind: &str| parts.text(&mut archive, kind);
    let theme = part("theme")?.map_or_else(ThemeColours::default, |xml| ThemeColours::parse(&xml));
    let styles =
        part("styles")?.map_or_else(DocxStyles::default, |xml| DocxStyles::parse(&xml, &theme));
    let numbering = part("numbering")?;
    let mut numbering =
        numbering.map_or_else(DocxNumbering::default, |xml| DocxNumbering::parse(&xml, &theme));
    let settings = part("settings")?.map_or_else(Default::default, |xml| settings(&xml));
    let looks = DocumentLooks { styles: &styles, theme: &theme, settings };
    let mut body = DocxBodyReader::new(looks, &mut numbering);
    body.read(&document, "text");
    for kind in ["footnotes", "endnotes", "header", "footer"] {
        for DocxRelation { name, id, .. } in parts.named(kind) {
            // Notes, headers and footers stand under no heading of the text.
            body.begin_part(kind, id);
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

/// The settings that decide which parts are shown.
fn settings(xml: &str) -> DocxSettings {
    let mut settings = DocxSettings::default();
    for node in XmlNodes::of(xml) {
        let XmlNode::Open(tag) = node else { continue };
        match tag.name() {
            "evenAndOddHeaders" => settings.even_pages = tag.is_on(),
            "displayBackgroundShape" => settings.page_colour = tag.is_on(),
            _ => {}
        }
    }
    settings
}

/// The name of the part that holds the text.
fn main_part(archive: &mut OfficePackage<'_>) -> Result<String, UnreadableFile> {
    let relations = archive.text("_rels/.rels")?;
    // The main part may have any name: the relationships of the package say which it is (OPC).
    let mut all = relations.iter().flat_map(|xml| relationships(xml));
    let found = all.find(|one| one.kind == "officeDocument");
    Ok(found.map_or_else(
        || "word/document.xml".to_owned(),
        |one| one.name.trim_start_matches('/').to_owned(),
    ))
}

/// The parts that the text refers to, by their kinds.
struct DocxRelationships(Vec<DocxRelation>);

/// A part that is referred to.
struct DocxRelation {
    /// Its kind: the last word of the type's URI.
    kind: String,
    /// Its name in the package.
    name: String,
    /// How the text calls it.
    id: String,
}

impl DocxRelationships {
    fn of(archive: &mut OfficePackage<'_>, main: &str) -> Result<Self, UnreadableFile> {
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", main));
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let relations = archive.text(&format!("{prefix}_rels/{file}.rels"))?;
        let whole = |one: DocxRelation| {
            let name = match one.name.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None => format!("{prefix}{}", one.name),
            };
            DocxRelation { name, ..one }
        };
        Ok(Self(relations.iter().flat_map(|xml| relationships(xml)).map(whole).collect()))
    }

    fn named(&self, kind: &str) -> impl Iterator<Item = &DocxRelation> {
        self.0.iter().filter(move |one| one.kind == kind)
    }

    /// The first part of a kind, where there is one.
    fn text(
        &self,
        archive: &mut OfficePackage<'_>,
        kind: &str,
    ) -> Result<Option<String>, UnreadableFile> {
        let found = self.named(kind).next();
        Ok(found.map(|one| archive.text(&one.name)).transpose()?.flatten())
    }
}

/// The relationships of a part.
fn relationships(xml: &str) -> Vec<DocxRelation> {
    let mut found = Vec::new();
    for node in XmlNodes::of(xml) {
        // An external target is an address and no part; nothing is ever fetched.
        if let XmlNode::Open(tag) = node
            && tag.name() == "Relationship"
            && tag.get("TargetMode").is_none_or(|mode| mode != "External")
            && let (Some(kind), Some(name)) = (tag.get("Type"), tag.get("Target"))
        {
            // Strict and transitional files differ in the address before the last word.
            let kind = kind.rsplit_once('/').map_or(kind.as_str(), |(_, word)| word).to_owned();
            let id = tag.value("Id");
            found.push(DocxRelation { kind, name, id });
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
