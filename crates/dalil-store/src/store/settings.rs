//! The commit settings of the database, as it reports them.

use super::Store;
use crate::catalog::{DatabaseEngine, RowSource};
use crate::error::Error;

/// A setting: its name, its value, and the values with which a commit is durable; none
/// where any will do.
pub type DurabilitySetting = (&'static str, String, &'static [&'static str]);

impl Store {
    /// The settings of the database that durability hangs on.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn settings(&self) -> Result<Vec<DurabilitySetting>, Error> {
        let asked = match self.shared.catalog.engine {
            DatabaseEngine::Sqlite => SQLITE_SETTINGS,
            DatabaseEngine::Postgres => POSTGRES_SETTINGS,
        };
        let mut settings = Vec::new();
        for (name, sql, safe) in asked {
            let mut source = RowSource::Readers(&self.shared.catalog);
            let read = source.fetch_column(("the settings", *name), sql, &[]).await;
            let read: Vec<String> =
                read.map_err(|failure| self.failed("read settings", failure))?;
            let value = read.into_iter().next().ok_or_else(|| {
                Error::unavailable("read settings", format!("`{}`", self.shared.catalog.label))
                    .saw(format!("the value of `{name}`"), "none")
            })?;
            settings.push((*name, value, *safe));
        }
        Ok(settings)
    }
}

/// A name, how to ask, and the safe answers.
type SettingQuery = (&'static str, &'static str, &'static [&'static str]);

/// `synchronous` is set by the program for each connection that writes.
const SQLITE_SETTINGS: &[SettingQuery] = &[
    ("version", "SELECT sqlite_version()", &[]),
    ("journal_mode", "PRAGMA journal_mode", &["wal"]),
];
const POSTGRES_SETTINGS: &[SettingQuery] = &[
    ("version", "SELECT current_setting('server_version')", &[]),
    ("fsync", "SELECT current_setting('fsync')", &["on"]),
    ("full_page_writes", "SELECT current_setting('full_page_writes')", &["on"]),
    (
        "synchronous_commit",
        "SELECT current_setting('synchronous_commit')",
        &["on", "remote_apply", "remote_write", "local"],
    ),
];
