//! The table of a ledger, for a terminal of 100 columns.

use super::cell::{padded, wrapped};
use super::place::short;
use super::request::Language;
use super::verdict::Verdict;
use super::{Finding, Ledger};

/// The ledger as a table. Every line takes the same columns.
pub fn table(ledger: &Ledger, language: Language) -> String {
    let entries = &ledger.content.entries;
    let digits = entries.len().to_string().len().max(2);
    let columns = [digits, CLAIM, KIND, VERDICT, SOURCE];
    let mut lines = vec![border(&columns, ["┌", "┬", "┐"])];
    let heads = [
        "#",
        language.pick("Claim", "الادعاء"),
        language.pick("Type", "النوع"),
        language.pick("Verdict", "الحكم"),
        language.pick("Source", "المصدر"),
    ];
    lines.extend(row(&columns, &heads.map(|head| vec![head.to_owned()])));
    for (n, entry) in entries.iter().enumerate() {
        lines.push(border(&columns, ["├", "┼", "┤"]));
        lines.extend(row(&columns, &cells(n + 1, &entry.finding, language)));
    }
    if entries.is_empty() {
        lines.push(border(&columns, ["├", "┼", "┤"]));
        let none = language.pick("No checkable claim", "لا ادعاء يمكن التحقق منه");
        let words = ["-", none, "-", "-", "-"];
        lines.extend(row(&columns, &words.map(|word| vec![word.to_owned()])));
    }
    lines.push(border(&columns, ["└", "┴", "┘"]));
    lines.push(String::new());
    lines.join("\n")
}

fn cells(number: usize, finding: &Finding, language: Language) -> [Vec<String>; 5] {
    let document = finding.source_document.as_ref();
    let mut source = document.map_or_else(|| "-".to_owned(), |one| short(one, language));
    if finding.verdict == Verdict::Weak {
        source.push_str(language.pick(" (partial match)", " (تطابق جزئي)"));
    }
    let verdict = format!("{} {}", finding.verdict.sign(), finding.verdict.label_in(language));
    [
        vec![number.to_string()],
        wrapped(&finding.claim_text, CLAIM),
        vec![finding.claim_type.label_in(language).to_owned()],
        vec![verdict],
        wrapped(&source, SOURCE),
    ]
}

/// The lines of one row: as many as its tallest cell has.
fn row(columns: &[usize; 5], cells: &[Vec<String>; 5]) -> Vec<String> {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |n: usize| {
        let texts = cells
            .iter()
            .zip(columns)
            .map(|(cell, columns)| padded(cell.get(n).map_or("", String::as_str), *columns));
        format!("│ {} │", texts.collect::<Vec<_>>().join(" │ "))
    };
    (0..height).map(line).collect()
}

fn border(columns: &[usize; 5], [left, middle, right]: [&str; 3]) -> String {
    let bars: Vec<String> = columns.iter().map(|columns| "─".repeat(columns + 2)).collect();
    format!("{left}{}{right}", bars.join(middle))
}

const CLAIM: usize = 31;
const KIND: usize = 10;
const VERDICT: usize = 14;
const SOURCE: usize = 27;
