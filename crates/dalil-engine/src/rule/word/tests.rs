use super::{Kind, Word, words};

fn check(text: &str, expected: &[(&str, Kind)]) {
    let found: Vec<Word> = words(text);
    let found: Vec<(&str, Kind)> =
        found.iter().map(|word| (word.form.as_str(), word.kind)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn words_are_folded_and_numbers_stay_whole() {
    check(
        "The SAR 1,000.5.",
        &[
            ("the", Kind::Capital),
            ("sar", Kind::Capital),
            ("1,000.5", Kind::Digits),
            (".", Kind::Mark('.')),
        ],
    );
    check(
        "إجازةٌ ١٬٠٠٠٫٥ يوماً",
        &[("اجازه", Kind::Small), ("1,000.5", Kind::Digits), ("يوما", Kind::Small)],
    );
    check("۱۴ و١٠", &[("14", Kind::Digits), ("و", Kind::Small), ("10", Kind::Digits)]);
}

#[test]
fn a_code_is_one_word() {
    check(
        "HR-B-04 and V204",
        &[("hr-b-04", Kind::Code), ("and", Kind::Small), ("v204", Kind::Code)],
    );
    check(
        "Chechen-Ingush",
        &[("chechen", Kind::Capital), ("-", Kind::Mark('-')), ("ingush", Kind::Capital)],
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
