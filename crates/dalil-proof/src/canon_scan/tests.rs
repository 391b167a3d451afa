use super::*;

#[track_caller]
fn check(
    text: &str,
    read: impl FnOnce(&mut CanonicalScanner<'_>) -> Result<String, UnexpectedBytes>,
    expected: &str,
) {
    let mut scan = CanonicalScanner::new(text.as_bytes());
    let actual = match read(&mut scan) {
        Ok(read) => format!("{read}, then {}", String::from_utf8_lossy(scan.rest)),
        Err(error) => error.to_string(),
    };
    assert_eq!(actual, expected);
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn literals_are_read_or_said_to_be_expected() {
    check("{\"a\":1", |scan| scan.literal("{\"a\":").map(|()| String::new()), ", then 1");
    check(
        "{\"b\":1",
        |scan| scan.literal("{\"a\":").map(|()| String::new()),
        "expected `{\"a\":` at byte 0, found something else",
    );
}

#[test]
fn numbers_have_one_spelling_and_are_exact() {
    let whole = |scan: &mut CanonicalScanner<'_>| scan.whole("a number").map(|n| n.to_string());
    check("0,", whole, "0, then ,");
    check("9007199254740991}", whole, "9007199254740991, then }");
    for wrong in ["", "00", "01", "-1", "9007199254740992", "99999999999999999999", "x"] {
        check(wrong, whole, "expected a number at byte 0, found something else");
    }
}

#[test]
fn strings_end_at_their_quote_and_have_no_escapes() {
    let string = |scan: &mut CanonicalScanner<'_>| scan.string("a name").map(text);
    check("ab\":", string, "ab, then :");
    for wrong in ["ab", "a\\\"b\"", "a\nb\""] {
        check(wrong, string, "expected a name at byte 0, found something else");
    }
}

#[test]
fn objects_end_where_the_next_member_begins() {
    let object = |scan: &mut CanonicalScanner<'_>| scan.object(",\"i\":").map(text);
    check("{\"a\":{},\"i\":7", object, "{\"a\":{}, then 7");
    check("{\"i\":\"},\"", object, "expected `,\"i\":` at byte 0, found something else");
}
