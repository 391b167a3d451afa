//! Who may know whom: the arrows between crates, and the purity of the core.

use crate::source::split_at_word;
use crate::tree::RepositoryTree;

/// Nothing flows back: a crate knows only what stands before it.
pub(super) fn crates_know_only_what_they_may(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.texts("", "Cargo.toml").filter(|(path, _)| *path != "Cargo.toml") {
        let Some(name) = path.rsplit('/').nth(1) else { continue };
        let Some((_, may)) =
            ALLOWED_DEPENDENCIES.iter().find(|(crate_name, _)| *crate_name == name)
        else {
            found.push(format!(
                "{path}: `{name}` has no arrows (draw them in tidy and in ARCHITECTURE)"
            ));
            continue;
        };
        for other in dependencies(text).filter(|other| is_ours(other) && !may.contains(other)) {
            found.push(format!("{path}: `{name}` knows `{other}` (nothing flows back)"));
        }
    }
    found
}

/// Everything in core is a function of its arguments.
pub(super) fn core_is_pure(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, source) in tree.sources().filter(|(path, _)| path.starts_with(CORE_FOLDER)) {
        for (n, line) in source.lines.iter().enumerate() {
            let named =
                IMPURE_NAMES.iter().find(|impure| split_at_word(&line.code, impure).is_some());
            if let Some(impure) = named {
                found.push(format!("{path}:{}: `{impure}` ({WHY_PURE})", n + 1));
            }
        }
    }
    let manifest = tree.text("crates/dalil-core/Cargo.toml");
    let impure = manifest.into_iter().flat_map(dependencies);
    let impure = impure.filter(|name| IMPURE_CRATES.contains(name));
    found.extend(impure.map(|name| format!("crates/dalil-core/Cargo.toml: `{name}` ({WHY_PURE})")));
    found
}

/// A `Value` is read by nobody until it is too late; core reads into its own types.
pub(super) fn core_types_its_json(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    let core = tree
        .sources()
        .filter(|(path, _)| path.starts_with(CORE_FOLDER) && !path.ends_with("/tests.rs"));
    for (path, source) in core {
        for (n, line) in source.lines.iter().enumerate() {
            let names = |word| split_at_word(&line.code, word).is_some();
            if names("serde_json") && names("Value") {
                let why = "it loses duplicate keys and has no shape: use `json::Json` or a type";
                found.push(format!("{path}:{}: `serde_json::Value` ({why})", n + 1));
            }
        }
    }
    found
}

/// The names under `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let mut section = "";
    manifest.lines().filter_map(move |line| {
        if line.starts_with('[') {
            section = line;
        }
        let name = line.split(['.', ' ', '=']).next()?;
        let is_name = !name.is_empty() && !name.starts_with(['[', '#']);
        // Tests may know whom they like: `[dev-dependencies]` are not looked at.
        (section == "[dependencies]" && is_name).then_some(name)
    })
}

/// Whether a crate is one of this workspace.
pub(super) fn is_ours(name: &str) -> bool {
    ALLOWED_DEPENDENCIES.iter().any(|(ours, _)| *ours == name)
}

/// Each crate and the crates of ours that it may name.
const ALLOWED_DEPENDENCIES: [(&str, &[&str]); 10] = [
    ("dalil-core", &[]),
    ("dalil-kernel", &[]),
    ("dalil-engine", &["dalil-core", "dalil-kernel"]),
    ("dalil-store", &["dalil-core"]),
    ("dalil-press", &["dalil-core"]),
    ("dalil", &["dalil-core", "dalil-engine", "dalil-store", "dalil-press"]),
    ("dalil-server", &["dalil-core", "dalil"]),
    ("dalil-cli", &["dalil-core", "dalil", "dalil-server"]),
    ("xtask", &["dalil-core"]),
    ("bench", &["dalil-core", "dalil-engine", "dalil-press", "dalil-store"]),
];

const CORE_FOLDER: &str = "crates/dalil-core/src/";
const WHY_PURE: &str = "core has no I/O, clock, environment, randomness or async: pass it in";
const IMPURE_NAMES: [&str; 14] = [
    "async",
    "await",
    "tokio",
    "std::fs",
    "std::net",
    "std::env",
    "std::io",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant",
    "rand",
    "getrandom",
    "OsRng",
];
const IMPURE_CRATES: [&str; 6] = ["tokio", "futures", "rand", "getrandom", "chrono", "reqwest"];
