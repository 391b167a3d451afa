use expect_test::expect;

use super::*;

#[test]
fn names_that_a_reader_could_take_for_one_look_alike() {
    let pairs = [
        ("سارة", "سَارة"),
        ("سارة", "سـارة"),
        ("سارة", "ساره"),
        ("نورة", "نُورة"),
        ("أحمد", "احمد"),
        ("آمنة", "ٱمنه"),
        ("على", "علي"),
        ("علی", "علي"),
        ("ليلى ٢", "ليلى 2"),
        ("noura", "ｎｏｕｒａ"),
        ("noura", "nóura"),
        ("noura", "no\u{301}ura"),
        ("noura", "nоura"),
        ("noura", "ΝΟURA"),
        ("noura", "noυra"),
        ("noura", "ɴᴏᴜʀᴀ"),
        ("noura", "no\u{200b}u\u{202e}ra\u{feff}"),
        ("noura", "no\u{34f}u\u{3164}ra"),
        ("ali", "aIi"),
        ("alia", "a1ia"),
        ("leave_agent", "Leave Agent"),
        ("..", " .. "),
    ];
    let apart: Vec<_> =
        pairs.iter().filter(|(one, other)| !is_confusable_with(one, other)).collect();
    assert_eq!(apart, Vec::<&(&str, &str)>::new());
}

#[test]
fn a_name_in_ascii_has_the_same_look_either_way() {
    let all: String = (0..128_u8).map(char::from).collect();
    for name in [all.as_str(), "", " Gpt-4o ", "I1l0O", "leave_agent"] {
        let plainly: String = letters(name).flat_map(char::to_lowercase).map(variant).collect();
        let drawn = letters(name).map(look).flat_map(char::to_lowercase).map(variant);
        assert_eq!((plain(name), shape(name)), (plainly, drawn.collect()), "{name:?}");
    }
}

#[test]
fn names_of_others_do_not_look_alike() {
    let pairs = [
        ("noura", "nour"),
        ("سارة", "سامرة"),
        ("سمر", "سمير"),
        ("Amar", "Arnar"),
        ("राम", "रीम"),
        ("山田", "山口"),
        ("agent-2", "agent-3"),
        ("!", "?"),
    ];
    let alike: Vec<_> =
        pairs.iter().filter(|(one, other)| is_confusable_with(one, other)).collect();
    assert_eq!(alike, Vec::<&(&str, &str)>::new());
}

#[test]
fn a_look_alike_is_no_spelling() {
    assert!(is_spelling("hr_director", "HR Director"));
    assert!(!is_spelling("noura", "nоura"));
    assert!(!is_spelling("noura", "nóura"));
    assert!(!is_spelling("سارة", "سَارة"));
}

#[test]
fn a_name_is_one_that_can_be_told_from_others() {
    let why = |text: &str| {
        let text = serde_json::to_string(text).unwrap();
        decode::request(text.as_bytes(), read).map_err(|refused| refused.to_string())
    };
    for name in ["سارة", "noura", "HR Director", "7"] {
        assert_eq!(why(name), Ok(name.to_owned()));
    }
    expect!["`$`: expected a letter or a digit, and no control of direction, found `..`"]
        .assert_eq(&why("..").unwrap_err());
    expect![[
        r"`$`: expected 1 to 200 characters without controls or outer spaces, found `a\u{a}b`"
    ]]
    .assert_eq(&why("a\nb").unwrap_err());
    for name in ["..", "-", "\u{200b}", "a\nb", "a\u{0}", "no\u{202e}ura", " noura", ""] {
        assert!(why(name).is_err(), "{name:?}");
    }
}
