use super::{NegationState, denials};
use crate::rule::word::words;

/// The words that a text denies, and those that it denies but for an exception in brackets.
fn check(text: &str, expected: &str) {
    let words = words(text);
    let shown: Vec<String> = words
        .iter()
        .zip(denials(&words))
        .filter_map(|(word, denial)| match denial {
            NegationState::None => None,
            NegationState::Whole => Some(word.form.clone()),
            NegationState::Excepted => Some(format!("({})", word.form)),
        })
        .collect();
    assert_eq!(shown.join(" "), expected, "{text}");
}

#[test]
fn a_negation_reaches_to_the_end_of_its_clause() {
    check("The fee is not refunded, but it is credited", "refunded");
    check("Leave without notice is unpaid", "notice is");
    check("لا تُسترد الرسوم، وتُقيد", "تسترد الرسوم");
}

#[test]
fn what_looks_like_a_negation_and_is_none_denies_nothing() {
    check("not only cash but also cheques", "");
    check("no later than 5 days, no fewer than three", "");
    check("no approval is required", "");
    check("No More Censorship is an album", "");
    check("لا يزال العقد سارياً", "");
    check("بما لا يقل عن ٥ أيام", "");
}

#[test]
fn an_exception_leaves_it_open() {
    check("not without notice", "(without) (notice)");
    check("not paid unless approved", "(paid)");
    check("لا يجوز الاستدعاء إلا لطارئ", "(الاستدعا)");
}
