//! The table of a report, for a terminal of 100 columns.

use dalil_phrasebook::{Language, Phrase, proof_check};
use dalil_proof::report::{CheckStatus, VerificationCheck, VerificationReport, part_name};

use crate::ledger::cell::{padded, wrapped};

/// The report: its verdict in a sentence, then a table of what was checked. Every line of the table
/// takes the same columns.
pub fn table(report: &VerificationReport, language: Language) -> String {
    let verdict = report.verdict();
    let mut lines = vec![format!("{} {}", sign(verdict), sentence(report).text(language))];
    lines.push(border(["┌", "┬", "┐"]));
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
    lines.push(String::new());
    lines.join("\n")
}

/// The verdict in a sentence, with the parts that it is about.
fn sentence(report: &VerificationReport) -> Phrase {
    let verdict = report.verdict();
    let mut parts: Vec<&str> = Vec::new();
    for check in report.findings.iter().filter(|check| check.verdict == verdict) {
        if !parts.contains(&check.part) {
            parts.push(check.part);
        }
    }
    let count = parts.len();
    let names = Phrase::fold(parts.into_iter().map(part_name), proof_check::list);
    match verdict {
        CheckStatus::Pass => proof_check::report_holds(count),
        CheckStatus::Fail => proof_check::report_does_not_hold(names),
        CheckStatus::Incomplete => proof_check::report_not_checked(names),
    }
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
