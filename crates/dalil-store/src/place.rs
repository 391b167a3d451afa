//! Where a store is.

use std::path::PathBuf;

/// A folder, or a PostgreSQL with a lake beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Everything in one folder.
    File {
        /// The folder.
        dir: PathBuf,
    },
    /// The catalog on a server.
    Postgres {
        /// The server, its database, user and password.
        url: String,
        /// Where the lake is.
        lake: LakePlace,
    },
}

/// Where the objects of a store are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LakePlace {
    /// A folder.
    Folder(PathBuf),
}
