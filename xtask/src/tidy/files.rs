//! The permitted files of the repository: documents, sizes, dependencies.

use crate::tree::RepositoryTree;

/// Documents are few, so that each stays true.
pub(super) fn documents_are_listed(tree: &RepositoryTree) -> Vec<String> {
    let listed = |path: &str| {
        ALLOWED_DOCUMENTS.contains(&path)
            || DOCUMENT_FOLDERS.iter().any(|(folder, depth)| {
                path.strip_prefix(folder).is_some_and(|rest| rest.matches('/').count() <= *depth)
            })
    };
    tree.texts("", ".md")
        .filter(|(path, _)| !listed(path))
        .map(|(path, _)| {
            format!("{path}: not a listed document (say it in one that exists, or list it in tidy)")
        })
        .collect()
}

/// A document that is too long is not read.
pub(super) fn documents_are_short(tree: &RepositoryTree) -> Vec<String> {
    let long = |(path, text): (&str, &str)| {
        let (_, most) = MAX_DOCUMENT_LINES.iter().find(|(start, _)| path.starts_with(start))?;
        let lines = text.lines().count();
        (lines > *most)
            .then(|| format!("{path}: {lines} lines, at most {most} (a long document is not read)"))
    };
    tree.texts("", ".md").filter_map(long).collect()
}

/// Clean line ends keep differences small; rustfmt sees to Rust.
pub(super) fn lines_end_clean(tree: &RepositoryTree) -> Vec<String> {
    let texts = TEXT_FILE_ENDINGS.iter().flat_map(|end| tree.texts("", end));
    let mut found = Vec::new();
    for (path, text) in texts {
        let spaced = |(n, line): (usize, &str)| {
            (line != line.trim_end_matches([' ', '\t', '\r'])).then_some(n + 1)
        };
        if let Some(n) = text.split('\n').enumerate().find_map(spaced) {
            found.push(format!("{path}:{n}: space at the end of a line (it hides in reviews)"));
        }
        if !text.is_empty() && !text.ends_with('\n') && !path.ends_with(".json") {
            found.push(format!("{path}: no line end at the end of the file (tools expect one)"));
        }
    }
    found
}

/// Large files make every clone slow for ever.
pub(super) fn files_are_small(tree: &RepositoryTree) -> Vec<String> {
    tree.bytes()
        .filter(|(path, bytes)| {
            bytes.len() > MAX_FILE_BYTES
                && !LARGE_FILE_PATHS.iter().any(|large| path.starts_with(large))
        })
        .map(|(path, bytes)| {
            format!("{path}: {} bytes, at most {MAX_FILE_BYTES} (clones stay quick)", bytes.len())
        })
        .collect()
}

/// A row after an empty line is shown as a line of text with bars in it.
pub(super) fn rows_stand_in_tables(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.texts("", ".md") {
        let (mut is_code, mut was_row) = (false, false);
        let mut lines = text.lines().enumerate().peekable();
        while let Some((n, line)) = lines.next() {
            is_code ^= line.starts_with("```");
            let is_row = line.starts_with('|') && !is_code;
            let is_heading = lines.peek().is_some_and(|(_, next)| next.starts_with("|--"));
            if is_row && !was_row && !is_heading {
                found.push(format!(
                    "{path}:{}: a row without a table (take the empty line above it out)",
                    n + 1
                ));
            }
            was_row = is_row;
        }
    }
    found
}

/// Tomorrow's content of a registry is untested: an install names digests, and runs nothing.
pub(super) fn installs_are_locked(tree: &RepositoryTree) -> Vec<String> {
    let scripts = tree.texts("", "").filter(|(path, text)| {
        INSTALLING_PATHS.iter().any(|start| path.starts_with(start)) && text.starts_with("#!")
    });
    let mut found = Vec::new();
    for (path, text) in scripts {
        for (n, line) in
            text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#'))
        {
            for (command, needed) in LOCKED_INSTALLS {
                if line.contains(command) && !line.contains(needed) {
                    found.push(format!(
                        "{path}:{}: `{command}` without `{needed}` ({WHY_LOCKED})",
                        n + 1
                    ));
                }
            }
        }
    }
    found
}

/// Each dependency is other people's code that we answer for.
pub(super) fn dependencies_are_few(tree: &RepositoryTree) -> Vec<String> {
    let Some(lock) = tree.text("Cargo.lock") else { return Vec::new() };
    let packages = lock.lines().filter(|line| *line == "[[package]]").count();
    if packages <= MAX_PACKAGES {
        return Vec::new();
    }
    vec![format!(
        "Cargo.lock: {packages} packages, at most {MAX_PACKAGES} \
         (could we write the forty lines? if not, raise the ceiling in the same commit)"
    )]
}

const ALLOWED_DOCUMENTS: [&str; 26] = [
    "README.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "bench/README.md",
    "npm/client/README.md",
    "npm/verify/README.md",
    "docs/compliance.md",
    "docs/install.md",
    "docs/quality.md",
    "docs/corpora.md",
    "docs/queries.md",
    "training/README.md",
    "training/written/README.md",
    "docs/agents.md",
    "docs/decisions.md",
    "docs/glossary.md",
    "docs/operations.md",
    "docs/performance.md",
    "docs/python.md",
    "docs/scale.md",
    "docs/server.md",
    "docs/statements.md",
    "docs/store.md",
    "docs/viewer.md",
];
/// Folders whose Markdown is content: format pages, and the corpus, which has folders of its own.
const DOCUMENT_FOLDERS: [(&str, usize); 2] = [("spec/", 0), ("examples/", 3)];
const MAX_DOCUMENT_LINES: [(&str, usize); 4] =
    [("README.md", 120), ("SECURITY.md", 60), ("ARCHITECTURE.md", 330), ("spec/", 300)];
const TEXT_FILE_ENDINGS: [&str; 8] =
    [".md", ".toml", ".py", ".mjs", ".sh", ".json", "/test", ".ci/run"];
const INSTALLING_PATHS: [&str; 3] = ["test", "suite/", ".ci/"];
/// The commands that install, and the option that holds each to its lock file and keeps it from
/// running code.
const LOCKED_INSTALLS: [(&str, &str); 3] = [
    ("pip install", "--require-hashes"),
    ("npm ci", "--ignore-scripts"),
    // It may change the lock file.
    ("npm install", "npm ci"),
];
const WHY_LOCKED: &str = "what is installed is locked";
const MAX_FILE_BYTES: usize = 200_000;
const LARGE_FILE_PATHS: [&str; 5] = [
    "spec/vectors/",
    "suite/contracts.json",
    "suite/openapi.json",
    "crates/dalil-judge/model/",
    "crates/dalil-render/fonts/",
];
/// The store's databases, its HTTP client for S3 and TLS are 140 of these, the typesetter is 180,
/// the validator that tests hold the API with is 30.
const MAX_PACKAGES: usize = 645;
