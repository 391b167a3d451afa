//! Views of ledgers: their looks, and that no text can break them.

use dalil_evidence::claim::{ClaimImportance, ClaimKind};
use dalil_evidence::ledger::check;
use dalil_evidence::ledger::request::{ConflictReason, LedgerRequest};
use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_phrasebook::Language;
use dalil_proof::score::Score;
use expect_test::expect;
use proptest::prelude::proptest;
use proptest::{prop_assert, prop_assert_eq};

use self::sample::{arbitrary, request};
use super::cell::{visible, width, wrapped};
use super::expanded::expanded;
use super::markdown::{escaped, markdown};
use super::table::{fitted, table};
use crate::tests::{ARABIC, Case, ENGLISH};

#[path = "../../../dalil-evidence/src/ledger/tests/sample.rs"]
mod sample;

#[test]
fn a_table_without_claims_says_so() {
    expect![[r"
        ┌────┬─────────────────────────────────┬────────────┬────────────────┬─────────────────────────────┐
        │ #  │ Claim                           │ Type       │ Verdict        │ Source                      │
        ├────┼─────────────────────────────────┼────────────┼────────────────┼─────────────────────────────┤
        │ -  │ No checkable claim              │ -          │ -              │ -                           │
        └────┴─────────────────────────────────┴────────────┴────────────────┴─────────────────────────────┘
    "]]
    .assert_eq(&table(&check(&request("", "")).unwrap(), Language::English));
}

#[test]
fn a_narrow_terminal_gets_a_list() {
    let shown = |case: &Case, language| fitted(&case.ledger(), language, 60);
    expect![[r#"
        1  ✓ Supported · ▰▰▰▰▰ High
           Leave is 15 days
           hr.pdf, p.12

        2  ? Weak · ▰▰▰▱▱ Moderate
           It carries over
           hr.pdf, p.15
           ↳ The evidence says: may be carried over

        3  ○ Not Found · ▰▱▱▱▱ Very Low
           It is paid

        4  ✗ Contradicted · ▰▰▰▰▰ High
           It is 20 days for shift staff
           hr.pdf, p.12
           ↳ “15 days”, not “20 days”: 15 days & no more

    "#]]
    .assert_eq(&shown(&ENGLISH, Language::English));
    expect![[r#"
        1  ○ غير موجود · ▰▱▱▱▱ ضئيلة
           الحد الأقصى ٥ أيام

    "#]]
    .assert_eq(&shown(&ARABIC, Language::Arabic));
    expect![[r#"
        No checkable claim

    "#]]
    .assert_eq(&fitted(&check(&request("", "")).unwrap(), Language::English, 60));
}

#[test]
fn markdown_shows_text_and_obeys_none_of_it() {
    let shown = [
        "HR_Policy_2024.pdf",
        "a | b",
        "`code` <b>bold</b>",
        "# heading #",
        "line\nbreak\r\n\tmore",
        "*not bold* _nor_ ~~struck~~",
        "[link](x) ![image](y)",
        "Q&A &lt; &#60; AT&T;",
        "\u{1b}[31mred\u{7} \u{202e}reversed",
        "back\\slash",
        "٪٥٠ | نعم",
    ]
    .map(escaped);
    expect![[r#"
        HR_Policy_2024.pdf
        a \| b
        \`code\` \<b\>bold\</b\>
        \# heading \#
        line break more
        \*not bold\* \_nor\_ \~\~struck\~\~
        \[link\](x) !\[image\](y)
        Q&A \&lt; \&#60; AT\&T;
        \\u{1b}\[31mred\\u{7} \\u{202e}reversed
        back\\slash
        ٪٥٠ \| نعم"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn wide_combining_and_arabic_text_is_wrapped_to_its_columns() {
    let lines = wrapped("漢字かな e\u{301}e\u{301}e\u{301} السلام عليكم 👩‍👩‍👧👩‍👩‍👧 abcdefghijkl", 6);
    let measured: Vec<String> =
        lines.iter().map(|line| format!("{}|{line}", width(line))).collect();
    expect![[r#"
        6|漢字か
        6|な ééé
        6|السلام
        5|عليكم
        4|👩‍👩‍👧👩‍👩‍👧
        6|abcdef
        6|ghijkl"#]]
    .assert_eq(&measured.join("\n"));
    assert_eq!(visible("a\u{1b}b"), "a\\u{1b}b");
}

/// The first characters of a table's lines.
const BOX: [char; 4] = ['┌', '│', '├', '└'];

proptest! {
    #[test]
    fn every_line_of_a_view_takes_the_same_columns(request in arbitrary()) {
        let ledger = check(&request).unwrap();
        for line in table(&ledger, Language::Arabic).lines() {
            let columns = width(line);
            prop_assert!(columns == 100 || columns < 100 && !line.starts_with(BOX), "{}", line);
        }
        for number in 1..=request.claims.len() {
            for line in expanded(&ledger, number, Language::Arabic).unwrap().lines() {
                prop_assert_eq!(width(line), 79, "{}", line);
            }
        }
    }

    #[test]
    fn no_line_of_a_list_is_wider_than_the_terminal(request in arbitrary(), columns in 40_usize..100) {
        let ledger = check(&request).unwrap();
        for language in [Language::English, Language::Arabic] {
            for line in fitted(&ledger, language, columns).lines() {
                prop_assert!(width(line) <= columns, "{}", line);
            }
        }
    }

    #[test]
    fn no_view_carries_control_characters(request in arbitrary()) {
        let ledger = check(&request).unwrap();
        let views = [
            table(&ledger, Language::English),
            markdown(&ledger, &request.session, Language::English),
        ];
        let obeyed = |ch: char| ch.is_control() && ch != '\n';
        prop_assert!(!views.iter().any(|view| view.contains(obeyed)));
    }
}
