//! The files of the repository, read once, for every rule to look at.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use crate::source::{RustSource, split_at_word};

/// Files by their path from the root, `/` between folders.
#[derive(Debug, Default)]
pub(crate) struct RepositoryTree {
    files: BTreeMap<String, Vec<u8>>,
    /// The Rust files, scanned when a rule first asks.
    sources: OnceCell<BTreeMap<String, RustSource>>,
}

impl RepositoryTree {
    /// Reads the files that git tracks, and those that it would track if they were added.
    pub(crate) fn of_repository() -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        // git lists the files of the repository, so that build outputs are never read.
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(&root)
            .output()?;
        if !listed.status.success() {
            return Err(io::Error::other("expected a git repository, found none"));
        }
        let mut files = BTreeMap::new();
        for path in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
            // A tracked file that was deleted is listed but not there.
            if let Ok(bytes) = fs::read(root.join(path)) {
                files.insert(path.to_owned(), bytes);
            }
        }
        Ok(Self { files, ..Self::default() })
    }

    /// A small tree, for samples that break a rule.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
        Self { files: files.iter().map(owned).collect(), ..Self::default() }
    }

    /// Every path with its bytes, in order.
    pub(crate) fn bytes(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Every path under `prefix` that ends with `end` and holds text, with the text.
    pub(crate) fn texts(&self, prefix: &str, end: &str) -> impl Iterator<Item = (&str, &str)> {
        self.bytes()
            .filter(move |(path, _)| path.starts_with(prefix) && path.ends_with(end))
            .filter_map(|(path, bytes)| Some((path, std::str::from_utf8(bytes).ok()?)))
    }

    /// Every Rust file, scanned.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&str, &RustSource)> {
        let sources = self.sources.get_or_init(|| {
            let scan = |(path, text): (&str, &str)| (path.to_owned(), RustSource::scan(text));
            let mut sources = self.texts("", ".rs").map(scan).collect();
            mark_test_files(&mut sources);
            sources
        });
        sources.iter().map(|(path, source)| (path.as_str(), source))
    }

    /// The text of one file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.files.get(path)?).ok()
    }
}

/// The folder that holds the modules declared in a Rust file.
pub(crate) fn module_folder(path: &str) -> &str {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    ["/lib", "/main", "/mod"].iter().find_map(|root| stem.strip_suffix(root)).unwrap_or(stem)
}

/// The crate of a file under its `src`: the name of its folder.
pub(crate) fn crate_of(path: &str) -> Option<&str> {
    let (folder, _) = path.split_once("/src/")?;
    Some(folder.rsplit_once('/').map_or(folder, |(_, name)| name))
}

/// Marks the files of integration tests, and those that are modules under `#[cfg(test)]`.
fn mark_test_files(sources: &mut BTreeMap<String, RustSource>) {
    let mut modules = BTreeSet::new();
    for (path, source) in &*sources {
        for line in source.lines.iter().filter(|line| line.in_test) {
            let name =
                split_at_word(&line.code, "mod").and_then(|(_, name)| name.strip_suffix(';'));
            modules.extend(name.map(|name| format!("{}/{}", module_folder(path), name.trim())));
        }
    }
    for (path, source) in sources {
        let stem = path.strip_suffix(".rs").unwrap_or(path);
        // Files below a test module are tests as well, so every folder above is looked at.
        let parents = stem.match_indices('/').filter_map(|(end, _)| stem.get(..end));
        let is_module = parents.chain([stem]).any(|module| modules.contains(module));
        if is_module || path.split('/').any(|part| matches!(part, "tests" | "tests.rs")) {
            source.mark_as_test();
        }
    }
}
