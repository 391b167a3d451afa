//! The statements of the contracts: each names its tests.

use std::collections::BTreeMap;

use crate::tree::RepositoryTree;

/// The last column of `docs/statements.md` names a test, a vector or a file that exists.
pub(super) fn statements_name_what_is_there(tree: &RepositoryTree) -> Vec<String> {
    let Some(page) = tree.text(STATEMENTS_PATH) else { return Vec::new() };
    let tests = tests(tree);
    let mut found = Vec::new();
    for (n, line) in page.lines().enumerate() {
        let Some([_, _, shown]) = row(line) else { continue };
        let mut missing = |what: &str| {
            let reason = "(a statement names what shows it)";
            found.push(format!("{STATEMENTS_PATH}:{}: {what} {reason}", n + 1));
        };
        // Every second piece between backquotes is code; a test in a file follows it in italics.
        let mut pieces = shown.split('`').skip(1);
        let mut is_shown = false;
        while let Some(named) = pieces.next() {
            is_shown = true;
            let beside = pieces.next().and_then(|after| after.strip_prefix(": *"));
            let title = beside.and_then(|title| title.split_once('*')).map(|(title, _)| title);
            let text = tree.bytes().find(|(path, _)| *path == named).map(|(_, bytes)| bytes);
            match (text, title) {
                _ if named.contains("::") && is_test(named, &tests) => {}
                (Some(_), None) => {}
                (Some(text), Some(title)) if holds(text, title) => {}
                (Some(_), Some(title)) => missing(&format!("no *{title}* in `{named}`")),
                (None, _) => missing(&format!("no `{named}`")),
            }
        }
        if !is_shown {
            missing("nothing shows it");
        }
    }
    found
}

/// The table at the head of `docs/statements.md` gives the number of rows of each part.
pub(super) fn statements_are_counted(tree: &RepositoryTree) -> Vec<String> {
    let Some(page) = tree.text(STATEMENTS_PATH) else { return Vec::new() };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut part = "";
    for line in page.lines() {
        part = line.strip_prefix("## ").unwrap_or(part);
        if row(line).is_some() {
            *counts.entry(part).or_default() += 1;
        }
    }
    let all = counts.values().sum();
    let stated = page.lines().enumerate().filter_map(|(n, line)| {
        let (label, count) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
        let count: usize = count.parse().ok()?;
        // A part is a link to its heading; the last line has the sum.
        let part = label.strip_prefix('[').and_then(|label| label.split_once(']'));
        let counted = part.map_or(all, |(part, _)| counts.get(part).map_or(0, |count| *count));
        (count != counted).then(|| {
            format!("{STATEMENTS_PATH}:{}: {count} of {counted} rows (a count is true)", n + 1)
        })
    });
    stated.collect()
}

/// The cells of a row about a statement; neither a head nor the line under it.
fn row(line: &str) -> Option<[&str; 3]> {
    let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let (rest, shown) = cells.rsplit_once(" | ")?;
    let (statement, place) = rest.rsplit_once(" | ")?;
    (shown != "Test").then_some([statement, place, shown])
}

fn holds(text: &[u8], title: &str) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.contains(title))
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
