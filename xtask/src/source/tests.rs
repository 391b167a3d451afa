//! Scanning Rust text: code, comments and functions.

use expect_test::{Expect, expect};

use super::{RustFunction, RustSource};

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let source = RustSource::scan(text);
    let lines: String = source
        .lines
        .iter()
        .map(|line| format!("{}|{}", line.code, line.comment).trim_end().to_owned() + "\n")
        .collect();
    let functions: String = source
        .functions()
        .iter()
        .map(|RustFunction { name, line, body, length }| {
            format!("{name}:{line} has {body} of {length}\n")
        })
        .collect();
    expected.assert_eq(&format!("{lines}{functions}"));
}

#[test]
fn comments_are_taken_out_of_code() {
    check(
        "let a = 1; // one\n/* two\n/* nested */ three */ let b = 2;\n//! doc",
        &expect![[r#"
            let a = 1; |// one
            |/* two
             let b = 2;| nested  three
            |//! doc
        "#]],
    );
}

#[test]
fn literals_hide_what_looks_like_code() {
    check(
        "let s = \"fn f() { // no\";\nlet r = r#\"a \"quoted\" {\"#;\nlet c = ['{', '\\'', '\"'];\nfn f<'a>(x: &'a str) {}",
        &expect![[r#"
            let s = """ """ " "" """;|
            let r = "" """""""" "";|
            let c = [", ", "];|
            fn f<'a>(x: &'a str) {}|
            f:4 has 0 of 1
        "#]],
    );
}

#[test]
fn strings_go_on_over_lines() {
    check(
        "let s = \"one\n  // two \\\" three\nfour\"; // end",
        &expect![[r#"
            let s = """"|
              "" """ " """""|
            """""; |// end
        "#]],
    );
}

#[test]
fn functions_are_measured_without_blank_lines_and_comments() {
    check(
        "fn a(\n    x: [u8; 2],\n) -> u8 {\n    // why\n    let y = {\n        1\n    };\n\n    y\n}\ntrait T { fn b(&self); }\nfn c() { 1 }",
        &expect![[r#"
            fn a(|
                x: [u8; 2],|
            ) -> u8 {|
                |// why
                let y = {|
                    1|
                };|
            |
                y|
            }|
            trait T { fn b(&self); }|
            fn c() { 1 }|
            a:1 has 4 of 10
            c:12 has 0 of 1
        "#]],
    );
}

#[test]
fn items_under_cfg_test_are_marked() {
    let text = "fn a() {}\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\n#[derive(Debug)]\nstruct B {\n    c: [u8; 2],\n}\nfn d() {}\n";
    let marked: String = RustSource::scan(text)
        .lines
        .iter()
        .map(|line| format!("{} {}\n", if line.in_test { "test" } else { "code" }, line.code))
        .collect();
    expect![[r#"
        code fn a() {}
        test #[cfg(test)]
        test mod tests;
        test #[cfg(test)]
        test #[derive(Debug)]
        test struct B {
        test     c: [u8; 2],
        test }
        code fn d() {}
    "#]]
    .assert_eq(&marked);
}
