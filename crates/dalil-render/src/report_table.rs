//! The table of a report, for a terminal of 100 columns.

use dalil_phrasebook::{Language, proof_check};
use dalil_proof::report::{CheckStatus, VerificationCheck, VerificationReport, part_name};

use crate::ledger::cell::{padded, wrapped};

/// The report as a table, its verdict below. Every line of the table takes the same columns.
pub fn table(report: &VerificationReport, language: Language) -> String {
    let mut lines = vec![border(["┌", "┬", "┐"])];
    let heads = [proof_check::part_head(), proof_check::verdict_head(), proof_check::why_head()];
    lines.extend(row(&heads.map(|head| vec![head.text(language).to_owned()])));
    for VerificationCheck { part, verdict, message } in &report.findings {
        lines.push(border(["├", "┼", "┤"]));
        lines.extend(row(&[
            wrapped(part_name(part).text(language), PART_WIDTH),
            vec![format!("{} {}", sign(*verdict), verdict.label().text(language))],
            wrapped(message.text(language), REASON_WIDTH),
        ]));
    }
    lines.push(border(["└", "┴", "┘"]));
    let verdict = report.verdict();
    lines.push(format!("{} {}", sign(verdict), verdict.label().text(language)));
    lines.push(String::new());
    lines.join("\n")
}

/// A sign that tells verdicts apart without colour.
const fn sign(verdict: CheckStatus) -> &'static str {
    match verdict {
        CheckStatus::Pass => "✓",
        CheckStatus::Fail => "✗",
        CheckStatus::Incomplete => "?",
    }
}

fn row(cells: &[Vec<String>; 3]) -> Vec<String> {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |n: usize| {
        let texts = cells
            .iter()
            .zip(COLUMN_WIDTHS)
            .map(|(cell, columns)| padded(cell.get(n).map_or("", String::as_str), columns));
        format!("│ {} │", texts.collect::<Vec<_>>().join(" │ "))
    };
    (0..height).map(line).collect()
}

fn border([left, middle, right]: [&str; 3]) -> String {
    let bars: Vec<String> = COLUMN_WIDTHS.iter().map(|columns| "─".repeat(columns + 2)).collect();
    format!("{left}{}{right}", bars.join(middle))
}

const PART_WIDTH: usize = 20;
const VERDICT_WIDTH: usize = 12;
const REASON_WIDTH: usize = 58;
const COLUMN_WIDTHS: [usize; 3] = [PART_WIDTH, VERDICT_WIDTH, REASON_WIDTH];
