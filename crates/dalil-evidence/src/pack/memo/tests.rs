use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

use super::*;

/// A memo whose English summary is `summary`; returns its faults.
fn faults(summary: &str) -> String {
    decode::request(memo("ع", summary).as_bytes(), Memo::read)
        .map_or_else(|refused| refused.to_string(), |_| "ok".to_owned())
}

/// The same of the Arabic summary.
fn arabic_faults(summary: &str) -> String {
    decode::request(memo(summary, "s").as_bytes(), Memo::read)
        .map_or_else(|refused| refused.to_string(), |_| "ok".to_owned())
}

fn memo(arabic: &str, english: &str) -> String {
    let (arabic, english) =
        (serde_json::to_string(arabic).unwrap(), serde_json::to_string(english).unwrap());
    format!(
        r#"{{"title_ar":"ع","title_en":"t","body_ar":"ع","body_en":"b",
            "executive_summary_ar":{arabic},"executive_summary_en":{english}}}"#
    )
}

#[test]
fn a_summary_has_at_most_120_words_by_unicode_rules() {
    let words = |count: usize| "don't ".repeat(count);
    assert_eq!(faults(&words(120)), "ok");
    assert_eq!(
        faults(&words(121)),
        "`executive_summary_en`: expected at most 120 words, found 121 words"
    );
}

#[test]
fn a_body_has_at_most_600_words_in_each_language() {
    let read = |field: &str, text: String| {
        let mut memo: serde_json::Value = serde_json::from_str(&memo("ع", "s")).unwrap();
        memo[field] = text.into();
        decode::request(memo.to_string().as_bytes(), Memo::read)
            .map_or_else(|refused| refused.to_string(), |_| "ok".to_owned())
    };
    for (field, word) in [("body_en", "word "), ("body_ar", "كلمة ")] {
        assert_eq!(read(field, word.repeat(600)), "ok");
        assert_eq!(
            read(field, word.repeat(601)),
            format!("`{field}`: expected at most 600 words, found 601 words")
        );
    }
}

#[test]
fn arabic_words_count_as_words_with_their_marks() {
    let words = |count: usize| "وَالْمُؤَسَّسَة ".repeat(count);
    assert_eq!(arabic_faults(&words(120)), "ok");
    assert_eq!(
        arabic_faults(&words(121)),
        "`executive_summary_ar`: expected at most 120 words, found 121 words"
    );
}

#[test]
fn words_that_are_joined_are_bounded_by_their_characters() {
    let joined = |with: &str, count: usize| vec!["word"; count].join(with);
    for with in [".", "_"] {
        assert_eq!(faults(&joined(with, 240)), "ok");
        assert_eq!(
            faults(&joined(with, 241)),
            "`executive_summary_en`: expected at most 1200 characters, found 1204 characters"
        );
    }
    assert_eq!(
        arabic_faults(&vec!["كلمة"; 300].join("ـ")),
        "`executive_summary_ar`: expected at most 1200 characters, found 1499 characters"
    );
    assert_eq!(
        arabic_faults(&format!("ع{}", "\u{64e}".repeat(3600))),
        "`executive_summary_ar`: expected at most 1200 characters, found 3601 characters"
    );
    // Citations are as long as their anchors have to be.
    let cited = format!("{} {}", joined(".", 240), "[cite:0123abcd] ".repeat(20).trim_end());
    assert_eq!(
        faults(&cited),
        "`executive_summary_en`: expected at most 1200 characters, found 1219 characters"
    );
}

#[test]
fn most_letters_of_a_text_are_of_its_script() {
    assert_eq!(
        arabic_faults("This is an account in English ع"),
        "`executive_summary_ar`: expected text in Arabic, found mostly letters of another script\n\
         hint: a memo is written in both languages"
    );
    assert_eq!(arabic_faults("اعتمدت Microsoft القرار"), "ok");
    assert_eq!(
        faults("هذا ملخص بالعربية a"),
        "`executive_summary_en`: expected text in English, found mostly letters of another script\n\
         hint: a memo is written in both languages"
    );
}

#[test]
fn a_title_has_at_most_300_characters() {
    let title = |length: usize| {
        let memo = memo("ع", "s")
            .replace(r#""title_en":"t""#, &format!(r#""title_en":"{}""#, "t".repeat(length)));
        decode::request(memo.as_bytes(), Memo::read)
            .map_or_else(|refused| refused.to_string(), |_| "ok".to_owned())
    };
    assert_eq!(title(300), "ok");
    assert_eq!(title(301), "`title_en`: expected at most 300 characters, found 301 characters");
}

#[test]
fn citations_and_punctuation_are_not_words() {
    let words = format!("{} — … ! [cite:0123abcd] [cite:89abcdef]", "word ".repeat(120));
    assert_eq!(faults(&words), "ok");
}

#[test]
fn a_citation_is_not_text_in_english() {
    assert_eq!(
        faults("نص [cite:abcdefab]"),
        "`executive_summary_en`: expected text in English, found none\n\
         hint: a memo is written in both languages"
    );
}

#[test]
fn the_digits_of_an_anchor_are_not_personal_data() {
    // The anchor reads as a phone number would; beside it is a real one.
    assert_eq!(faults("ok [cite:0501234567]"), "ok");
    assert_eq!(
        faults("call 0501234567"),
        "`executive_summary_en`: expected no personal data or secrets, found `phone` at byte 5\n\
         hint: point to the source and give its digest instead"
    );
}

#[test]
fn a_memo_says_only_ar_or_en_of_its_translation() {
    let memo = r#"{"title_ar":"ع","title_en":"t","body_ar":"ع","body_en":"b","translated_from":"fr",
        "executive_summary_ar":"ع","executive_summary_en":"s","title_fr":"t"}"#;
    assert_eq!(
        decode::request(memo.as_bytes(), Memo::read).unwrap_err().to_string(),
        "`translated_from`: expected one of `ar`, `en`, found `fr`\n\
         `title_fr`: expected only title_ar, title_en, body_ar, body_en, executive_summary_ar, \
         executive_summary_en, translated_from, found a field it does not know\n\
         hint: remove the field or correct its name"
    );
}

proptest! {
    #[test]
    fn the_quick_bound_is_never_below_the_number_of_words(text in "\\PC{0,60}") {
        prop_assert!(most_words(&text) >= text.unicode_words().count(), "{text}");
    }

    #[test]
    fn the_quick_bound_holds_for_mixed_scripts(
        text in proptest::collection::vec(
            prop_oneof![
                Just('a'), Just('1'), Just('ع'), Just('\u{64e}'), Just('٣'), Just('²'), Just('½'),
                Just('.'), Just(','), Just('\''), Just('_'), Just(' '), Just('\u{200d}'),
                Just('ש'), Just('"'), Just('漢'), Just('カ'), Just('ก'), Just('\u{300}'), Just(':'),
                any::<char>(),
            ],
            0..40,
        )
    ) {
        let text: String = text.into_iter().collect();
        prop_assert!(most_words(&text) >= text.unicode_words().count(), "{text:?}");
    }
}
