//! The statements of the contracts: each names what shows it.

use std::collections::BTreeMap;

use crate::tree::RepositoryTree;

/// What `docs/statements.md` names in its last column is a test, a vector or a file that is there.
pub(super) fn statements_name_what_is_there(tree: &RepositoryTree) -> Vec<String> {
    let Some(page) = tree.text(STATEMENTS_PATH) else { return Vec::new() };
    let tests = tests(tree);
    let mut found = Vec::new();
    for (n, line) in page.lines().enumerate().filter(|(_, line)| line.starts_with('|')) {
        let Some((_, shown)) = line.trim_end_matches('|').rsplit_once('|') else { continue };
        // Every second piece between backquotes is code.
        for named in shown.split('`').skip(1).step_by(2) {
            let is_there = if named.contains("::") {
                is_test(named, &tests)
            } else {
                !named.contains('/') || tree.bytes().any(|(path, _)| path == named)
            };
            if !is_there {
                found.push(format!(
                    "{STATEMENTS_PATH}:{}: no `{named}` (a statement names what shows it)",
                    n + 1
                ));
            }
        }
    }
    found
}

/// Where each test is declared, by its name.
fn tests(tree: &RepositoryTree) -> BTreeMap<&str, Vec<&str>> {
    let mut tests: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, text) in tree.texts("", ".rs") {
        let mut is_marked = false;
        for line in text.lines().map(str::trim) {
            if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                is_marked = true;
            } else if let Some((_, rest)) = line.split_once("fn ").filter(|_| is_marked)
                && let Some((name, _)) = rest.split_once('(')
            {
                tests.entry(name).or_default().push(path);
                is_marked = false;
            }
        }
    }
    tests
}

/// Whether `crate::module::name` is a test in a file of that module.
fn is_test(named: &str, tests: &BTreeMap<&str, Vec<&str>>) -> bool {
    let mut parts = named.split("::").collect::<Vec<_>>();
    let Some(name) = parts.pop() else { return false };
    let places = tests.get(name).map_or(&[][..], Vec::as_slice);
    places.iter().any(|path| {
        let folders: Vec<String> =
            path.trim_end_matches(".rs").split('/').map(|part| part.replace('-', "_")).collect();
        // A unit test is in the module `tests` of the file that it is about.
        parts.iter().all(|part| *part == "tests" || folders.iter().any(|folder| folder == part))
    })
}

const STATEMENTS_PATH: &str = "docs/statements.md";
