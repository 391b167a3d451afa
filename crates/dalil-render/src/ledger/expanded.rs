//! The expanded view of one claim, for a terminal of 79 columns.

use dalil_evidence::ledger::issue::ClaimIssue;
use dalil_evidence::ledger::passage::EvidencePassage;
use dalil_evidence::ledger::place::long;
use dalil_evidence::ledger::request::EvidenceDocument;
use dalil_evidence::ledger::{ClaimFinding, Ledger, LedgerEntry};
use dalil_phrasebook::{Language, Phrase, ledger_view};
use dalil_proof::score::Score;

use super::cell::{padded, wrapped};

/// The claim with this number, from 1, in full; nothing when there is none.
pub fn expanded(ledger: &Ledger, number: usize, language: Language) -> Option<String> {
    let entry = number.checked_sub(1).and_then(|n| ledger.content.entries.get(n))?;
    let mut lines = vec![format!("┌{}┐", "─".repeat(BOX_WIDTH + 2))];
    let claim = ledger_view::claim();
    let title = format!("{} #{number}: {}", claim.text(language), entry.finding.claim_text);
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
        let title = titled(&ledger_view::evidence_snippet(), language);
        quote(&title, &finding.evidence_snippet, document, language, &mut lines);
    }
    let best = finding.evidence_passages.first();
    lines.extend(best.into_iter().flat_map(|best| about(best, language)));
    for other in finding.opposing() {
        let (title, stance) = (ledger_view::other_evidence_title(), other.stance.label());
        let title = format!("{} ({}):", title.text(language), stance.text(language));
        quote(&title, &other.snippet, &other.document, language, &mut lines);
        lines.extend(about(other, language));
    }
    if !finding.issues.is_empty() {
        lines.push(titled(&ledger_view::findings(), language));
        let issues = finding.issues.iter().map(ClaimIssue::phrase);
        let issues = issues.map(|issue| format!("! {}", issue.text(language)));
        lines.extend(issues.flat_map(|words| wrapped(&words, BOX_WIDTH)));
        lines.push(String::new());
    }
    lines.push(titled(&ledger_view::judges_notes(), language));
    lines.extend(wrapped(&finding.notes, BOX_WIDTH));
    lines.push(String::new());
    if !finding.evidence_chunk_ids.is_empty() {
        let heading = titled(&ledger_view::chunks(), language);
        let chunks = format!("{heading} {}", finding.evidence_chunk_ids.join(", "));
        lines.extend(wrapped(&chunks, BOX_WIDTH));
        lines.push(String::new());
    }
    if let Some(judge) = &finding.judge {
        let judge = format!("{} {}", titled(&ledger_view::judge(), language), judge.label());
        lines.extend(wrapped(&judge, BOX_WIDTH));
        lines.push(String::new());
    }
    lines
}

/// `Verdict: WEAK (Confidence: 62%, ▰▰▰▱▱ Moderate; by formula 57%)`.
fn verdict(finding: &ClaimFinding, language: Language) -> String {
    let label = Phrase::verbatim(finding.verdict.label().text(language).to_uppercase());
    let verdict = verdict_with_confidence(finding, label);
    format!("{} {}", titled(&ledger_view::verdict(), language), verdict.text(language))
}

/// A verdict with how sure it is: the share, the band, and the share by formula where it was asked.
pub(super) fn verdict_with_confidence(finding: &ClaimFinding, label: Phrase) -> Phrase {
    let (percent, band) = (finding.confidence_score.percent(), finding.confidence_band);
    let (sign, name) = (band.sign(), band.label());
    match finding.calculated_confidence.map(Score::percent) {
        Some(formula) => ledger_view::verdict_with_formula(label, percent, sign, name, formula),
        None => ledger_view::verdict_with_confidence(label, percent, sign, name),
    }
}

/// `Findings:`.
fn titled(name: &Phrase, language: Language) -> String {
    format!("{}:", name.text(language))
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
    let origin = format!("— {}", long(document).text(language));
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
    let title = titled(&ledger_view::cannot_both_be_true(), language);
    let mut lines = wrapped(&format!("{title} {}", reason.phrase().text(language)), BOX_WIDTH);
    lines.push(String::new());
    lines
}

fn boxed(line: &str) -> String {
    format!("│ {} │", padded(line, BOX_WIDTH))
}

const BOX_WIDTH: usize = 75;
/// The box inside the box: its borders and their spaces take four columns.
const QUOTE_WIDTH: usize = BOX_WIDTH - 4;
