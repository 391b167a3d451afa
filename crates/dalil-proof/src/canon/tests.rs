//! Canonical JSON: the examples of RFC 8785 and the edges around them.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::{Just, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};
use serde::Serialize;

use super::{NotCanonical, bytes};
use crate::json::Json;

#[track_caller]
fn check(input: &str, expected: &Expect) {
    let json = Json::parse(input.as_bytes()).unwrap();
    expected.assert_eq(&String::from_utf8(bytes(&json).unwrap()).unwrap());
}

#[test]
fn rfc_8785_section_3_2_2() {
    check(
        r#"{
          "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
          "literals": [null, true, false]
        }"#,
        &expect![[
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
        ]],
    );
}

#[test]
fn rfc_8785_section_3_2_3_keys_sort_by_utf_16() {
    let input = r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#;
    let json = Json::parse(input.as_bytes()).unwrap();
    let expected = "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}";
    assert_eq!(String::from_utf8(bytes(&json).unwrap()).unwrap(), expected);
}

#[test]
fn the_largest_member_is_moved_to_any_place() {
    let large = "x".repeat(500);
    // Each order of three members and of none beside it, within an object that is moved as well.
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for largest in 0..3 {
            let value = |n: usize| if n == largest { large.as_str() } else { "\u{e9}" };
            let members = order.map(|n| format!("\"{}\":\"{}\"", ["a", "b", "c"][n], value(n)));
            let object = format!("{{{}}}", members.join(","));
            let json = format!("{{\"z\":[],\"k\":{object},\"b\":{{}}}}");
            let sorted: Vec<String> =
                (0..3).map(|n| format!("\"{}\":\"{}\"", ["a", "b", "c"][n], value(n))).collect();
            let expected = format!("{{\"b\":{{}},\"k\":{{{}}},\"z\":[]}}", sorted.join(","));
            let json = Json::parse(json.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(bytes(&json).unwrap()).unwrap(), expected);
        }
    }
}

#[test]
fn rfc_8785_appendix_b_numbers() {
    let cases: [(u64, &str); 22] = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
    ];
    for (bits, expected) in cases {
        let number = Json::Number(f64::from_bits(bits));
        assert_eq!(String::from_utf8(bytes(&number).unwrap()).unwrap(), expected, "{bits:x}");
    }
}

#[test]
fn values_without_a_form_are_refused() {
    let why = |refused: Result<Vec<u8>, NotCanonical>| refused.unwrap_err().to_string();
    let expected = "expected a value with a canonical form, found ";
    assert_eq!(why(bytes(&f64::NAN)), format!("{expected}the number NaN"));
    assert_eq!(why(bytes(&f64::INFINITY)), format!("{expected}the number inf"));
    let keys = BTreeMap::from([(1, ())]);
    assert_eq!(why(bytes(&keys)), format!("{expected}a key that is not a string"));
    let twice = Json::Object(vec![
        ("b".into(), Json::Null),
        ("a".into(), Json::Null),
        ("b".into(), Json::Null),
    ]);
    assert_eq!(why(bytes(&twice)), format!("{expected}the key `b` twice"));
    let twice = Json::Object(vec![("a".into(), Json::Null), ("a".into(), Json::Null)]);
    assert_eq!(why(bytes(&twice)), format!("{expected}the key `a` twice"));
}

#[test]
fn a_key_that_is_there_twice_is_found_among_many_wherever_it_is() {
    // More members than a sort inserts one by one. Plain keys differ after the first word, and the
    // others are compared by their UTF-16.
    let key = |n: usize| {
        if n.is_multiple_of(2) { format!("alike until {n:02}") } else { format!("é {n}") }
    };
    for again in (0..40).step_by(3) {
        for place in 0..=40 {
            // 17 and 40 have no common divisor, so each key is there, and out of order.
            let mut keys: Vec<String> = (0..40).map(|n| key(17 * n % 40)).collect();
            keys.insert(place, key(again));
            let members = keys.into_iter().map(|key| (key.into(), Json::Null)).collect();
            let refused = bytes(&Json::Object(members)).unwrap_err().to_string();
            let found = format!("found the key `{}` twice", key(again));
            assert_eq!(refused, format!("expected a value with a canonical form, {found}"));
        }
    }
}

/// One of everything that a type can be made of.
#[derive(Serialize)]
enum Every {
    Unit,
    New(i8),
    Pair(u64, char),
    Fields { z: Option<bool>, a: f32, nested: BTreeMap<&'static str, ()> },
}

#[test]
fn every_shape_of_type_is_written_as_another_implementation_does() {
    let nested = BTreeMap::from([("\u{1}\"\\", ()), ("\u{fb33}", ()), ("\u{1f600}", ())]);
    let every = [
        Every::Unit,
        Every::New(-128),
        Every::Pair(u64::MAX, '\u{7f}'),
        Every::Fields { z: None, a: 0.5, nested: nested.clone() },
        Every::Fields { z: Some(true), a: -0.0, nested },
    ];
    assert_eq!(bytes(&every).unwrap(), serde_json_canonicalizer::to_vec(&every).unwrap());
    assert_eq!(bytes(&i64::MIN).unwrap(), serde_json_canonicalizer::to_vec(&i64::MIN).unwrap());
}

/// Any JSON value, its keys short enough to meet often.
fn any_json() -> impl Strategy<Value = Json<'static>> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        prop::num::f64::NORMAL.prop_map(Json::Number),
        (-1_000_000i32..1_000_000).prop_map(|whole| Json::Number(whole.into())),
        any::<String>().prop_map(|text| Json::Text(text.into())),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        let key = prop_oneof!["[a-c]{0,2}", any::<String>()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::List),
            prop::collection::hash_map(key, inner, 0..8).prop_map(|members| {
                Json::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_is_written_as_another_implementation_does(json in any_json()) {
        let expected = serde_json_canonicalizer::to_vec(&json).unwrap();
        let written = bytes(&json).unwrap();
        prop_assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected));
    }
}
