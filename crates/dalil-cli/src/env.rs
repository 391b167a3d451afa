//! Inputs from the environment: the time, the number of processors, settings.

use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use dalil::sandbox::ProgramCommand;
use dalil_proof::time::Time;

use crate::error::CliError;

/// The system's time.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
pub(crate) fn now() -> Result<Time, CliError> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let millis = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    millis.and_then(Time::from_millis).ok_or(CliError::Clock)
}

/// A moment to measure from; it decides only the progress that is shown.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
pub(crate) fn moment() -> Instant {
    Instant::now()
}

/// This program, to start it again: hostile files are read in processes of its own.
pub(crate) fn itself() -> Result<ProgramCommand, CliError> {
    match ITSELF.get() {
        Some(command) => Ok(command.clone()),
        None => Ok(std::env::current_exe().map_err(CliError::Itself)?.into()),
    }
}

/// Sets the command that starts this program again where it is not the executable of the process.
///
/// The first call decides: a process is one program.
pub(crate) fn set_itself(command: ProgramCommand) {
    ITSELF.get_or_init(|| command);
}

/// How many threads can run at once.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A setting in the environment; an empty one is none.
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var_os(name)?.into_string().ok().filter(|value| !value.is_empty())
}

/// The address of a database by the name of its connection.
#[cfg(feature = "live-sql")]
pub(crate) fn connection(name: &str) -> Option<String> {
    setting(&format!("DALIL_CONNECTION_{}", name.to_uppercase()))
}

/// The key of an external judge.
pub(crate) fn judge_key() -> Option<String> {
    setting("DALIL_JUDGE_KEY")
}

static ITSELF: OnceLock<ProgramCommand> = OnceLock::new();
