//! Reading: every fault of a request, each with its path.

use expect_test::{Expect, expect};

use super::{JsonReader, request};
use crate::decode;

/// Reads one value of every kind.
fn everything(reader: JsonReader<'_, '_>) -> Option<String> {
    let mut fields = reader.object()?;
    let text = fields.required("text", decode::filled);
    let flag = fields.or("flag", false, decode::flag);
    let count = fields.or("count", 7, |count| count.whole(1..=10));
    let score = fields.optional("score", decode::score);
    let time = fields.optional("time", decode::time);
    let digest = fields.optional("digest", decode::digest);
    let choice = fields.or("choice", 'a', |word| word.choice(&[("a", 'a'), ("b", 'b')]));
    let list = fields.or("list", Vec::new(), |list| list.list(decode::number));
    let map = fields.optional("map", |map| map.map(decode::owned));
    fields.done()?;
    Some(format!(
        "{} {} {} {:?} {:?} {:?} {} {:?} {:?}",
        text?, flag?, count?, score?, time?, digest?, choice?, list?, map?
    ))
}

#[track_caller]
fn check(input: &str, expected: &Expect) {
    let actual =
        request(input.as_bytes(), everything).unwrap_or_else(|refused| refused.to_string());
    expected.assert_eq(&actual);
}

#[test]
fn absent_and_null_are_the_default() {
    check(r#"{"text":"t"}"#, &expect!["t false 7 None None None a [] None"]);
    check(
        r#"{"text":"t","count":null,"score":null,"list":null}"#,
        &expect!["t false 7 None None None a [] None"],
    );
}

#[test]
fn every_fault_is_in_one_reply() {
    check(
        r#"{"text":" ","flag":1,"count":11,"score":1.5,"time":"today","digest":"sha256:00","choice":"c","list":[1,"2",null],"map":{"k":1},"other":0,"b c":0}"#,
        &expect![[r#"
            `text`: expected some text, found ` `
            `flag`: expected `true` or `false`, found `1`
            `count`: expected a whole number from 1 to 10, found `11`
            `score`: expected a number from 0 to 1, found `1.5`
            `time`: expected an RFC 3339 time such as `2026-01-03T14:30:00Z`, found `today`
            `digest`: expected `sha256:` and 64 lower-case hex digits, found `sha256:00`
            `choice`: expected one of `a`, `b`, found `c`
            `list[1]`: expected a number, found the string `2`
            `list[2]`: expected a number, found null
            `map.k`: expected a string, found `1`
            `other`: expected only text, flag, count, score, time, digest, choice, list, map, found a field it does not know
            hint: remove the field or correct its name
            `[`b c`]`: expected only text, flag, count, score, time, digest, choice, list, map, found a field it does not know
            hint: remove the field or correct its name"#]],
    );
}

#[test]
fn missing_and_wrong_shapes() {
    check("{}", &expect!["`text`: expected a value, found nothing"]);
    check("[]", &expect!["`$`: expected an object, found an array"]);
    check(r#"{"text":null}"#, &expect!["`text`: expected a string, found null"]);
    check(
        r#"{"text":"t","count":1.5}"#,
        &expect!["`count`: expected a whole number from 1 to 10, found `1.5`"],
    );
    check(
        r#"{"text":"t","count":-1}"#,
        &expect!["`count`: expected a whole number from 1 to 10, found `-1`"],
    );
}
