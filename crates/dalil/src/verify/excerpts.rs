//! Whether the excerpts of a pack are in the documents that it names.

use std::collections::BTreeMap;

use dalil_core::digest::Digest;
use dalil_core::fault::quote;
use dalil_core::pack::{PackDraft, PackSource};
use dalil_core::report::{BilingualMessage, CheckStatus, VerificationReport};
use dalil_core::say;

use crate::sandbox::{InputFile, SandboxReader};

/// Looks for every excerpt in the bytes of its document, and in its text as it is read.
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
    if contains(bytes, excerpt.as_bytes()) {
        return None;
    }
    let name = source.uri.as_deref().or(source.reference.as_deref()).unwrap_or_default();
    match reader.read(InputFile { name, bytes }) {
        Ok(document) if document.text.contains(excerpt) => None,
        // A part that was not read may hold the excerpt, so this is no proof that it is missing.
        Ok(document) if !document.problems.is_empty() => {
            let count = document.problems.len();
            let message = say!(
                "not found, but the document could not be read whole: {count} problems",
                "لم يوجد، لكن تعذرت قراءة المستند كاملًا: عدد المشكلات {count}",
            );
            Some((CheckStatus::Incomplete, message))
        }
        Ok(_) => {
            let message = say!(
                "expected the excerpt in its document, found it nowhere",
                "المتوقع أن يكون المقتطف في مستنده، ولا وجود له فيه",
            );
            Some((CheckStatus::Fail, message))
        }
        Err(unread) => {
            let why = unread.why;
            let message =
                say!("its document could not be read: {why}", "تعذرت قراءة مستنده: {why}",);
            Some((CheckStatus::Incomplete, message))
        }
    }
}

/// Whether bytes contain others, in time that grows with their length alone.
fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

const EXCERPTS_PART: &str = "excerpts";
