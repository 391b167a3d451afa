use super::*;

/// Compares two actions and lists where they differ.
#[track_caller]
fn check(intended: &str, actual: &str, expected: &[&str]) {
    let parse = |text: &str| Json::parse(text.as_bytes()).unwrap().into_owned();
    assert_eq!(differences(&parse(intended), &parse(actual)), expected);
    // A contradiction does not depend on who is asked first.
    assert_eq!(differences(&parse(actual), &parse(intended)), expected);
}

#[test]
fn texts_agree_whatever_their_case_and_white_space() {
    check(r#""retrieve contact 456""#, r#"" Retrieve\tCONTACT  456\n""#, &[]);
    check(r#""إرسال العرض""#, r#""إرسال  العرض ""#, &[]);
    check(r#""retrieve contact 456""#, r#""retrieved contact 456""#, &["$"]);
    check(r#""re trieve""#, r#""retrieve""#, &["$"]);
}

#[test]
fn structured_actions_are_compared_field_by_field() {
    check(r#"{"to":"Sales","n":1}"#, r#"{"n":1.0,"to":" sales"}"#, &[]);
    check(
        r#"{"to":"a","amount":100,"lines":[{"sku":1},{"sku":2}],"dry":true}"#,
        r#"{"to":"b","amount":100,"lines":[{"sku":1},{"sku":3},{"sku":4}],"note":null}"#,
        &["dry", "lines[1].sku", "lines[2]", "note", "to"],
    );
    check(r#"{"a":{"b":[]}}"#, r#"{"a":{"b":{}}}"#, &["a.b"]);
    check(r#"{"a b":1}"#, r#"{"a b":2}"#, &["[`a b`]"]);
}

#[test]
fn a_text_and_a_structure_never_agree() {
    check(r#""send""#, r#"{"action":"send"}"#, &["$"]);
}
