//! Measures of Rust files.

use crate::source::RustSource;
use crate::tree::RepositoryTree;

/// A file holds one idea.
pub(super) fn files_are_short(tree: &RepositoryTree) -> Vec<String> {
    let long = |(path, source): (&str, &RustSource)| {
        let lines = source.code_lines();
        (lines > MAX_FILE_LINES).then(|| {
            format!(
                "{path}: {lines} lines of code, at most {MAX_FILE_LINES} (a file holds one idea)"
            )
        })
    };
    tree.sources().filter_map(long).collect()
}

/// Nineteen files of twenty are well below the limit.
pub(super) fn most_files_are_shorter(tree: &RepositoryTree) -> Vec<String> {
    let mut sizes: Vec<(usize, &str)> =
        tree.sources().map(|(path, source)| (source.code_lines(), path)).collect();
    sizes.sort_unstable();
    let long_allowed = sizes.len() / 20;
    let long: Vec<_> = sizes.iter().filter(|(lines, _)| *lines > MAX_USUAL_FILE_LINES).collect();
    if long.len() <= long_allowed {
        return Vec::new();
    }
    long.iter()
        .map(|(lines, path)| {
            format!(
                "{path}: {lines} lines of code; more than {long_allowed} files exceed {MAX_USUAL_FILE_LINES} \
                 (long files are the exception: one in twenty)"
            )
        })
        .collect()
}

/// A function is read without scrolling.
pub(super) fn functions_fit_on_a_screen(tree: &RepositoryTree) -> Vec<String> {
    tree.sources()
        .flat_map(|(path, source)| {
            let long = source.functions().into_iter().filter(|function| function.body > MAX_FUNCTION_LINES);
            long.map(|function| {
                format!(
                    "{path}:{}: `{}` has {} lines, at most {MAX_FUNCTION_LINES} (a function fits on a screen)",
                    function.line, function.name, function.body
                )
            })
            .collect::<Vec<_>>()
        })
        .collect()
}

/// A reader learns the purpose of a file from its first line; unit tests show it by their place.
pub(super) fn modules_say_what_they_are(tree: &RepositoryTree) -> Vec<String> {
    let silent = |(path, text): (&str, &str)| {
        let is_test = path.split_once("/src/").is_some_and(|(_, module)| module.contains("tests"));
        (!text.starts_with("//! ") && !is_test).then(|| {
            format!("{path}:1: no `//!` line (the first line says what the module is for)")
        })
    };
    rust(tree).filter_map(silent).collect()
}

/// Comments add what code cannot show; many of them narrate.
pub(super) fn comments_are_few(tree: &RepositoryTree) -> Vec<String> {
    let narrated = |(path, source): (&str, &RustSource)| {
        let comments = source.lines.iter().filter(|line| line.is_inner_comment()).count();
        let code = source.code_lines();
        (comments > MAX_UNCOUNTED_COMMENTS && comments * 100 > code * MAX_COMMENT_PERCENT).then(
            || {
                format!(
                    "{path}: {comments} comment lines in {code} lines of code, at most \
                 {MAX_COMMENT_PERCENT} in 100 (comments explain why, they do not narrate)"
                )
            },
        )
    };
    tree.sources().filter_map(narrated).collect()
}

/// `lib.rs` lists the modules in reading order and holds no logic.
pub(super) fn crate_roots_are_tables_of_contents(tree: &RepositoryTree) -> Vec<String> {
    let long = |(path, text): (&str, &str)| {
        let lines = text.lines().count();
        (path.ends_with("/lib.rs") && lines > MAX_CRATE_ROOT_LINES).then(|| {
            format!("{path}: {lines} lines, at most {MAX_CRATE_ROOT_LINES} (lib.rs is a table of contents)")
        })
    };
    rust(tree).filter_map(long).collect()
}

/// An exception from a lint is written down with its reason and ends when it is not needed.
pub(super) fn lints_are_expected_not_allowed(tree: &RepositoryTree) -> Vec<String> {
    attribute(tree, "allow(", "use `#[expect(lint, reason = \"…\")]`, which says why")
}

/// A test that does not run shows nothing.
pub(super) fn tests_run(tree: &RepositoryTree) -> Vec<String> {
    attribute(tree, "ignore", "a test that does not run shows nothing: fix it or delete it")
}

fn attribute(tree: &RepositoryTree, name: &str, why: &str) -> Vec<String> {
    let starts = [format!("#[{name}"), format!("#![{name}")];
    let mut found = Vec::new();
    for (path, source) in tree.sources() {
        for (n, line) in source.lines.iter().enumerate() {
            if starts.iter().any(|start| line.code.contains(start)) {
                found.push(format!("{path}:{}: `{}…` ({why})", n + 1, line.code.trim()));
            }
        }
    }
    found
}

fn rust(tree: &RepositoryTree) -> impl Iterator<Item = (&str, &str)> {
    tree.texts("", ".rs")
}

const MAX_FILE_LINES: usize = 800;
const MAX_USUAL_FILE_LINES: usize = 500;
const MAX_FUNCTION_LINES: usize = 70;
const MAX_CRATE_ROOT_LINES: usize = 80;
const MAX_COMMENT_PERCENT: usize = 15;
/// So few comments never narrate, however small the file.
const MAX_UNCOUNTED_COMMENTS: usize = 4;
