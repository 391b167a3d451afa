use dalil_evidence::chunk_set::ChunkSet;

use super::{ExcerptPlace, ExcerptSpan, QuotableText};
use crate::document::DocumentFormat;

fn spans(parts: &[(usize, usize, bool)]) -> Vec<ExcerptSpan> {
    let span = |(start, end, is_hidden): &(usize, usize, bool)| ExcerptSpan {
        range: *start..*end,
        is_hidden: *is_hidden,
    };
    parts.iter().map(span).collect()
}

#[test]
fn an_excerpt_stands_where_blocks_hold_all_its_letters() {
    let text = "- one\n- two <!-- no --> three";
    let blocks = spans(&[(2, 5, false), (8, 12, false), (24, 29, true)]);
    let text = QuotableText::new(text, DocumentFormat::Text, &blocks);
    let place = |excerpt: &str| text.place(excerpt);
    assert_eq!(place("one\n- two"), ExcerptPlace::Visible);
    assert_eq!(place("three"), ExcerptPlace::Hidden);
    assert_eq!(place("ee"), ExcerptPlace::Absent);
    assert_eq!(place("two <!-- no --> three"), ExcerptPlace::Absent);
    assert_eq!(place("no"), ExcerptPlace::Absent);
    assert_eq!(place("- "), ExcerptPlace::Absent);
    assert_eq!(place("four"), ExcerptPlace::Absent);
}

#[test]
fn an_excerpt_of_markdown_is_neither_in_a_comment_nor_inside_a_mark() {
    let visible = [
        "Staff receive 10 days.",
        "Staff receive <b>10</b> days.",
        "Staff receive [10 days](https://a.example/b \"the law\") a year.",
        "See <a title=\"the law\">10 days</a>.",
        "Write `<!-- Staff receive 60 days. -->` for it.",
    ];
    for text in visible {
        assert_eq!(placed(text, text), ExcerptPlace::Visible, "{text}");
    }
    let code = "```html\n<!-- Staff receive 60 days. -->\n```\n";
    assert_eq!(placed(code, "Staff receive 60 days."), ExcerptPlace::Visible);
    for unseen in [
        "Staff receive 10 days. <!-- Staff receive 60 days. -->",
        "Staff receive <!-- Staff receive 60 days. --> 10 days.",
        "- 10 days\n- <!-- Staff receive 60 days. -->\n",
        "<div>\n<!-- Staff receive 60 days. -->\n10 days\n</div>\n",
        "<div><!-- 10\n\nStaff receive 60 days.\n\n<div>--></div>\n\n10 days\n",
        "Staff receive <span title=\"Staff receive 60 days.\">10</span> days.",
        "<div data-note='Staff receive 60 days.'>10 days</div>\n",
        "Staff receive [10](https://a.example \"Staff receive 60 days.\") days.",
        "![10](https://a.example/a.png \"Staff receive 60 days.\")",
        "[10]\n\n[10]: https://a.example \"Staff receive 60 days.\"\n",
        "- [10]\n\n  [10]: https://a.example 'Staff receive 60 days.'\n",
        "10 days <?note Staff receive 60 days. ?>",
        "10 days\n\n<div title=\"\n\nStaff receive 60 days.",
    ] {
        assert_eq!(placed(unseen, "Staff receive 60 days."), ExcerptPlace::Absent, "{unseen}");
        assert_eq!(placed(unseen, "60 days"), ExcerptPlace::Absent, "{unseen}");
        assert_eq!(placed(unseen, "10"), ExcerptPlace::Visible, "{unseen}");
    }
    // Words that are marks alone say nothing.
    for mark in ["<div data-note='Staff receive 60 days.'>", "](https://a.example \"60 days\")"] {
        let text = format!("10 {mark}\n\n<div data-note='Staff receive 60 days.'>10</div>\n");
        assert_eq!(placed(&text.replace("](", "[10]("), mark), ExcerptPlace::Absent, "{mark}");
    }
    // A number alone is no mark between blocks where a comment holds it.
    let fee = "The fee is <!-- 5000 --> 100.";
    assert_eq!(placed(fee, fee), ExcerptPlace::Absent);
}

/// Where an excerpt is in Markdown, as it is read.
fn placed(text: &str, excerpt: &str) -> ExcerptPlace {
    let document = crate::formats::read(text.as_bytes(), "a.md").unwrap();
    document.excerpt_place(excerpt)
}

#[test]
fn an_excerpt_of_a_chunk_set_is_hidden_where_its_chunk_hides_it() {
    let chunk = |nth: usize, text: &str| {
        format!(r#"{{"id":"c-{nth}","text":{}}}"#, serde_json::json!(text))
    };
    let texts = [
        "Open to all.\n\n<div hidden>\n\nDues are waived.\n",
        "Closed on Friday. <!-- Not on holidays. -->",
        "<template>\n\nTugs pay nothing.\n",
    ];
    let chunks: Vec<String> = (1..).zip(texts).map(|(nth, text)| chunk(nth, text)).collect();
    let request = format!(r#"{{"chunks":[{}]}}"#, chunks.join(","));
    let set = ChunkSet::parse(request.as_bytes()).unwrap();
    let document = crate::formats::read(&set.canonical_bytes().unwrap(), "").unwrap();
    assert_eq!(document.format, DocumentFormat::Chunks);
    for (excerpt, expected) in [
        ("Open to all.", ExcerptPlace::Visible),
        ("Dues are waived.", ExcerptPlace::Hidden),
        // An element of one chunk does not go on in the next.
        ("Closed on Friday.", ExcerptPlace::Visible),
        ("Not on holidays.", ExcerptPlace::Absent),
        ("Tugs pay nothing.", ExcerptPlace::Hidden),
    ] {
        assert_eq!(document.excerpt_place(excerpt), expected, "{excerpt}");
    }
    let hidden = document.blocks.iter().map(|block| block.hidden.is_some());
    assert_eq!(hidden.collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn words_are_looked_for_in_what_the_document_says() {
    let text =
        "Staff receive\n<b title='receive 70 days.'>10</b> days. <!-- Staff receive 60 days. -->\n";
    let all = spans(&[(0, text.len(), false)]);
    let text = QuotableText::new(text, DocumentFormat::Markdown, &all);
    assert!(text.shows_words("receive 10\tdays."));
    assert!(!text.shows_words("receive 60 days.") && !text.shows_words("receive 70 days."));
    let text =
        "Staff receive <i hidden>not</i> 10 days.\n\n<div hidden>\n\nStaff receive 60 days.\n";
    let all = spans(&[(0, text.len(), false)]);
    let text = QuotableText::new(text, DocumentFormat::Markdown, &all);
    assert!(text.shows_words("Staff receive 10 days.") && !text.shows_words("60 days"));
}

#[test]
fn an_excerpt_begins_with_a_whole_word_and_ends_with_a_whole_number() {
    let text = "Staff receive 160 days and 1,500 riyals. It is illegal to pay less: _20 days_.";
    let all = spans(&[(0, text.len(), false)]);
    for format in [DocumentFormat::Text, DocumentFormat::Markdown] {
        let text = QuotableText::new(text, format, &all);
        for cut in ["60 days", "500 riyals", "legal to pay", "Staff receive 16", "days and 1"] {
            assert_eq!(text.place(cut), ExcerptPlace::Absent, "{cut}");
            assert!(!text.shows_words(cut), "{cut}");
        }
        for whole in ["160 days", "1,500 riyals.", "illegal to pay", "Staff receive 160", "20 days"]
        {
            assert_eq!(text.place(whole), ExcerptPlace::Visible, "{whole}");
            assert!(text.shows_words(whole), "{whole}");
        }
        // An excerpt that was cut to a length ends anywhere.
        assert_eq!(text.place("Staff receive 160 days and 1,500 riy"), ExcerptPlace::Visible);
    }
}

#[test]
fn spans_that_overlap_or_are_out_of_order_hide_nothing_that_is_there() {
    let text = "one two three";
    let place = |blocks: &[(usize, usize, bool)], excerpt: &str| {
        QuotableText::new(text, DocumentFormat::Text, &spans(blocks)).place(excerpt)
    };
    assert_eq!(place(&[(8, 13, false), (0, 7, false)], "one"), ExcerptPlace::Visible);
    assert_eq!(place(&[(0, 13, false), (0, 3, false)], "three"), ExcerptPlace::Visible);
    assert_eq!(place(&[(0, 7, false), (4, 13, true)], "two"), ExcerptPlace::Hidden);
    assert_eq!(place(&[(0, 3, false), (0, 90, false)], "three"), ExcerptPlace::Visible);
}

#[test]
fn excerpts_are_found_in_time_that_grows_with_the_text() {
    let lines = 200_000;
    let text = "a b\n".repeat(lines);
    let blocks: Vec<ExcerptSpan> = (0..lines)
        .map(|nth| ExcerptSpan { range: nth * 4..nth * 4 + 3, is_hidden: true })
        .collect();
    let quotable = QuotableText::new(&text, DocumentFormat::Text, &blocks);
    // Minutes, if each of its places or letters were compared with every block.
    assert_eq!(quotable.place("a b"), ExcerptPlace::Hidden);
    assert_eq!(quotable.place(text.trim_end()), ExcerptPlace::Hidden);
}
