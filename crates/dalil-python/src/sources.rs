//! `dalil.sources`: retrieval results in, the items beside an answer out; `dalil.anchor`.

use dalil_cli::CliError;
use dalil_evidence::anchor::{Anchor, text_digest};
use dalil_evidence::citation_source::event::SourcesEvent;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_evidence::citation_source::wire;
use dalil_phrasebook::expected;
use dalil_proof::fault::{Fault, quoted};
use dalil_proof::json::Json;
use pyo3::types::{PyBytes, PyBytesMethods as _};
use pyo3::{Bound, PyResult, Python, pyfunction};

use crate::error::{fault, json, or_raise};

/// The sources of a request, in one of the shapes of the wire.
#[pyfunction]
pub(crate) fn sources<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyBytes>,
    shape: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let parsed = or_raise(py, Json::parse(request.as_bytes()).map_err(CliError::from))?;
    let request = or_raise(py, SourcesRequest::read(&parsed).map_err(CliError::from))?;
    let event = SourcesEvent::of(&request);
    match shape {
        "event" => json(py, &event),
        "ai-sdk" => json(py, &wire::parts(&event)),
        "anthropic" => json(py, &wire::anthropic(&event)),
        "openai" => json(py, &wire::openai(&request, &event)),
        other => {
            Err(fault(py, Fault::new("choice", "format", expected::one_of(SHAPES), quoted(other))))
        }
    }
}

/// The anchor that an answer cites to name a text: `[cite:…]`.
#[pyfunction]
pub(crate) fn anchor(text: &str) -> String {
    Anchor::shortest(&text_digest(text), []).as_str().to_owned()
}

const SHAPES: &str = "`event`, `ai-sdk`, `anthropic`, `openai`";
