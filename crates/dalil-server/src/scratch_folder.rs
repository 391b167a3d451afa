//! Temporary files of uploads, which no other user of the machine can read.

use std::path::{Path, PathBuf};

use dalil_proof::digest::hex;
use dalil_service::scratch_dir::{PRIVATE_DIR_MODE, PRIVATE_FILE_MODE};
use tokio::fs::File;

use crate::problem::{ApiProblem, ProblemKind};

/// Creates a file that no other user of the machine can read.
pub(crate) async fn create_private(path: &Path) -> std::io::Result<File> {
    File::options().write(true).create_new(true).mode(PRIVATE_FILE_MODE).open(path).await
}

/// A folder of one upload, gone with it.
pub(crate) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) async fn new(scratch: &Path) -> Result<Self, ApiProblem> {
        let mut name = [0; 8];
        getrandom::fill(&mut name).map_err(|_| ApiProblem::new(ProblemKind::Internal))?;
        let path = scratch.join(format!("upload-{}", hex(&name)));
        let made = tokio::fs::DirBuilder::new().mode(PRIVATE_DIR_MODE).create(&path).await;
        made.map_err(|error| ApiProblem::unwritten(&error))?;
        Ok(Self(path))
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Files left behind are removed with the scratch folder.
        drop(std::fs::remove_dir_all(&self.0));
    }
}
