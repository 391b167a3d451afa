//! The place of words in a document, as a person reads it.

use dalil_phrasebook::{Phrase, ledger, proof_check};

use super::request::document::EvidenceDocument;

/// `HR_Policy.pdf, Page 15, Section 4.2`.
pub fn long(document: &EvidenceDocument) -> Phrase {
    let page = document.page_number.map(ledger::page);
    joined(document, [page, heading(document).map(ledger::section)])
}

/// `HR_Policy.pdf, p.15`, or the last heading where there is no page: `HR_Policy.pdf, §4.2`.
pub fn short(document: &EvidenceDocument) -> Phrase {
    let page = document.page_number.map(ledger::page_in_short);
    let heading = heading(document).map(|heading| Phrase::verbatim(format_args!("§{heading}")));
    joined(document, [page.or(heading), None])
}

/// The heading right above the words.
fn heading(document: &EvidenceDocument) -> Option<&str> {
    let heading = document.heading_path.as_ref().and_then(|path| path.last())?;
    // `long` adds the word in the language of the reader; it must not be there twice.
    Some(heading.strip_prefix("Section ").unwrap_or(heading))
}

fn joined(document: &EvidenceDocument, places: [Option<Phrase>; 2]) -> Phrase {
    let name = std::iter::once(Phrase::verbatim(&document.filename));
    Phrase::fold(name.chain(places.into_iter().flatten()), proof_check::list)
}
