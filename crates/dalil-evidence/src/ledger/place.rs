//! Where a document's words stand, as a person reads it.

use dalil_phrasebook::Language;

use super::request::document::EvidenceDocument;

/// `HR_Policy.pdf, Page 15, Section 4.2`.
pub(super) fn long(document: &EvidenceDocument, language: Language) -> String {
    let page = language.pick("Page", "الصفحة");
    let section = language.pick("Section", "القسم");
    let pages = document.page_number.map(|number| format!("{page} {number}"));
    let headings = heading(document).map(|heading| format!("{section} {heading}"));
    joined(document, language, [pages, headings])
}

/// `HR_Policy.pdf, p.15`, or the last heading where there is no page: `HR_Policy.pdf, §4.2`.
pub(super) fn short(document: &EvidenceDocument, language: Language) -> String {
    let page = language.pick("p.", "ص ");
    let pages = document.page_number.map(|number| format!("{page}{number}"));
    let headings = heading(document).map(|heading| format!("§{heading}"));
    joined(document, language, [pages.or(headings), None])
}

/// The heading right above the words.
fn heading(document: &EvidenceDocument) -> Option<&str> {
    let heading = document.heading_path.as_ref().and_then(|path| path.last())?;
    // `long` adds the word in the language of the reader; it must not stand there twice.
    Some(heading.strip_prefix("Section ").unwrap_or(heading))
}

fn joined(document: &EvidenceDocument, language: Language, places: [Option<String>; 2]) -> String {
    let name = std::iter::once(document.filename.clone());
    let parts: Vec<String> = name.chain(places.into_iter().flatten()).collect();
    parts.join(language.pick(", ", "، "))
}
