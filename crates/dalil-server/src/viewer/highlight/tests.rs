use super::{HighlightSegment, marked, pieces};

/// How much is shown around the words.
const CONTEXT: usize = 101;

#[test]
fn quoted_words_are_marked_wherever_lines_and_spaces_differ() {
    let piece =
        |text: &str, is_hit| HighlightSegment { text: text.to_owned(), is_hit, is_first: is_hit };
    assert_eq!(
        pieces("a  مدفوعة\n الأجر مدتها b", "مدفوعة الأجر مدتها", CONTEXT),
        [piece("a  ", false), piece("مدفوعة\n الأجر مدتها", true), piece(" b", false)]
    );
    assert_eq!(pieces("all of it", "all of it", CONTEXT), [piece("all of it", true)]);
    assert_eq!(
        pieces("other words", "words that are not there", CONTEXT),
        [piece("other words", false)]
    );
    assert_eq!(pieces("no quotation", " \n", CONTEXT), [piece("no quotation", false)]);
    assert_eq!(pieces("", "x", CONTEXT), []);
}

#[test]
fn of_a_long_text_what_is_around_the_words_is_shown() {
    let text = format!("{}needle{}", "é ".repeat(CONTEXT), "x".repeat(CONTEXT + 9));
    let shown = pieces(&text, "needle", CONTEXT);
    let lengths: Vec<(usize, bool)> =
        shown.iter().map(|one| (one.text.len(), one.is_hit)).collect();
    assert_eq!(lengths, [(CONTEXT + 1, false), (6, true), (CONTEXT, false)]);
}

#[test]
fn words_that_differ_are_marked_once_each_and_text_stays_text() {
    let claim = "Parts within 45 <b>calendar</b> days & 45";
    assert_eq!(
        marked(claim, &[("45", "bad"), ("calendar</b> days", "fair"), ("60", "bad")]),
        "Parts within <mark class=\"bad\">45</mark> &lt;b&gt;\
         <mark class=\"fair\">calendar&lt;/b&gt; days</mark> &amp; 45"
    );
    assert_eq!(marked(claim, &[]), "Parts within 45 &lt;b&gt;calendar&lt;/b&gt; days &amp; 45");
    assert_eq!(
        marked("ten days", &[("ten days", "bad"), ("days", "fair")]),
        "<mark class=\"bad\">ten days</mark>"
    );
}
