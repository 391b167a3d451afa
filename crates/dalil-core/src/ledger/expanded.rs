//! The expanded view of one claim, for a terminal of 79 columns.

use super::cell::{padded, wrapped};
use super::place::long;
use super::request::Language;
use super::{Entry, Ledger};

/// The claim with this number, from 1, in full; nothing when there is none.
pub fn expanded(ledger: &Ledger, number: usize, language: Language) -> Option<String> {
    let entry = number.checked_sub(1).and_then(|n| ledger.content.entries.get(n))?;
    let mut lines = vec![format!("┌{}┐", "─".repeat(INNER + 2))];
    let claim = language.pick("Claim", "الادعاء");
    let title = format!("{claim} #{number}: {}", entry.finding.claim_text);
    lines.extend(wrapped(&title, INNER).iter().map(|line| boxed(line)));
    lines.push(format!("├{}┤", "─".repeat(INNER + 2)));
    lines.extend(body(entry, language).iter().map(|line| boxed(line)));
    lines.push(format!("└{}┘", "─".repeat(INNER + 2)));
    lines.push(String::new());
    Some(lines.join("\n"))
}

fn body(entry: &Entry, language: Language) -> Vec<String> {
    let finding = &entry.finding;
    let verdict = finding.verdict.label_in(language).to_uppercase();
    let percent = finding.confidence_score.percent();
    let heading = language.pick("Verdict", "الحكم");
    let sure = language.pick("Confidence", "الثقة");
    let mut lines = vec![String::new(), format!("{heading}: {verdict} ({sure}: {percent}%)")];
    lines.push(String::new());
    if let Some(document) = &finding.source_document {
        lines.push(language.pick("Evidence Snippet:", "نص الدليل:").to_owned());
        let quoted = format!("\"{}\"", finding.evidence_snippet);
        let origin = format!("— {}", long(document, language));
        lines.push(format!("┌{}┐", "─".repeat(QUOTE + 2)));
        let mut inside = wrapped(&quoted, QUOTE);
        inside.push(String::new());
        inside.extend(wrapped(&origin, QUOTE));
        lines.extend(inside.iter().map(|line| format!("│ {} │", padded(line, QUOTE))));
        lines.push(format!("└{}┘", "─".repeat(QUOTE + 2)));
        lines.push(String::new());
    }
    lines.push(language.pick("Judge's Notes:", "ملاحظات الحَكَم:").to_owned());
    lines.extend(wrapped(&finding.notes, INNER));
    lines.push(String::new());
    if !finding.evidence_chunk_ids.is_empty() {
        let heading = language.pick("Chunks", "المقاطع");
        let chunks = format!("{heading}: {}", finding.evidence_chunk_ids.join(", "));
        lines.extend(wrapped(&chunks, INNER));
        lines.push(String::new());
    }
    lines
}

fn boxed(line: &str) -> String {
    format!("│ {} │", padded(line, INNER))
}

const INNER: usize = 75;
/// The box inside the box: its borders and their spaces take four columns.
const QUOTE: usize = INNER - 4;
