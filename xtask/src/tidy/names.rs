//! Words that hide what a thing is, and phrases that speak of work instead of the project.

use crate::tree::Tree;

/// Files are named by their idea, not by what they are made of.
pub(super) fn files_are_named_for_ideas(tree: &Tree) -> Vec<String> {
    let banned = |(path, _): (&str, &[u8])| {
        let name = path.rsplit('/').next()?;
        let (stem, end) = name.rsplit_once('.')?;
        let folders = path.split('/').rev().skip(1);
        let is_code = matches!(end, "rs" | "py" | "mjs");
        let vague =
            folders.chain([stem]).find(|word| FILES.contains(word) || word.ends_with("_v2"))?;
        is_code.then(|| format!("{path}: `{vague}` (name a file for its idea)"))
    };
    tree.bytes().filter_map(banned).collect()
}

/// Declared names say what a thing is.
pub(super) fn items_are_named_for_what_they_mean(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, source) in tree.sources() {
        let mut words = source.words().peekable();
        while let Some((_, word)) = words.next() {
            let Some((line, name)) = words.peek().filter(|_| DECLARES.contains(&word)) else {
                continue;
            };
            let is_type = name.starts_with(char::is_uppercase);
            let is_vague = |part: &String| {
                VAGUE.contains(&part.as_str()) || is_type && VAGUE_TYPES.contains(&part.as_str())
            };
            if let Some(vague) = parts(name).into_iter().find(is_vague) {
                let why = "say what it is, not that it does something";
                found.push(format!("{path}:{line}: `{vague}` in `{name}` ({why})"));
            }
        }
    }
    found
}

/// Comments and documents speak of the project: no plans, diaries, apologies.
pub(super) fn prose_is_about_the_project(tree: &Tree) -> Vec<String> {
    let comments = tree.sources().flat_map(|(path, source)| {
        let lines = source.lines.iter().enumerate();
        lines.map(move |(n, line)| (path, n + 1, line.comment.clone()))
    });
    let documents = tree.texts("", ".md").flat_map(|(path, text)| {
        text.lines().enumerate().map(move |(n, line)| (path, n + 1, line.to_owned()))
    });
    let hashed = tree.texts("", ".py").flat_map(|(path, text)| {
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains('#'));
        lines.map(move |(n, line)| (path, n + 1, line.to_owned()))
    });
    let residue = |(path, n, text): (&str, usize, String)| {
        let text = text.to_lowercase();
        let phrase = PHRASES.iter().find(|phrase| text.contains(*phrase))?;
        Some(format!("{path}:{n}: \"{phrase}\" (write for a reader who knows only the code)"))
    };
    comments.chain(documents).chain(hashed).filter_map(residue).collect()
}

/// The words that a name is put together from, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for ch in name.chars() {
        if ch == '_' || ch.is_uppercase() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| ch != '_') {
            part.extend(ch.to_lowercase());
        }
    }
    parts
}

const FILES: [&str; 12] = [
    "util",
    "utils",
    "helper",
    "helpers",
    "common",
    "misc",
    "types",
    "models",
    "constants",
    "prelude",
    "manager",
    "service",
];

const DECLARES: [&str; 9] =
    ["fn", "struct", "enum", "trait", "type", "mod", "const", "static", "union"];

const VAGUE: [&str; 13] = [
    "manager",
    "service",
    "helper",
    "helpers",
    "util",
    "utils",
    "handler",
    "processor",
    "wrapper",
    "v2",
    "enhanced",
    "advanced",
    "improved",
];
/// Empty in the name of a type; a function may well be about personal data.
const VAGUE_TYPES: [&str; 5] = ["data", "info", "base", "impl", "common"];

const PHRASES: [&str; 16] = [
    "as requested",
    "refactored",
    "to-do",
    "todo",
    "fixme",
    "for now",
    "in the future",
    "coming soon",
    "will be added",
    "not yet implemented",
    "as discussed",
    "status report",
    "this commit",
    "this pull request",
    "✅",
    "🚀",
];
