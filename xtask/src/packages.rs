//! The packages that the workspace needs, from `cargo metadata` and `Cargo.lock`.
//!
//! The first has licences and dependencies, the second the digests of downloads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{fmt, fs, io};

use serde::Deserialize;

#[cfg(test)]
pub(crate) mod tests;

/// Every package that may be built, by cargo's id.
#[derive(Debug)]
pub(crate) struct PackageGraph {
    pub(crate) packages: BTreeMap<String, CargoPackage>,
}

/// One package in one version.
#[derive(Debug)]
pub(crate) struct CargoPackage {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: Option<String>,
    /// Where it comes from; packages of this repository come from nowhere.
    pub(crate) source: Option<String>,
    /// SHA-256 of the archive that cargo downloads.
    pub(crate) checksum: Option<String>,
    /// Runs in the compiler, and is not in the program.
    pub(crate) is_macro: bool,
    /// Ids of the packages it needs to run.
    pub(crate) runs_with: BTreeSet<String>,
    /// Ids of the packages its build script needs.
    pub(crate) builds_with: BTreeSet<String>,
}

impl PackageGraph {
    /// Asks cargo about this repository, for every platform, with the default features and `options`.
    pub(crate) fn of_repository(options: &[&str]) -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let told = Command::new("cargo")
            .args(["metadata", "--locked", "--format-version", "1"])
            .args(options)
            .current_dir(&root)
            .output()?;
        if !told.status.success() {
            let reason = String::from_utf8_lossy(&told.stderr);
            return Err(io::Error::other(format!("cargo metadata: {}", reason.trim())));
        }
        Self::parse(&told.stdout, &fs::read_to_string(root.join("Cargo.lock"))?)
    }

    /// Parses cargo's metadata, and the digests in its lock file.
    pub(crate) fn parse(metadata: &[u8], lock: &str) -> io::Result<Self> {
        let metadata: CargoMetadata = serde_json::from_slice(metadata).map_err(io::Error::other)?;
        let lock: LockFile = toml::from_str(lock).map_err(io::Error::other)?;
        let checksum_of = |package: &MetadataPackage| {
            let is_same = |locked: &&LockedPackage| {
                locked.name == package.name
                    && locked.version == package.version
                    && locked.source == package.source
            };
            lock.package.iter().find(is_same).and_then(|locked| locked.checksum.clone())
        };
        let mut packages: BTreeMap<String, CargoPackage> = metadata
            .packages
            .into_iter()
            .map(|package| {
                let checksum = checksum_of(&package);
                (package.id.clone(), package.with_checksum(checksum))
            })
            .collect();
        for node in metadata.resolve.nodes {
            let Some(package) = packages.get_mut(&node.id) else {
                return Err(io::Error::other(format!("`{}` is resolved, but no package", node.id)));
            };
            for edge in node.deps {
                package.add(&edge);
            }
        }
        Ok(Self { packages })
    }

    /// The id of a package of this repository.
    pub(crate) fn own(&self, name: &str) -> Option<&str> {
        self.packages
            .iter()
            .find(|(_, package)| package.source.is_none() && package.name == name)
            .map(|(id, _)| id.as_str())
    }

    /// The packages that can be reached from a package, itself included, by the links that `next`
    /// follows.
    pub(crate) fn reached<'g>(
        &'g self,
        from: &'g str,
        next: impl Fn(&'g Self, &'g CargoPackage) -> Vec<&'g str>,
    ) -> BTreeSet<&'g str> {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(id) = waiting.pop() {
            if let Some(package) = self.packages.get(id).filter(|_| reached.insert(id)) {
                waiting.extend(next(self, package));
            }
        }
        reached
    }
}

impl CargoPackage {
    fn add(&mut self, edge: &DependencyEdge) {
        for kind in &edge.dep_kinds {
            match kind.kind {
                None => self.runs_with.insert(edge.pkg.clone()),
                Some(EdgeKind::Build) => self.builds_with.insert(edge.pkg.clone()),
                // A dependency of the tests alone does not reach a user of the package.
                Some(EdgeKind::Dev) => false,
            };
        }
    }
}

impl fmt::Display for CargoPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

impl MetadataPackage {
    fn with_checksum(self, checksum: Option<String>) -> CargoPackage {
        let is_macro =
            self.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"));
        CargoPackage {
            name: self.name,
            version: self.version,
            licence: self.license,
            source: self.source,
            checksum,
            is_macro,
            runs_with: BTreeSet::new(),
            builds_with: BTreeSet::new(),
        }
    }
}

#[derive(Deserialize)]
struct CargoMetadata {
    packages: Vec<MetadataPackage>,
    resolve: ResolvedGraph,
}

#[derive(Deserialize)]
struct MetadataPackage {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
    targets: Vec<BuildTarget>,
}

#[derive(Deserialize)]
struct BuildTarget {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct ResolvedGraph {
    nodes: Vec<ResolvedNode>,
}

#[derive(Deserialize)]
struct ResolvedNode {
    id: String,
    deps: Vec<DependencyEdge>,
}

#[derive(Deserialize)]
struct DependencyEdge {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<EdgeKind>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EdgeKind {
    Build,
    Dev,
}

#[derive(Deserialize)]
struct LockFile {
    package: Vec<LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
}
