//! A store in a folder: who may write there, and whether it is whole.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::catalog::{Catalog, DatabaseEngine, failed};
use crate::error::Error;

/// Locks the folder, unless it is opened read-only, and returns its catalog.
pub(super) async fn open(dir: &Path, read_only: bool) -> Result<(Catalog, Option<File>), Error> {
    let label = format!("file:{}", dir.display());
    let whole = std::path::absolute(dir).map_err(|error| unusable(&label, &error))?;
    let catalog = whole.join(CATALOG_FILE);
    let Some(path) = catalog.to_str() else {
        return Err(
            Error::refused(OPEN_STORE, format!("`{label}`")).saw("a path in UTF-8", "another")
        );
    };
    let lock = if read_only {
        if !catalog.exists() {
            return Err(Error::unavailable(OPEN_STORE, format!("`{label}`"))
                .saw("a store", "none")
                .hint("`dalil tenant create` makes one"));
        }
        None
    } else {
        // Evidence is its owner's to read.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&whole);
        made.map_err(|error| unusable(&label, &error))?;
        Some(lock(&whole, &label).await?)
    };
    check_length(&catalog, &label)?;
    let mode = if read_only { "ro" } else { "rwc" };
    let url = format!("sqlite://{}?mode={mode}", encoded(path));
    let catalog = Catalog::new(DatabaseEngine::Sqlite, &url, label.clone(), !read_only);
    Ok((catalog.map_err(|failure| failed(OPEN_STORE, &label, failure))?, lock))
}

/// One process writes to a folder. The lock goes when the process does, so a command that comes
/// while another writes waits a moment.
async fn lock(dir: &Path, label: &str) -> Result<File, Error> {
    let options = File::options().create(true).truncate(false).write(true).open(dir.join("lock"));
    let file = options.map_err(|error| unusable(label, &error))?;
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if waited < MAX_LOCK_WAIT => {
                tokio::time::sleep(LOCK_POLL_INTERVAL).await;
                waited += LOCK_POLL_INTERVAL;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Error::refused(OPEN_STORE, format!("`{label}`"))
                    .saw("a folder that no other process writes to", "one that does")
                    .hint("end the other process, or open the store for reading only"));
            }
            Err(TryLockError::Error(error)) => return Err(unusable(label, &error)),
        }
    }
}

/// Refuses a database file that is shorter than its header states: it was cut off.
///
/// While there is a log beside it, pages that are not in the file may be in the log.
fn check_length(catalog: &Path, label: &str) -> Result<(), Error> {
    let log = fs::metadata(catalog.with_extension("sqlite-wal")).map_or(0, |log| log.len());
    let mut header = Vec::new();
    let length = match File::open(catalog) {
        Ok(file) => {
            let length = file.metadata().map_err(|error| unusable(label, &error))?.len();
            let read = file.take(SQLITE_HEADER_BYTES).read_to_end(&mut header);
            read.map_err(|error| unusable(label, &error))?;
            length
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unusable(label, &error)),
    };
    let number = |at: usize| -> Option<u64> {
        let bytes = header.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(u32::from_be_bytes(bytes)))
    };
    let page = header.get(16..18).and_then(|bytes| bytes.try_into().ok()).map(u16::from_be_bytes);
    // A page of 65,536 bytes is written as 1. A file without pages is new.
    let page = page.map_or(0, |page| if page == 1 { 1 << 16 } else { u64::from(page) });
    // Offsets 16 and 28 of SQLite's header: the size of a page, and how many there are.
    let pages = number(28).unwrap_or(0);
    let is_cut =
        length > 0 && (length < SQLITE_HEADER_BYTES || length < pages.saturating_mul(page));
    if is_cut && log == 0 {
        return Err(Error::damaged(OPEN_STORE, format!("`{label}`"))
            .saw(
                format!("{CATALOG_FILE} of {pages} pages of {page} bytes"),
                format!("{length} bytes"),
            )
            .hint("put the file back from a copy; nothing was written"));
    }
    Ok(())
}

/// A path as part of a URL.
fn encoded(path: &str) -> String {
    utf8_percent_encode(path, ENCODED_IN_PATH).to_string()
}

const ENCODED_IN_PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

fn unusable(label: &str, error: &io::Error) -> Error {
    Error::unavailable(OPEN_STORE, format!("`{label}`"))
        .saw("a folder that can be read and written", error)
        .hint("look at the owner and permissions of the folder")
}

/// Longer than most commands write; a server that has the folder keeps it.
const MAX_LOCK_WAIT: Duration = Duration::from_secs(2);
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(50);
const OPEN_STORE: &str = "open the store";
const CATALOG_FILE: &str = "catalog.sqlite";
/// The length of SQLite's header.
const SQLITE_HEADER_BYTES: u64 = 100;
