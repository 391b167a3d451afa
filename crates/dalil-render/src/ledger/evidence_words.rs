//! The words that a verdict rests on, for the line under a claim that is contradicted or weak.

use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_phrasebook::{Phrase, ledger_view};

/// What the best passage says: first the value that differs, then the words around it.
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

/// A snippet, cut to what is around some words of it.
fn around(snippet: &str, words: Option<&str>) -> String {
    let words = words.and_then(|words| snippet.find(words).map(|at| (at, at + words.len())));
    let (start, end) = words.unwrap_or((0, 0));
    let first = snippet.floor_char_boundary(start.saturating_sub(MAX_CONTEXT_BYTES));
    let last = snippet.ceil_char_boundary((end + MAX_CONTEXT_BYTES).min(snippet.len()));
    let cut = snippet.get(first..last).unwrap_or(snippet);
    // On whole words: a word that is cut in two reads as another.
    let cut = if first > 0 { cut.split_once(' ').map_or(cut, |(_, rest)| rest) } else { cut };
    let is_cut = last < snippet.len();
    let cut = if is_cut { cut.rsplit_once(' ').map_or(cut, |(rest, _)| rest) } else { cut };
    format!("{}{cut}{}", if first > 0 { "…" } else { "" }, if is_cut { "…" } else { "" })
}

/// How much of a snippet is shown before the words and after them: two lines of a table.
const MAX_CONTEXT_BYTES: usize = 90;
