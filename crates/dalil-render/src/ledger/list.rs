//! A ledger as a list, for a terminal that is too narrow for the table.

use dalil_evidence::ledger::place::short;
use dalil_evidence::ledger::{ClaimFinding, Ledger};
use dalil_phrasebook::{Language, ledger_view};

use super::cell::wrapped;
use super::evidence_words::evidence_words;
use super::problems::notice;
use super::remark::remarks;

/// The ledger as a list: a block for each claim, no line wider than `columns`.
pub(super) fn list(ledger: &Ledger, language: Language, columns: usize) -> String {
    let columns = columns.max(MIN_LIST_WIDTH);
    let mut view = notice(ledger, language, columns);
    let entries = &ledger.content.entries;
    if entries.is_empty() {
        view.push_str(&format!("{}\n", ledger_view::no_checkable_claim().text(language)));
    }
    // The numbers stand in a column of their own, however many claims there are.
    let digits = entries.len().to_string().len();
    for (n, entry) in entries.iter().enumerate() {
        if n > 0 {
            view.push('\n');
        }
        let lines = block(&entry.finding, language, columns.saturating_sub(digits + 2));
        for (at, line) in lines.iter().enumerate() {
            let mark = if at == 0 { (n + 1).to_string() } else { String::new() };
            view.push_str(&format!("{mark:>digits$}  {line}\n"));
        }
    }
    view.push('\n');
    view
}

/// The lines of one claim: its verdict, its words, the place of the evidence, and its issues.
fn block(finding: &ClaimFinding, language: Language, columns: usize) -> Vec<String> {
    let (verdict, band) = (finding.verdict, finding.confidence_band);
    let (label, sure) = (verdict.label(), band.label());
    let mut lines = vec![format!(
        "{} {} · {} {}",
        verdict.sign(),
        label.text(language),
        band.sign(),
        sure.text(language)
    )];
    lines.extend(wrapped(&finding.claim_text, columns));
    if let Some(document) = &finding.source_document {
        lines.extend(wrapped(short(document).text(language), columns));
    }
    let said = evidence_words(finding).into_iter().chain(remarks(finding));
    for words in said {
        lines.extend(hanging(words.text(language), columns));
    }
    lines
}

/// A remark, under a sign that sets it apart from the claim.
fn hanging(text: &str, columns: usize) -> Vec<String> {
    let lines = wrapped(text, columns.saturating_sub(2)).into_iter().enumerate();
    lines.map(|(n, line)| format!("{}{line}", if n == 0 { "↳ " } else { "  " })).collect()
}

/// Words need some room; a narrower terminal breaks the lines by itself.
const MIN_LIST_WIDTH: usize = 30;
