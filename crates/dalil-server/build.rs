//! Puts the verifier for browsers into the program, where `DALIL_VERIFIER` names its folder.
//!
//! The folder is `npm/verify/dist`, which `npm/build` makes. Without it the viewer verifies on the
//! server: a plain `cargo build` needs neither Node nor a compiler for browsers.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The files of the folder that the viewer serves.
const PARTS: [&str; 2] = ["dalil.wasm.gz", "verifier.js"];

fn main() -> io::Result<()> {
    let folder = env::var_os("DALIL_VERIFIER").filter(|folder| !folder.is_empty());
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    let mut told = "cargo::rerun-if-env-changed=DALIL_VERIFIER\n".to_owned();
    for part in PARTS {
        let bytes = match &folder {
            Some(folder) => {
                let from = Path::new(folder).join(part);
                told.push_str(&format!("cargo::rerun-if-changed={}\n", from.display()));
                fs::read(&from).map_err(|error| missing(&from, &error))?
            }
            None => Vec::new(),
        };
        fs::File::create(out.join(part))?.write_all(&bytes)?;
    }
    io::stdout().write_all(told.as_bytes())
}

fn missing(path: &Path, error: &io::Error) -> io::Error {
    let told =
        format!("expected {} of DALIL_VERIFIER (npm/build makes it): {error}", path.display());
    io::Error::new(error.kind(), told)
}
