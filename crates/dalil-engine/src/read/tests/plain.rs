//! Markdown, text and encodings.

use expect_test::{Expect, expect};
use proptest::prelude::{Strategy as _, any, prop, proptest};

use super::{check_law, told};
use crate::read::read;

#[track_caller]
fn check(name: &str, text: &str, expected: &Expect) {
    let document = read(text.as_bytes(), name).unwrap();
    check_law(&document);
    expected.assert_eq(&told(&document));
}

#[test]
fn the_leave_policy_has_its_pages_and_paths() {
    let policy = include_str!("../../../../../examples/corpus/hr-leave-policy.en.md");
    let document = read(policy.as_bytes(), "hr-leave-policy.en.md").unwrap();
    assert_eq!(document.text, policy);
    let told = told(&document);
    let page: Vec<&str> = told.lines().filter(|line| line.contains(" p12 ")).collect();
    expect![""].assert_eq(&page.join("\n"));
    expect![""].assert_eq(told.lines().next().unwrap());
}

#[test]
fn markdown_blocks_are_cut_where_they_begin() {
    check(
        "a.md",
        "---\ntitle: \"A title\"\ndate: 2026-01-01\ntags:\n  - x\n---\n\nSetext *one*\n======\n\nText\nof two lines. <!-- page 3 -->\n\n- item one\n- item two\n  - nested\n\n    second paragraph\n\n> quoted\n> text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nlet x = 1;\n```\n\n***\n\n<!-- a note -->\n<div>html</div>\n\n[ref]: http://example.com\n\n1. # odd\n   tail\n\n## الإجازة\nنص.\n",
        &expect![""],
    );
}

#[test]
fn a_rule_at_the_top_is_no_front_matter() {
    check("a.md", "---\n\nJust a rule. Above: nothing.\n\n---\n", &expect![""]);
}

#[test]
fn two_top_headings_stay_in_paths_and_one_does_not() {
    check("a.md", "# One\n\na\n\n# Two\n\nb\n", &expect![""]);
    check("a.md", "# One\n\n## Sub\n\nb\n", &expect![""]);
}

#[test]
fn encodings_are_told_apart_and_places_are_of_the_original() {
    let check = |bytes: &[u8], expected: &Expect| {
        expected.assert_eq(&told(&read(bytes, "a.txt").unwrap()));
    };
    check(b"\xef\xbb\xbfab\n\ncd", &expect![""]);
    check(b"\xff\xfea\0b\0\n\0\n\0\x2d\x06", &expect![""]);
    check(b"caf\xe9 ol\xe9", &expect![""]);
    let mut long = "a".repeat(300).into_bytes();
    long.extend(b"\xff\n\nend");
    let told = told(&read(&long, "a.txt").unwrap());
    expect![""].assert_eq(told.split_once('\n').unwrap().1.split_once('\n').unwrap().1);
}

proptest! {
    /// Every character that is not white space is in one block, but for what says nothing.
    #[test]
    fn plain_text_is_covered(text in "[a-zأ-ي0-9.,:()•\\- \n\u{c}]{0,200}") {
        let document = read(text.as_bytes(), "a.txt").unwrap();
        check_law(&document);
        let kept: String = document.blocks.iter().map(|block| document.slice(block)).collect();
        let solid = |text: &str| text.chars().filter(|ch| !ch.is_whitespace()).collect::<String>();
        assert_eq!(solid(&kept), solid(&text));
    }

    #[test]
    fn markdown_is_covered(text in "([a-z#>*`|\\-\\[\\]:.1 ]{0,12}\n){0,20}") {
        let document = read(text.as_bytes(), "a.md").unwrap();
        check_law(&document);
        let kept: String = document.blocks.iter().map(|block| document.slice(block)).collect();
        let letters = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).collect::<String>();
        let front = super::super::markdown::Front::of(&text).end;
        assert_eq!(letters(&kept), letters(text.get(front..).unwrap()));
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        name in prop::sample::select(vec!["a.md", "a.txt", "a.csv", "a.html", "a.eml", "a"]).prop_map(str::to_owned),
    ) {
        if let Ok(document) = read(&bytes, &name) {
            check_law(&document);
        }
    }
}
