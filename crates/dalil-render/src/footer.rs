//! The lines under the table of a ledger: counts, risks, questions, the judge.

use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_phrasebook::{Language, ledger_view};
use dalil_proof::fault::steers;

use crate::ledger::cell::{width, wrapped};

#[cfg(test)]
mod tests;

/// The ledger in brief: a few lines of text, none wider than `columns` unless a word is.
pub fn ledger_footer(ledger: &Ledger, language: Language, columns: usize) -> String {
    let content = &ledger.content;
    let mut lines = vec![counts(ledger, language)];
    if !content.risk_flags.is_empty() {
        lines.push(String::new());
        lines.push(ledger_view::risk_flags().text(language).to_owned());
        let citations = content.citations.as_deref().unwrap_or_default();
        lines.extend(content.risk_flags.iter().map(|flag| {
            let risk = &flag.risk;
            let (label, severity) = (risk.kind.label(), risk.severity.label());
            let (label, severity) = (label.text(language), severity.text(language));
            format!("  ! {label} ({severity}): {}", shown(&risk.described(citations, language)))
        }));
    }
    if !content.follow_up_questions.is_empty() {
        lines.push(String::new());
        lines.push(ledger_view::follow_up_questions().text(language).to_owned());
        let questions = content.follow_up_questions.iter().enumerate();
        lines.extend(questions.map(|(n, question)| format!("  {}. {}", n + 1, shown(question))));
    }
    if let Some(judged) = judged(ledger, language) {
        lines.push(String::new());
        lines.push(judged);
    }
    lines.push(String::new());
    let wrapped = lines.iter().flat_map(|line| within(line, columns));
    wrapped.collect::<Vec<_>>().join("\n")
}

/// Breaks a line between words; later lines are indented like its words.
fn within(line: &str, columns: usize) -> Vec<String> {
    let indent = line.chars().take_while(|ch| !ch.is_alphabetic()).count();
    if width(line) <= columns || indent >= columns {
        return vec![line.to_owned()];
    }
    let (mark, words) = line.split_at(line.char_indices().nth(indent).map_or(0, |(at, _)| at));
    let lines = wrapped(words, columns - indent).into_iter().enumerate();
    let first = |n: usize| if n == 0 { mark.to_owned() } else { " ".repeat(indent) };
    lines.map(|(n, line)| format!("{}{line}", first(n))).collect()
}

/// `2 supported · 1 weak · 1 not found · coverage 75 % · unsupported 25 %`.
fn counts(ledger: &Ledger, language: Language) -> String {
    let summary = &ledger.content.summary;
    let counts = Verdict::ALL.into_iter().map(|verdict| {
        let label = verdict.label().text(language).to_lowercase();
        format!("{} {label}", summary.by_verdict.count(verdict))
    });
    let (coverage, unsupported) = (ledger_view::coverage(), ledger_view::unsupported());
    let shares = [
        format!("{} {}", coverage.text(language), summary.coverage_label()),
        format!("{} {}%", unsupported.text(language), summary.unsupported_rate.percent()),
    ];
    counts.chain(shares).collect::<Vec<_>>().join(" · ")
}

/// Who judged, in how many documents, and how many could not be read whole.
fn judged(ledger: &Ledger, language: Language) -> Option<String> {
    let judge = ledger.content.judge.as_ref()?;
    let documents = || ledger.content.documents.iter().flatten();
    let chunks: u64 = documents().map(|one| one.chunks).sum();
    let troubled = documents().filter(|one| !one.problems.is_empty()).count();
    let mut model = shown(&judge.model);
    if let Some(digest) = judge.model_sha256 {
        let digest = digest.to_string();
        model.extend([" ", digest.get(..19).unwrap_or(&digest), "…"]);
    }
    let mut text = format!(
        "{}: {}, {model} · {} {} · {chunks} {}",
        ledger_view::judge().text(language),
        shown(&judge.engine),
        documents().count(),
        ledger_view::counted_documents().text(language),
        ledger_view::counted_chunks().text(language),
    );
    if troubled > 0 {
        let words = ledger_view::with_problems();
        text.push_str(&format!(" · {troubled} {}", words.text(language)));
    }
    Some(text)
}

/// Text as one line that steers no terminal.
pub(crate) fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    line.chars()
        .flat_map(|ch| {
            let escaped = if steers(ch) { ch.escape_unicode().to_string() } else { ch.to_string() };
            escaped.chars().collect::<Vec<_>>()
        })
        .collect()
}
