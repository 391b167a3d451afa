use dalil_phrasebook::Language;
use dalil_proof::score::Score;

use crate::pdf::digits::DigitStyle;
use crate::pdf::font::EmbeddedFonts;
use crate::pdf::glyphs::PageTextWriter;

#[track_caller]
fn check(said: impl Fn(&PageTextWriter) -> String, english: &str, arabic: &str) {
    let pen = |language| {
        PageTextWriter::new(EmbeddedFonts::embedded(), language, DigitStyle::ArabicIndic)
    };
    let said = [Language::English, Language::Arabic].map(|language| said(&pen(language)));
    assert_eq!(said, [english, arabic]);
}

#[test]
fn times_have_gulf_months_and_arabic_digits() {
    let time = "2026-01-03T14:30:09.123Z".parse().unwrap();
    check(|pen| pen.time(time), "3 January 2026, 14:30:09 UTC", "٣ يناير ٢٠٢٦، ١٤:٣٠:٠٩ غرينتش");
    let time = "0999-12-31T00:00:00Z".parse().unwrap();
    check(
        |pen| pen.time(time),
        "31 December 0999, 00:00:00 UTC",
        "٣١ ديسمبر ٠٩٩٩، ٠٠:٠٠:٠٠ غرينتش",
    );
}

#[test]
fn numbers_and_shares() {
    check(|pen| pen.number(1_024), "1024", "١٠٢٤");
    check(|pen| pen.percent(Score::from_units(9_349).unwrap()), "93%", "٩٣٪");
}

#[test]
fn places_are_told_in_words() {
    check(|pen| pen.place("sources[0].retrieved_at"), "Source 1", "المصدر ١");
    check(|pen| pen.place("tool_calls[11]"), "Tool call 12", "الاستدعاء ١٢");
    check(|pen| pen.place("tenant_id"), "Owner", "الجهة المالكة");
    check(|pen| pen.place("sources"), "Source", "المصدر");
    check(|pen| pen.place("anything"), "Pack", "الحزمة");
}

#[test]
fn notes_that_repeat_the_evidence_are_left_out() {
    let pen =
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::Arabic, DigitStyle::ArabicIndic);
    assert_eq!(pen.notes("Directly supported by: \"a\"", "a"), None);
    assert_eq!(pen.notes("May conflict: \"a\"", "a"), None);
    assert_eq!(
        pen.notes("Directly supported by: \"b\"", "a").as_deref(),
        Some("Directly supported by: \"b\"")
    );
    let said = pen.notes("Evidence does not adequately support claim", "");
    assert_eq!(said.as_deref(), Some("لا تدعم الأدلة هذا الادعاء دعمًا كافيًا"));
    assert_eq!(pen.notes(" ", ""), None);
}
