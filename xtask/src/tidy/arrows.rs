//! The allowed arrows between crates, and the purity of those that are audited.

use crate::source::split_at_word;
use crate::tree::RepositoryTree;

/// Nothing flows back: a crate knows only those before it.
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

/// Everything in proof and evidence is a function of its arguments.
pub(super) fn proof_and_evidence_are_pure(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, source) in tree.sources().filter(|(path, _)| is_pure(path)) {
        for (n, line) in source.lines.iter().enumerate() {
            let named =
                IMPURE_NAMES.iter().find(|impure| split_at_word(&line.code, impure).is_some());
            if let Some(impure) = named {
                found.push(format!("{path}:{}: `{impure}` ({WHY_PURE})", n + 1));
            }
        }
    }
    for folder in PURE_CRATES {
        let path = format!("{folder}Cargo.toml");
        let manifest = tree.text(&path).into_iter();
        let impure = manifest.flat_map(dependencies).filter(|name| IMPURE_CRATES.contains(name));
        found.extend(impure.map(|name| format!("{path}: `{name}` ({WHY_PURE})")));
    }
    found
}

/// A `Value` is not checked until it is too late; proof and evidence read into types.
pub(super) fn proof_and_evidence_type_their_json(tree: &RepositoryTree) -> Vec<String> {
    let mut found = Vec::new();
    let pure = tree.sources().filter(|(path, _)| is_pure(path) && !path.ends_with("/tests.rs"));
    for (path, source) in pure {
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

/// Whether a file is code of a crate that depends on its arguments only.
fn is_pure(path: &str) -> bool {
    PURE_CRATES
        .iter()
        .any(|folder| path.strip_prefix(folder).is_some_and(|inside| inside.starts_with("src/")))
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
const ALLOWED_DEPENDENCIES: [(&str, &[&str]); 16] = [
    ("dalil-phrasebook", &[]),
    ("dalil-proof", &["dalil-phrasebook"]),
    ("dalil-kernel", &[]),
    ("dalil-evidence", &["dalil-phrasebook", "dalil-proof"]),
    ("dalil-documents", &["dalil-phrasebook", "dalil-proof", "dalil-evidence"]),
    (
        "dalil-judge",
        &["dalil-phrasebook", "dalil-proof", "dalil-evidence", "dalil-documents", "dalil-kernel"],
    ),
    ("dalil-store", &["dalil-phrasebook", "dalil-proof", "dalil-evidence"]),
    ("dalil-render", &["dalil-phrasebook", "dalil-proof", "dalil-evidence"]),
    // The offline tool knows no database.
    (
        "dalil",
        &[
            "dalil-phrasebook",
            "dalil-proof",
            "dalil-evidence",
            "dalil-documents",
            "dalil-judge",
            "dalil-render",
        ],
    ),
    (
        "dalil-service",
        &[
            "dalil-phrasebook",
            "dalil-proof",
            "dalil-evidence",
            "dalil-documents",
            "dalil-render",
            "dalil-store",
            "dalil",
        ],
    ),
    (
        "dalil-server",
        &[
            "dalil-phrasebook",
            "dalil-proof",
            "dalil-evidence",
            "dalil-render",
            "dalil-store",
            "dalil",
            "dalil-service",
        ],
    ),
    (
        "dalil-cli",
        &[
            "dalil-phrasebook",
            "dalil-proof",
            "dalil-evidence",
            "dalil-render",
            "dalil-store",
            "dalil",
            "dalil-service",
            "dalil-server",
        ],
    ),
    (
        "dalil-python",
        &[
            "dalil-phrasebook",
            "dalil-proof",
            "dalil-evidence",
            "dalil-render",
            "dalil",
            "dalil-cli",
        ],
    ),
    // The code that strangers run in a browser: no judge, no store, no network.
    (
        "dalil-wasm",
        &["dalil-phrasebook", "dalil-proof", "dalil-evidence", "dalil-documents", "dalil-render"],
    ),
    ("xtask", &["dalil-proof"]),
    (
        "bench",
        &[
            "dalil-phrasebook",
            "dalil-proof",
            "dalil-evidence",
            "dalil-documents",
            "dalil-judge",
            "dalil-kernel",
            "dalil-render",
            "dalil-store",
            "dalil",
        ],
    ),
];

/// The crates that a verifier has to trust: `spec/` can be recomputed from them on any machine.
const PURE_CRATES: [&str; 2] = ["crates/dalil-proof/", "crates/dalil-evidence/"];
const WHY_PURE: &str = "no I/O, clock, environment, randomness or async here: pass it in";
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
