//! Which database a catalog is.

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseEngine {
    /// A file in a folder that this process alone writes to.
    Sqlite,
    /// A server that several processes share.
    Postgres,
}
