//! The whole survey of a small tree.

use expect_test::expect;

use super::report;
use crate::tree::RepositoryTree;

#[test]
fn a_small_tree_is_counted() {
    let tree = RepositoryTree::of(&[
        (
            "crates/dalil-proof/src/lib.rs",
            "//! Root.\nmod alone;\nmod pack;\nmod trail;\n#[cfg(test)]\nmod fixture;\n",
        ),
        (
            "crates/dalil-proof/src/pack.rs",
            "//! Packs.\nuse crate::trail::Trail;\nuse self::draft::Draft as Pack;\nmod draft;\npub struct Args;\npub struct SealedPack;\nfn seal() {\n    // The head is what is signed.\n    a.unwrap_or_default();\n}\n",
        ),
        (
            "crates/dalil-proof/src/pack/draft.rs",
            "//! Drafts.\nuse super::super::trail;\nstruct Draft;\ntype DraftId = u8;\n",
        ),
        (
            "crates/dalil-proof/src/trail.rs",
            "//! Trails.\nuse std::fmt::Write as _;\nuse dalil_proof::pack::draft;\nstruct Trail;\nfn head_of() {}\n#[cfg(test)]\nmod tests {\n    use crate::alone;\n    struct Draft;\n    fn f() {}\n}\n",
        ),
        ("crates/dalil-proof/src/alone.rs", "//! Alone.\nuse crate::pack;\nenum Draft {}\n"),
        ("crates/dalil-proof/src/fixture.rs", "//! Tests.\nstruct Draft;\nfn g() {}\n"),
        ("crates/dalil-proof/tests/whole.rs", "//! Tests.\nuse serde::Value as Tree;\n"),
        ("xtask/src/main.rs", "//! Chores.\nfn main() {}\n"),
    ]);
    expect![[r#"
        lines of code                                     21
        files                                              6  lines median 3, p95 8, max 8
        types                                              5  1 of them aliases; `Args` not counted
          that share their name                       40.0 %  2
          of one word                                 60.0 %  3
        functions                                          3  lines from `fn` to the end median 1, p95 4, max 4
          of one word                                 66.7 %  2
        inner comments in 100 lines                      4.8  1
        `unwrap_or_default` in 1,000 lines              47.6  1
          dalil-proof                                   50.0  1
          xtask                                          0.0  0
          that take a slice                                0  of a text or a list; not counted above
        `use … as`                                         2  tests included; `as _` not counted
          that change a word of ours                       1
        largest import cycle, in files                     2
          dalil-proof                                      2  of 5
          xtask                                            0  of 1
        files that word Arabic, phrasebook apart           0
    "#]].assert_eq(&report(&tree));
}
