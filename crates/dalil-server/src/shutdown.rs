//! When the server is to stop.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Signals that a server is to stop.
pub type ShutdownSignal = watch::Receiver<bool>;

/// Signals a stop when the process is asked to end: by `SIGTERM`, or from the keyboard.
///
/// # Errors
/// The system does not report signals.
pub fn signals() -> Result<ShutdownSignal, io::Error> {
    let (said, stop) = watch::channel(false);
    let mut end = signal(SignalKind::terminate())?;
    let mut keyboard = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = end.recv() => (),
            _ = keyboard.recv() => (),
        }
        said.send_replace(true);
        // The sender stays alive, so that later receivers still see the stop.
        said.closed().await;
    });
    Ok(stop)
}
