//! The words that a verdict rests on, for the line under a claim that is contradicted or weak.

use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_phrasebook::{Phrase, ledger_view};

#[cfg(test)]
mod tests;

/// The words of the best passage: first the value that differs, then the words around it.
///
/// Nothing for a claim that is supported or not found: the first needs no explanation, and the
/// second has no words.
pub(super) fn evidence_words(finding: &ClaimFinding) -> Option<Phrase> {
    match finding.verdict {
        Verdict::Contradicted | Verdict::Weak => {}
        Verdict::Supported | Verdict::NotFound => return None,
    }
    let best = finding.evidence_passages.first()?;
    let snippet =
        around(&best.snippet, best.reason.as_ref().map(|one| one.evidence_words.as_str()));
    Some(match &best.reason {
        Some(reason) => {
            ledger_view::evidence_differs(&reason.evidence_words, &reason.claim_words, snippet)
        }
        None => ledger_view::evidence_says(snippet),
    })
}

/// A snippet, cut to the text around some words of it. The words themselves stay whole.
fn around(snippet: &str, words: Option<&str>) -> String {
    let found = words.and_then(|words| Some((words, snippet.split_once(words)?)));
    match found {
        Some((words, (before, after))) => format!("{}{words}{}", end_of(before), start_of(after)),
        None => start_of(snippet),
    }
}

/// The first words of a text that are shown. On whole words: one that is cut in two reads as another.
fn start_of(text: &str) -> String {
    let end = text.char_indices().nth(MAX_CONTEXT_CHARS);
    match end.and_then(|(end, _)| text.get(..end)) {
        Some(cut) => format!("{}…", cut.rsplit_once(' ').map_or(cut, |(words, _)| words)),
        None => text.to_owned(),
    }
}

/// The last words of a text that are shown.
fn end_of(text: &str) -> String {
    let before = text.char_indices().rev().nth(MAX_CONTEXT_CHARS);
    match before.and_then(|(before, ch)| text.get(before + ch.len_utf8()..)) {
        Some(cut) => format!("…{}", cut.split_once(' ').map_or(cut, |(_, words)| words)),
        None => text.to_owned(),
    }
}

/// How much of a snippet is shown before the words, and after them: a line of the table.
const MAX_CONTEXT_CHARS: usize = 90;
