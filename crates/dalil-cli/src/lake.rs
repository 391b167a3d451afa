//! A lake that is a folder: artifacts are read by path and kept by digest.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use dalil_evidence::bundle::{ArtifactReadError, LakeUri, LakeWrite};

use crate::error::CliError;

/// An existing folder; nothing outside it is read or written.
#[derive(Debug)]
pub(crate) struct LakeFolder {
    root: PathBuf,
}

impl LakeFolder {
    /// Opens the folder.
    pub(crate) fn open(folder: &Path) -> Result<Self, CliError> {
        let opened = folder.canonicalize().and_then(|root| {
            if root.is_dir() { Ok(Self { root }) } else { Err(io::ErrorKind::NotADirectory.into()) }
        });
        opened.map_err(|error| CliError::NoLake { path: folder.to_owned(), error })
    }

    /// All the bytes of an artifact.
    pub(crate) fn read(&self, uri: &LakeUri) -> Result<Vec<u8>, ArtifactReadError> {
        // Every link is resolved before the comparison, so none can lead out of the lake.
        let path = self.root.join(uri.as_str()).canonicalize().map_err(|error| unread(&error))?;
        if !path.starts_with(&self.root) {
            return Err(ArtifactReadError::OutsideLake);
        }
        let size = fs::metadata(&path).map_err(|error| unread(&error))?;
        if !size.is_file() {
            return Err(ArtifactReadError::Unreadable("something that is not a file".to_owned()));
        }
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(|error| unread(&error))?;
        file.take(MAX_ARTIFACT_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| unread(&error))?;
        if bytes.len() as u64 > MAX_ARTIFACT_BYTES {
            return Err(ArtifactReadError::Unreadable(format!(
                "more than {MAX_ARTIFACT_BYTES} bytes"
            )));
        }
        Ok(bytes)
    }

    /// Keeps a text: when this returns, it is on the disk under its name.
    pub(crate) fn keep(&self, keep: &LakeWrite) -> Result<(), CliError> {
        let path = self.root.join(keep.lake_uri.as_str());
        let kept = match self.read(&keep.lake_uri) {
            // Equal bytes are not written again, so a read-only lake is enough for a second build.
            Ok(bytes) if bytes == keep.text.as_bytes() => Ok(()),
            Err(ArtifactReadError::OutsideLake) => Err(io::ErrorKind::PermissionDenied.into()),
            _ => self.write(&path, keep.text.as_bytes()),
        };
        kept.map_err(|error| CliError::NotKept { path: keep.lake_uri.to_string(), error })
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        // `create_dir_all` follows links, so where the folder really is must be tested again.
        let folder = folder.canonicalize()?;
        if !folder.starts_with(&self.root) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut part = name.to_owned();
        part.push(format!(".{}.part", std::process::id()));
        let part = folder.join(part);
        // A leftover goes, and so does a link that would lead the write elsewhere.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let written = File::create_new(&part)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&part, folder.join(name)));
        if written.is_err() {
            // The write has failed already; a leftover is the lesser trouble.
            drop(fs::remove_file(&part));
        }
        written?;
        // A rename is durable when its folder is.
        File::open(&folder).and_then(|folder| folder.sync_all())
    }
}

fn unread(error: &io::Error) -> ArtifactReadError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ArtifactReadError::Missing,
        // The words of the system for this kind, without a path of this machine.
        kind => ArtifactReadError::Unreadable(kind.to_string()),
    }
}

/// The most that one artifact may hold.
const MAX_ARTIFACT_BYTES: u64 = 1 << 30;
