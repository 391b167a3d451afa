//! Each rule of `deny.toml` refuses a small workspace that breaks it.

use expect_test::{Expect, expect};

use super::{problems, rules};
use crate::packages::PackageGraph;
use crate::packages::tests::{METADATA, lock};

const RULES: &str = r#"
graph = { all-features = true }
licenses = { unused-allowed-license = "deny", allow = ["Apache-2.0", "ISC", "MIT"] }
bans = { multiple-versions = "deny", deny = [], skip = [] }
sources = { unknown-registry = "deny", unknown-git = "deny", allow-registry = ["index"] }
advisories = { yanked = "deny", ignore = [] }
"#;

/// Checks the findings about the small workspace, with something replaced in cargo's output or in
/// the rules.
#[track_caller]
fn check(told: (&str, &str), ruled: (&str, &str), expected: &Expect) {
    let replaced = |text: &str, (old, new): (&str, &str)| {
        assert!(text.contains(old), "the sample has `{old}`");
        text.replacen(old, new, 1)
    };
    let graph = PackageGraph::parse(replaced(METADATA, told).as_bytes(), &lock()).unwrap();
    let rules = rules(&replaced(RULES, ruled)).unwrap();
    let found = problems(&graph, &rules);
    expected.assert_eq(&found.iter().map(|problem| format!("{problem}\n")).collect::<String>());
}

const AS_IT_IS: (&str, &str) = ("", "");

#[test]
fn a_workspace_that_keeps_the_rules_passes() {
    check(AS_IT_IS, AS_IT_IS, &expect![""]);
}

#[test]
fn another_licence_is_refused_and_so_is_none() {
    check(
        (r#""license": "MIT/Apache-2.0""#, r#""license": "MIT AND GPL-3.0-only""#),
        AS_IT_IS,
        &expect![[r#"
            fast 1.0.0: licence `MIT AND GPL-3.0-only` is not allowed (add it to deny.toml, or do without)
        "#]],
    );
    check(
        (r#""license": "ISC""#, r#""license": null"#),
        AS_IT_IS,
        &expect![[r#"
        tester 1.0.0: no licence (nobody may use it)
        deny.toml: no package needs the licence `ISC`
    "#]],
    );
    check(
        (r#""license": "ISC""#, r#""license": "ISC OR""#),
        AS_IT_IS,
        &expect![[r#"
        tester 1.0.0: licence `ISC OR`: no licence where one belongs
        deny.toml: no package needs the licence `ISC`
    "#]],
    );
}

#[test]
fn a_licence_that_nobody_needs_is_refused() {
    check(
        AS_IT_IS,
        (r#""MIT"]"#, r#""MIT", "Zlib"]"#),
        &expect![[r#"
        deny.toml: no package needs the licence `Zlib`
    "#]],
    );
}

#[test]
fn another_source_is_refused_and_so_is_one_without_a_digest() {
    check(
        (r#""registry+index""#, r#""git+elsewhere""#),
        AS_IT_IS,
        &expect![[r#"
        fast 1.0.0: from `git+elsewhere`, which deny.toml does not name
    "#]],
    );
    check(
        (r#""registry+index""#, r#""registry+other""#),
        AS_IT_IS,
        &expect![[r#"
        fast 1.0.0: from `registry+other`, which deny.toml does not name
    "#]],
    );
    check(
        (r#""version": "2.0.0""#, r#""version": "2.0.1""#),
        AS_IT_IS,
        &expect![[r#"
        maker 2.0.1: no checksum in Cargo.lock
    "#]],
    );
}

#[test]
fn a_banned_name_is_refused_with_the_reason() {
    check(
        AS_IT_IS,
        ("deny = []", r#"deny = [{ crate = "fast", reason = "too fast" }]"#),
        &expect![[r#"
            fast 1.0.0: banned (too fast)
        "#]],
    );
}

#[test]
fn a_second_version_is_refused_unless_it_is_skipped() {
    let twice =
        (r#""name": "tester", "version": "1.0.0""#, r#""name": "fast", "version": "2.0.0""#);
    let skip = |spec: &str| format!(r#"skip = [{{ crate = "{spec}", reason = "old" }}]"#);
    check(
        twice,
        AS_IT_IS,
        &expect![[r#"
        fast 2.0.0: no checksum in Cargo.lock
        fast: 1.0.0 and 2.0.0 (skip the older one in deny.toml, with its reason)
    "#]],
    );
    check(
        twice,
        ("skip = []", &skip("fast@1.0.0")),
        &expect![[r#"
        fast 2.0.0: no checksum in Cargo.lock
    "#]],
    );
    check(
        twice,
        ("skip = []", &skip("fast@1.0.1")),
        &expect![[r#"
        fast 2.0.0: no checksum in Cargo.lock
        fast: 1.0.0 and 2.0.0 (skip the older one in deny.toml, with its reason)
        deny.toml: `fast@1.0.1` need not be skipped
    "#]],
    );
    check(
        AS_IT_IS,
        ("skip = []", &skip("fast@1.0.0")),
        &expect![[r#"
        deny.toml: `fast@1.0.0` need not be skipped
    "#]],
    );
}

#[test]
fn a_rule_that_is_not_held_is_refused() {
    let softer = RULES.replacen("\"deny\"", "\"warn\"", 1);
    let other = RULES.replacen("deny = [],", "deny = [], wildcards = \"deny\",", 1);
    let why =
        |text: &str| rules(text).map_or_else(|error| error.message().to_owned(), |_| String::new());
    expect![[r#"
        unknown variant `warn`, expected `deny`
        unknown field `wildcards`, expected one of `multiple-versions`, `deny`, `skip`
    "#]]
    .assert_eq(&format!("{}\n{}\n", why(&softer), why(&other)));
}
