//! What must be shown: vectors for formats, tries for commands, types for words.

use std::collections::BTreeSet;

use dalil_core::json::Json;

use crate::tree::Tree;

/// A published format has vectors, and a second implementation that checks them.
pub(super) fn formats_have_vectors_and_a_checker(tree: &Tree) -> Vec<String> {
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
pub(super) fn vectors_are_used(tree: &Tree) -> Vec<String> {
    let tests = tree.texts("crates/", ".rs").filter(|(path, _)| path.contains("/tests"));
    let vectors = tree.texts("spec/vectors/", ".json");
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
pub(super) fn commands_are_tried(tree: &Tree) -> Vec<String> {
    let vectors = tree.texts("spec/vectors/", ".json");
    let tried: Vec<String> =
        vectors.filter_map(|(_, text)| args(text.as_bytes())).map(|args| args + "/").collect();
    let tests: String =
        tree.texts("crates/dalil-cli/tests/", ".rs").map(|(_, text)| text).collect();
    let untried = |(path, text): (&str, &str)| {
        // A command has arguments; what stands beside one in its folder has none.
        let name = path.strip_prefix(COMMANDS)?.strip_suffix(".rs")?;
        let was_tried = tried.iter().any(|args| args.starts_with(&format!("{name}/")))
            || tests.contains(&format!("\"{}\"", name.replace('/', "\", \"")));
        (text.contains("struct Args") && !was_tried)
            .then(|| format!("{path}: never tried (a vector or a program test runs each command)"))
    };
    tree.texts(COMMANDS, ".rs").filter_map(untried).collect()
}

/// One word, one meaning, one type: those the glossary names exist.
pub(super) fn words_are_types(tree: &Tree) -> Vec<String> {
    let types: BTreeSet<String> = tree
        .sources()
        .filter(|(path, _)| path.starts_with(CORE))
        .flat_map(|(path, source)| declared(path, &source.words().collect::<Vec<_>>()))
        .collect();
    let glossary = tree.text(GLOSSARY).unwrap_or_default();
    let mut found = Vec::new();
    for (n, line) in glossary.lines().enumerate().filter(|(_, line)| line.starts_with("| **")) {
        let column = line.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default();
        for name in column.split('`').skip(1).step_by(2).filter(|name| !types.contains(*name)) {
            found.push(format!(
                "{GLOSSARY}:{}: no type `{name}` in dalil-core (one word, one type)",
                n + 1
            ));
        }
    }
    found
}

/// The code map names every module of core.
pub(super) fn modules_are_on_the_map(tree: &Tree) -> Vec<String> {
    let map = tree.text("ARCHITECTURE.md").unwrap_or_default();
    let unmapped = |(path, _): (&str, &str)| {
        let module = path.strip_prefix(CORE)?.strip_suffix(".rs")?;
        let mapped =
            module == "lib" || module.contains('/') || map.contains(&format!("`{module}`"));
        (!mapped)
            .then(|| format!("{path}: not in ARCHITECTURE.md (the code map names every module)"))
    };
    tree.texts(CORE, ".rs").filter_map(unmapped).collect()
}

/// The README shows what continuous integration runs.
pub(super) fn the_readme_is_what_runs(tree: &Tree) -> Vec<String> {
    let (Some(readme), Some(ci)) = (tree.text("README.md"), tree.text(".ci/run")) else {
        return Vec::new();
    };
    let last = ci.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let command = last.trim().trim_start_matches("exec ");
    if readme.lines().any(|line| line.trim() == command) {
        return Vec::new();
    }
    vec![format!("README.md: no line `{command}`, which .ci/run runs (one test command)")]
}

/// What a vector types after `dalil`, if it does, with `/` between the words.
fn args(vector: &[u8]) -> Option<String> {
    let vector = Json::parse(vector).ok()?;
    let Json::List(args) = vector.get("args")? else { return None };
    let word = |arg: &Json<'_>| match arg {
        Json::Text(word) => word.clone().into_owned(),
        _ => String::new(),
    };
    Some(args.iter().map(word).collect::<Vec<_>>().join("/"))
}

/// The types that a file declares, as `module::Type`; one made by a macro is found by `event Type`.
fn declared(path: &str, words: &[(usize, &str)]) -> Vec<String> {
    let module = path
        .trim_start_matches(CORE)
        .trim_end_matches(".rs")
        .trim_end_matches("/mod")
        .replace('/', "::");
    let pairs = words.iter().zip(words.iter().skip(1));
    let named = pairs.filter_map(|((_, word), (_, name))| {
        ["struct", "enum", "type", "event", "given"].contains(word).then_some(*name)
    });
    named.map(|name| format!("{module}::{name}")).collect()
}

const CORE: &str = "crates/dalil-core/src/";
const COMMANDS: &str = "crates/dalil-cli/src/command/";
const GLOSSARY: &str = "docs/glossary.md";
