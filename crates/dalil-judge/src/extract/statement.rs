//! Statements: a claim with the words that it is read with.

use super::plain::plain;
use super::{ContextRole, ContextSpan, ExtractedClaim};

pub(super) fn statement(claim: &ExtractedClaim, answer: &str) -> String {
    let columns: Vec<&ContextSpan> = with(claim, ContextRole::Column).collect();
    let own = if columns.is_empty() {
        plain(claim.text(answer))
    } else {
        row(claim.text(answer), columns, answer)
    };
    let mut parts: Vec<String> = Vec::new();
    for lead in claim.leads.iter().filter(|lead| lead.role == ContextRole::Opening) {
        let words = plain(text(lead, answer));
        parts.push(words.trim_end_matches([':', ' ']).to_owned());
    }
    parts.push(own);
    parts.join(": ")
}

pub(super) fn search(claim: &ExtractedClaim, answer: &str) -> String {
    let around = claim.leads.iter().filter(|lead| {
        matches!(lead.role, ContextRole::Heading | ContextRole::Label | ContextRole::Before)
    });
    let mut parts: Vec<String> = around.map(|lead| plain(text(lead, answer))).collect();
    parts.push(statement(claim, answer));
    parts.join(". ")
}

/// The words that a claim is searched with and does not state: headings, scopes and labels, the
/// innermost kept first where there are too many words, then the sentences before it.
pub(super) fn context(claim: &ExtractedClaim, answer: &str) -> Option<String> {
    let around = [
        ContextRole::Heading,
        ContextRole::Scope,
        ContextRole::Label,
        ContextRole::Speaker,
        ContextRole::Before,
    ];
    let mut left = MAX_CONTEXT_WORDS;
    let mut parts: Vec<String> = Vec::new();
    // From the nearest: when the words run out, the farthest are cut.
    for lead in claim.leads.iter().rev().filter(|lead| around.contains(&lead.role)) {
        let words = plain(text(lead, answer));
        let words = words.trim_matches(|ch: char| ch.is_whitespace() || ":.،,".contains(ch));
        let kept: Vec<&str> = words.split_whitespace().take(left.min(MAX_LEAD_WORDS)).collect();
        left -= kept.len();
        if !kept.is_empty() && !parts.contains(&kept.join(" ")) {
            parts.push(kept.join(" "));
        }
    }
    parts.reverse();
    (!parts.is_empty()).then(|| parts.join(". "))
}

/// `Leave: annual; Days: 15`: each cell of a row behind its header.
fn row(cells: &str, columns: Vec<&ContextSpan>, answer: &str) -> String {
    let mut said = Vec::new();
    let mut columns = columns.into_iter();
    for cell in split_cells(cells) {
        let header = columns.next().map_or_else(String::new, |lead| plain(text(lead, answer)));
        let cell = plain(cell);
        match (header.is_empty(), cell.is_empty()) {
            (_, true) => {}
            (true, false) => said.push(cell),
            (false, false) => said.push(format!("{header}: {cell}")),
        }
    }
    said.join("; ")
}

/// The cells between bars that are not escaped.
fn split_cells(row: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut from = 0;
    for (at, _) in row.match_indices('|') {
        if !row.get(..at).is_some_and(|before| before.ends_with('\\')) {
            cells.extend(row.get(from..at));
            from = at + 1;
        }
    }
    cells.extend(row.get(from..));
    cells
}

fn with(claim: &ExtractedClaim, role: ContextRole) -> impl Iterator<Item = &ContextSpan> {
    claim.leads.iter().filter(move |lead| lead.role == role)
}

fn text<'a>(lead: &ContextSpan, answer: &'a str) -> &'a str {
    answer.get(lead.start..lead.end).unwrap_or_default()
}

/// How many words of context a claim has: some three sentences, which leave the model room for
/// the evidence.
const MAX_CONTEXT_WORDS: usize = 60;
/// How many words one heading or sentence gives to it.
const MAX_LEAD_WORDS: usize = 30;
