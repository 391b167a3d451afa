//! Each rule refuses a small sample; the repository breaks none.

use expect_test::{Expect, expect};

use super::{
    TidyRule, aliases, arrows, code, declarations, files, limits, names, problems, proofs,
    statements,
};
use crate::tree::RepositoryTree;

#[test]
fn the_repository_is_tidy() {
    let found = problems(&RepositoryTree::of_repository().unwrap());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Checks the findings of one rule about a small tree.
#[track_caller]
fn check(rule: TidyRule, files: &[(&str, &str)], expected: &Expect) {
    let found = rule(&RepositoryTree::of(files));
    expected.assert_eq(&found.iter().map(|problem| format!("{problem}\n")).collect::<String>());
}

#[test]
fn a_long_file_is_refused() {
    let long = "let a = 1;\n".repeat(801);
    check(
        code::files_are_short,
        &[("a.rs", &long), ("b.rs", "//! Short.\n")],
        &expect![[r#"
            a.rs: 801 lines of code, at most 800 (a file holds one idea)
        "#]],
    );
}

#[test]
fn many_files_of_middle_length_are_refused() {
    let long = "let a = 1;\n".repeat(501);
    check(
        code::most_files_are_shorter,
        &[("a.rs", &long), ("b.rs", "")],
        &expect![[r#"
            a.rs: 501 lines of code; more than 0 files exceed 500 (long files are the exception: one in twenty)
        "#]],
    );
}

#[test]
fn a_long_function_is_refused() {
    let long = format!("fn long() {{\n{}}}\nfn short() {{}}\n", "    a();\n".repeat(71));
    check(
        code::functions_fit_on_a_screen,
        &[("a.rs", &long)],
        &expect![[r#"
            a.rs:1: `long` has 71 lines, at most 70 (a function fits on a screen)
        "#]],
    );
}

#[test]
fn a_module_without_a_first_line_is_refused() {
    check(
        code::modules_say_what_they_are,
        &[("a.rs", "use b;\n//! Late.\n")],
        &expect![[r#"
            a.rs:1: no `//!` line (the first line says what the module is for)
        "#]],
    );
}

#[test]
fn narration_is_refused_and_documentation_is_not() {
    let narrated = "// a\n// b\n// c\n// d\n// e\nlet a = 1; // f\n";
    let documented = "/// a\n".repeat(9);
    check(
        code::comments_are_few,
        &[("narrated.rs", narrated), ("documented.rs", &documented)],
        &expect![[r#"
            narrated.rs: 5 comment lines in 1 lines of code, at most 15 in 100 (comments explain why, they do not narrate)
        "#]],
    );
}

#[test]
fn a_long_crate_root_is_refused() {
    let long = "//! Line.\n".repeat(81);
    check(
        code::crate_roots_are_tables_of_contents,
        &[("crates/a/src/lib.rs", &long), ("crates/a/src/b.rs", &long)],
        &expect![[r#"
            crates/a/src/lib.rs: 81 lines, at most 80 (lib.rs is a table of contents)
        "#]],
    );
}

#[test]
fn a_silenced_lint_is_refused() {
    check(
        code::lints_are_expected_not_allowed,
        &[("a.rs", "#[allow(dead_code)]\nlet text = \"#[allow(in_text)]\";\n")],
        &expect![[r#"
            a.rs:1: `#[allow(dead_code)]…` (use `#[expect(lint, reason = "…")]`, which says why)
        "#]],
    );
}

#[test]
fn a_test_that_does_not_run_is_refused() {
    check(
        code::tests_run,
        &[("a.rs", "#[test]\n#[ignore]\nfn a() {}\n")],
        &expect![[r#"
            a.rs:2: `#[ignore]…` (a test that does not run shows nothing: fix it or delete it)
        "#]],
    );
}

#[test]
fn vague_file_names_are_refused() {
    check(
        names::files_are_named_for_ideas,
        &[("src/utils.rs", ""), ("src/common/pack.rs", ""), ("pack_v2.rs", ""), ("pack.rs", "")],
        &expect![[r#"
            pack_v2.rs: `pack_v2` (name a file for its idea)
            src/common/pack.rs: `common` (name a file for its idea)
            src/utils.rs: `utils` (name a file for its idea)
        "#]],
    );
}

#[test]
fn vague_names_are_refused_where_they_are_declared() {
    check(
        names::items_are_named_for_what_they_mean,
        &[(
            "a.rs",
            "struct PackManager;\nenum PackData {}\nfn mask_data() {}\nlet x = other::DataService;\n",
        )],
        &expect![[r#"
            a.rs:1: `manager` in `PackManager` (say what it is, not that it does something)
            a.rs:2: `data` in `PackData` (say what it is, not that it does something)
        "#]],
    );
}

#[test]
fn a_type_name_that_is_declared_twice_is_refused() {
    check(
        declarations::type_names_are_unique,
        &[
            ("crates/a/src/a.rs", "pub struct Draft;\npub struct Args;\nenum Error {}\n"),
            (
                "crates/b/src/b.rs",
                "type Draft = u8;\nstruct Args;\nstruct Error;\nimpl Walk for Step {\n    type Draft = u8;\n}\n",
            ),
            (
                "crates/b/src/c.rs",
                "macro_rules! drafts {\n    () => {\n        pub enum Draft {}\n    };\n}\n#[cfg(test)]\nmod tests {\n    struct Draft;\n}\n",
            ),
            ("crates/b/tests/d.rs", "struct Draft;\n"),
            ("crates/b/src/c/tests.rs", "struct Draft;\n"),
        ],
        &expect![[r#"
            crates/b/src/b.rs:1: type `Draft` is also declared in crates/a/src/a.rs:1 (a search for a name finds one type: add the word that tells them apart)
            crates/b/src/c.rs:3: type `Draft` is also declared in crates/a/src/a.rs:1 (a search for a name finds one type: add the word that tells them apart)
        "#]],
    );
}

#[test]
fn a_public_type_that_is_a_bare_participle_is_refused() {
    check(
        declarations::types_are_not_bare_participles,
        &[(
            "a.rs",
            "pub struct Shown;\npub(crate) enum Kept {}\npub struct Listed<'a>(&'a str);\nstruct Told;\npub struct SealedPack;\npub struct Token;\npub struct Refused;\n#[cfg(test)]\npub struct Made;\n",
        )],
        &expect![[r#"
            a.rs:1: type `Shown` is a bare participle (add the noun it is about)
            a.rs:2: type `Kept` is a bare participle (add the noun it is about)
            a.rs:3: type `Listed` is a bare participle (add the noun it is about)
        "#]],
    );
}

#[test]
fn a_limit_that_is_not_called_max_or_min_is_refused() {
    check(
        declarations::limits_begin_with_max_or_min,
        &[(
            "a.rs",
            "const MOST: usize = 6_000;\nstatic WORDS: [&str; 1] = [\"a\"];\nconst ROW_LIMIT: u64 = 50;\nconst MOST_SHARED: f64 = 0.6;\nconst MAX_LIMIT_WORDS: usize = 7;\nconst MOST_WORDS_EN: [&str; 1] = [\"most\"];\nimpl RecordKind {\n    const WORDS: u8 = 1;\n}\n",
        )],
        &expect![[r#"
            a.rs:1: constant `MOST` (a limit begins with `MAX_` or `MIN_` and says of what; a list of words says which words)
            a.rs:2: constant `WORDS` (a limit begins with `MAX_` or `MIN_` and says of what; a list of words says which words)
            a.rs:3: constant `ROW_LIMIT` (a limit begins with `MAX_` or `MIN_` and says of what; a list of words says which words)
            a.rs:4: constant `MOST_SHARED` (a limit begins with `MAX_` or `MIN_` and says of what; a list of words says which words)
        "#]],
    );
}

#[test]
fn a_limit_without_a_unit_is_refused() {
    check(
        declarations::limits_name_their_unit,
        &[(
            "a.rs",
            "const MAX_ANSWER: usize = 4;\n/// Above it nothing is read.\nconst MIN_PROCESS_SIZE: u64 = 4;\nconst MAX_FILE_BYTES: usize = 4;\nconst MAX_CLAIMS_PER_BATCH: usize = 4;\nconst MAX_FOLDER_DEPTH: u8 = 4;\n/// How many are sorted at first.\nconst MIN_SORT_BATCH: usize = 64;\nconst MAX_WAIT: Duration = Duration::ZERO;\nconst MIN_SCORE: f64 = 0.5;\n",
        )],
        &expect![[r#"
            a.rs:1: limit `MAX_ANSWER` has no unit (end with what it counts, as in `MAX_FILE_BYTES`, or say it in the comment)
            a.rs:3: limit `MIN_PROCESS_SIZE` has no unit (end with what it counts, as in `MAX_FILE_BYTES`, or say it in the comment)
        "#]],
    );
}

#[test]
fn an_alias_that_changes_the_noun_is_refused() {
    check(
        aliases::aliases_keep_the_noun,
        &[(
            "a.rs",
            "use dalil_evidence::pack::Draft as Pack;\nuse crate::{job as work, verify::{self as core}};\nuse child::one as tenant;\nmod child;\nuse std::fmt::Write as _;\nuse super::Digest as _;\nuse sqlx::Error as Failed;\nuse crate::pack::Draft as PackDraft;\npub use dalil_render as render;\n",
        )],
        &expect![[r#"
            a.rs:1: `Draft as Pack` (a second name changes what the reader looks for: import the parent module, or rename the item)
            a.rs:2: `job as work` (a second name changes what the reader looks for: import the parent module, or rename the item)
            a.rs:2: `verify as core` (a second name changes what the reader looks for: import the parent module, or rename the item)
            a.rs:3: `one as tenant` (a second name changes what the reader looks for: import the parent module, or rename the item)
        "#]],
    );
}

#[test]
fn residue_of_work_is_refused_in_comments_and_documents() {
    let words = ["as", "requested"].join(" ");
    check(
        names::prose_is_about_the_project,
        &[
            ("a.rs", &format!("//! {words}\nlet a = \"{words}\";\n")),
            ("b.md", &format!("Done {words}.\n")),
            ("c.py", &format!("x = 1  # {words}\n")),
        ],
        &expect![[r#"
            a.rs:1: "as requested" (write for a reader who knows only the code)
            b.md:1: "as requested" (write for a reader who knows only the code)
            c.py:1: "as requested" (write for a reader who knows only the code)
        "#]],
    );
}

#[test]
fn an_unlisted_document_is_refused() {
    check(
        files::documents_are_listed,
        &[
            ("NOTES.md", ""),
            ("README.md", ""),
            ("spec/pack.md", ""),
            ("spec/deep/pack.md", ""),
            ("examples/en/policy.md", ""),
        ],
        &expect![[r#"
            NOTES.md: not a listed document (say it in one that exists, or list it in tidy)
            spec/deep/pack.md: not a listed document (say it in one that exists, or list it in tidy)
        "#]],
    );
}

#[test]
fn a_row_that_a_table_lost_is_refused() {
    let page = "| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n\n```text\n| as it is |\n```\n";
    check(
        files::rows_stand_in_tables,
        &[("spec/a.md", page)],
        &expect![[r#"
            spec/a.md:5: a row without a table (take the empty line above it out)
        "#]],
    );
}

#[test]
fn space_at_line_ends_is_refused() {
    check(
        files::lines_end_clean,
        &[("a.toml", "a \n"), ("b.md", "b"), ("c.txt", "c \n"), ("d.py", "d\r\n")],
        &expect![[r#"
            b.md: no line end at the end of the file (tools expect one)
            a.toml:1: space at the end of a line (it hides in reviews)
            d.py:1: space at the end of a line (it hides in reviews)
        "#]],
    );
}

#[test]
fn a_large_file_is_refused() {
    let large = "x".repeat(200_001);
    check(
        files::files_are_small,
        &[("a.txt", &large), ("spec/vectors/a/b.json", &large)],
        &expect![[r#"
            a.txt: 200001 bytes, at most 200000 (clones stay quick)
        "#]],
    );
}

#[test]
fn too_many_packages_are_refused() {
    let lock = "[[package]]\nname = \"a\"\n".repeat(1000);
    check(
        files::dependencies_are_few,
        &[("Cargo.lock", &lock)],
        &expect![[r#"
            Cargo.lock: 1000 packages, at most 645 (could we write the forty lines? if not, raise the ceiling in the same commit)
        "#]],
    );
}

#[test]
fn an_install_without_a_lock_is_refused() {
    let script = "#!/usr/bin/env bash\n# pip install is a comment\npip install a==1\n\
                  pip install --require-hashes -r a.txt\nnpm ci\nnpm ci --ignore-scripts\nnpm install b\n";
    check(
        files::installs_are_locked,
        &[("suite/a", script), ("bench/a", script), ("suite/a.md", "npm install b\n")],
        &expect![[r#"
            suite/a:3: `pip install` without `--require-hashes` (what is installed is locked)
            suite/a:5: `npm ci` without `--ignore-scripts` (what is installed is locked)
            suite/a:7: `npm install` without `npm ci` (what is installed is locked)
        "#]],
    );
}

#[test]
fn an_arrow_that_flows_back_is_refused() {
    check(
        arrows::crates_know_only_what_they_may,
        &[
            ("crates/dalil-evidence/Cargo.toml", "[dependencies]\ndalil-cli.workspace = true\n"),
            ("crates/dalil-cli/Cargo.toml", "[dependencies]\ndalil-evidence.workspace = true\n"),
            ("crates/dalil-extra/Cargo.toml", ""),
        ],
        &expect![[r#"
            crates/dalil-evidence/Cargo.toml: `dalil-evidence` knows `dalil-cli` (nothing flows back)
            crates/dalil-extra/Cargo.toml: `dalil-extra` has no arrows (draw them in tidy and in ARCHITECTURE)
        "#]],
    );
}

#[test]
fn impurity_is_refused_in_what_is_audited() {
    check(
        arrows::proof_and_evidence_are_pure,
        &[
            (
                "crates/dalil-evidence/Cargo.toml",
                "[dependencies]\nrand = \"1\"\n[dev-dependencies]\ntokio = \"1\"\n",
            ),
            (
                "crates/dalil-evidence/src/a.rs",
                "use std::fs;\nasync fn a() {}\n// SystemTime\nlet grand = 1;\n",
            ),
            ("crates/dalil-cli/src/a.rs", "use std::fs;\n"),
        ],
        &expect![[r#"
            crates/dalil-evidence/src/a.rs:1: `std::fs` (no I/O, clock, environment, randomness or async here: pass it in)
            crates/dalil-evidence/src/a.rs:2: `async` (no I/O, clock, environment, randomness or async here: pass it in)
            crates/dalil-evidence/Cargo.toml: `rand` (no I/O, clock, environment, randomness or async here: pass it in)
        "#]],
    );
}

#[test]
fn a_format_without_vectors_or_checker_is_refused() {
    check(
        proofs::formats_have_vectors_and_a_checker,
        &[
            ("spec/pack.md", ""),
            ("spec/note.md", ""),
            ("spec/check/note.py", ""),
            ("spec/vectors/note/a.json", "{}"),
        ],
        &expect![[r#"
            spec/pack.md: nothing in spec/vectors/pack (a format is pinned by vectors)
            spec/pack.md: no spec/check/pack.py (a second implementation checks it)
        "#]],
    );
}

#[test]
fn a_vector_that_no_test_reads_is_refused() {
    check(
        proofs::vectors_are_used,
        &[
            ("spec/vectors/pack/a.json", r#"{"args":["pack"]}"#),
            ("spec/vectors/note/a.json", "{}"),
            ("spec/vectors/tree/a.json", "{}"),
            ("crates/dalil-proof/tests/tree.rs", "vector(\"tree/a.json\")"),
        ],
        &expect![[r#"
            spec/vectors/note/a.json: neither runs nor is named (a vector pins what a test reads)
        "#]],
    );
}

#[test]
fn a_command_that_nobody_tried_is_refused() {
    check(
        proofs::commands_are_tried,
        &[
            ("crates/dalil-cli/src/command/bundle.rs", "struct Args;"),
            ("crates/dalil-cli/src/command/demo.rs", "struct Args;"),
            ("crates/dalil-cli/src/command/record/status.rs", "struct Args;"),
            ("crates/dalil-cli/src/command/record/package.rs", "struct Args;"),
            ("crates/dalil-cli/src/command/verify.rs", "struct Args;"),
            ("crates/dalil-cli/src/command/demo/step.rs", ""),
            ("crates/dalil-cli/tests/program/demo.rs", "dalil(&[\"demo\"])"),
            ("spec/vectors/bundle/a.json", r#"{"args":["bundle","-"]}"#),
            ("spec/vectors/record/a.json", r#"{"args":["record","status","-"]}"#),
        ],
        &expect![[r#"
            crates/dalil-cli/src/command/record/package.rs: never tried (a vector or a program test runs each command)
            crates/dalil-cli/src/command/verify.rs: never tried (a vector or a program test runs each command)
        "#]],
    );
}

#[test]
fn a_statement_that_nothing_shows_is_refused() {
    check(
        statements::statements_name_what_is_there,
        &[
            (
                "crates/dalil-proof/src/key/tests.rs",
                "#[test]\nfn a_key_is_read() {}\n#[tokio::test]\nasync fn b() {}\nfn c() {}\n",
            ),
            ("spec/vectors/key/a.json", "{}"),
            ("suite/a.mjs", "test(`whole (${lang})`, f)"),
            (
                "docs/statements.md",
                "| Statement | Where | Test |\n|---|---|---|\n\
                 | A | `d::e` | `dalil_proof::key::tests::a_key_is_read`; `dalil_proof::key::tests::b` |\n\
                 | B | `d` | `dalil_proof::key::tests::c`; `dalil_proof::note::tests::b` |\n\
                 | C | `d` | `spec/vectors/key/a.json`; `spec/vectors/key/b.json` |\n\
                 | D | `d` | `suite/a.mjs`: *whole* (Chromium); `suite/a.mjs`: *half* |\n\
                 | E | `d` | **not built** |\n",
            ),
        ],
        &expect![[r#"
            docs/statements.md:4: no `dalil_proof::key::tests::c` (a statement names what shows it)
            docs/statements.md:4: no `dalil_proof::note::tests::b` (a statement names what shows it)
            docs/statements.md:5: no `spec/vectors/key/b.json` (a statement names what shows it)
            docs/statements.md:6: no *half* in `suite/a.mjs` (a statement names what shows it)
            docs/statements.md:7: nothing shows it (a statement names what shows it)
        "#]],
    );
}

#[test]
fn a_false_count_of_statements_is_refused() {
    check(
        statements::statements_are_counted,
        &[(
            "docs/statements.md",
            "| Contract | Statements |\n|---|---|\n| [Packs](#packs) | 2 |\n| [Ledgers](#ledgers) | 2 |\n\
             | all | 4 |\n## Packs\n| Statement | Where | Test |\n|---|---|---|\n| A | b | `c` |\n\
             | D | e | `f` |\n## Ledgers\n| Statement | Where | Test |\n|---|---|---|\n| G | h | `i` |\n",
        )],
        &expect![[r#"
            docs/statements.md:4: 2 of 1 rows (a count is true)
            docs/statements.md:5: 4 of 3 rows (a count is true)
        "#]],
    );
}

#[test]
fn a_word_without_its_type_is_refused() {
    check(
        proofs::words_are_types,
        &[
            ("crates/dalil-evidence/src/pack.rs", "pub struct Pack;\n// struct Memo;\n"),
            (
                "docs/glossary.md",
                "| Word | Means | Type | The field calls it |\n|---|---|---|---|\n| **pack** | sealed | `pack::Pack` | `dossier` |\n| **memo** | read | `pack::Memo` | |\n| **lake** | bytes | | |\n",
            ),
        ],
        &expect![[r#"
            docs/glossary.md:4: no type `pack::Memo` in dalil-proof or dalil-evidence (one word, one type)
        "#]],
    );
}

#[test]
fn a_word_with_several_types_is_refused() {
    check(
        proofs::words_are_types,
        &[
            ("crates/dalil-proof/src/hold.rs", "pub struct Hold;\npub struct Scope;\n"),
            ("crates/dalil-evidence/src/apikey.rs", "pub struct Scope;\n"),
            (
                "crates/dalil-cli/src/demo.rs",
                "struct Hold;\n#[cfg(test)]\nmod tests {\n    struct Scope;\n}\n",
            ),
            (
                "docs/glossary.md",
                "| Word | Type |\n|---|---|\n| **hold** | `hold::Hold` |\n| **scope** | `hold::Scope`, `apikey::Scope` |\n",
            ),
        ],
        &expect![[r#"
            docs/glossary.md:3: `hold::Hold` is one of 2 types `Hold` (one word, one type)
            docs/glossary.md:4: 2 types for one word (one word, one type)
            docs/glossary.md:4: `hold::Scope` is one of 2 types `Scope` (one word, one type)
            docs/glossary.md:4: `apikey::Scope` is one of 2 types `Scope` (one word, one type)
        "#]],
    );
}

#[test]
fn a_glossary_without_a_column_of_types_is_refused() {
    check(
        proofs::words_are_types,
        &[("docs/glossary.md", "| Word | Means |\n|---|---|\n| **hold** | kept |\n")],
        &expect![[r#"
            docs/glossary.md:3: no column `Type` (one word, one type)
        "#]],
    );
}

#[test]
fn a_readme_with_another_test_command_is_refused() {
    check(
        proofs::the_readme_is_what_runs,
        &[("README.md", "```sh\ncargo test\n```\n"), (".ci/run", "#!/bin/bash\nexec ./test\n")],
        &expect![[r#"
            README.md: no line `./test`, which .ci/run runs (one test command)
        "#]],
    );
}

#[test]
fn a_long_document_is_refused() {
    let long = "line\n".repeat(331);
    check(
        files::documents_are_short,
        &[("ARCHITECTURE.md", &long), ("spec/pack.md", &long), ("CHANGELOG.md", &long)],
        &expect![[r#"
            ARCHITECTURE.md: 331 lines, at most 330 (a long document is not read)
            spec/pack.md: 331 lines, at most 300 (a long document is not read)
        "#]],
    );
}

#[test]
fn json_without_a_shape_is_refused_in_what_is_audited() {
    check(
        arrows::proof_and_evidence_type_their_json,
        &[
            (
                "crates/dalil-evidence/src/a.rs",
                "use serde_json::{Map, Value};\n// serde_json::Value\n",
            ),
            ("crates/dalil-cli/src/a.rs", "use serde_json::Value;\n"),
        ],
        &expect![[r#"
            crates/dalil-evidence/src/a.rs:1: `serde_json::Value` (it loses duplicate keys and has no shape: use `json::Json` or a type)
        "#]],
    );
}

#[test]
fn a_module_that_is_not_on_the_map_is_refused() {
    check(
        proofs::modules_are_on_the_map,
        &[
            ("crates/dalil-evidence/src/lib.rs", ""),
            ("crates/dalil-evidence/src/pack.rs", ""),
            ("crates/dalil-evidence/src/pack/memo.rs", ""),
            ("crates/dalil-proof/src/tree.rs", ""),
            ("ARCHITECTURE.md", "`tree` hashes."),
        ],
        &expect![[r#"
            crates/dalil-evidence/src/pack.rs: not in ARCHITECTURE.md (the code map names every module)
        "#]],
    );
}

#[test]
fn a_large_import_cycle_is_refused() {
    let files: Vec<(String, String)> = (0..5)
        .map(|n| {
            let text = format!("//! A.\nuse crate::m{}::A;\n", (n + 1) % 5);
            (format!("crates/new/src/m{n}.rs"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    check(
        limits::import_cycles_are_small,
        &files,
        &expect![[r#"
            new: 5 files import each other, at most 4: m0, m1, m2, m3, m4 (move what they share to a file of its own)
        "#]],
    );
    // Without one of them, the rest is a chain.
    check(limits::import_cycles_are_small, files.get(1..).unwrap(), &expect![""]);
}

#[test]
fn a_sentence_outside_the_phrasebook_is_refused() {
    let text = "//! A.\nconst A: &str = \"شخص\";\n";
    check(
        limits::sentences_are_in_the_phrasebook,
        &[
            ("crates/new/src/a.rs", text),
            ("crates/new/templates/a.html", "<p>شخص</p>\n"),
            // A comment, a test, the phrasebook itself and a rule that reads Arabic.
            ("crates/new/src/b.rs", "//! A.\n// شخص\n"),
            (
                "crates/new/src/c.rs",
                "//! A.\n#[cfg(test)]\nmod tests {\n    const A: &str = \"شخص\";\n}\n",
            ),
            ("crates/dalil-phrasebook/src/a.rs", text),
            ("crates/dalil-judge/src/rule/number.rs", text),
        ],
        &expect![[r#"
            crates/new/src/a.rs: Arabic for readers (say it in `dalil-phrasebook`)
            crates/new/templates/a.html: Arabic for readers (say it in `dalil-phrasebook`)
        "#]],
    );
}

#[test]
fn silent_defaults_are_refused() {
    let lines = "let a = 1;\n".repeat(999);
    let text = format!("{lines}a.unwrap_or_default();\n");
    check(limits::silent_defaults_are_few, &[("crates/new/src/lib.rs", &text)], &expect![""]);
    let text = format!("{text}text.get(1..).unwrap_or_default();\nb.unwrap_or_default();\n");
    check(
        limits::silent_defaults_are_few,
        &[("crates/new/src/lib.rs", &text)],
        &expect![[r#"
            new: 2 times `unwrap_or_default`, at most 1 in 1002 lines (carry the `Option` on, return an error, or use a function that always has a value)
        "#]],
    );
}
