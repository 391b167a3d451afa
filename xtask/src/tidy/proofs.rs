//! Required evidence: vectors for formats, tests for commands, types for words.

use std::collections::BTreeMap;

use dalil_proof::json::Json;

use crate::items;
use crate::tree::{RepositoryTree, module_folder};

/// A published format has vectors, and a second implementation that checks them.
pub(super) fn formats_have_vectors_and_a_checker(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, _) in tree.texts("spec/", ".md").filter(|(path, _)| path.matches('/').count() == 1) {
        let name = path.trim_start_matches("spec/").trim_end_matches(".md");
        if tree.texts(&format!("spec/vectors/{name}/"), ".json").next().is_none() {
            found.push(format!(
                "{path}: nothing in spec/vectors/{name} (a format is pinned by vectors)"
            ));
        }
        if tree.text(&format!("spec/check/{name}.py")).is_none() {
            found.push(format!(
                "{path}: no spec/check/{name}.py (a second implementation checks it)"
            ));
        }
    }
    found
}

/// A vector that no test reads pins nothing.
///
/// Those with `args` are all run by the program's tests; each of the others is
/// named by a test, or by a vector that runs.
pub(super) fn vectors_are_used(tree: &RepositoryTree) -> Vec<String> {
    let tests = tree.texts("crates/", ".rs").filter(|(path, _)| path.contains("/tests"));
    let vectors = tree.texts("spec/vectors/", ".json");
    // One text to search: being named anywhere in a test or in a vector is enough.
    let runs: String = tests.chain(vectors).map(|(_, text)| text).collect();
    let unused = |(path, text): (&str, &str)| {
        let name = path.strip_prefix("spec/vectors/")?;
        let used = args(text.as_bytes()).is_some() || runs.contains(name);
        (!used)
            .then(|| format!("{path}: neither runs nor is named (a vector pins what a test reads)"))
    };
    tree.texts("spec/vectors/", ".json").filter_map(unused).collect()
}

/// Each command was tried on the real program, by a vector or by a test.
pub(super) fn commands_are_tried(tree: &RepositoryTree) -> Vec<String> {
    let vectors = tree.texts("spec/vectors/", ".json");
    let tried: Vec<String> =
        vectors.filter_map(|(_, text)| args(text.as_bytes())).map(|args| args + "/").collect();
    let tests: String =
        tree.texts("crates/dalil-cli/tests/", ".rs").map(|(_, text)| text).collect();
    let untried = |(path, text): (&str, &str)| {
        // A command has arguments; another file in its folder has none.
        let name = path.strip_prefix(COMMANDS_FOLDER)?.strip_suffix(".rs")?;
        let was_tried = tried.iter().any(|args| args.starts_with(&format!("{name}/")))
            || tests.contains(&format!("\"{}\"", name.replace('/', "\", \"")));
        (text.contains("struct Args") && !was_tried)
            .then(|| format!("{path}: never tried (a vector or a program test runs each command)"))
    };
    tree.texts(COMMANDS_FOLDER, ".rs").filter_map(untried).collect()
}

/// One word, one meaning, one type: the glossary names at most one type for a word, it exists
/// in proof or evidence, and no other type of the workspace has its name.
pub(super) fn words_are_types(tree: &RepositoryTree) -> Vec<String> {
    let declared = declared_types(tree);
    let Some(glossary) = tree.text(GLOSSARY_PATH) else { return Vec::new() };
    let mut found = Vec::new();
    let mut column = None;
    for (n, line) in glossary.lines().enumerate() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        // The head of a table sets the column for the rows below it.
        column = cells.iter().position(|cell| *cell == TYPE_COLUMN).or(column);
        if !line.starts_with("| **") {
            continue;
        }
        let problems = column.and_then(|column| cells.get(column)).map_or_else(
            || vec![format!("no column `{TYPE_COLUMN}`")],
            |cell| wrong_types(cell, &declared),
        );
        for what in problems {
            found.push(format!("{GLOSSARY_PATH}:{}: {what} (one word, one type)", n + 1));
        }
    }
    found
}

/// The code map names every module of the crates that hold the rules.
pub(super) fn modules_are_on_the_map(tree: &RepositoryTree) -> Vec<String> {
    let map = tree.text("ARCHITECTURE.md");
    let is_named = |module: &str| map.is_some_and(|map| map.contains(&format!("`{module}`")));
    let unmapped = |(path, _): (&str, &str)| {
        let module = mapped_module(path)?.strip_suffix(".rs")?;
        let mapped = module == "lib" || module.contains('/') || is_named(module);
        (!mapped)
            .then(|| format!("{path}: not in ARCHITECTURE.md (the code map names every module)"))
    };
    tree.texts("", ".rs").filter_map(unmapped).collect()
}

/// The README shows the commands of continuous integration.
pub(super) fn the_readme_is_what_runs(tree: &RepositoryTree) -> Vec<String> {
    let (Some(readme), Some(ci)) = (tree.text("README.md"), tree.text(".ci/run")) else {
        return Vec::new();
    };
    let last = ci.lines().rev().find(|line| !line.trim().is_empty());
    let Some(last) = last else { return Vec::new() };
    let command = last.trim().trim_start_matches("exec ");
    if readme.lines().any(|line| line.trim() == command) {
        return Vec::new();
    }
    vec![format!("README.md: no line `{command}`, which .ci/run runs (one test command)")]
}

/// The words after `dalil` in a vector's command, if it has one, with `/` between them.
fn args(vector: &[u8]) -> Option<String> {
    let vector = Json::parse(vector).ok()?;
    let Json::List(args) = vector.get("args")? else { return None };
    let word = |arg: &Json<'_>| match arg {
        Json::Text(word) => word.clone().into_owned(),
        _ => String::new(),
    };
    Some(args.iter().map(word).collect::<Vec<_>>().join("/"))
}

/// The faults of the types that the glossary names in one cell, as `module::Type`.
fn wrong_types(cell: &str, declared: &BTreeMap<&str, Vec<String>>) -> Vec<String> {
    // Every second piece between backquotes is code.
    let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
    let mut found = Vec::new();
    if named.len() > 1 {
        found.push(format!("{} types for one word", named.len()));
    }
    for path in named {
        let name = path.rsplit("::").next().unwrap_or(path);
        let places = declared.get(name).map_or(&[][..], Vec::as_slice);
        if !places.iter().any(|place| place == path) {
            found.push(format!("no type `{path}` in dalil-proof or dalil-evidence"));
        } else if places.len() > 1 {
            found.push(format!("`{path}` is one of {} types `{name}`", places.len()));
        }
    }
    found
}

/// Where each type name is declared: in proof and evidence as `module::Type`, elsewhere as its
/// file.
fn declared_types(tree: &RepositoryTree) -> BTreeMap<&str, Vec<String>> {
    let mut declared: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, source) in tree.sources() {
        let module = mapped_module(path).map(|file| module_folder(file).replace('/', "::"));
        for found in items::types(source).iter().filter(|found| !source.is_test_line(found.line)) {
            let place = module.as_ref().map(|module| format!("{module}::{}", found.name));
            let places = declared.entry(found.name).or_default();
            places.push(place.unwrap_or_else(|| path.to_owned()));
        }
    }
    declared
}

/// A file of a crate whose modules and types the documents name, from its `src`.
fn mapped_module(path: &str) -> Option<&str> {
    MAPPED_FOLDERS.iter().find_map(|folder| path.strip_prefix(folder))
}

const MAPPED_FOLDERS: [&str; 2] = ["crates/dalil-proof/src/", "crates/dalil-evidence/src/"];
const COMMANDS_FOLDER: &str = "crates/dalil-cli/src/command/";
const GLOSSARY_PATH: &str = "docs/glossary.md";
const TYPE_COLUMN: &str = "Type";
