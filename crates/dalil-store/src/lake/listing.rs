//! Lists the objects in a lake, one after the other.

use dalil_proof::digest::Digest;
use tokio::sync::mpsc;

use super::key::ObjectKey;
use crate::error::Error;

/// Something under a tenant's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LakeEntry {
    /// An object, by its name; its bytes were not looked at.
    Object {
        /// Its name.
        digest: Digest,
        /// How many bytes it has.
        size: u64,
    },
    /// Something that no put makes.
    Foreign(ForeignLakeEntry),
}

/// Something in a lake that no put makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignLakeEntry {
    /// Where, below the lake.
    pub path: String,
    /// Its kind: a file, a folder, a link, something else.
    pub what: &'static str,
}

/// Everything under a tenant's name, in no order that means anything.
///
/// A few are read ahead, whatever the size of the lake.
#[derive(Debug)]
pub struct LakeListing(mpsc::Receiver<Result<LakeEntry, Error>>);

/// Where a walk sends its entries.
pub(super) type LakeListingSender = mpsc::Sender<Result<LakeEntry, Error>>;

impl LakeListing {
    pub(super) fn channel() -> (LakeListingSender, Self) {
        let (sender, receiver) = mpsc::channel(MAX_READ_AHEAD_ENTRIES);
        (sender, Self(receiver))
    }

    /// The next thing, or nothing when all were given.
    ///
    /// # Errors
    /// Unavailable: the lake cannot be read on; the listing ends.
    pub async fn next(&mut self) -> Result<Option<LakeEntry>, Error> {
        self.0.recv().await.transpose()
    }
}

impl LakeEntry {
    /// A file under `tenant`, by its path below the tenant's name.
    pub(super) fn file(tenant: &str, path: &str, size: u64) -> Self {
        ObjectKey::digest_of(path).map_or_else(
            || Self::foreign(tenant, path, "a file"),
            |digest| Self::Object { digest, size },
        )
    }

    pub(super) fn foreign(tenant: &str, path: &str, what: &'static str) -> Self {
        Self::Foreign(ForeignLakeEntry { path: format!("{tenant}/{path}"), what })
    }
}

/// How many are read ahead.
const MAX_READ_AHEAD_ENTRIES: usize = 256;
