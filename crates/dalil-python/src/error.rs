//! Exceptions of failures: the classes are those of `dalil.errors`.

use dalil_cli::CliError;
use dalil_proof::canon;
use dalil_proof::fault::{Fault, Refused};
use pyo3::types::{PyAnyMethods as _, PyBytes, PyBytesMethods as _, PyString};
use pyo3::{Bound, PyAny, PyErr, PyResult, Python};
use serde::Serialize;

/// The exception for a failure: every fault of a refused input, or the error and a hint.
pub(crate) fn raised(py: Python<'_>, failure: &CliError) -> PyErr {
    let made = match failure {
        CliError::Refused(refused) => refused_with(py, refused),
        other => failed_with(py, &other.to_string(), other.hint()),
    };
    made.unwrap_or_else(|error| error)
}

/// A fault of an argument that Python gave.
pub(crate) fn fault(py: Python<'_>, fault: Fault) -> PyErr {
    raised(py, &CliError::Refused(fault.into()))
}

/// The result of work that ran without the interpreter's lock.
pub(crate) fn or_raise<T>(py: Python<'_>, done: Result<T, CliError>) -> PyResult<T> {
    done.map_err(|failure| raised(py, &failure))
}

/// Canonical JSON of a value, as bytes of Python.
pub(crate) fn json<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = or_raise(py, canon::bytes(value).map_err(CliError::from))?;
    Ok(PyBytes::new(py, &bytes))
}

fn refused_with(py: Python<'_>, refused: &Refused) -> PyResult<PyErr> {
    let text = canon::bytes(refused).map_err(|error| failed(py, &error.to_string()))?;
    let class = py.import("dalil.errors")?.getattr("Refused")?;
    let made = class.call_method1("of_json", (PyBytes::new(py, &text),))?;
    Ok(PyErr::from_value(made))
}

fn failed_with(py: Python<'_>, message: &str, hint: Option<&str>) -> PyResult<PyErr> {
    let class: Bound<'_, PyAny> = py.import("dalil.errors")?.getattr("Failure")?;
    Ok(PyErr::from_value(class.call1((PyString::new(py, message), hint))?))
}

fn failed(py: Python<'_>, message: &str) -> PyErr {
    failed_with(py, message, None).unwrap_or_else(|error| error)
}

/// The bytes that Python gave.
pub(crate) fn owned(bytes: &Bound<'_, PyBytes>) -> Vec<u8> {
    bytes.as_bytes().to_vec()
}
