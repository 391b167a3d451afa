//! Progress: calls a function of Python with the work done so far.

use std::sync::{Mutex, PoisonError};

use pyo3::{Py, PyAny, PyErr, PyResult, Python};

/// A listener, and the first exception that it raised.
///
/// A check cannot be stopped half way, so an exception is kept, the listener hears nothing more,
/// and the exception is raised when the work is done.
pub(crate) struct ProgressListener {
    listener: Option<Py<PyAny>>,
    raised: Mutex<Option<PyErr>>,
}

impl ProgressListener {
    pub(crate) fn new(listener: Option<Py<PyAny>>) -> Self {
        Self { listener, raised: Mutex::new(None) }
    }

    /// Calls the listener with `done` of `all`; takes the interpreter's lock for it.
    pub(crate) fn step(&self, stage: &str, done: usize, all: usize) {
        let Some(listener) = &self.listener else { return };
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_none() {
            let heard = Python::attach(|py| listener.call1(py, (stage, done, all)).map(drop));
            *raised = heard.err();
        }
    }

    /// Raises the exception of the listener, if any.
    pub(crate) fn finish(self) -> PyResult<()> {
        match self.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
