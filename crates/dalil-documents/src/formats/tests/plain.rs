//! Markdown, text and encodings.

use expect_test::{Expect, expect};
use proptest::prelude::{Strategy as _, any, prop, proptest};

use super::{check_law, told};
use crate::formats::read;

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
    expect![[r####"
        h2 p12 1896-1913 [] "## 3 Annual leave"
        h3 p12 1915-1934 [3 Annual leave] "### 3.1 Entitlement"
        p p12 1936-2021 [3 Annual leave > 3.1 Entitlement] "All permanent employees shall receive 15 days of paid annual leave per calendar year."
        p p12 2023-2120 [3 Annual leave > 3.1 Entitlement] "An employee who joins or leaves during a calendar year is entitled to a proportionate part of it."
        p p12 2122-2197 [3 Annual leave > 3.1 Entitlement] "Annual leave may be taken in no more than three periods in a calendar year.""####]].assert_eq(&page.join("\n"));
    expect![[r#"markdown Some("Barzamar Port Services Company: Human Resources Manual, Part B: Leave Policy") None"#]].assert_eq(told.lines().next().unwrap());
}

#[test]
fn markdown_blocks_are_cut_where_they_begin() {
    check(
        "a.md",
        "---\ntitle: \"A title\"\ndate: 2026-01-01\ntags:\n  - x\n---\n\nSetext *one*\n======\n\nText\nof two lines. <!-- page 3 -->\n\n- item one\n- item two\n  - nested\n\n    second paragraph\n\n> quoted\n> text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nlet x = 1;\n```\n\n***\n\n<!-- a note -->\n<div>html</div>\n\n[ref]: http://example.com\n\n1. # odd\n   tail\n\n## الإجازة\nنص.\n",
        &expect![[r###"
            markdown Some("A title") Some("2026-01-01")
            h1 55-74 [] "Setext *one*\n======"
            p 76-94 [Setext one] "Text\nof two lines."
            item p3 112-122 [Setext one] "- item one"
            item p3 123-133 [Setext one] "- item two"
            item p3 136-144 [Setext one] "- nested"
            item p3 150-166 [Setext one] "second paragraph"
            quote p3 168-183 [Setext one] "> quoted\n> text"
            row p3 185-194 [Setext one] "| a | b |"
            row p3 205-214 [Setext one] "| 1 | 2 |"
            code p3 216-238 [Setext one] "```rust\nlet x = 1;\n```"
            p p3 261-276 [Setext one] "<div>html</div>"
            p p3 278-303 [Setext one] "[ref]: http://example.com"
            h1 p3 305-313 [] "1. # odd"
            item p3 317-321 [odd] "tail"
            h2 p3 323-340 [odd] "## الإجازة"
            p p3 341-346 [odd > الإجازة] "نص."
        "###]],
    );
}

#[test]
fn a_rule_at_the_top_is_no_front_matter() {
    check(
        "a.md",
        "---\n\nJust a rule. Above: nothing.\n\n---\n",
        &expect![[r#"
            markdown None None
            p 5-33 [] "Just a rule. Above: nothing."
        "#]],
    );
}

#[test]
fn two_top_headings_stay_in_paths_and_one_does_not() {
    check(
        "a.md",
        "# One\n\na\n\n# Two\n\nb\n",
        &expect![[r##"
        markdown None None
        h1 0-5 [] "# One"
        p 7-8 [One] "a"
        h1 10-15 [] "# Two"
        p 17-18 [Two] "b"
    "##]],
    );
    check(
        "a.md",
        "# One\n\n## Sub\n\nb\n",
        &expect![[r###"
        markdown Some("One") None
        h1 0-5 [] "# One"
        h2 7-13 [] "## Sub"
        p 15-16 [Sub] "b"
    "###]],
    );
}

#[test]
fn a_number_in_brackets_at_the_head_of_a_line_begins_no_item() {
    check(
        "a.txt",
        "Notice is given fourteen\n(14) days before the end.\n\nThe fee is due within\n(30) working days.\n\nيقدم الإشعار قبل أربعة عشر\n(١٤) يوماً من النهاية.\n\nThe goods are\n(1) First thing\n(2) Second thing\n(3) five,\n(4) days\n",
        &expect![[r#"
            text None None
            p 0-50 [] "Notice is given fourteen\n(14) days before the end."
            p 52-92 [] "The fee is due within\n(30) working days."
            p 94-181 [] "يقدم الإشعار قبل أربعة عشر\n(١٤) يوما\u{64b} من النهاية."
            p 183-196 [] "The goods are"
            item 197-212 [] "(1) First thing"
            item 213-229 [] "(2) Second thing"
            item 230-239 [] "(3) five,"
            item 240-248 [] "(4) days"
        "#]],
    );
}

#[test]
fn encodings_are_told_apart_and_places_are_of_the_original() {
    let check = |bytes: &[u8], expected: &Expect| {
        expected.assert_eq(&told(&read(bytes, "a.txt").unwrap()));
    };
    check(
        b"\xef\xbb\xbfab\n\ncd",
        &expect![[r#"
        text None None
        p 3-5 [] "ab"
        p 7-9 [] "cd"
    "#]],
    );
    check(
        b"\xff\xfea\0b\0\n\0\n\0\x2d\x06",
        &expect![[r#"
        text None None
        p 2-6 [] "ab"
        p 10-12 [] "ح"
    "#]],
    );
    check(
        b"caf\xe9 ol\xe9",
        &expect![[r#"
        text None None
        p 0-8 [] "café olé"
        ! expected UTF-8, found other bytes; read as windows-1252
    "#]],
    );
    let mut long = "a".repeat(300).into_bytes();
    long.extend(b"\xff\n\nend");
    let told = told(&read(&long, "a.txt").unwrap());
    expect![[r#"
        p 303-306 [] "end"
        ! expected UTF-8, found 1 bytes that are not; replaced
    "#]]
    .assert_eq(told.split_once('\n').unwrap().1.split_once('\n').unwrap().1);
}

proptest! {
    /// Every character that is not white space is in one block, except those without content.
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
        let front = super::super::markdown::FrontMatter::of(&text).end;
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
