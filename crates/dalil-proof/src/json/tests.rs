//! JSON as it arrives: accepted texts, and the errors for others.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Json, JsonPath, MAX_INTEGER, fast_path, integer};
use crate::canon;

#[track_caller]
fn check(input: &[u8], expected: &Expect) {
    let actual = match Json::parse(input) {
        Ok(json) => String::from_utf8(canon::bytes(&json).unwrap()).unwrap(),
        Err(refused) => refused.to_string(),
    };
    expected.assert_eq(&actual);
}

#[test]
fn plain_values() {
    check(
        b" {\"a\": [1, 2.50, -0, 1e2, true, null, \"\\u0041\"]} ",
        &expect![[r#"{"a":[1,2.5,0,100,true,null,"A"]}"#]],
    );
}

#[test]
fn duplicate_keys_are_all_named() {
    check(
        br#"{"a":{"x":1,"y":2,"x":3},"b":[{"k":1,"k":1,"k":1}],"a":0}"#,
        &expect![[r"
            `a.x`: expected each key once, found it again
            hint: two readers could each believe a different one
            `b[0].k`: expected each key once, found it again
            hint: two readers could each believe a different one
            `a`: expected each key once, found it again
            hint: two readers could each believe a different one"]],
    );
}

#[test]
fn an_escaped_key_is_the_same_key() {
    check(
        br#"{"a":1,"\u0061":2}"#,
        &expect![[r"
            `a`: expected each key once, found it again
            hint: two readers could each believe a different one"]],
    );
}

#[test]
fn duplicates_in_a_large_object_are_found() {
    let members: Vec<String> = (0..40).map(|n| format!("\"k{}\":0", n % 39)).collect();
    check(
        format!("{{{}}}", members.join(",")).as_bytes(),
        &expect![[r"
            `k0`: expected each key once, found it again
            hint: two readers could each believe a different one"]],
    );
}

#[test]
fn lone_surrogates() {
    check(
        br#""\ud83d""#,
        &expect![[r"
            `$`: expected one JSON value, found half of a surrogate pair at line 1 column 8
            hint: write the character itself, or both halves"]],
    );
    check(
        br#""\ude00\ud83d""#,
        &expect![[r"
            `$`: expected one JSON value, found half of a surrogate pair at line 1 column 7
            hint: write the character itself, or both halves"]],
    );
    check(br#""\ud83d\ude00""#, &expect![[r#""😀""#]]);
}

#[test]
fn numbers_outside_the_doubles() {
    check(
        b"[NaN]",
        &expect![[r#"
            `$`: expected one JSON value, found something that JSON does not allow at line 1 column 2
            hint: check it with a JSON linter"#]],
    );
    check(
        b"1e999",
        &expect![[r"
            `$`: expected one JSON value, found a number larger than any double at line 1 column 5
            hint: write it as a string"]],
    );
    check(
        b"[9007199254740991,-9007199254740991]",
        &expect!["[9007199254740991,-9007199254740991]"],
    );
    check(
        br#"{"n":[9007199254740993]}"#,
        &expect![[r"
            `n[0]`: expected an integer from -9007199254740991 to 9007199254740991, found `9007199254740993`
            hint: write larger numbers as strings"]],
    );
}

#[test]
fn integers_that_readers_would_round() {
    check(
        b"[1e20,18014398509481984.5,1000000000000000000000]",
        &expect![[r"
            `[0]`: expected an integer from -9007199254740991 to 9007199254740991, found `1e20`
            hint: write larger numbers as strings
            `[1]`: expected an integer from -9007199254740991 to 9007199254740991, found `18014398509481984.5`
            hint: write larger numbers as strings"]],
    );
    check(
        br#"{"\\":"1111111111111111111111","n":-1111111111111111111111}"#,
        &expect![[r"
            `n`: expected a number that a double holds as it is written, found `-1111111111111111111111`
            hint: write it as a string"]],
    );
}

#[test]
fn decimals_that_a_double_would_round_are_refused() {
    check(
        br#"{"a":0.10000000000000000001,"b":["0.10000000000000000001",1e-400,{"c":123456789012345.678901234}],"d":0.1}"#,
        &expect![[r"
            `a`: expected a number that a double holds as it is written, found `0.10000000000000000001`
            hint: write it as a string
            `b[1]`: expected a number that a double holds as it is written, found `1e-400`
            hint: write it as a string
            `b[2].c`: expected a number that a double holds as it is written, found `123456789012345.678901234`
            hint: write it as a string"]],
    );
}

#[test]
fn whatever_a_program_with_doubles_writes_is_read() {
    // The shortest spelling, 15, 16, 17 and 20 digits, and every digit that there is.
    for value in [0.1, 1.0 / 3.0, 5e-324, f64::MIN_POSITIVE, 2f64.powi(-44), 1e23, 6.02e23] {
        let spelt = [14, 15, 16, 19, 766].map(|precision| format!("{value:.precision$e}"));
        for text in spelt.iter().chain([&format!("{value:?}"), &format!("{value:e}")]) {
            let json = Json::parse(text.as_bytes()).unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(json, Json::Number(text.parse().unwrap()));
        }
    }
    check(b"[1e21,-0.0,100.000000000000000000000,true]", &expect!["[1e+21,0,100,true]"]);
    // As in RFC 8785, 3.2.2: 17 digits that are not those of any double.
    check(b"333333333.33333329", &expect!["333333333.3333333"]);
}

#[test]
fn numbers_of_other_systems_are_kept_digit_by_digit() {
    let text = br#"[9007199254740993,-9223372036854775808,18446744073709551616,7,1.5,{"price":12345678901234567.89,"of":"\u0061"}]"#;
    let json = Json::parse_foreign(text).unwrap();
    let expected = br#"["9007199254740993","-9223372036854775808","18446744073709551616",7,1.5,{"of":"a","price":"12345678901234567.89"}]"#;
    assert_eq!(canon::bytes(&json).unwrap(), expected);
    Json::parse_foreign(br#"{"a":9007199254740993,"a":1}"#).unwrap_err();
    Json::parse_foreign(b"[9007199254740993").unwrap_err();
}

#[test]
fn hostile_nesting_is_refused_at_once() {
    check(
        &vec![b'['; 100_000_000],
        &expect![[r"
            `$`: expected one JSON value, found nesting deeper than 127 levels at line 1 column 128
            hint: flatten the value"]],
    );
}

#[test]
fn bytes_that_are_not_text() {
    check(
        b"\"\xff\"",
        &expect!["`$`: expected UTF-8 text, found a byte that is not UTF-8 at offset 1"],
    );
    check(
        b"",
        &expect![[r#"
            `$`: expected one JSON value, found the end of the text at line 1 column 0
            hint: check it with a JSON linter"#]],
    );
    check(
        b"{} {}",
        &expect![[r#"
            `$`: expected one JSON value, found more text after it at line 1 column 4
            hint: check it with a JSON linter"#]],
    );
}

#[test]
fn paths() {
    let (a, root) = ("a", JsonPath::ROOT);
    let at = root.key(a);
    let item = at.index(3);
    let odd = item.key("b c");
    assert_eq!(
        [
            root.to_string(),
            at.to_string(),
            item.to_string(),
            odd.to_string(),
            odd.key("d").to_string()
        ],
        ["$", "a", "a[3]", "a[3][`b c`]", "a[3][`b c`].d"]
    );
}

#[test]
fn the_largest_integer_is_one_and_the_next_is_not() {
    assert_eq!(integer(9_007_199_254_740_991.0), i64::try_from(MAX_INTEGER).ok());
    assert_eq!(integer(9_007_199_254_740_992.0), None);
    assert_eq!((integer(-3.0), integer(0.5)), (Some(-3), None));
}

/// Checks that both parsers read a text the same. Returns whether the fast one takes it.
#[track_caller]
fn agree(text: &str) -> bool {
    let Some(fast) = fast_path::parse(text) else { return false };
    // Spelt out, so that -0 is not 0.
    let told = Json::parse_telling(text).map(|value| format!("{value:?}"));
    assert_eq!(told.map_err(|refused| refused.to_string()), Ok(format!("{fast:?}")), "{text}");
    true
}

#[test]
fn sound_texts_are_read_once() {
    let wide: Vec<String> = (0..40).map(|n| format!("\"k{}\":{n}", 97 * n % 100)).collect();
    let deep = [vec!["["; 127], vec!["]"; 127]].concat().concat();
    let texts = [
        "0",
        "-0",
        "-0.0",
        "9007199254740991",
        "-9007199254740991",
        "1.5e3",
        "1E+2",
        "2e-7",
        "1e21",
        "0.30000000000000004",
        "123456789012345680000000",
        "100.000000000000000000000",
        "0.000000000000000000000012345678901234567",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\"",
        r#""\u0041\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 \u007f""#,
        "\"عقد \u{7f} 😀\"",
        "[]",
        "{}",
        " [ 1 , [ ] , { } ]\r\n\t",
        r#"{"a":1,"b":{"a":2},"":3,"abcdefgh":4,"abcdefghi":5,"abcdefgh-abcdefgh":6}"#,
        r#"{"a":[{"x":1,"y":2},{"x":3,"y":4}]}"#,
        &format!("{{{}}}", wide.join(",")),
        &deep,
    ];
    for text in texts {
        assert!(agree(text), "{text}");
    }
}

#[test]
fn decimals_are_rounded_alike() {
    // Around the length up to which digits are divided and not parsed, with zeros on each side.
    let digits = ["0", "1", "7", "05", "10", "123", "000001", "999999", "2500000", "123456789"];
    for whole in digits.iter().filter(|whole| whole.len() == 1 || !whole.starts_with('0')) {
        for one in digits {
            for other in digits {
                let text = format!("{whole}.{one}{other}");
                assert!(agree(&text) && agree(&format!("-{text}")) || text.len() > 16, "{text}");
            }
        }
    }
    for units in 0..=100_000 {
        assert!(agree(&format!("{}.{:05}", units / 10_000, units % 10_000)));
    }
    assert!(agree("9007199254740.99") && agree("0.00000000000000") && agree("-0.000000000000001"));
}

#[test]
fn what_is_not_plain_is_left_to_the_parser_that_tells() {
    let deep = [vec!["["; 128], vec!["]"; 128]].concat().concat();
    let texts = [
        "",
        " ",
        "01",
        "-01",
        "00",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1.e5",
        "1e999",
        "1e-400",
        "9007199254740992",
        "-9007199254740993",
        "1e20",
        "18446744073709551616",
        "0.10000000000000000001",
        "tru",
        "nul",
        "nulll",
        "truefalse",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1",
        "{",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{a:1}"#,
        r#"{1:1}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"{"abcdefghij":1,"abcdefghij":2}"#,
        "\"",
        "\"a",
        "\"\\\"",
        r#""\x""#,
        r#""\u12""#,
        r#""\u+123""#,
        r#""\u12é""#,
        r#""\ud83d""#,
        r#""\ud83d\n""#,
        r#""\ud83d\u0041""#,
        r#""\ude00\ud83d""#,
        "\"\n\"",
        "\"\u{0}\"",
        "{} {}",
        "[1]]",
        "\u{feff}1",
        "\u{a0}1",
        &deep,
    ];
    for text in texts {
        assert!(!agree(text), "{text}");
        Json::parse_telling(text).unwrap_err();
    }
    // The same with many members, of which two far apart have one key.
    let members: Vec<String> = (0..40).map(|n| format!("\"k{}\":0", n % 39)).collect();
    assert!(!agree(&format!("{{{}}}", members.join(","))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn both_parsers_agree(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..24)) {
        agree(&tokens.concat());
    }

    #[test]
    fn both_parsers_agree_about_members(
        keys in prop::collection::vec("[ab]{1,2}|[ab]{9}", 0..24),
        numbers in prop::collection::vec("-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?", 24),
    ) {
        let members: Vec<String> =
            keys.iter().zip(numbers).map(|(key, number)| format!("\"{key}\":{number}")).collect();
        agree(&format!("{{{}}}", members.join(",")));
    }
}

const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\"a\"",
    "\"b\":",
    "\"a\":",
    "\"\\u0061\":",
    "\\",
    "\\u",
    "\\n",
    "\\ud83d",
    "\\ude00",
    "00",
    "41",
    "-",
    "+",
    "0",
    "1",
    "9007199254740993",
    ".",
    "5",
    "e",
    "E",
    "-400",
    "12345678901234567",
    "true",
    "false",
    "null",
    "n",
    " ",
    "\n",
    "\t",
    "é",
    "😀",
    "\u{1}",
    "\u{7f}",
];
