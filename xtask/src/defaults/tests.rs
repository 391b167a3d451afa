use expect_test::{Expect, expect};

use super::defaults;
use crate::source::RustSource;

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&format!("{:?}", defaults(&RustSource::scan(text))));
}

#[test]
fn a_slice_is_told_from_a_value() {
    check(
        "text.get(from..to).unwrap_or_default();\nrows.get_mut(span.clone())\n    .unwrap_or_default();\n",
        &expect!["SilentDefaults { hiding: [], slicing: 2 }"],
    );
    check(
        "map.get(&key).copied().unwrap_or_default();\nvote.get(\"at\").unwrap_or_default();\nget(1).unwrap_or_default();\nlast.unwrap_or_default();\nmap.get(&key).unwrap_or_default();\n",
        &expect!["SilentDefaults { hiding: [1, 2, 3, 4, 5], slicing: 0 }"],
    );
}

#[test]
fn tests_may_default() {
    check(
        "#[cfg(test)]\nmod tests {\n    a.unwrap_or_default();\n}\n",
        &expect!["SilentDefaults { hiding: [], slicing: 0 }"],
    );
}
