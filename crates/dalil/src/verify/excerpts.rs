//! Whether the excerpts of a pack are in what a reader sees of the documents that it names.

use std::collections::BTreeMap;

use dalil_documents::document::{ExcerptPlace, ParsedDocument};
use dalil_evidence::pack::{PackDraft, PackSource};
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::report::{BilingualMessage, CheckStatus, VerificationReport};
use dalil_proof::say;

use crate::sandbox::{InputFile, SandboxReader};

/// Looks for every excerpt in the text of its document as it is read.
pub(super) fn check(
    pack: &PackDraft,
    objects: &BTreeMap<Digest, &[u8]>,
    reader: &SandboxReader,
    report: &mut VerificationReport,
) {
    let mut found = 0;
    let before = report.findings.len();
    for (n, source) in pack.sources.iter().enumerate() {
        match find(source, objects, reader) {
            None => found += 1,
            Some((verdict, message)) => {
                let name = quote(&source.source);
                let about = message.about(
                    &format!("source {}, {name}", n + 1),
                    &format!("المصدر {}، {name}", n + 1),
                );
                report.add(EXCERPTS_PART, verdict, about);
            }
        }
    }
    if report.findings.len() == before {
        let message = say!(
            "{found}, each in the document that it is from",
            "عددها {found}، كل منها في المستند المأخوذ منه",
        );
        report.pass(EXCERPTS_PART, message);
    }
}

/// What keeps an excerpt from being found; nothing if it is.
fn find(
    source: &PackSource,
    objects: &BTreeMap<Digest, &[u8]>,
    reader: &SandboxReader,
) -> Option<(CheckStatus, BilingualMessage)> {
    let Some(digest) = source.content_hash else {
        let message = say!("it names no document by its digest", "لا يسمّي مستندًا ببصمته");
        return Some((CheckStatus::Incomplete, message));
    };
    let Some(bytes) = objects.get(&digest) else {
        let message = say!("its document is not attached", "مستنده غير مرفق");
        return Some((CheckStatus::Incomplete, message));
    };
    let excerpt = source.excerpt.as_str();
    let name = source.uri.as_deref().or(source.reference.as_deref()).unwrap_or("");
    match reader.read(InputFile { name, bytes }) {
        Ok(document) => missing(&document, excerpt),
        Err(unread) => {
            let why = unread.why;
            let message =
                say!("its document could not be read: {why}", "تعذرت قراءة مستنده: {why}",);
            Some((CheckStatus::Incomplete, message))
        }
    }
}

/// What keeps an excerpt from being in what a reader sees of a document.
fn missing(document: &ParsedDocument, excerpt: &str) -> Option<(CheckStatus, BilingualMessage)> {
    match document.excerpt_place(excerpt) {
        ExcerptPlace::Visible => None,
        ExcerptPlace::Hidden => {
            let message = say!(
                "only in text that is hidden from a reader of the document",
                "في نص مخفي عن قارئ المستند وحده",
            );
            Some((CheckStatus::Incomplete, message))
        }
        ExcerptPlace::Absent if !document.problems.is_empty() => {
            let count = document.problems.len();
            let message = say!(
                "not found, but the document could not be read whole: {count} problems",
                "لم يوجد، لكن تعذرت قراءة المستند كاملًا: عدد المشكلات {count}",
            );
            Some((CheckStatus::Incomplete, message))
        }
        ExcerptPlace::Absent => {
            let message = say!(
                "expected the excerpt in its document, found it nowhere",
                "المتوقع أن يكون المقتطف في مستنده، ولا وجود له فيه",
            );
            Some((CheckStatus::Fail, message))
        }
    }
}

const EXCERPTS_PART: &str = "excerpts";
