//! Data of the registry about the locked versions, from the copy of its index that cargo keeps.
//!
//! Cargo asks for the entry of a package when it resolves or downloads, and keeps the reply under
//! `$CARGO_HOME/registry/index`. So this needs no network, and has the state of cargo's
//! last request: `cargo update --dry-run` asks again.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;

use crate::packages::{CargoPackage, PackageGraph};

#[cfg(test)]
mod tests;

/// The index's statements about the packages of a graph.
#[derive(Debug, Default)]
pub(crate) struct YankedReport {
    /// Versions that their authors took back.
    pub(crate) yanked: Vec<String>,
    /// How many packages of the registry the index has no entry of, so that nothing is known.
    pub(crate) unknown: usize,
}

/// Looks up every package of a registry under the folder of cargo.
pub(crate) fn yanked(graph: &PackageGraph, cargo_home: &Path) -> io::Result<YankedReport> {
    let indexes = indexes(&cargo_home.join("registry/index"))?;
    let mut report = YankedReport::default();
    for package in graph.packages.values().filter(|package| package.source.is_some()) {
        let entries = indexes.iter().filter_map(|index| entry(index, package).transpose());
        match entries.collect::<io::Result<Vec<IndexEntry>>>()?.first() {
            Some(entry) if entry.yanked => {
                let problem =
                    format!("{package}: taken back by its authors (take another version)");
                report.yanked.push(problem);
            }
            Some(_) => {}
            None => report.unknown += 1,
        }
    }
    Ok(report)
}

/// The caches of the registries; none where cargo has asked none.
fn indexes(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let listed = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed?,
    };
    let caches = listed.map(|entry| Ok(entry?.path().join(".cache")));
    let mut caches: Vec<PathBuf> = caches.collect::<io::Result<_>>()?;
    caches.sort();
    Ok(caches)
}

/// The entry of a package's very version.
fn entry(index: &Path, package: &CargoPackage) -> io::Result<Option<IndexEntry>> {
    let bytes = match fs::read(index.join(place(&package.name))) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes?,
    };
    // A header, then for each version its name and its entry, all ended by a zero byte.
    let lines = bytes.split(|byte| *byte == 0).filter(|line| line.first() == Some(&b'{'));
    for line in lines {
        let entry: IndexEntry = serde_json::from_slice(line).map_err(io::Error::other)?;
        if entry.vers == package.version {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// Where the index keeps a package: `se/rd/serde`, `3/t/toml`, `2/ab`.
fn place(name: &str) -> String {
    let name = name.to_lowercase();
    let part = |range| name.get(range).unwrap_or_default();
    match name.len() {
        1 => format!("1/{name}"),
        2 => format!("2/{name}"),
        3 => format!("3/{}/{name}", part(0..1)),
        _ => format!("{}/{}/{name}", part(0..2), part(2..4)),
    }
}

/// One version of a package, as far as it is needed here.
#[derive(Debug, Deserialize)]
struct IndexEntry {
    vers: String,
    yanked: bool,
}
