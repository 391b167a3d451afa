//! Vague names, and phrases that are about work instead of the project.

use crate::items::name_words;
use crate::tree::RepositoryTree;

/// Files are named by their idea, not by their contents.
pub(super) fn files_are_named_for_ideas(tree: &RepositoryTree) -> Vec<String> {
    let banned = |(path, _): (&str, &[u8])| {
        let name = path.rsplit('/').next()?;
        let (stem, end) = name.rsplit_once('.')?;
        let folders = path.split('/').rev().skip(1);
        let is_code = matches!(end, "rs" | "py" | "mjs");
        let vague = folders
            .chain([stem])
            .find(|word| VAGUE_FILE_NAMES.contains(word) || word.ends_with("_v2"))?;
        is_code.then(|| format!("{path}: `{vague}` (name a file for its idea)"))
    };
    tree.bytes().filter_map(banned).collect()
}

/// Declared names are specific to the thing they name.
pub(super) fn items_are_named_for_what_they_mean(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, source) in tree.sources() {
        let mut words = source.words().peekable();
        while let Some((_, word)) = words.next() {
            let Some((line, name)) = words.peek().filter(|_| DECLARATION_KEYWORDS.contains(&word))
            else {
                continue;
            };
            // `type Data = Bytes;` of an implementation has the name that a trait gave it.
            let is_given = word == "type"
                && source.lines.get(line - 1).is_some_and(|line| line.code.starts_with("    type"));
            let is_type = !is_given
                && name.starts_with(char::is_uppercase)
                && name.contains(char::is_lowercase);
            let is_vague = |part: &String| {
                VAGUE_WORDS.contains(&part.as_str())
                    || is_type && VAGUE_TYPE_WORDS.contains(&part.as_str())
            };
            if let Some(vague) = name_words(name).into_iter().find(is_vague) {
                let why = "say what it is, not that it does something";
                found.push(format!("{path}:{line}: `{vague}` in `{name}` ({why})"));
            }
        }
    }
    found
}

/// Comments and documents speak of the project: no plans, diaries, apologies.
pub(super) fn prose_is_about_the_project(tree: &RepositoryTree) -> Vec<String> {
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
        let phrase = BANNED_PHRASES.iter().find(|phrase| text.contains(*phrase))?;
        Some(format!("{path}:{n}: \"{phrase}\" (write for a reader who knows only the code)"))
    };
    comments.chain(documents).chain(hashed).filter_map(residue).collect()
}

const VAGUE_FILE_NAMES: [&str; 12] = [
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

const DECLARATION_KEYWORDS: [&str; 9] =
    ["fn", "struct", "enum", "trait", "type", "mod", "const", "static", "union"];

const VAGUE_WORDS: [&str; 13] = [
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
const VAGUE_TYPE_WORDS: [&str; 5] = ["data", "info", "base", "impl", "common"];

const BANNED_PHRASES: [&str; 16] = [
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
