//! `dalil.verify`: whether evidence holds, with no network and no trust in its maker.

use dalil::judges::JudgeModels;
use dalil::verify::{VerifyScope, VerifyTools, trust_in_nobody};
use dalil_cli::{CliError, library};
use dalil_phrasebook::{Language, expected, found};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use pyo3::types::PyBytes;
use pyo3::{Bound, FromPyObject, PyResult, Python, pyfunction};

use crate::check::{language, time};
use crate::error::{json, or_raise, owned};

/// The attributes of Python's options for a verification.
#[derive(FromPyObject)]
pub(crate) struct VerifyOptions {
    /// A trust file as JSON; without it, no key is trusted.
    trust: Option<Vec<u8>>,
    at: Option<String>,
    language: String,
    threads: Option<usize>,
}

/// Verifies the bytes of a file; returns the report as JSON.
#[pyfunction]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    evidence: &Bound<'py, PyBytes>,
    options: VerifyOptions,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = owned(evidence);
    let verified = py.detach(|| verified(&bytes, &options));
    let (report, language) = or_raise(py, verified)?;
    json(py, &report.localized(language))
}

fn verified(
    bytes: &[u8],
    options: &VerifyOptions,
) -> Result<(VerificationReport, Language), CliError> {
    let language = language(&options.language)?;
    let now: Time = match &options.at {
        Some(text) => time(text)?,
        None => library::now()?,
    };
    let reader = library::reader()?;
    // Opened when a ledger is to be judged again; most files need no model.
    let models = JudgeModels::when_needed(library::usual_model_file());
    let tools = VerifyTools {
        reader: &reader,
        models: Some(&models),
        threads: options.threads.unwrap_or_else(library::threads),
        scope: VerifyScope::WHOLE,
    };
    let trust = match &options.trust {
        Some(text) => Trust::parse(text)?,
        None => trust_in_nobody(bytes, &tools).ok_or_else(untrusted)?,
    };
    Ok((dalil::verify::file(bytes, &trust, now, &tools), language))
}

/// No trust can be made for this file, not even one without keys.
fn untrusted() -> Refused {
    Fault::new("trust", "trust", expected::what_a_verifier_believes(), found::nothing()).into()
}
