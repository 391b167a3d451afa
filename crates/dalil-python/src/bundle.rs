//! `dalil.bundle`: selects the evidence that a model may see.

use std::path::PathBuf;

use dalil::bundle::{ChunkSelection, documents};
use dalil_cli::CliError;
use dalil_cli::library::{BundleSettings, built_bundle};
use dalil_evidence::bundle::{BuiltBundle, prompt};
use dalil_evidence::mask::MaskKey;
use dalil_proof::fault::{Fault, Refused};
use pyo3::types::PyBytes;
use pyo3::{Bound, FromPyObject, Py, PyResult, Python, pyfunction};

use crate::corpus::PythonCorpus;
use crate::error::{json, or_raise, owned};

/// The attributes of a bundle's inputs beside its request.
#[derive(FromPyObject)]
pub(crate) struct BundleOptions {
    lake: Option<PathBuf>,
    corpus: Option<Py<PythonCorpus>>,
    query: Option<String>,
    top: usize,
    mask_key: Option<Vec<u8>>,
}

/// Builds a bundle; returns its JSON and its text for a prompt.
#[pyfunction]
pub(crate) fn bundle<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyBytes>,
    options: BundleOptions,
) -> PyResult<(Bound<'py, PyBytes>, String)> {
    let request = owned(request);
    let corpus = options.corpus.as_ref().map(|corpus| corpus.get());
    let built = py.detach(|| -> Result<BuiltBundle, CliError> {
        let settings = BundleSettings {
            lake: options.lake.as_deref(),
            documents: corpus.map(|one| documents(&one.corpus, &wanted(&options))),
            mask_key: options.mask_key.as_deref().map(key).transpose()?,
        };
        built_bundle(&request, settings)
    });
    let built = or_raise(py, built)?;
    Ok((json(py, &built.bundle)?, prompt::render(&built.bundle)))
}

fn wanted(options: &BundleOptions) -> ChunkSelection {
    match &options.query {
        Some(query) => ChunkSelection::Ranked { query: query.clone(), top: options.top },
        None => ChunkSelection::All,
    }
}

fn key(bytes: &[u8]) -> Result<MaskKey, Refused> {
    let fault = || Fault::new("length", "mask_key", MaskKey::EXPECTED, bytes.len());
    MaskKey::new(bytes).ok_or_else(|| fault().into())
}
