use super::conflicting_words;

/// The words that differ.
fn check(claim: &str, evidence: &str, expected: Option<(&str, &str)>) {
    let pair = conflicting_words(claim, evidence);
    let words = pair.and_then(|pair| Some((claim.get(pair.claim)?, evidence.get(pair.evidence)?)));
    assert_eq!(words, expected, "{claim}");
}

#[test]
fn the_words_that_cannot_both_be_true_are_shown() {
    check(
        "Guests leave the lodge by the north gate before nine.",
        "Guests leave the lodge by the south gate before nine.",
        Some(("north", "south")),
    );
    check(
        "The warden keeps the keys of the lodge.",
        "The warden does not keep the keys of the lodge.",
        Some(("keeps", "does not keep")),
    );
    check(
        "The periods run from the day of installation.",
        "The periods run from the date of delivery.",
        Some(("installation", "delivery")),
    );
    check(
        "يحتفظ الحارس بمفاتيح النزل قبل الغروب.",
        "يحتفظ الحارس بمفاتيح النزل بعد الغروب.",
        Some(("قبل", "بعد")),
    );
}

#[test]
fn equal_sentences_and_sentences_about_other_things_have_no_pair() {
    check("The warden keeps the keys.", "The warden keeps the keys.", None);
    check("The warden keeps the keys.", "Lunch is served at the pier.", None);
    check("", "", None);
}
