//! Tables, leads and captions, as the judge reads them.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{check_law, read};
use crate::document::{BlockKind, ParsedDocument};

/// The judged text of each block, with the text around it.
pub(super) fn judged(document: &ParsedDocument) -> String {
    let mut out = String::new();
    for (at, block) in document.blocks.iter().enumerate() {
        let context = document.evidence_context(at);
        let kind = match block.kind {
            BlockKind::Heading(level) => format!("h{level}"),
            kind => format!("{kind:?}").to_lowercase(),
        };
        write!(out, "{at} {kind}").unwrap();
        context.lead.iter().for_each(|lead| write!(out, " <{lead}").unwrap());
        context.caption.iter().for_each(|caption| write!(out, " ^{caption}").unwrap());
        block.hidden.iter().for_each(|hidden| write!(out, " hidden:{}", hidden.word()).unwrap());
        writeln!(out, " {}", document.judged_text(at)).unwrap();
    }
    out
}

#[track_caller]
fn check(name: &str, text: &str, expected: &Expect) {
    let document = read(text.as_bytes(), name).unwrap();
    check_law(&document);
    expected.assert_eq(&judged(&document));
}

#[test]
fn a_table_of_markdown_names_its_columns_and_a_caption() {
    check(
        "a.md",
        "# Leave\n\nDays for each grade:\n\n| Grade | *Days* | Note |\n|---|---|---|\n| A | 15 | |\n| B | 20 | `new` <b>only</b> |\n",
        &expect![[r#"
            0 h1 # Leave
            1 paragraph Days for each grade:
            2 row ^Days for each grade: Grade | *Days* | Note
            3 row ^Days for each grade: Grade: A | Days: 15
            4 row ^Days for each grade: Grade: B | Days: 20 | Note: `new` only
        "#]],
    );
}

#[test]
fn a_table_of_html_in_markdown_has_rows_and_a_quotation_of_the_original() {
    let text = "Kept for:\n\n<table>\n <tr><td><b>Data</b></td><td><b>Kept</b></td></tr>\n\n <tr><td>Call logs</td>\n  <td>9 <i>months</i>\n </td></tr>\n</table>\n\nAfter <span class=\"x\">that</span> &amp; no <later>.\n";
    check(
        "a.md",
        text,
        &expect![[r#"
            0 paragraph Kept for:
            1 row ^Kept for: Data | Kept
            2 row ^Kept for: Data: Call logs | Kept: 9 months
            3 paragraph After that & no .
        "#]],
    );
    let document = read(text.as_bytes(), "a.md").unwrap();
    assert_eq!(document.text, text);
    assert_eq!(document.slice(&document.blocks[2]), "Call logs</td>\n  <td>9 <i>months</i>");
}

#[test]
fn a_page_names_columns_by_cells_that_are_names_and_cells_reach_down() {
    check(
        "a.html",
        "<table><caption>Fares (in riyals).</caption><tr><th>City<th>Class<th>Fare</tr>\
         <tr><td rowspan=2>Jeddah<td>First<td>900</tr><tr><td>Second<td>400</tr></table>\
         <table><tr><td>Owner</td><td>Huda</td></tr><tr><td>Place</td><td>Taif</td></tr></table>",
        &expect![[r#"
            0 paragraph Fares (in riyals).
            1 row ^Fares (in riyals). City | Class | Fare
            2 row ^Fares (in riyals). City: Jeddah | Class: First | Fare: 900
            3 row ^Fares (in riyals). City: Jeddah | Class: Second | Fare: 400
            4 row Owner | Huda
            5 row Place | Taif
        "#]],
    );
}

#[test]
fn a_record_of_csv_has_its_names_once() {
    let text = "Ship,Flag,Built\n\"Noor, the\",SA,1999-04-02\nAmal,,2001-01-31\n";
    check(
        "a.csv",
        text,
        &expect![[r#"
            0 row Ship | Flag | Built
            1 row Ship: Noor, the | Flag: SA | Built: 1999-04-02
            2 row Ship: Amal | Built: 2001-01-31
        "#]],
    );
    let document = read(text.as_bytes(), "a.csv").unwrap();
    assert_eq!(document.blocks[1].headings, ["Ship | Flag | Built"]);
    assert!(document.evidence_context(1).headings.is_empty());
}

#[test]
fn an_item_knows_what_introduces_its_list() {
    check(
        "a.md",
        "Nobody may:\n\n1. smoke:\n   - indoors\n   - in a car\n2. shout\n\nThat is all.\n\n- alone\n",
        &expect![[r#"
            0 paragraph Nobody may:
            1 item <0 1. smoke:
            2 item <1 - indoors
            3 item <1 - in a car
            4 item <0 2. shout
            5 paragraph That is all.
            6 item - alone
        "#]],
    );
    check(
        "a.html",
        "<p>The tenant pays for<ul><li>water<ul><li>hot</li></ul></li><li>light</li></ul>",
        &expect![[r#"
            0 paragraph The tenant pays for
            1 item <0 water
            2 item <1 hot
            3 item <0 light
        "#]],
    );
    check(
        "a.txt",
        "يعاقب بالحبس كل من ارتكب ما يأتي:\n\n1) السرقة\n2) التزوير، ويشمل:\n(أ) الورق\n(ب) الختم\n3) الرشوة\n",
        &expect![[r#"
            0 paragraph يعاقب بالحبس كل من ارتكب ما يأتي:
            1 item <0 1) السرقة
            2 item <0 2) التزوير، ويشمل:
            3 item <2 (أ) الورق
            4 item <2 (ب) الختم
            5 item <0 3) الرشوة
        "#]],
    );
}

#[test]
fn a_list_that_counts_on_after_a_paragraph_is_the_same_list() {
    check(
        "a.txt",
        "The seller shall:\n\n1) pack the goods\n\nThe goods are dates.\n\n2) ship them\n",
        &expect![[r#"
            0 paragraph The seller shall:
            1 item <0 1) pack the goods
            2 paragraph The goods are dates.
            3 item <0 2) ship them
        "#]],
    );
}

#[test]
fn hostile_tables_and_tags_take_time_in_proportion() {
    for piece in
        ["<table><tr><td>", "<a <a ", "<td a='", "`", "``a", "|a", "<table>\n\n", "&amp", "1) a\n"]
    {
        let text = format!("<div>\n{}", piece.repeat(100_000 / piece.len()));
        for name in ["a.md", "a.html", "a.csv"] {
            let document = read(text.as_bytes(), name).unwrap();
            (0..document.blocks.len().min(5)).for_each(|at| drop(document.judged_text(at)));
        }
    }
}

#[test]
fn a_law_in_text_has_articles_with_titles_and_marks_with_their_items() {
    let text = "CHAPTER II\n\nDuties\n\nArticle 9\n\nKeeping the quay clean\n\n1.   Every master keeps:\n\n(a)\n\nthe deck dry;\n\n(b)\n\nthe rail whole.\n\n2.   Article 3 applies.\n\n== Notes\nNone.\n";
    check(
        "a.txt",
        text,
        &expect![[r#"
            0 h1 CHAPTER II

            Duties
            1 h2 Article 9

            Keeping the quay clean
            2 item 1.   Every master keeps:
            3 item <2 (a)

            the deck dry;
            4 item <2 (b)

            the rail whole.
            5 item 2.   Article 3 applies.
            6 h1 == Notes
            7 paragraph None.
        "#]],
    );
    let document = read(text.as_bytes(), "a.txt").unwrap();
    assert_eq!(
        document.blocks[3].headings,
        ["CHAPTER II Duties", "Article 9 Keeping the quay clean"]
    );
}

#[test]
fn tags_alone_and_lines_of_contents_are_no_blocks_and_no_headings() {
    check(
        "a.md",
        "<div class=\"box\">\n\nOne.\n\n</div>\n",
        &expect![[r#"
            0 paragraph One.
        "#]],
    );
    check(
        "a.txt",
        "1.2 Ropes ........... 7\n\n== A to B ==\n",
        &expect![[r#"
            0 paragraph 1.2 Ropes ........... 7
            1 paragraph == A to B ==
        "#]],
    );
}

#[test]
fn signs_of_equality_make_a_heading_in_markdown_too() {
    let text = "# Trips\n\n== Lodging\n\nOne night at most.\n\n=== Camps\nNone.\n";
    let document = read(text.as_bytes(), "a.md").unwrap();
    check_law(&document);
    assert_eq!(document.blocks.last().unwrap().headings, ["Lodging", "Camps"]);
}
