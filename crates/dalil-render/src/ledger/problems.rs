//! Unreadable and hidden parts of the documents: shown above everything else.

use dalil_evidence::ledger::{Ledger, LedgerContent};
use dalil_phrasebook::{Language, Phrase, document_note, ledger_view};

use super::cell::wrapped;

/// A document and one thing that could not be read of it, or that a reader cannot see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentProblem<'l> {
    /// The file name of the document.
    pub filename: &'l str,
    /// The problem, as the ledger has it.
    pub problem: &'l str,
}

impl DocumentProblem<'_> {
    /// The problem in every language.
    pub fn phrase(&self) -> Phrase {
        document_note::told(self.problem)
    }
}

/// Every problem of the documents, in order.
pub fn problems(content: &LedgerContent) -> impl Iterator<Item = DocumentProblem<'_>> {
    content.documents.iter().flatten().flat_map(|document| {
        let filename = document.filename.as_str();
        document.problems.iter().map(move |problem| DocumentProblem { filename, problem })
    })
}

/// The problems as lines of at most `columns`, with an empty line after them; nothing when there
/// are none.
pub fn notice(ledger: &Ledger, language: Language, columns: usize) -> String {
    let mut lines = Vec::new();
    for one in problems(&ledger.content) {
        let line = format!("{}: {}", one.filename, one.phrase().text(language));
        let words = wrapped(&line, columns.saturating_sub(PROBLEM_MARK.len()));
        let marks = std::iter::once(PROBLEM_MARK).chain(std::iter::repeat(PROBLEM_INDENT));
        lines.extend(marks.zip(words).map(|(mark, words)| format!("{mark}{words}\n")));
    }
    if lines.is_empty() {
        return String::new();
    }
    let heading = wrapped(ledger_view::not_read().text(language), columns).join("\n");
    format!("{heading}\n{}\n", lines.concat())
}

const PROBLEM_MARK: &str = "  ! ";
const PROBLEM_INDENT: &str = "    ";
