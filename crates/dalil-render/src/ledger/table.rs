//! The table of a ledger, for a terminal of 100 columns or more.

use dalil_evidence::ledger::place::short;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{ClaimFinding, Ledger};
use dalil_phrasebook::{Language, Phrase, ledger_view};

use super::cell::{padded, wrapped};
use super::evidence_words::evidence_words;
use super::list::list;
use super::problems::notice;
use super::remark::remarks;

/// The ledger as a table where `columns` have room for it, and as a list where they have not.
pub fn fitted(ledger: &Ledger, language: Language, columns: usize) -> String {
    if columns < TABLE_WIDTH { list(ledger, language, columns) } else { table(ledger, language) }
}

/// The ledger as a table: unread documents above it, issues of the evidence below it. Every line
/// of the table takes the same columns.
pub fn table(ledger: &Ledger, language: Language) -> String {
    let mut view = notice(ledger, language, TABLE_WIDTH) + &rows(ledger, language);
    let findings = findings(ledger, language);
    if !findings.is_empty() {
        view.push_str(&format!("\n{}\n", ledger_view::findings().text(language)));
        view.push_str(&findings);
        view.push('\n');
    }
    view
}

/// The issues of each claim's evidence, with the passages where they disagree.
fn findings(ledger: &Ledger, language: Language) -> String {
    let mut view = String::new();
    for (n, entry) in ledger.content.entries.iter().enumerate() {
        let number = format!("  #{} ", n + 1);
        let indent = " ".repeat(number.len());
        for words in remarks(&entry.finding) {
            let lines = wrapped(words.text(language), TABLE_WIDTH.saturating_sub(number.len()));
            let marks = std::iter::once(&number).chain(std::iter::repeat(&indent));
            view.extend(marks.zip(lines).map(|(mark, line)| format!("{mark}{line}\n")));
        }
    }
    view
}

fn rows(ledger: &Ledger, language: Language) -> String {
    let entries = &ledger.content.entries;
    // Two digits make the table exactly 100 columns wide; only 100 claims or more make it wider.
    let digits = entries.len().to_string().len().max(2);
    let columns = [digits, CLAIM_WIDTH, KIND_WIDTH, VERDICT_WIDTH, SOURCE_WIDTH];
    let mut lines = vec![border(&columns, ["┌", "┬", "┐"])];
    let heads = [
        Phrase::verbatim("#"),
        ledger_view::claim(),
        ledger_view::kind(),
        ledger_view::verdict(),
        ledger_view::source(),
    ];
    lines.extend(row(&columns, &heads.map(|head| vec![head.into_text(language).into_owned()])));
    for (n, entry) in entries.iter().enumerate() {
        lines.push(border(&columns, ["├", "┼", "┤"]));
        lines.extend(row(&columns, &cells(n + 1, &entry.finding, language)));
        if let Some(words) = evidence_words(&entry.finding) {
            lines.extend(spanning(&columns, words.text(language)));
        }
    }
    if entries.is_empty() {
        lines.push(border(&columns, ["├", "┼", "┤"]));
        let none = ledger_view::no_checkable_claim();
        let words = ["-", none.text(language), "-", "-", "-"];
        lines.extend(row(&columns, &words.map(|word| vec![word.to_owned()])));
    }
    lines.push(border(&columns, ["└", "┴", "┘"]));
    lines.push(String::new());
    lines.join("\n")
}

fn cells(number: usize, finding: &ClaimFinding, language: Language) -> [Vec<String>; 5] {
    let document = finding.source_document.as_ref();
    let mut source =
        document.map_or_else(|| "-".to_owned(), |one| short(one).into_text(language).into_owned());
    let best = finding.evidence_passages.first();
    // Weak has three causes, which a reader weighs differently, so the cell states which.
    if finding.verdict == Verdict::Weak {
        let why = match best {
            Some(best) if best.hidden.is_some() => ledger_view::hidden_text(),
            Some(best) if !best.stance.is_for() => ledger_view::may_conflict(),
            _ => ledger_view::partial_match(),
        };
        source.push_str(&format!(" ({})", why.text(language)));
    }
    let mut sources = wrapped(&source, SOURCE_WIDTH);
    let mut others: Vec<String> = Vec::new();
    for one in finding.opposing() {
        let other = format!("↔ {}", short(&one.document).text(language));
        if !others.contains(&other) && others.len() < MAX_OPPOSING_DOCUMENTS {
            sources.extend(wrapped(&other, SOURCE_WIDTH));
            others.push(other);
        }
    }
    let verdict = format!("{} {}", finding.verdict.sign(), finding.verdict.label().text(language));
    let band = finding.confidence_band;
    let band = format!("{} {}", band.sign(), band.label().text(language));
    [
        vec![number.to_string()],
        wrapped(&finding.claim_text, CLAIM_WIDTH),
        vec![finding.claim_type.label().into_text(language).into_owned()],
        vec![verdict, band],
        sources,
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

/// Lines under a row that take all its columns but the first.
fn spanning(columns: &[usize; 5], text: &str) -> Vec<String> {
    let [number, rest @ ..] = columns;
    let room = rest.iter().sum::<usize>() + BETWEEN_COLUMNS * (rest.len() - 1);
    let lines = wrapped(text, room.saturating_sub(2)).into_iter().enumerate();
    let line = |(n, line): (usize, String)| {
        let line = format!("{}{line}", if n == 0 { "↳ " } else { "  " });
        format!("│ {} │ {} │", " ".repeat(*number), padded(&line, room))
    };
    lines.map(line).collect()
}

fn border(columns: &[usize; 5], [left, middle, right]: [&str; 3]) -> String {
    let bars: Vec<String> = columns.iter().map(|columns| "─".repeat(columns + 2)).collect();
    format!("{left}{}{right}", bars.join(middle))
}

/// ` │ `.
const BETWEEN_COLUMNS: usize = 3;
/// The columns of the whole table.
pub const TABLE_WIDTH: usize = 100;
/// The most opposing documents that are named beside a claim; the findings quote all.
const MAX_OPPOSING_DOCUMENTS: usize = 3;
const CLAIM_WIDTH: usize = 31;
const KIND_WIDTH: usize = 10;
const VERDICT_WIDTH: usize = 14;
const SOURCE_WIDTH: usize = 27;
