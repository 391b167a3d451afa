//! Statements: a claim with the words that it is read with.

use super::plain::plain;
use super::{Claim, Lead, Role};

pub(super) fn statement(claim: &Claim, answer: &str) -> String {
    let columns: Vec<&Lead> = with(claim, Role::Column).collect();
    let own = if columns.is_empty() {
        plain(claim.text(answer))
    } else {
        row(claim.text(answer), columns, answer)
    };
    let mut parts: Vec<String> = Vec::new();
    for lead in claim.leads.iter().filter(|lead| lead.role == Role::Opening) {
        let words = plain(text(lead, answer));
        parts.push(words.trim_end_matches([':', ' ']).to_owned());
    }
    parts.push(own);
    parts.join(": ")
}

pub(super) fn search(claim: &Claim, answer: &str) -> String {
    let around = claim
        .leads
        .iter()
        .filter(|lead| matches!(lead.role, Role::Heading | Role::Label | Role::Before));
    let mut parts: Vec<String> = around.map(|lead| plain(text(lead, answer))).collect();
    parts.push(statement(claim, answer));
    parts.join(". ")
}

/// `Leave: annual; Days: 15`: each cell of a row behind its header.
fn row(cells: &str, columns: Vec<&Lead>, answer: &str) -> String {
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

fn with(claim: &Claim, role: Role) -> impl Iterator<Item = &Lead> {
    claim.leads.iter().filter(move |lead| lead.role == role)
}

fn text<'a>(lead: &Lead, answer: &'a str) -> &'a str {
    answer.get(lead.start..lead.end).unwrap_or_default()
}
