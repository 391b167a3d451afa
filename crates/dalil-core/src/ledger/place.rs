//! Where a document's words stand, as a person reads it.

use super::request::Document;

/// `HR_Policy.pdf, Page 15, Section 4.2`.
pub(super) fn long(document: &Document) -> String {
    let page = document.page_number.map(|page| format!("Page {page}"));
    let section = document.heading_path.as_ref().and_then(|path| path.last());
    let section = section.map(|heading| match heading.strip_prefix("Section ") {
        Some(number) => format!("Section {number}"),
        None => format!("Section {heading}"),
    });
    joined(document, [page, section])
}

/// `HR_Policy.pdf, p.15`, or the last heading where there is no page: `HR_Policy.pdf, §4.2`.
pub(super) fn short(document: &Document) -> String {
    let page = document.page_number.map(|page| format!("p.{page}"));
    let section = document.heading_path.as_ref().and_then(|path| path.last());
    let section =
        section.map(|heading| format!("§{}", heading.strip_prefix("Section ").unwrap_or(heading)));
    joined(document, [page.or(section), None])
}

fn joined(document: &Document, places: [Option<String>; 2]) -> String {
    let name = std::iter::once(document.filename.clone());
    name.chain(places.into_iter().flatten()).collect::<Vec<_>>().join(", ")
}
