//! The table of a report, for a terminal of 100 columns or more, and a list for a narrower one.

use dalil_phrasebook::{Language, Phrase, proof_check};
use dalil_proof::report::{CheckStatus, VerificationCheck, VerificationReport, part_name};

use crate::ledger::cell::{padded, wrapped};

#[cfg(test)]
mod tests;

/// The report as a table where `columns` have room for it, and as a list where they have not.
pub fn fitted(report: &VerificationReport, language: Language, columns: usize) -> String {
    if columns < REPORT_WIDTH { list(report, language, columns) } else { table(report, language) }
}

/// The report: its verdict in a sentence, then a table of the checks. Every line of the table takes
/// the same columns.
fn table(report: &VerificationReport, language: Language) -> String {
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

/// The report: its verdict in a sentence, then the checks, part by part.
fn list(report: &VerificationReport, language: Language, columns: usize) -> String {
    let columns = columns.max(MIN_LIST_WIDTH);
    let verdict = format!("{} {}", sign(report.verdict()), sentence(report).text(language));
    let mut lines = wrapped(&verdict, columns);
    for VerificationCheck { part, verdict, message } in &report.findings {
        lines.push(String::new());
        let (part, label) = (part_name(part), verdict.label());
        let head = format!("{} {} · {}", sign(*verdict), part.text(language), label.text(language));
        lines.extend(wrapped(&head, columns));
        let why = wrapped(message.text(language), columns - INDENT.len());
        lines.extend(why.iter().map(|line| format!("{INDENT}{line}")));
    }
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

/// A sign that distinguishes verdicts without colour.
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
/// The columns of the whole table: those of its cells, and its borders.
pub const REPORT_WIDTH: usize = PART_WIDTH + VERDICT_WIDTH + REASON_WIDTH + 10;
const INDENT: &str = "  ";
/// Words need some room; a narrower terminal breaks the lines by itself.
const MIN_LIST_WIDTH: usize = 30;
