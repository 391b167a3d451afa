//! Covering: whatever is neither a claim nor skipped and has words becomes skipped markup.

use std::ops::Range;

use dalil_documents::sentence::{marker, note, trimmed};

use super::body::tick;
use super::skip::SkipReason;
use super::{ExtractedClaim, SkippedSpan};

/// The skipped words with every gap between claims and them that has words.
pub(super) fn cover(
    answer: &str,
    claims: &[ExtractedClaim],
    skipped: Vec<SkippedSpan>,
) -> Vec<SkippedSpan> {
    let mut taken: Vec<Range<usize>> = claims.iter().map(|claim| claim.start..claim.end).collect();
    taken.extend(skipped.iter().map(|one| one.start..one.end));
    taken.sort_unstable_by_key(|range| range.start);
    let mut all = skipped;
    let mut from = 0;
    // The empty range at the end closes the last gap.
    for range in taken.into_iter().chain(std::iter::once(answer.len()..answer.len())) {
        all.extend(markup(answer, from..range.start.max(from)));
        from = from.max(range.end);
    }
    all.sort_unstable_by_key(|one| one.start);
    all
}

/// The words of a gap that are neither notes nor list markers, from the first to the last.
fn markup(answer: &str, gap: Range<usize>) -> Option<SkippedSpan> {
    let inside = answer.get(gap.clone())?;
    let mut words: Option<Range<usize>> = None;
    let mut at = 0;
    let mut starts_line = true;
    while let Some(ch) = inside.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = inside.get(at..).unwrap_or_default();
        // A dash or a number is a list marker at the beginning of a line only.
        let marked = if starts_line { marker(rest).map(|marker| marker.len) } else { None };
        starts_line =
            ch == '\n' || starts_line && (ch.is_whitespace() || ch == '>' || marked.is_some());
        let skip = note(rest).or_else(|| tick(rest)).or(marked).unwrap_or(ch.len_utf8());
        if skip == ch.len_utf8() && ch.is_alphanumeric() {
            let start = words.map_or(at, |words| words.start);
            words = Some(start..at + skip);
        }
        at += skip;
    }
    let words = words?;
    let span = trimmed(answer, gap.start + words.start..gap.start + words.end);
    Some(SkippedSpan { start: span.start, end: span.end, why: SkipReason::Markup })
}
