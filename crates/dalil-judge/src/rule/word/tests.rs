use super::{WordKind, WordToken, words};

fn check(text: &str, expected: &[(&str, WordKind)]) {
    let found: Vec<WordToken> = words(text);
    let found: Vec<(&str, WordKind)> =
        found.iter().map(|word| (word.form.as_str(), word.kind)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn words_are_folded_and_numbers_stay_whole() {
    check(
        "The SAR 1,000.5.",
        &[
            ("the", WordKind::Capital),
            ("sar", WordKind::Capital),
            ("1,000.5", WordKind::Digits),
            (".", WordKind::Mark('.')),
        ],
    );
    check(
        "إجازةٌ ١٬٠٠٠٫٥ يوماً",
        &[("اجازه", WordKind::Small), ("1,000.5", WordKind::Digits), ("يوما", WordKind::Small)],
    );
    check("۱۴ و١٠", &[("14", WordKind::Digits), ("و", WordKind::Small), ("10", WordKind::Digits)]);
}

#[test]
fn a_code_is_one_word() {
    check(
        "HR-B-04 and V204",
        &[("hr-b-04", WordKind::Code), ("and", WordKind::Small), ("v204", WordKind::Code)],
    );
    check(
        "Chechen-Ingush",
        &[
            ("chechen", WordKind::Capital),
            ("-", WordKind::Mark('-')),
            ("ingush", WordKind::Capital),
        ],
    );
}

#[test]
fn a_stop_in_a_number_or_after_a_title_ends_no_sentence() {
    let sentences = |text: &str| words(text).last().map(|word| word.sentence);
    assert_eq!(sentences("Mr. Omar paid 3.5 percent."), Some(0));
    assert_eq!(sentences("Omar paid. Ali did not"), Some(1));
    assert_eq!(sentences("دفع عمر؟ نعم"), Some(1));
    assert_eq!(sentences(""), None);
}

#[test]
fn no_more_words_are_read_than_the_limit() {
    assert_eq!(words(&"a ".repeat(super::MAX_WORDS + 9)).len(), super::MAX_WORDS);
}
