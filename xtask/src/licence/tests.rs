//! The parsing of an expression, and who may use its package.

use super::LicenceExpression;

/// Checks how an expression is spelt, or why it is refused.
#[track_caller]
fn check(text: &str, expected: &str) {
    let read = LicenceExpression::parse(text);
    let shown = read.map_or_else(|why| format!("refused: {why}"), |read| read.to_string());
    assert_eq!(shown, expected);
}

#[test]
fn expressions_are_spelt_in_one_way() {
    check("MIT", "MIT");
    check("MIT/Apache-2.0", "MIT OR Apache-2.0");
    check("Apache-2.0 / MIT", "Apache-2.0 OR MIT");
    check("(MIT OR Apache-2.0) AND Unicode-3.0", "(MIT OR Apache-2.0) AND Unicode-3.0");
    check("MIT OR (Apache-2.0 AND ISC)", "MIT OR Apache-2.0 AND ISC");
    check("((MIT))", "MIT");
    check("Apache-2.0 WITH LLVM-exception OR MIT", "Apache-2.0 WITH LLVM-exception OR MIT");
}

#[test]
fn what_is_no_expression_is_refused() {
    check("", "refused: no licence where one belongs");
    check("MIT OR", "refused: no licence where one belongs");
    check("AND MIT", "refused: no licence where one belongs");
    check("(MIT", "refused: no `)`");
    check("MIT)", "refused: `)` where `AND`, `OR` or the end belongs");
    check("MIT Apache-2.0", "refused: `Apache-2.0` where `AND`, `OR` or the end belongs");
    check("Apache-2.0 WITH", "refused: no licence where one belongs");
    check(&"(".repeat(1_001), "refused: 1001 bytes, at most 1000");
}

#[test]
fn all_parts_of_and_and_one_part_of_or_must_be_accepted() {
    let accepted = |text: &str| {
        LicenceExpression::parse(text)
            .unwrap()
            .is_met_by(&["MIT", "Apache-2.0 WITH LLVM-exception"])
    };
    let shown: Vec<(&str, bool)> = [
        "MIT",
        "ISC",
        "ISC OR MIT",
        "ISC AND MIT",
        "(ISC OR MIT) AND MIT",
        "ISC AND MIT OR MIT",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
    ]
    .map(|text| (text, accepted(text)))
    .to_vec();
    let expected = [
        ("MIT", true),
        ("ISC", false),
        ("ISC OR MIT", true),
        ("ISC AND MIT", false),
        ("(ISC OR MIT) AND MIT", true),
        ("ISC AND MIT OR MIT", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
    ];
    assert_eq!(shown, expected);
}
