//! The declarations that are found, and code that is not one.

use expect_test::{Expect, expect};

use super::{constants, documentation, imports, name_words, types};
use crate::source::RustSource;

/// Checks everything that is found in a text.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let source = RustSource::scan(text);
    let mut found = String::new();
    for declared in types(&source) {
        let seen = if declared.is_public { "public " } else { "" };
        let sort = if declared.is_alias { "alias" } else { "type" };
        found += &format!("{}: {seen}{sort} {}\n", declared.line, declared.name);
    }
    for constant in constants(&source) {
        let of = if constant.is_associated { "associated " } else { "" };
        let doc = documentation(&source, constant.line);
        let (line, name, kind) = (constant.line, constant.name, constant.kind);
        found += &format!("{line}: {of}constant {name}: {kind};{doc}\n");
    }
    for import in imports(&source) {
        let alias = import.alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
        found += &format!("{}: {}{alias}\n", import.line, import.path.join("::"));
    }
    expected.assert_eq(&found);
}

#[test]
fn associated_types_are_not_declarations() {
    check(
        "trait Walk {\n    type Step;\n}\nimpl Walk for [u8; 2] {\n    type Step = u8;\n    fn f() -> u8 {\n        type Local = u8;\n        0\n    }\n}\ntype Outer = u8;\n",
        &expect![[r#"
            1: type Walk
            7: alias Local
            11: alias Outer
        "#]],
    );
}

#[test]
fn macro_bodies_declare_and_their_impls_do_not() {
    check(
        "macro_rules! kinds {\n    ($($name:ident)*) => {\n        pub enum RecordKind { $($name,)* }\n        impl RecordKind {\n            pub const ALL: u8 = 1;\n        }\n        $(impl Tell for $name {\n            type Word = u8;\n        })*\n    };\n}\nid_type! {\n    event ClaimId, \"c\"\n}\n",
        &expect![[r#"
            3: public type RecordKind
            13: type ClaimId
            5: associated constant ALL: u8;
        "#]],
    );
}

#[test]
fn a_type_that_is_returned_opens_no_impl() {
    check(
        "fn f() -> impl Iterator<Item = u8> {\n    /// How many.\n    #[expect(dead_code)]\n    const MOST: usize = 1;\n    const NAMES: [&str; 1] = [\"struct Text\"];\n}\n",
        &expect![[r#"
            4: constant MOST: usize; how many.
            5: constant NAMES: ;
        "#]],
    );
}

#[test]
fn imports_are_taken_apart() {
    check(
        "use crate::{a::{self as b, C}, d::*, e};\nuse std::fmt::Write as _;\npub(crate) use f as g;\nfn h() -> impl Sized + use<'_> {}\n",
        &expect![[r#"
            1: crate::a as b
            1: crate::a::C
            1: crate::d::*
            1: crate::e
            2: std::fmt::Write as _
            3: f as g
        "#]],
    );
}

#[test]
fn names_fall_into_words() {
    let words = ["PackDraft", "MAX_FILE_BYTES", "looks_like", "Sha256"].map(name_words);
    expect![[r#"[["pack", "draft"], ["max", "file", "bytes"], ["looks", "like"], ["sha256"]]"#]]
        .assert_eq(&format!("{words:?}"));
}
