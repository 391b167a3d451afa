//! Canonical JSON: the examples of RFC 8785 and the edges around them.

use expect_test::{Expect, expect};

use super::bytes;
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
fn numbers_without_a_form_are_refused() {
    for value in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            bytes(&value).unwrap_err().to_string().split(':').next().unwrap(),
            "expected a value with a canonical form, found one without"
        );
    }
}
