//! Canonical JSON: an accepted text has one form, and reads back as itself.

use dalil_proof::canon;
use dalil_proof::json::Json;

use crate::bound::fuzz;

#[test]
fn canonical_json() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let Ok(json) = Json::parse(bytes) else { return };
        let canonical = canon::bytes(&json).unwrap();
        let again = Json::parse(&canonical).unwrap();
        assert_eq!(canon::bytes(&again).unwrap(), canonical, "the canonical form is not stable");
    });
}

fn corpus() -> Vec<Vec<u8>> {
    let texts = [
        r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#,
        r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#,
        r#"[[[[[[]]]]],{"a":{"b":{"c":[0,-0,1e21,-1.5e-7]}}}]"#,
        "{\"نص\":\"الإجازة السنوية\",\"n\":9007199254740991}",
        "\"\u{10ffff}\"",
        "  1  ",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const WORDS: [&str; 14] = [
    "\\ud800",
    "\\udc00",
    "\\u0000",
    "NaN",
    "Infinity",
    "null",
    "true",
    "\"a\":1,\"a\":2",
    "{\"\":{}}",
    "[]",
    "1e5",
    "\u{feff}",
    "\u{202e}",
    "//",
];
