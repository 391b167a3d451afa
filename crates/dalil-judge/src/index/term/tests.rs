//! Terms: which spellings meet, which stay apart.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let mut found = Vec::new();
    each(text, |folded| found.push(folded.to_owned()));
    expected.assert_eq(&found.join(" "));
}

#[test]
fn forms_of_an_english_word_meet() {
    check("Policy policies POLICY's", &expect!["polic polic polic"]);
    check("hire hires hired hiring", &expect!["hir hir hir hir"]);
    check("stop stops stopped stopping", &expect!["stop stop stop stop"]);
    check("fill filled passes passed pass", &expect!["fill fill pass pass pass"]);
    check("apply applies applied applying", &expect!["appl appl appl appl"]);
    check("boxes matches wishes annually", &expect!["box match wish annual"]);
}

#[test]
fn short_words_and_false_endings_stay() {
    check("bus gas his red bring sing thing this", &expect!["bus gas red bring sing thing"]);
    check("basis status process", &expect!["basis status process"]);
}

#[test]
fn forms_of_an_arabic_word_meet() {
    check("الموظف موظف والموظف للموظف بالموظف", &expect!["موظف موظف موظف موظف موظف"]);
    check("إجازة أجازة إجازات الإجازات وإجازته", &expect!["اجاز اجاز اجاز اجاز اجاز"]);
    check("موظفون الموظفين موظفات موظفها", &expect!["موظف موظف موظف موظف"]);
    check("مُوَظَّفٌ مـــوظف", &expect!["موظف موظف"]);
    check("مستشفى مستشفي", &expect!["مستشف مستشف"]);
}

#[test]
fn a_number_is_one_term_however_it_is_written() {
    check("1,000 1000 ١٠٠٠ ١٬٠٠٠ 1000.00 ۱۰۰۰", &expect!["1000 1000 1000 1000 1000 1000"]);
    check("3.50 3.5 ٣٫٥ 03.5", &expect!["3.5 3.5 3.5 3.5"]);
    check("15% 15th 15 $15", &expect!["15 15 15 15"]);
    check("0 00 0.0", &expect!["0 0 0"]);
}

#[test]
fn a_number_in_words_is_the_number() {
    check("21 twenty-one Twenty One ٢١", &expect!["21 21 21 21"]);
    check("one hundred and eighty, two hundred, ten", &expect!["182 110"]);
    check("واحد وعشرون يوماً وواحداً وعشرين", &expect!["21 يوم 21"]);
    check("خمسة عشر، مائة وثمانين، مئة وخمسة وعشرين", &expect!["15 180 125"]);
    check("خلال ثلاثين يوماً، والستون", &expect!["خلال 30 يوم 60"]);
    check("شهرين ولمدة سنتين", &expect!["2 شهر لمد 2 سن"]);
    check("three, four and five; ثلاثة أيام وعشرة", &expect!["3 4 5 3 ايام 10"]);
}

#[test]
fn lists_dates_and_clauses_are_not_run_together() {
    check("1,2,3 and 10,20", &expect!["1 2 3 10 20"]);
    check("2024-01-05", &expect!["2024 1 5"]);
    check("clause 4.2.1", &expect!["claus 4.2.1"]);
    check("1,000,50 5km 3.", &expect!["1 0 50 5 km 3"]);
}

#[test]
fn other_scripts_are_folded_and_whole() {
    check("Zürich Straße ﬁne Ⅷ", &expect!["zurich straße fin viii"]);
    check("Москва 東京", &expect!["москва 東京"]);
}

#[test]
fn nothing_is_no_terms() {
    check("", &expect![""]);
    check(" .,;— the of في من \u{301}", &expect![""]);
}

#[test]
fn stop_words_are_sorted() {
    assert!(english::STOP_WORDS.is_sorted());
    assert!(arabic::STOP_WORDS.is_sorted());
}

#[test]
fn the_script_is_that_of_most_letters() {
    let scripts = ["", "12 %", "leave", "إجازة", "ISO المادة الأولى", "see المادة here"];
    expect!["[Other, Other, Other, Arabic, Arabic, Other]"]
        .assert_eq(&format!("{:?}", scripts.map(TextScript::of)));
}

proptest! {
    #[test]
    fn case_does_not_count(text in "[a-zA-Z0-9 ,.']{0,60}") {
        prop_assert_eq!(terms(&text), terms(&text.to_ascii_lowercase()));
    }

    #[test]
    fn any_text_has_terms(text in any::<String>()) {
        prop_assert!(terms(&text).len() <= text.len());
    }
}
