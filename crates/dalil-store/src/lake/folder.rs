//! A lake in a folder.
//!
//! A put writes a file of its own in `.part`, syncs it, moves it to its name
//! without replacing, and makes sure that every folder above it is synced. So a crash at any
//! time leaves the whole object under its name or nothing:
//!
//! | crash | on disk | afterwards |
//! |---|---|---|
//! | while writing | a part | `sweep` removes it |
//! | before the move | a whole part | `sweep` removes it |
//! | after the move | the object, perhaps not yet durable | a put syncs again what it finds |
//!
//! Every step goes from an open folder to a name in it and follows no link.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use dalil_proof::digest::Digest;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use tokio::io::AsyncRead;

use super::key::{DELETE_OBJECT, LakeTenantName, OPEN_LAKE, ObjectKey, PUT_OBJECT, READ_OBJECT};
use super::listing::{ForeignLakeEntry, LakeListing};
use super::object::MAX_SINGLE_PUT_BYTES;
use super::reader::{ObjectByteSource, OpenedObject, UncheckedReader};
use super::spool::{blocking, fill, unwritten};
use crate::error::Error;

mod part;
mod walk;

use part::{ObjectTempFile, TEMP_FILES_FOLDER};

/// An open folder.
#[derive(Debug)]
pub(super) struct FolderLake {
    dir: PathBuf,
    root: OwnedFd,
    /// Folders whose names are durable: the folder above was synced when they were there.
    durable: Mutex<BTreeSet<String>>,
}

/// Makes the folder and the folders above it, durably.
pub(super) async fn create(dir: &Path) -> Result<(), Error> {
    let dir = dir.to_owned();
    blocking(OPEN_LAKE, move || {
        make(&dir).map_err(|error| {
            let hint = "check that the folder above it is there and can be written";
            Error::unavailable(OPEN_LAKE, shown(&dir))
                .saw("a folder that can be made", error)
                .hint(hint)
        })
    })
    .await
}

impl FolderLake {
    pub(super) async fn open(dir: &Path) -> Result<Self, Error> {
        let dir = dir.to_owned();
        blocking(OPEN_LAKE, move || {
            // The lake itself may be reached by a link, which its owner made; nothing below may.
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            match rustix::fs::open(&dir, flags, Mode::empty()) {
                Ok(root) => Ok(Self { dir, root, durable: Mutex::default() }),
                Err(error) => Err(Error::unavailable(OPEN_LAKE, shown(&dir))
                    .saw("a folder that can be read", io::Error::from(error))
                    .hint("name the folder where the lake is, and run as a user that may read it")),
            }
        })
        .await
    }

    pub(super) async fn put(self: &Arc<Self>, key: &ObjectKey, bytes: Bytes) -> Result<(), Error> {
        let (folder, key) = (Arc::clone(self), key.clone());
        blocking(PUT_OBJECT, move || {
            let size = bytes.len() as u64;
            if folder.is_there(&key, size)? {
                return Ok(());
            }
            let place = folder.shown(&key);
            let failed = |error: io::Error| unwritten(&place, &error);
            let part = ObjectTempFile::create(&folder.root).map_err(failed)?;
            (&part.file).write_all(&bytes).map_err(failed)?;
            folder.publish(part, &key, size)
        })
        .await
    }

    /// Writes a part that never gets a name.
    pub(super) async fn probe(self: &Arc<Self>) -> Result<(), Error> {
        let folder = Arc::clone(self);
        blocking(PUT_OBJECT, move || {
            let written = || {
                let part = ObjectTempFile::create(&folder.root)?;
                (&part.file).write_all(&[0; PROBE_BYTES])?;
                part.file.sync_all()
            };
            written().map_err(|error: io::Error| unwritten(&shown(&folder.dir), &error))
        })
        .await
    }

    pub(super) async fn put_stream(
        self: &Arc<Self>,
        tenant: &LakeTenantName,
        source: impl AsyncRead + Unpin,
    ) -> Result<(Digest, u64), Error> {
        let (folder, tenant) = (Arc::clone(self), tenant.clone());
        let place = format!("{}, tenant `{}`", shown(&self.dir), tenant.as_str());
        let failed = |error: io::Error| unwritten(&place, &error);
        let part = ObjectTempFile::create(&self.root).map_err(failed)?;
        let file = part.file.try_clone().map_err(failed)?;
        let (_, digest, size) = fill(file, source, &place).await?;
        blocking(PUT_OBJECT, move || {
            let key = ObjectKey::new(&tenant, digest);
            if !folder.is_there(&key, size)? {
                folder.publish(part, &key, size)?;
            }
            Ok((digest, size))
        })
        .await
    }

    pub(super) async fn get(self: &Arc<Self>, key: &ObjectKey) -> Result<OpenedObject, Error> {
        let (folder, key) = (Arc::clone(self), key.clone());
        blocking(READ_OBJECT, move || {
            let place = folder.shown(&key);
            Ok(match folder.look(&key).map_err(|error| unread(&place, &error))? {
                ObjectLookup::File(file, _) => {
                    let source = ObjectByteSource::File(Some(file));
                    OpenedObject::Object(UncheckedReader::new(source, key.digest, place))
                }
                ObjectLookup::Nothing => OpenedObject::Missing,
                ObjectLookup::Strange => OpenedObject::Strange,
            })
        })
        .await
    }

    /// How many bytes the object has, if it is there.
    pub(super) async fn size(self: &Arc<Self>, key: &ObjectKey) -> Result<Option<u64>, Error> {
        let (folder, key) = (Arc::clone(self), key.clone());
        blocking(READ_OBJECT, move || {
            let place = folder.shown(&key);
            match folder.look(&key).map_err(|error| unread(&place, &error))? {
                ObjectLookup::File(_, size) => Ok(Some(size)),
                ObjectLookup::Nothing => Ok(None),
                ObjectLookup::Strange => Err(strange(READ_OBJECT, &place)),
            }
        })
        .await
    }

    pub(super) async fn delete(self: &Arc<Self>, key: &ObjectKey) -> Result<bool, Error> {
        let (folder, key) = (Arc::clone(self), key.clone());
        blocking(DELETE_OBJECT, move || {
            let failed = |error: io::Error| {
                Error::unavailable(DELETE_OBJECT, folder.shown(&key))
                    .saw("a folder that can be written", error)
                    .hint("the object is still there, or may be; doing it again is safe")
            };
            let Some(above) = folder.descend(&key).map_err(failed)? else { return Ok(false) };
            match rustix::fs::unlinkat(&above, key.hex.as_str(), AtFlags::empty()) {
                Ok(()) => {}
                Err(Errno::NOENT) => return Ok(false),
                Err(error) => return Err(failed(error.into())),
            }
            // Without it a loss of power could bring the object back after its erasure.
            rustix::fs::fsync(&above).map_err(|error| failed(error.into()))?;
            Ok(true)
        })
        .await
    }

    pub(super) async fn sweep(self: &Arc<Self>) -> Result<u64, Error> {
        let folder = Arc::clone(self);
        blocking(SWEEP_LAKE, move || {
            part::sweep(&folder.root).map_err(|error| {
                Error::unavailable(SWEEP_LAKE, shown(&folder.dir))
                    .saw("leftovers that can be removed", error)
            })
        })
        .await
    }

    pub(super) async fn tenants(
        self: &Arc<Self>,
    ) -> Result<(Vec<String>, Vec<ForeignLakeEntry>), Error> {
        let folder = Arc::clone(self);
        blocking(super::key::LIST_OBJECTS, move || walk::tenants(&folder)).await
    }

    pub(super) fn list(folder: &Arc<Self>, tenant: &LakeTenantName) -> LakeListing {
        let (found, listing) = LakeListing::channel();
        let (folder, tenant) = (Arc::clone(folder), tenant.clone());
        tokio::task::spawn_blocking(move || walk::tenant(&folder, &tenant, &found));
        listing
    }

    pub(super) fn shown(&self, key: &ObjectKey) -> String {
        format!("{}, tenant `{}`, `{}`", shown(&self.dir), key.tenant.as_str(), key.digest)
    }

    /// Whether the object is there, whole and durable.
    fn is_there(&self, key: &ObjectKey, size: u64) -> Result<bool, Error> {
        let place = self.shown(key);
        let damaged = |expected: String, found: String| {
            Err(Error::damaged(PUT_OBJECT, &place).saw(expected, found).hint(MOVE_AWAY_HINT))
        };
        match self.look(key).map_err(|error| unwritten(&place, &error))? {
            ObjectLookup::Nothing => Ok(false),
            ObjectLookup::Strange => Err(strange(PUT_OBJECT, &place)),
            ObjectLookup::File(_, found) if found != size => {
                damaged(format!("an object of {size} bytes"), format!("one of {found} bytes"))
            }
            ObjectLookup::File(mut file, size) => {
                if size <= MAX_SINGLE_PUT_BYTES {
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes).map_err(|error| unread(&place, &error))?;
                    let found = Digest::of(&bytes);
                    if found != key.digest {
                        return damaged(
                            "bytes of that digest".into(),
                            format!("bytes of `{found}`"),
                        );
                    }
                }
                // Its writer may have died between moving it and syncing the folders.
                let folders = self.make_folders(key).and_then(|folders| self.sync(key, &folders));
                folders.map(|()| true).map_err(|error| unwritten(&place, &error))
            }
        }
    }

    /// Moves a written part to the name of the object.
    fn publish(&self, part: ObjectTempFile, key: &ObjectKey, size: u64) -> Result<(), Error> {
        let place = self.shown(key);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotADirectory => strange(PUT_OBJECT, &place),
            _ => unwritten(&place, &error),
        };
        // The bytes before the name: a name that survives a crash must not lead to an empty file.
        part.file.sync_all().map_err(failed)?;
        let folders = self.make_folders(key).map_err(failed)?;
        let Some(above) = folders.last() else { return Err(strange(PUT_OBJECT, &place)) };
        match part.rename(above, &key.hex) {
            Ok(()) => self.sync(key, &folders).map_err(failed),
            // Another writer was first; its content must be the same.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.is_there(key, size).map(drop)
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn look(&self, key: &ObjectKey) -> io::Result<ObjectLookup> {
        let above = match self.descend(key) {
            Ok(Some(above)) => above,
            Ok(None) => return Ok(ObjectLookup::Nothing),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Ok(ObjectLookup::Strange);
            }
            Err(error) => return Err(error),
        };
        // Without `NONBLOCK` a pipe under the name would wait for its other end.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        match rustix::fs::openat(&above, key.hex.as_str(), flags, Mode::empty()) {
            Ok(file) => {
                let file = File::from(file);
                let stat = file.metadata()?;
                let size = stat.len();
                Ok(if stat.is_file() {
                    ObjectLookup::File(file, size)
                } else {
                    ObjectLookup::Strange
                })
            }
            Err(Errno::NOENT) => Ok(ObjectLookup::Nothing),
            // `LOOP` is a link, `NXIO` a socket.
            Err(Errno::LOOP | Errno::NXIO) => Ok(ObjectLookup::Strange),
            Err(error) => Err(error.into()),
        }
    }

    /// The folder of an object, if it is there.
    fn descend(&self, key: &ObjectKey) -> io::Result<Option<OwnedFd>> {
        let mut folder = self.root.try_clone()?;
        for name in key.folders() {
            folder = match enter(&folder, name) {
                Ok(next) => next,
                Err(Errno::NOENT) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
        }
        Ok(Some(folder))
    }

    /// The folders from the lake down to an object, made where they are missing.
    fn make_folders(&self, key: &ObjectKey) -> io::Result<Vec<OwnedFd>> {
        let mut folders = vec![self.root.try_clone()?];
        let mut above = self.root.try_clone()?;
        let mut path = String::new();
        for name in key.folders() {
            path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            match rustix::fs::mkdirat(&above, name, Mode::from_raw_mode(0o700)) {
                // A folder of that name is in `durable` only if it was removed since.
                Ok(()) => drop(self.durable().remove(&path)),
                Err(Errno::EXIST) => {}
                // A read-only folder may still have the next one.
                Err(Errno::ROFS | Errno::ACCESS) => {}
                Err(error) => return Err(error.into()),
            }
            // The existing entry of that name may be a file or a link; `enter` takes neither.
            let next = enter(&above, name)?;
            folders.push(next.try_clone()?);
            above = next;
        }
        Ok(folders)
    }

    /// Makes the name of an object durable: its folder, and what leads to it.
    ///
    /// Another writer may have made a folder and not synced the one above, so each is synced once
    /// here, no matter which writer made it. A sync of a folder that did not change still waits for
    /// the disk.
    fn sync(&self, key: &ObjectKey, folders: &[OwnedFd]) -> io::Result<()> {
        let names = key.folders();
        for (depth, folder) in folders.iter().enumerate().rev() {
            // Nothing for the last folder, which holds the object itself.
            let below = names.get(..=depth).map(|names| names.join("/"));
            if below.as_ref().is_some_and(|below| self.durable().contains(below)) {
                continue;
            }
            rustix::fs::fsync(folder)?;
            let mut durable = self.durable();
            // Forgetting costs syncs and no safety.
            if durable.len() >= MAX_REMEMBERED_FOLDERS {
                durable.clear();
            }
            durable.extend(below);
        }
        Ok(())
    }

    /// Every change of the set is one call, so a thread that panicked left it whole.
    fn durable(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The entry that has an object's name.
enum ObjectLookup {
    File(File, u64),
    Nothing,
    Strange,
}

/// Opens a folder in a folder; a link is no folder.
fn enter(above: &OwnedFd, name: &str) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(above, name, flags, Mode::empty())
}

fn make(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let above = dir.parent().filter(|above| !above.as_os_str().is_empty());
    above.map_or(Ok(()), make)?;
    match rustix::fs::mkdir(dir, Mode::from_raw_mode(0o700)) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    // A new name is durable when the folder above it is synced.
    File::open(above.unwrap_or(Path::new(".")))?.sync_all()
}

fn unread(place: &str, error: &io::Error) -> Error {
    Error::unavailable(READ_OBJECT, place)
        .saw("a file that can be read", error)
        .hint("let the user that runs the program read the lake, and look at the disk")
}

fn strange(what: &str, place: &str) -> Error {
    Error::damaged(what, place).saw("an object", "something that is no file").hint(MOVE_AWAY_HINT)
}

fn shown(dir: &Path) -> String {
    format!("lake `file:{}`", dir.display())
}

/// How many folders are known to be durable, at some ten megabytes; then it begins again.
const MAX_REMEMBERED_FOLDERS: usize = 100_000;
/// As much as a small object.
const PROBE_BYTES: usize = 256 << 10;
const SWEEP_LAKE: &str = "sweep the lake";
const MOVE_AWAY_HINT: &str = "it is not what the lake wrote; move it away and restore the object";
