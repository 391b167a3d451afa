//! The answer, cut at its claims.

use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::verdict::Verdict;

#[cfg(test)]
mod tests;

/// A part of an answer: a claim with its verdict, or the text between claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSegment {
    /// The words.
    pub text: String,
    /// The claim and its verdict.
    pub claim: Option<(String, Verdict)>,
}

/// Cuts an answer at its claims, whose offsets are counted in characters.
///
/// A claim that has no place, or one that another has taken, is left out.
pub fn pieces(answer: &str, entries: &[&ClaimFinding]) -> Vec<AnswerSegment> {
    let place = |offset: Option<u64>| usize::try_from(offset?).ok();
    let mut places: Vec<(usize, usize, &ClaimFinding)> = entries
        .iter()
        .filter_map(|entry| Some((place(entry.start_offset)?, place(entry.end_offset)?, *entry)))
        .filter(|(start, end, _)| start < end)
        .collect();
    places.sort_by_key(|(start, end, _)| (*start, *end));
    let mut rest = answer.chars();
    let mut pieces = Vec::new();
    let mut at = 0;
    for (start, end, entry) in places {
        // Claims may overlap. The first one has the words; a page cannot nest marks.
        if start < at {
            continue;
        }
        push(&mut pieces, rest.by_ref().take(start - at).collect(), None);
        let text: String = rest.by_ref().take(end - start).collect();
        push(&mut pieces, text, Some((entry.claim_id.clone(), entry.verdict)));
        at = end;
    }
    push(&mut pieces, rest.collect(), None);
    pieces
}

fn push(pieces: &mut Vec<AnswerSegment>, text: String, claim: Option<(String, Verdict)>) {
    if !text.is_empty() {
        pieces.push(AnswerSegment { text, claim });
    }
}
