//! Functions that other front ends share with the commands: judges and bundles made from settings,
//! the clock, and readers of documents.

use std::path::{Path, PathBuf};

use dalil::external::ExternalJudge;
use dalil::judges::{JudgeMode, JudgeModels, Judges};
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil_evidence::bundle::{BuiltBundle, BundleDocumentSet, BundleRequest, build};
use dalil_evidence::mask::MaskKey;
use dalil_phrasebook::{Phrase, expected, found};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::time::Time;

use crate::command::{bundle, model};
use crate::env;
use crate::error::CliError;
use crate::lake::LakeFolder;

#[cfg(test)]
mod tests;

/// The judge that was asked for, with its settings.
#[derive(Clone, Debug)]
pub struct JudgeSettings {
    /// `fast`, `deep`, `auto` or an address; without it `auto`.
    pub judge: Option<JudgeChoice>,
    /// The model at that address.
    pub model: Option<String>,
    /// Whether claims and passages are masked for it.
    pub masking: JudgeMasking,
    /// The file of the large model; without it the usual place.
    pub file: Option<PathBuf>,
    /// Where replies of an endpoint are kept.
    pub replies: PathBuf,
}

/// Whether an endpoint sees texts as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeMasking {
    /// It sees them masked, by the built-in rules.
    Masked,
    /// It sees them as they are.
    AsIs,
}

/// The choice of a judge.
#[derive(Clone, Debug)]
pub enum JudgeChoice {
    /// The small model in this program.
    Fast,
    /// The large model.
    Deep,
    /// The large one where the small one is not sure.
    Auto,
    /// A model behind an OpenAI-compatible address.
    Endpoint(String),
}

impl JudgeChoice {
    /// The expected form of a choice.
    pub const EXPECTED: Phrase = expected::judge_choice();

    /// Reads a choice.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "fast" => Some(Self::Fast),
            "deep" => Some(Self::Deep),
            "auto" => Some(Self::Auto),
            _ if text.starts_with("http://") || text.starts_with("https://") => {
                Some(Self::Endpoint(text.to_owned()))
            }
            _ => None,
        }
    }

    /// Reads a choice of a request.
    ///
    /// # Errors
    /// Another text. One that looks like an address may hold a password, so it is not repeated.
    pub fn required(text: &str) -> Result<Self, Refused> {
        let is_address = text.contains("://") || text.contains(['@', '?', '#']);
        let found = || if is_address { found::something_else() } else { quoted(text) };
        let fault = || Fault::new("choice", "judge", Self::EXPECTED, found()).into();
        Self::parse(text).ok_or_else(fault)
    }
}

impl JudgeSettings {
    /// Opens the judges that were asked for.
    ///
    /// # Errors
    /// A model that was asked for and is not there, and an address that cannot be one of a judge or
    /// has no name of a model.
    pub fn open(&self) -> Result<Judges, CliError> {
        let mode = match (&self.judge, &self.model) {
            (Some(JudgeChoice::Endpoint(url)), _) if !names_endpoint(url) => {
                return Err(CliError::JudgeAddress);
            }
            (Some(JudgeChoice::Endpoint(url)), Some(model)) => {
                let replies = self.replies.clone();
                let external = ExternalJudge::new(url, model, env::judge_key(), replies);
                JudgeMode::External(Box::new(match self.masking {
                    JudgeMasking::Masked => external.masking(Vec::new()),
                    JudgeMasking::AsIs => external,
                }))
            }
            (Some(JudgeChoice::Endpoint(_)), None) => return Err(CliError::NoJudgeModel),
            (Some(JudgeChoice::Fast), _) => JudgeMode::Fast,
            (Some(JudgeChoice::Deep), _) => JudgeMode::Deep,
            (Some(JudgeChoice::Auto) | None, _) => JudgeMode::Auto,
        };
        let is_asked = self.judge.is_some() || self.file.is_some();
        let file = model::needed(&mode, self.file.as_ref(), is_asked)?;
        Ok(Judges { models: JudgeModels::open(file.as_deref())?, mode })
    }
}

/// Whether an address can be the one of a judge. It is printed when the judge does not answer, so
/// it may contain no user, which may have a password, and no parameters.
fn names_endpoint(url: &str) -> bool {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    is_web && !url.contains(['@', '?', '#'])
}

/// The parts of a bundle beside its request.
#[derive(Debug)]
pub struct BundleSettings<'s> {
    /// The folder that references point into, and where whole texts are kept.
    pub lake: Option<&'s Path>,
    /// Documents whose chunks enter the bundle.
    pub documents: Option<BundleDocumentSet>,
    /// A secret; masks then carry a keyed digest of what they hide.
    pub mask_key: Option<MaskKey>,
}

/// Builds a bundle from a request as JSON, without live queries.
///
/// # Errors
/// A request that breaks a rule, and a lake that is missing or cannot be written.
pub fn built_bundle(request: &[u8], settings: BundleSettings<'_>) -> Result<BuiltBundle, CliError> {
    let BundleSettings { lake, documents, mask_key } = settings;
    let request = BundleRequest::parse(request)?;
    if !request.live_queries().is_empty() {
        return Err(bundle::without_live_queries().into());
    }
    let lake = lake.map(LakeFolder::open).transpose()?;
    let artifacts = bundle::read(&request, lake.as_ref())?;
    let request = match documents {
        Some(documents) => request.with(documents),
        None => request,
    };
    let built = build(request, &artifacts, mask_key.as_ref())?;
    built.bundle.check_inside_lake()?;
    bundle::keep_all(&built.keep, lake.as_ref())?;
    Ok(built)
}

/// Reads documents in processes of this program.
///
/// # Errors
/// The program is not found.
pub fn reader() -> Result<SandboxReader, CliError> {
    Ok(SandboxReader::new(env::itself()?, SandboxLimits::usual()))
}

/// The file of the large model when none is named.
pub fn usual_model_file() -> Option<PathBuf> {
    model::place(None).ok()
}

/// The system's time.
///
/// # Errors
/// A clock that is wrong beyond use.
pub fn now() -> Result<Time, CliError> {
    env::now()
}

/// How many threads can run at once.
pub fn threads() -> usize {
    env::threads()
}
