//! Walks a lake's folder without following a link.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir, FileType};
use rustix::io::Errno;

use super::{FolderLake, TEMP_FILES_FOLDER, enter, shown};
use crate::error::Error;
use crate::lake::key::{LIST_OBJECTS, LakeTenantName};
use crate::lake::listing::LakeListingSender;
use crate::lake::{ForeignLakeEntry, LakeEntry};

/// The tenants, and the other entries beside them.
pub(super) fn tenants(folder: &FolderLake) -> Result<(Vec<String>, Vec<ForeignLakeEntry>), Error> {
    let (mut tenants, mut foreign) = (Vec::new(), Vec::new());
    for entry in entries(&folder.root).map_err(|error| unlisted(folder, &error))? {
        let (name, kind, _) = entry;
        match kind {
            FileType::Directory if name == TEMP_FILES_FOLDER => {}
            FileType::Directory if LakeTenantName::is_name(&name) => tenants.push(name),
            kind => foreign.push(ForeignLakeEntry { path: name, what: what(kind) }),
        }
    }
    tenants.sort();
    foreign.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((tenants, foreign))
}

/// Sends everything under a tenant's name.
pub(super) fn tenant(folder: &FolderLake, tenant: &LakeTenantName, found: &LakeListingSender) {
    let walked = match enter(&folder.root, tenant.as_str()) {
        Ok(root) => descend(&root, "", tenant.as_str(), found),
        Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    };
    if let Err(error) = walked {
        // The receiver may be gone.
        drop(found.blocking_send(Err(unlisted(folder, &error))));
    }
}

/// Sends the entries of a folder and below; `above` is empty or ends in a slash.
fn descend(dir: &OwnedFd, above: &str, tenant: &str, found: &LakeListingSender) -> io::Result<()> {
    for (name, kind, size) in entries(dir)? {
        let path = format!("{above}{name}");
        let listed = match kind {
            FileType::Directory if path.split('/').count() <= MAX_OBJECT_FOLDER_DEPTH => {
                descend(&enter(dir, &name)?, &format!("{path}/"), tenant, found)?;
                continue;
            }
            FileType::RegularFile => LakeEntry::file(tenant, &path, size),
            kind => LakeEntry::foreign(tenant, &path, what(kind)),
        };
        if found.blocking_send(Ok(listed)).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Name, kind and size of the entries of a folder. A name that is no text is shown as one.
fn entries(dir: &OwnedFd) -> io::Result<Vec<(String, FileType, u64)>> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let stat = match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            // It went between the two calls, which is no fault.
            Err(Errno::NOENT) => continue,
            Err(error) => return Err(error.into()),
        };
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        // A folder whose name is no text cannot be entered by it.
        let kind = FileType::from_raw_mode(stat.st_mode);
        let kind = if name.to_str().is_ok() { kind } else { FileType::Unknown };
        entries.push((name.to_string_lossy().into_owned(), kind, size));
    }
    Ok(entries)
}

fn what(kind: FileType) -> &'static str {
    match kind {
        FileType::RegularFile => "a file",
        FileType::Directory => "a folder",
        FileType::Symlink => "a link",
        _ => "something that is no file",
    }
}

fn unlisted(folder: &FolderLake, error: &io::Error) -> Error {
    Error::unavailable(LIST_OBJECTS, shown(&folder.dir)).saw("folders that can be read", error)
}

/// `sha256`, `ab`, `cd`: deeper entries are foreign, whatever they are.
const MAX_OBJECT_FOLDER_DEPTH: usize = 3;
