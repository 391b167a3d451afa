use expect_test::{Expect, expect};

use super::*;

/// Words are parted by spaces, and those that stand apart are in brackets.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let mut folded = String::new();
    for ch in text.chars() {
        fold(ch, &mut |letter| match letter {
            NormalizedChar::Inner(ch) => folded.push(ch),
            NormalizedChar::Apart(ch) => folded.extend(['[', ch, ']']),
            NormalizedChar::Gap => folded.push(' '),
        });
    }
    expected.assert_eq(&folded);
}

#[test]
fn case_and_marks_go() {
    check("Élan VITAL, naïve İstanbul ǅ Å", &expect!["elan vital[,] naive istanbul ǆ a"]);
}

#[test]
fn punctuation_and_ideographs_stand_apart() {
    check(
        "a-b $5 «c»… ¿d? e_f 中文 豈 ،؟٪",
        &expect!["a[-]b [$]5 [«]c[»][…] [¿]d[?] e[_]f [中][文] [豈] [،][؟][٪]"],
    );
}

#[test]
fn controls_go_and_every_space_is_a_gap() {
    check("a\0b\u{7}c\u{200f}d\u{feff}e\u{fffd}f\u{e000}g\u{ad}h\u{b}i", &expect!["abcdefghi"]);
    check("a\tb\nc\rd\u{a0}e\u{2003}f\u{3000}g\u{2028}h", &expect!["a b c d e f g h"]);
}

#[test]
fn arabic_is_folded_as_readers_do() {
    check("الإجَازَةُ السنويّـــة عَلى ١٥ يومًا ۱۲۳", &expect!["الاجازة السنوية علي 15 يوما 123"]);
}

#[test]
fn hangul_comes_apart_and_emoji_stay() {
    check("한 🙂 a\u{301}", &expect!["한 🙂 a"]);
}
