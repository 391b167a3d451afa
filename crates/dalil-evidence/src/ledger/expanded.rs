//! The expanded view of one claim, for a terminal of 79 columns.

use dalil_phrasebook::Language;

use super::cell::{padded, wrapped};
use super::passage::EvidencePassage;
use super::place::long;
use super::request::EvidenceDocument;
use super::{ClaimFinding, Ledger, LedgerEntry};

/// The claim with this number, from 1, in full; nothing when there is none.
pub fn expanded(ledger: &Ledger, number: usize, language: Language) -> Option<String> {
    let entry = number.checked_sub(1).and_then(|n| ledger.content.entries.get(n))?;
    let mut lines = vec![format!("┌{}┐", "─".repeat(BOX_WIDTH + 2))];
    let claim = language.pick("Claim", "الادعاء");
    let title = format!("{claim} #{number}: {}", entry.finding.claim_text);
    lines.extend(wrapped(&title, BOX_WIDTH).iter().map(|line| boxed(line)));
    lines.push(format!("├{}┤", "─".repeat(BOX_WIDTH + 2)));
    lines.extend(body(entry, language).iter().map(|line| boxed(line)));
    lines.push(format!("└{}┘", "─".repeat(BOX_WIDTH + 2)));
    lines.push(String::new());
    Some(lines.join("\n"))
}

fn body(entry: &LedgerEntry, language: Language) -> Vec<String> {
    let finding = &entry.finding;
    let mut lines = vec![String::new(), verdict(finding, language), String::new()];
    if let Some(document) = &finding.source_document {
        let title = language.pick("Evidence Snippet:", "نص الدليل:");
        quote(title, &finding.evidence_snippet, document, language, &mut lines);
    }
    let best = finding.evidence_passages.first();
    lines.extend(best.into_iter().flat_map(|best| about(best, language)));
    for other in finding.opposing() {
        let other_evidence = language.pick("Other Evidence", "دليل آخر");
        let title = format!("{other_evidence} ({}):", other.stance.label_in(language));
        quote(&title, &other.snippet, &other.document, language, &mut lines);
        lines.extend(about(other, language));
    }
    if !finding.issues.is_empty() {
        lines.push(language.pick("Findings:", "ملاحظات على الأدلة:").to_owned());
        let issues = finding.issues.iter().map(|issue| format!("! {}", issue.message_in(language)));
        lines.extend(issues.flat_map(|words| wrapped(&words, BOX_WIDTH)));
        lines.push(String::new());
    }
    lines.push(language.pick("Judge's Notes:", "ملاحظات الحَكَم:").to_owned());
    lines.extend(wrapped(&finding.notes, BOX_WIDTH));
    lines.push(String::new());
    if !finding.evidence_chunk_ids.is_empty() {
        let heading = language.pick("Chunks", "المقاطع");
        let chunks = format!("{heading}: {}", finding.evidence_chunk_ids.join(", "));
        lines.extend(wrapped(&chunks, BOX_WIDTH));
        lines.push(String::new());
    }
    if let Some(judge) = &finding.judge {
        let judge = format!("{}: {}", language.pick("Judge", "الحَكَم"), judge.label());
        lines.extend(wrapped(&judge, BOX_WIDTH));
        lines.push(String::new());
    }
    lines
}

/// `Verdict: WEAK (Confidence: 62%, ▰▰▰▱▱ Moderate)`.
fn verdict(finding: &ClaimFinding, language: Language) -> String {
    format!(
        "{}: {} ({}: {}%{} {} {})",
        language.pick("Verdict", "الحكم"),
        finding.verdict.label_in(language).to_uppercase(),
        language.pick("Confidence", "الثقة"),
        finding.confidence_score.percent(),
        language.pick(",", "،"),
        finding.confidence_band.sign(),
        finding.confidence_band.label_in(language),
    )
}

/// Words of a document in a box, with where they are from.
fn quote(
    title: &str,
    words: &str,
    document: &EvidenceDocument,
    language: Language,
    lines: &mut Vec<String>,
) {
    lines.extend(wrapped(title, BOX_WIDTH));
    let quoted = format!("\"{words}\"");
    let origin = format!("— {}", long(document, language));
    lines.push(format!("┌{}┐", "─".repeat(QUOTE_WIDTH + 2)));
    let mut inside = wrapped(&quoted, QUOTE_WIDTH);
    inside.push(String::new());
    inside.extend(wrapped(&origin, QUOTE_WIDTH));
    lines.extend(inside.iter().map(|line| format!("│ {} │", padded(line, QUOTE_WIDTH))));
    lines.push(format!("└{}┘", "─".repeat(QUOTE_WIDTH + 2)));
    lines.push(String::new());
}

/// The words that cannot both be true.
fn about(passage: &EvidencePassage, language: Language) -> Vec<String> {
    let Some(reason) = &passage.reason else { return Vec::new() };
    let title = language.pick("Cannot both be true", "لا يصحان معًا");
    let mut lines = wrapped(&format!("{title}: {}", reason.sentence_in(language)), BOX_WIDTH);
    lines.push(String::new());
    lines
}

fn boxed(line: &str) -> String {
    format!("│ {} │", padded(line, BOX_WIDTH))
}

const BOX_WIDTH: usize = 75;
/// The box inside the box: its borders and their spaces take four columns.
const QUOTE_WIDTH: usize = BOX_WIDTH - 4;
