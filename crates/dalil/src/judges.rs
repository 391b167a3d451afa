//! The judges of a process: the models, opened once, and the choice between them.
//!
//! [`JudgeModels`] owns the models, [`Judges`] adds the choice between them, and
//! a [`JudgeBackend`] borrows what one check needs. A verifier has models and no choice:
//! the ledger names the model that judges again.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dalil_judge::deep::DeepModel;
use dalil_judge::model::{FastModel, ModelFileError};
use dalil_proof::digest::Digest;

use crate::external::ExternalJudge;
use crate::model_file::{ModelFailure, open_deep};
use crate::panel::{JudgeBackend, both};

#[cfg(test)]
pub(crate) mod tests;

/// The models of the fast and the deep judge.
#[derive(Debug, Default)]
pub struct JudgeModels {
    fast: OnceLock<Option<FastModel>>,
    deep: OnceLock<Option<DeepModel>>,
    /// The file that the deep model is opened from when it is first needed.
    deep_file: Option<PathBuf>,
}

/// Which judge is asked.
#[derive(Debug)]
pub enum JudgeMode {
    /// The fast one first, and the deep one where that is not sure; without a deep model, the
    /// fast one alone.
    Auto,
    /// The small model in this program.
    Fast,
    /// The large model in a file, for every claim.
    Deep,
    /// A model behind an endpoint.
    External(Box<ExternalJudge>),
}

/// Models, and the choice between them.
#[derive(Debug)]
pub struct Judges {
    /// The models.
    pub models: JudgeModels,
    /// The choice.
    pub mode: JudgeMode,
}

impl JudgeModels {
    /// Opens the model in this program, and the one in a file if one is named, and checks them.
    ///
    /// # Errors
    /// A file that cannot be read or is no deep model.
    pub fn open(deep_file: Option<&Path>) -> Result<Self, ModelFailure> {
        let fast = FastModel::shipped().map_err(ModelFailure::Shipped)?;
        let deep = deep_file.map(open_deep).transpose()?;
        Ok(Self { fast: Some(fast).into(), deep: deep.into(), deep_file: None })
    }

    /// Models that are opened when a verification needs them. One that cannot be opened is missing,
    /// which the report states at the verdicts that need it.
    pub fn when_needed(deep_file: Option<PathBuf>) -> Self {
        Self { deep_file, ..Self::default() }
    }

    /// The small model.
    pub fn fast(&self) -> Option<&FastModel> {
        self.fast.get_or_init(|| FastModel::shipped().ok()).as_ref()
    }

    /// The large model.
    pub fn deep(&self) -> Option<&DeepModel> {
        let opened = || self.deep_file.as_deref().and_then(|file| open_deep(file).ok());
        self.deep.get_or_init(opened).as_ref()
    }

    /// The panel that a ledger names by the digest of its model, or of both models.
    pub(crate) fn named(&self, digest: Digest, threads: usize) -> Option<JudgeBackend<'_>> {
        // The small model is in the program, so it is compared before a large file is opened.
        let fast = self.fast()?;
        if fast.digest() == digest {
            return JudgeBackend::fast(fast, threads).ok();
        }
        let deep = self.deep()?;
        if deep.digest() == digest {
            return JudgeBackend::deep(deep, threads).ok();
        }
        // An automatic check used both, and only the two together give its verdicts again.
        (both(fast, deep) == digest).then(|| JudgeBackend::auto(fast, deep, threads).ok())?
    }
}

impl Judges {
    /// Deletes the replies of an external judge, because something was erased.
    ///
    /// # Errors
    /// The first reply that cannot be removed; the others are.
    pub fn forget_replies(&self) -> io::Result<()> {
        match &self.mode {
            JudgeMode::External(external) => external.forget_replies(),
            JudgeMode::Auto | JudgeMode::Fast | JudgeMode::Deep => Ok(()),
        }
    }

    /// The judge of one check, on at most `threads` threads.
    ///
    /// # Errors
    /// A model that is not here, or that does not say how its scores are read.
    pub fn panel(&self, threads: usize) -> Result<JudgeBackend<'_>, ModelFileError> {
        let missing = |which| ModelFileError::new(which, "a model", "none");
        let fast = || self.models.fast().ok_or_else(|| missing("fast"));
        match (&self.mode, self.models.deep()) {
            (JudgeMode::External(external), _) => Ok(JudgeBackend::External(external)),
            (JudgeMode::Deep, deep) => {
                JudgeBackend::deep(deep.ok_or_else(|| missing("deep"))?, threads)
            }
            (JudgeMode::Auto, Some(deep)) => JudgeBackend::auto(fast()?, deep, threads),
            (JudgeMode::Auto | JudgeMode::Fast, _) => JudgeBackend::fast(fast()?, threads),
        }
    }
}
