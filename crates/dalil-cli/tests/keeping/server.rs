//! Servers of a test's own, which it may stop.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::home::folder;

/// A server, gone with all that it stored when dropped.
pub(crate) struct Server {
    script: PathBuf,
    dir: PathBuf,
}

impl Server {
    /// One of those in `suite/servers`, in a folder.
    pub(crate) fn new(kind: &str, name: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/servers").join(kind);
        Self { script, dir: folder(name) }
    }

    /// Starts it; gives its address.
    #[track_caller]
    pub(crate) fn start(&self) -> String {
        let said = self.run("start");
        said.split('\'').nth(1).unwrap().to_owned()
    }

    /// Stops it; its stored data stays.
    #[track_caller]
    pub(crate) fn stop(&self) {
        self.run("stop");
    }

    #[track_caller]
    fn run(&self, what: &str) -> String {
        let output = Command::new(&self.script).arg(what).arg(&self.dir).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Ends a PostgreSQL as a crash would: without notice, and nothing is written.
    #[track_caller]
    pub(crate) fn crash(&self) {
        let data = fs::read_to_string(self.dir.join("data")).unwrap();
        let pid = fs::read_to_string(Path::new(data.trim()).join("postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        assert!(Command::new("kill").args(["-QUIT", &pid]).status().unwrap().success());
        while Path::new("/proc").join(&pid).exists() {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run("remove");
    }
}
