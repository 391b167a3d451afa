//! The colours of verdicts.

use dalil_phrasebook::Language;
use dalil_proof::report::CheckStatus;

use super::{headed, painted};
use crate::reply::ColourMode;

#[track_caller]
fn check(view: &str, language: Language, expected: &str) {
    assert_eq!(painted(view, language, ColourMode::Coloured), expected);
    assert_eq!(painted(view, language, ColourMode::Plain), view);
}

#[test]
fn verdicts_have_the_colours_of_the_contract_and_claims_have_none() {
    check(
        "✓ Supported │ ? Weak │ ✗ Contradicted │ ○ Not Found │ Supported by none",
        Language::English,
        "\u{1b}[32m✓ Supported\u{1b}[0m │ \u{1b}[33m? Weak\u{1b}[0m │ \
         \u{1b}[31m✗ Contradicted\u{1b}[0m │ \u{1b}[90m○ Not Found\u{1b}[0m │ Supported by none",
    );
    check(
        "Verdict: WEAK (Confidence: 65%)",
        Language::English,
        "\u{1b}[33mVerdict: WEAK\u{1b}[0m (Confidence: 65%)",
    );
    check("✓ مؤيَّد", Language::Arabic, "\u{1b}[32m✓ مؤيَّد\u{1b}[0m");
}

#[test]
fn the_first_line_of_a_report_has_the_colour_of_its_verdict() {
    let view = "✗ FAIL: do not rely on it\n│ ✓ Pass │\n";
    for (verdict, colour) in
        [(CheckStatus::Pass, 32), (CheckStatus::Fail, 31), (CheckStatus::Incomplete, 33)]
    {
        assert_eq!(
            headed(view.to_owned(), verdict, ColourMode::Coloured),
            format!("\u{1b}[1;{colour}m✗ FAIL: do not rely on it\u{1b}[0m\n│ ✓ Pass │\n")
        );
        assert_eq!(headed(view.to_owned(), verdict, ColourMode::Plain), view);
    }
}
