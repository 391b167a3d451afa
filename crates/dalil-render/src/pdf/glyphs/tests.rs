use dalil_phrasebook::Language;
use dalil_proof::json::Json;
use expect_test::expect;

use super::{PageTextWriter, PrintableText, breakable};
use crate::pdf::digits::DigitStyle;
use crate::pdf::font::EmbeddedFonts;

#[track_caller]
fn check(text: &str, shown: &str, replaced: u64) {
    let pen =
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::English, DigitStyle::ArabicIndic);
    assert_eq!((pen.text(text).t.as_str(), pen.replaced()), (shown, replaced));
}

#[test]
fn what_the_typefaces_have_is_shown_as_it_is() {
    let texts = [
        "Fit Recommendation — Riyadh Hospital, “15 days”, 1.5 % ≤ 2 · €",
        "يستحق جميع الموظفين إجازةً مدتها ١٥ يومًا؛ لا أكثر.",
        "لَا إِلَٰهَ",
        "Ünïçødé, Ελληνικά, Кириллица",
        "e\u{301} Z\u{308}",
        "#set page(width: 1pt) $x$ *b* <l> @r // c",
    ];
    for text in texts {
        check(text, text, 0);
    }
}

#[test]
fn every_kind_of_line_end_is_one() {
    check(
        "  a\nb\r\nc\rd\u{b}e\u{c}f\u{85}g\u{2028}h\u{2029}i\tj  ",
        "a\nb\nc\nd\ne\nf\ng\nh\ni j",
        0,
    );
}

#[test]
fn what_would_steer_the_page_is_shown_by_its_code() {
    check("\u{202e}exe\u{202c}", "[U+202E]exe[U+202C]", 2);
    check("\u{2066}a\u{2069}", "[U+2066]a[U+2069]", 2);
    check("a\u{0}\u{1b}[31m\u{9f}", "a[U+0000][U+001B][31m[U+009F]", 3);
}

#[test]
fn what_no_typeface_has_is_shown_by_its_code() {
    check("a 😀 中", "a [U+1F600] [U+4E2D]", 2);
    check("\u{10ffff}\u{e000}", "[U+10FFFF][U+E000]", 2);
}

#[test]
fn a_letter_takes_no_marks_of_another_typeface() {
    // The letter is Amiri's, the mark Plex's alone.
    check("م\u{309}", "م\u{2066}[U+0309]\u{2069}", 1);
}

#[test]
fn marks_without_a_letter_and_towers_of_marks_are_shown_by_their_codes() {
    check("\u{301}a", "[U+0301]a", 1);
    check(
        "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}",
        "Z\u{300}\u{301}\u{302}\u{303}[U+0304][U+0306]",
        2,
    );
}

#[test]
fn the_first_letter_says_the_language() {
    let pen =
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::Arabic, DigitStyle::ArabicIndic);
    for (text, language) in [("1. leave إجازة", "en"), ("(١) إجازة leave", "ar"), ("12", "ar")]
    {
        assert_eq!(pen.line(text), PrintableText { t: text.to_owned(), l: language });
    }
    assert_eq!(
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::English, DigitStyle::ArabicIndic)
            .line("12")
            .l,
        "en"
    );
}

#[test]
fn a_long_word_can_be_broken_and_a_short_one_is_left_alone() {
    assert_eq!(breakable("abcdefgh ijk", 18), "abc\u{200b}def\u{200b}gh ijk");
    assert_eq!(breakable("abc\u{200b}def-ghi", 18), "abc\u{200b}def-ghi");
    assert_eq!(breakable("WWWW", 25), "WW\u{200b}WW");
}

#[test]
fn a_space_before_a_sign_that_closes_is_no_place_to_break() {
    for sign in [".", "!", ")", "،", "؟", "»", "…"] {
        let row = format!("{sign} ").repeat(100);
        let shown = breakable(&row, 60);
        assert_eq!(shown.replace('\u{200b}', ""), row);
        assert!(shown.split('\u{200b}').all(|run| run.chars().count() <= 14), "{shown}");
    }
    let plain = "One (two) three, four. Five! نعم، لا؟";
    assert_eq!(breakable(plain, 80), plain);
}

#[test]
fn a_telephone_number_stays_on_one_line() {
    check("call +965 2222 0145 now", "call +965\u{a0}2222\u{a0}0145 now", 0);
    check("+965 2222-0145, +9 1", "+965\u{a0}2222-0145, +9\u{a0}1", 0);
    for text in ["1 + 2 3", "965 2222 0145", "+965  2222", "C++ 20 5", "+a 1 2"] {
        check(text, text, 0);
    }
    // A row longer than any number is broken like any other row of digits.
    check("+1234567890 1234567890 12", "+1234567890\u{a0}1234567890 12", 0);
}

#[test]
fn values_are_words_or_code_and_say_what_was_cut() {
    let pen =
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::English, DigitStyle::ArabicIndic);
    let shown = |json: &str| {
        let json = Json::parse(json.as_bytes()).unwrap();
        serde_json::to_string(&pen.json(&json)).unwrap()
    };
    assert_eq!(shown("null"), "null");
    assert_eq!(shown("{}"), "null");
    assert_eq!(shown(r#""pay""#), r#"{"text":{"t":"pay","l":"en"},"cut":null,"code":false}"#);
    assert_eq!(
        shown(r#"{"a":[1]}"#),
        r#"{"text":{"t":"{\n  \"a\": [\n    1\n  ]\n}","l":"en"},"cut":null,"code":true}"#
    );
    let long = format!("[{}1]", "1,".repeat(2_000));
    let cut = shown(&long).split_once("\"cut\":").unwrap().1.to_owned();
    assert_eq!(cut, r#""6007","code":true}"#);
}

#[test]
fn latin_runs_inside_arabic_keep_their_order() {
    let pen =
        PageTextWriter::new(EmbeddedFonts::embedded(), Language::Arabic, DigitStyle::ArabicIndic);
    let check = |text: &str, shown: &str| {
        let shown = shown.replace('‹', "\u{2066}").replace('›', "\u{2069}");
        assert_eq!(pen.line(text).t, shown);
    };
    check("هاتف +965 2222 0145 (مكتب)", "هاتف ‹+965\u{a0}2222\u{a0}0145› (مكتب)");
    check("يوم 2026-03-15 بمبلغ 1,200.50 USD.", "يوم ‹2026-03-15› بمبلغ ‹1,200.50 USD›.");
    check("بنسبة 2.5% من 100", "بنسبة ‹2.5%› من 100");
    check("العقد BPS رقم 31", "العقد BPS رقم 31");
    check("العقد (BPS-C-31) ساري", "العقد ‹(BPS-C-31)› ساري");
    check("العقد (رقم BPS-C 31) ساري", "العقد (رقم BPS-C 31) ساري");
    check("مدة 30 days بسعر 1,200.50 يوم 15/3/2026", "مدة ‹30 days› بسعر 1,200.50 يوم 15/3/2026");
    check("رمز \u{202e}a", "رمز ‹[U+202E]a›");
    check("بريد a@b.example، نص", "بريد a@b.example، نص");
}

#[test]
fn rows_of_signs_are_isolated_in_linear_time() {
    // Hours, if each sign looked at all behind it.
    let mut told = String::new();
    for signs in ["(", "a)", "(a ", "-", "a(", "1)", "2.5% م "] {
        let row = |count: usize| format!("م {} ن", signs.repeat(count));
        let long = super::isolate::latin(&row(100_000));
        assert_eq!(long.replace(['\u{2066}', '\u{2069}'], ""), row(100_000));
        let isolates = long.matches('\u{2066}').count();
        let short = super::isolate::latin(&row(4)).replace('\u{2066}', "‹");
        told += &format!("{}: {isolates} of 100000\n", short.replace('\u{2069}', "›"));
    }
    expect![[r#"
        م (((( ن: 0 of 100000
        م a)a)a)a) ن: 0 of 100000
        م (a (a (a (a  ن: 0 of 100000
        م ---- ن: 0 of 100000
        م a(a(a(a( ن: 0 of 100000
        م 1)1)1)1) ن: 0 of 100000
        م ‹2.5%› م ‹2.5%› م ‹2.5%› م ‹2.5%› م  ن: 100000 of 100000
    "#]]
    .assert_eq(&told);
}
