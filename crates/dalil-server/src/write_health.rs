//! Whether the server can write: not with a full disk or an unreachable database.
//!
//! The first failed write shows it. From then on, each readiness probe and each request for metrics
//! tries a write, at most once a second, until one succeeds.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dalil_store::Store;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::log::LogWriter;
use crate::scratch_folder::create_private;

/// How writes go.
#[derive(Default)]
pub(crate) struct WriteHealth {
    is_failing: AtomicBool,
    last_try: Mutex<Option<Instant>>,
}

impl WriteHealth {
    /// A write failed.
    pub(crate) fn note_failure(&self) {
        self.is_failing.store(true, Ordering::Relaxed);
    }

    /// Whether the last write failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    /// Whether writes succeed, as far as is known; after one that failed, by trying.
    pub(crate) async fn can_write(&self, scratch: &Path, store: &Store, log: &LogWriter) -> bool {
        if !self.is_failing() {
            return true;
        }
        let mut last = self.last_try.lock().await;
        if last.is_some_and(|last| last.elapsed() < MIN_TRY_INTERVAL) {
            return !self.is_failing();
        }
        *last = Some(Instant::now());
        match write(scratch, store).await {
            Ok(()) => {
                self.is_failing.store(false, Ordering::Relaxed);
                log.event("ready", "writes succeed again");
            }
            Err(cause) => log.event("error", &cause),
        }
        !self.is_failing()
    }
}

/// Writes a file to the scratch folder, and a probe without evidence to the store.
async fn write(scratch: &Path, store: &Store) -> Result<(), String> {
    let path = scratch.join("probe");
    let written = write_file(&path).await;
    drop(tokio::fs::remove_file(&path).await);
    written.map_err(|error| format!("a file could not be written: {error}"))?;
    store.probe().await.map_err(|error| error.to_string())
}

async fn write_file(path: &Path) -> std::io::Result<()> {
    let mut file = create_private(path).await?;
    file.write_all(&[0; PROBE_BYTES]).await?;
    file.sync_all().await
}

/// As much as a commit of a few records takes.
const PROBE_BYTES: usize = 256 << 10;
const MIN_TRY_INTERVAL: Duration = Duration::from_secs(1);
