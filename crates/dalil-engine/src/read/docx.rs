//! Word texts: paragraphs, headings by style, numbers, tables, notes and headers.
//!
//! There are no pages in such a file: a place is the number of a paragraph. What
//! was inserted under review is read and marked, what was deleted is not, and is
//! noted.

use dalil_core::ledger::request::Date;

use super::archive::Archive;
use super::format::Unreadable;
use super::xml::{Node, Nodes};
use super::{Draft, date};
use body::Body;
use numbering::Numbering;
use styles::Styles;

mod body;
mod look;
mod numbering;
mod styles;

pub(super) fn read(bytes: &[u8]) -> Result<Draft, Unreadable> {
    let mut archive = Archive::open(bytes)?;
    let main = main_part(&mut archive)?;
    let parts = Parts::of(&mut archive, &main)?;
    let Some(document) = archive.text(&main)? else {
        return Err(Unreadable::new("expected a Word text, found a package without one", None));
    };
    let styles = Styles::parse(&parts.text(&mut archive, "styles")?);
    let mut numbering = Numbering::parse(&parts.text(&mut archive, "numbering")?);
    let mut body = Body::new(&styles, &mut numbering);
    body.read(&document, "text");
    for kind in ["footnotes", "endnotes", "header", "footer"] {
        for name in parts.named(kind) {
            body.sheet.outline.restart();
            match archive.text(name) {
                Ok(text) => body.read(&text.unwrap_or_default(), kind),
                Err(error) => body.sheet.problem(Some(kind.to_owned()), error.message),
            }
        }
    }
    let mut sheet = body.finish();
    if parts.named("comments").next().is_some() {
        sheet.problem(None, "comments in the margin were not read");
    }
    let (title, date) = properties(&mut archive);
    Ok(Draft { title, date, ..Draft::written(sheet) })
}

/// The name of the part that holds the text.
fn main_part(archive: &mut Archive<'_>) -> Result<String, Unreadable> {
    let relations = archive.text("_rels/.rels")?.unwrap_or_default();
    let found = relationships(&relations).into_iter().find(|(kind, _)| kind == "officeDocument");
    Ok(found.map_or_else(
        || "word/document.xml".to_owned(),
        |(_, target)| target.trim_start_matches('/').to_owned(),
    ))
}

/// The parts that the text refers to, by what they are.
struct Parts(Vec<(String, String)>);

impl Parts {
    fn of(archive: &mut Archive<'_>, main: &str) -> Result<Self, Unreadable> {
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", main));
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let relations = archive.text(&format!("{prefix}_rels/{file}.rels"))?.unwrap_or_default();
        let whole = |(kind, target): (String, String)| {
            let target = match target.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None => format!("{prefix}{target}"),
            };
            (kind, target)
        };
        Ok(Self(relationships(&relations).into_iter().map(whole).collect()))
    }

    fn named(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(other, _)| other == kind).map(|(_, name)| name.as_str())
    }

    fn text(&self, archive: &mut Archive<'_>, kind: &str) -> Result<String, Unreadable> {
        let name = self.named(kind).next();
        Ok(name.map(|name| archive.text(name)).transpose()?.flatten().unwrap_or_default())
    }
}

/// What is referred to, as the last word of its kind and its target.
fn relationships(xml: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for node in Nodes::of(xml) {
        if let Node::Open(tag) = node
            && tag.name() == "Relationship"
            && tag.get("TargetMode").is_none_or(|mode| mode != "External")
            && let (Some(kind), Some(target)) = (tag.get("Type"), tag.get("Target"))
        {
            found.push((kind.rsplit('/').next().unwrap_or_default().to_owned(), target));
        }
    }
    found
}

/// The title and the day of the last change, as the package's properties say.
pub(super) fn properties(archive: &mut Archive<'_>) -> (Option<String>, Option<Date>) {
    let xml = archive.text("docProps/core.xml").ok().flatten().unwrap_or_default();
    let (mut title, mut changed) = (String::new(), String::new());
    let mut inside = String::new();
    for node in Nodes::of(&xml) {
        match node {
            Node::Open(tag) => tag.name().clone_into(&mut inside),
            Node::Close(_) => inside.clear(),
            Node::Text(text) if inside == "title" => title.push_str(&text),
            Node::Text(text) if inside == "modified" => changed.push_str(&text),
            Node::Text(_) => {}
        }
    }
    (Some(title).filter(|title| !title.trim().is_empty()), date(&changed))
}
