//! Models beside the one in the program: where a file of one is, how it is made and opened.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

pub use dalil_judge::deep::DeepModel;
use dalil_judge::deep::{AlignedBytes, DeepAdapter, ImportFailure, import};
use dalil_judge::model::ModelFileError;
use thiserror::Error;

#[cfg(test)]
mod tests;

/// Why there is no model.
#[derive(Debug, Error)]
pub enum ModelFailure {
    /// A file could not be read.
    #[error("expected a readable file, found `{path}`: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// A file is larger than any model.
    #[error("expected a model of at most {MAX_MODEL_BYTES} bytes, found {found} in `{path}`")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How long it is.
        found: u64,
    },
    /// A file is damaged.
    #[error("`{path}`: {damaged}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The expected and the found content.
        #[source]
        damaged: ModelFileError,
    },
    /// The adapter in this program is damaged: a fault of this program.
    #[error(transparent)]
    Shipped(ModelFileError),
    /// The model could not be written.
    #[error("expected to write `{path}`, found {error}")]
    Unwritten {
        /// Where it was to be.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

/// The default place of the deep model: in the user's folder for data.
///
/// `data_home` and `home` are the settings `XDG_DATA_HOME` and `HOME`; a relative one does not
/// count, by the XDG specification.
pub fn deep_place(data_home: Option<&str>, home: Option<&str>) -> Option<PathBuf> {
    let absolute = |path: &str| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    let own = data_home.and_then(absolute);
    let folder = own.or_else(|| Some(home.and_then(absolute)?.join(".local/share")))?;
    Some(folder.join("dalil").join("judge-deep.model"))
}

/// Opens a deep model and checks it whole.
///
/// # Errors
/// A file that cannot be read or is no deep model.
pub fn open_deep(path: &Path) -> Result<DeepModel, ModelFailure> {
    let bytes = read(path)?;
    let damaged = |damaged| ModelFailure::Damaged { path: path.to_owned(), damaged };
    DeepModel::read(bytes).map_err(damaged)
}

/// Makes the deep model of a base and an adapter, the one in the program unless a file is named.
///
/// The file appears at `out` when it is whole and on disk: it is written under
/// another name, synced and renamed. `progress` is called with the number of layers that are done.
///
/// # Errors
/// A wrong base or adapter, or a file that cannot be written.
pub fn import_deep(
    base: &Path,
    adapter: Option<&Path>,
    out: &Path,
    progress: &dyn Fn(usize, usize),
) -> Result<(), ModelFailure> {
    let named = |path: &Path, damaged| ModelFailure::Damaged { path: path.to_owned(), damaged };
    let adapter = match adapter {
        Some(path) => {
            DeepAdapter::parse(read(path)?.as_slice()).map_err(|damaged| named(path, damaged))?
        }
        None => DeepAdapter::shipped().map_err(ModelFailure::Shipped)?,
    };
    let bytes = read(base)?;
    let unwritten = |error| ModelFailure::Unwritten { path: out.to_owned(), error };
    let mut part = PartFile::create(out).map_err(unwritten)?;
    let made = import(bytes.as_slice(), &adapter, &mut part.file, progress);
    made.map_err(|failure| match failure {
        ImportFailure::Damaged(damaged) => named(base, damaged),
        ImportFailure::Write(error) => unwritten(error),
    })?;
    part.finish(out).map_err(unwritten)
}

fn read(path: &Path) -> Result<AlignedBytes, ModelFailure> {
    let unreadable = |error| ModelFailure::Unreadable { path: path.to_owned(), error };
    let mut file = File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?;
    if !found.is_file() {
        return Err(unreadable(io::Error::other("it is no file")));
    }
    let size = usize::try_from(found.len()).ok().filter(|_| found.len() <= MAX_MODEL_BYTES);
    let too_large = || ModelFailure::TooLarge { path: path.to_owned(), found: found.len() };
    let mut bytes = size.and_then(AlignedBytes::zeroed).ok_or_else(too_large)?;
    // `read_exact` also finds a file that became shorter after its size was read.
    file.read_exact(bytes.as_mut_slice()).map_err(unreadable)?;
    Ok(bytes)
}

/// A file that is not whole yet; it goes if it never becomes so.
struct PartFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl PartFile {
    fn create(out: &Path) -> io::Result<Self> {
        let Some(name) = out.file_name().filter(|_| !out.is_dir()) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let mut name = name.to_owned();
        // The process id keeps two imports at once from writing to one file.
        name.push(format!(".{}.part", std::process::id()));
        if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let path = out.with_file_name(name);
        let file = BufWriter::with_capacity(WRITE_BUFFER_BYTES, File::create(&path)?);
        Ok(Self { path, file })
    }

    fn finish(mut self, out: &Path) -> io::Result<()> {
        self.file.flush()?;
        // Data before name: otherwise a crash could leave a short model under the name.
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, out)
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        drop(fs::remove_file(&self.path));
    }
}

/// Twice the size of the base in eight bits; a larger file would not fit into memory either.
const MAX_MODEL_BYTES: u64 = 4 << 30;
const WRITE_BUFFER_BYTES: usize = 1 << 20;
