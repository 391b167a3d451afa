//! Checks that the excerpts of a pack occur in the visible text of the documents that it names.

use std::collections::BTreeMap;

use dalil_evidence::pack::{PackDraft, PackSource};
use dalil_phrasebook::{Phrase, file_check};
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::report::{CheckStatus, VerificationReport};

use crate::document::ParsedDocument;
use crate::quotable_text::ExcerptPlace;

/// Reads a document by its name and its bytes, or returns why it cannot be read. The caller
/// isolates hostile formats.
pub type ReadDocument<'r> = dyn Fn(&str, &[u8]) -> Result<ParsedDocument, Phrase> + 'r;

/// Looks for every excerpt in the text of its document as it is read.
pub fn check(
    pack: &PackDraft,
    objects: &BTreeMap<Digest, &[u8]>,
    read: &ReadDocument<'_>,
    report: &mut VerificationReport,
) {
    let mut found = 0;
    let before = report.findings.len();
    for (n, source) in pack.sources.iter().enumerate() {
        match find(source, objects, read) {
            None => found += 1,
            Some((verdict, message)) => {
                let source = file_check::source(n + 1, quote(&source.source));
                report.add(EXCERPTS_PART, verdict, message.about(source));
            }
        }
    }
    if report.findings.len() == before {
        let message = file_check::excerpts_in_their_documents(found);
        report.pass(EXCERPTS_PART, message);
    }
}

/// Why an excerpt is not found; none if it is.
fn find(
    source: &PackSource,
    objects: &BTreeMap<Digest, &[u8]>,
    read: &ReadDocument<'_>,
) -> Option<(CheckStatus, Phrase)> {
    let Some(digest) = source.content_hash else {
        let message = file_check::names_no_document();
        return Some((CheckStatus::Incomplete, message));
    };
    let Some(bytes) = objects.get(&digest) else {
        let message = file_check::document_not_attached();
        return Some((CheckStatus::Incomplete, message));
    };
    let excerpt = source.excerpt.as_str();
    let name = source.uri.as_deref().or(source.reference.as_deref()).unwrap_or("");
    match read(name, bytes) {
        Ok(document) => missing(&document, excerpt),
        Err(why) => Some((CheckStatus::Incomplete, file_check::document_unread(why))),
    }
}

/// Why an excerpt is not in the visible text of a document; none if it is.
fn missing(document: &ParsedDocument, excerpt: &str) -> Option<(CheckStatus, Phrase)> {
    match document.excerpt_place(excerpt) {
        ExcerptPlace::Visible => None,
        ExcerptPlace::Hidden => {
            let message = file_check::excerpt_only_in_hidden_text();
            Some((CheckStatus::Incomplete, message))
        }
        ExcerptPlace::Absent if !document.problems.is_empty() => {
            let count = document.problems.len();
            let message = file_check::excerpt_not_found_in_part(count);
            Some((CheckStatus::Incomplete, message))
        }
        ExcerptPlace::Absent => {
            let message = file_check::excerpt_not_found();
            Some((CheckStatus::Fail, message))
        }
    }
}

const EXCERPTS_PART: &str = "excerpts";
