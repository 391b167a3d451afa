//! Walking: the files under some paths, in an order that every machine agrees on.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WalkedFile {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Its name: its path below the one that was given, with `/`.
    pub(super) name: String,
}

/// A path that could not be walked.
#[derive(Debug)]
pub(super) struct WalkFailure {
    /// The path.
    pub(super) path: PathBuf,
    /// The error of the system.
    pub(super) error: io::Error,
}

/// The identity of a file, whatever its name: equal for a file, the links to it and its hard links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    device: u64,
    number: u64,
}

impl FileIdentity {
    /// Returns the identity of the file that has this metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), number: metadata.ino() }
    }
}

/// Opens a file, and nothing that could wait for its bytes for ever: no pipe and no device.
///
/// # Errors
/// The error of the system, and a path that leads to something else than a file or a folder.
pub fn regular(path: &Path) -> io::Result<File> {
    // Opening a pipe would block until another process writes to it, so the kind is checked first.
    waits_for_nobody(&fs::metadata(path)?)?;
    File::open(path)
}

fn waits_for_nobody(metadata: &Metadata) -> io::Result<()> {
    let holds = metadata.is_file() || metadata.is_dir();
    if holds { Ok(()) } else { Err(io::Error::other("a pipe, a device or a socket")) }
}

/// Every file that `paths` name or hold.
///
/// A file that is named is taken. In a folder, names that begin with a point are left out, and so
/// are links: a corpus has the files that are in the folder itself.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<WalkedFile>, WalkFailure> {
    let mut found = Vec::new();
    for path in paths {
        let failed = |error| WalkFailure { path: path.clone(), error };
        let kind = fs::metadata(path).map_err(failed)?;
        if kind.is_dir() {
            folder(path, "", 0, &mut found)?;
        } else {
            waits_for_nobody(&kind).map_err(failed)?;
            found.push(WalkedFile { path: path.clone(), name: last(path) });
        }
    }
    distinct(&mut found);
    Ok(found)
}

fn folder(
    path: &Path,
    above: &str,
    depth: usize,
    found: &mut Vec<WalkedFile>,
) -> Result<(), WalkFailure> {
    let failed = |error| WalkFailure { path: path.to_owned(), error };
    if depth > MAX_FOLDER_DEPTH {
        return Err(failed(io::Error::other(format!("more than {MAX_FOLDER_DEPTH} folders deep"))));
    }
    let mut inside = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        // `file_type` does not follow links, so a link is neither a folder nor a file here.
        let kind = entry.file_type().map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && (kind.is_dir() || kind.is_file()) {
            inside.push((name, kind.is_dir(), entry.path()));
        }
    }
    // `read_dir` has no order. Ledgers list documents in this one, on every machine.
    inside.sort();
    for (name, is_folder, path) in inside {
        let name = if above.is_empty() { name } else { format!("{above}/{name}") };
        if is_folder {
            folder(&path, &name, depth + 1, found)?;
        } else {
            found.push(WalkedFile { path, name });
        }
    }
    Ok(())
}

fn last(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A file that was found twice stays once; two files of one name take the path they were found by.
fn distinct(found: &mut Vec<WalkedFile>) {
    let mut seen = std::collections::HashSet::new();
    found.retain(|one| {
        // Overlapping arguments (`docs` and `docs/a.md`) lead to the same file by different paths.
        let real = one.path.canonicalize().unwrap_or_else(|_| one.path.clone());
        seen.insert(real)
    });
    let mut count = std::collections::HashMap::new();
    for one in &*found {
        *count.entry(one.name.clone()).or_insert(0_usize) += 1;
    }
    for one in found.iter_mut().filter(|one| count.get(&one.name).is_some_and(|n| *n > 1)) {
        one.name = one.path.to_string_lossy().replace('\\', "/");
    }
}

/// Deeper folders are links in disguise, or a mistake.
const MAX_FOLDER_DEPTH: usize = 64;
