use super::{HighlightSegment, MAX_CONTEXT_BYTES, pieces};

#[test]
fn quoted_words_are_marked_wherever_lines_and_spaces_differ() {
    let piece =
        |text: &str, is_hit| HighlightSegment { text: text.to_owned(), is_hit, is_first: is_hit };
    assert_eq!(
        pieces("a  مدفوعة\n الأجر مدتها b", "مدفوعة الأجر مدتها"),
        [piece("a  ", false), piece("مدفوعة\n الأجر مدتها", true), piece(" b", false)]
    );
    assert_eq!(pieces("all of it", "all of it"), [piece("all of it", true)]);
    assert_eq!(pieces("other words", "words that are not there"), [piece("other words", false)]);
    assert_eq!(pieces("no quotation", " \n"), [piece("no quotation", false)]);
    assert_eq!(pieces("", "x"), []);
}

#[test]
fn of_a_long_text_what_is_around_the_words_is_shown() {
    let text =
        format!("{}needle{}", "é ".repeat(MAX_CONTEXT_BYTES), "x".repeat(MAX_CONTEXT_BYTES + 9));
    let shown = pieces(&text, "needle");
    let lengths: Vec<(usize, bool)> =
        shown.iter().map(|one| (one.text.len(), one.is_hit)).collect();
    assert_eq!(lengths, [(MAX_CONTEXT_BYTES + 1, false), (6, true), (MAX_CONTEXT_BYTES, false)]);
}
