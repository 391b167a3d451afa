//! The log: one line of JSON for each request, and for each internal error.
//!
//! A line names the route, never the path: paths hold ids, and queries hold
//! words of people. Bodies, credentials and evidence are never in one.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::clock::ServerClock;

/// Where lines go.
pub(crate) struct LogWriter {
    to: Mutex<Box<dyn Write + Send>>,
    clock: ServerClock,
}

/// A request that was answered.
#[derive(Serialize)]
pub(crate) struct RequestLogLine<'l> {
    /// Absent where the machine has no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
    pub(crate) event: &'static str,
    pub(crate) request_id: &'l str,
    pub(crate) method: &'l str,
    pub(crate) route: &'l str,
    pub(crate) status: u16,
    pub(crate) micros: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tenant: Option<&'l str>,
    /// The name of the credential, which is no secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) credential: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace_id: Option<&'l str>,
}

/// Something that happened beside requests.
#[derive(Serialize)]
struct EventLogLine<'l> {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    event: &'static str,
    message: &'l str,
}

impl LogWriter {
    pub(crate) fn new(to: Box<dyn Write + Send>, clock: ServerClock) -> Self {
        Self { to: Mutex::new(to), clock }
    }

    /// The time of a line.
    pub(crate) fn at(&self) -> Option<String> {
        self.clock.read().map(|at| at.to_string())
    }

    /// Writes a line about the server itself.
    pub(crate) fn event(&self, event: &'static str, message: &str) {
        self.line(&EventLogLine { at: self.at(), event, message });
    }

    /// Writes a line. A failure to write it is ignored.
    pub(crate) fn line(&self, line: &impl Serialize) {
        let Ok(mut bytes) = serde_json::to_vec(line) else { return };
        bytes.push(b'\n');
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        drop(to.write_all(&bytes).and_then(|()| to.flush()));
    }
}
